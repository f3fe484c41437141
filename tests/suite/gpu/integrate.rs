//! Integrated fog: both mappings are compared with f64, column by column.

use half::f16;
use wavelerp::gpu::{Gpu, Pipelines, read_buffer, storage_buffer};
use wavelerp::model::scene::slice_bounds;
use wavelerp::runs::bench::integrate::{Columns, DEPTHS, Integrate, Mapping, TANGENTS, froxel};

use crate::harness::{Harness, edited, error_over_bound, rows};
use crate::oracles::fog::FogSlice;
use crate::oracles::integrate::{error_bound, integrals};

/// Texels of a volume, each of four half floats, slice by slice and row by row.
fn read_volume(gpu: &Gpu, texture: &wgpu::Texture) -> Vec<[f32; 4]> {
    let size = texture.size();
    let row = (8 * size.width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let rows = size.height * size.depth_or_array_layers;
    let buffer = storage_buffer(gpu, "volume", u64::from(row) * u64::from(rows));
    let mut encoder = gpu.encoder("volume");
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: Some(size.height),
            },
        },
        size,
    );
    gpu.queue.submit([encoder.finish()]);
    let bytes: Vec<u8> = read_buffer(gpu, &buffer, (row * rows) as usize).expect("a read-back");
    let texel = |texel: &[u8]| {
        let half = |at: usize| f16::from_le_bytes([texel[at], texel[at + 1]]).to_f32();
        [half(0), half(2), half(4), half(6)]
    };
    let rows = bytes.chunks_exact(row as usize);
    rows.flat_map(|row| row[..8 * size.width as usize].chunks_exact(8).map(texel))
        .collect()
}

/// Integrals of a grid, computed with one of the mappings.
fn integrated(
    harness: &Harness,
    pipelines: &Pipelines,
    columns: &Columns,
    mapping: Mapping,
) -> Vec<[f32; 4]> {
    let integrate = Integrate::new(&harness.gpu, pipelines, mapping).expect("the shader compiles");
    let gpu = &harness.gpu;
    let done = gpu.compute_and_wait("integrate", |pass| columns.record(gpu, pass, &integrate));
    done.expect("computed");
    read_volume(gpu, &columns.integrals)
}

/// A column in the form that the CPU twin needs: its slices, and metres of path per metre of view depth.
fn column([width, height, slices]: [u32; 3], [x, y]: [u32; 2]) -> (Vec<FogSlice>, f64) {
    let bounds = slice_bounds(DEPTHS[0], DEPTHS[1], slices);
    let slice = |slice: u32| {
        let [r, g, b, extinction] = froxel([x, y, slice]).map(f64::from);
        FogSlice {
            near: f64::from(bounds[slice as usize]),
            far: f64::from(bounds[slice as usize + 1]),
            source: [r, g, b],
            extinction,
        }
    };
    let across =
        [(x, width, TANGENTS[0]), (y, height, TANGENTS[1])].map(|(place, count, tangent)| {
            let place = (f64::from(place) + 0.5) / f64::from(count);
            (2.0 * place - 1.0) * f64::from(tangent)
        });
    let path_per_depth = (1.0 + across[0] * across[0] + across[1] * across[1]).sqrt();
    ((0..slices).map(slice).collect(), path_per_depth)
}

/// Largest error of a grid's integrals, each divided by its bound.
fn excess(columns: &Columns, found: &[[f32; 4]]) -> f64 {
    let [width, height, _] = columns.grid;
    let mut worst = 0f64;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (slices, path_per_depth) = column(columns.grid, [x, y]);
        for (slice, expected) in integrals(&slices, path_per_depth).iter().enumerate() {
            let bound = error_bound(&slices[..=slice], expected);
            let texel = found[(slice as u32 * height + y) as usize * width as usize + x as usize];
            worst = worst.max(error_over_bound(expected.channels(), bound, texel));
        }
    }
    worst
}

fn grids(harness: &Harness) -> Vec<[u32; 3]> {
    let wave = harness.gpu.caps.wave_max;
    let slices = [1, 2, wave - 1, wave, wave + 1, 3 * wave, 70];
    let odd = slices.map(|slices| [19, 7, slices]);
    odd.into_iter().chain([[72, 41, 64]]).collect()
}

#[test]
fn both_mappings_integrate_every_column_as_f64_does() {
    let harness = Harness::new();
    for grid in grids(&harness) {
        let columns = Columns::new(&harness.gpu, grid).expect("enough memory");
        for mapping in Mapping::ALL {
            let found = integrated(&harness, &harness.pipelines, &columns, mapping);
            let excess = excess(&columns, &found);
            assert!(excess <= 1.0, "{grid:?} {mapping:?}: {excess} of the bound");
        }
    }
}

mod controls {
    use super::*;

    /// Faults planted in the first mapping and in the second.
    const FAULTS: [&str; 2] = [
        "
bench/integrate_column | layer.rgb * (layer.a * integral.a) | layer.rgb * layer.a
bench/column | froxel.a * thickness * ray_scale | froxel.a * thickness
bench/integrate_column | slice + AHEAD + i | slice + AHEAD
",
        "
bench/integrate_wave | carry.a * prefix.transmittance | prefix.transmittance
bench/integrate_wave | wave.size - 1u | wave.size - 2u
",
    ];

    #[test]
    fn a_wrong_integration_is_found() {
        let harness = Harness::new();
        let slices = 2 * harness.gpu.caps.wave_max + 19;
        let columns = Columns::new(&harness.gpu, [19, 7, slices]).expect("enough memory");
        for (mapping, faults) in [Mapping::Column, Mapping::Wave].into_iter().zip(FAULTS) {
            for [module, find, replace] in rows(faults) {
                let pipelines = edited(module, find, replace);
                let found = integrated(&harness, &pipelines, &columns, mapping);
                let excess = excess(&columns, &found);
                assert!(excess > 2.0, "{replace}: {excess} of the bound");
            }
        }
    }
}
