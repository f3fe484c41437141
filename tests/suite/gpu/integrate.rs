//! Integrated fog: both mappings against f64 column by column, and the picture it makes against fog as
//! layers.

mod picture;

use half::f16;
use wavelerp::gpu::shader::Edit;
use wavelerp::gpu::{Gpu, Pipelines, read_buffer, storage_buffer};
use wavelerp::model::methods::Method;
use wavelerp::model::scene::slice_bounds;
use wavelerp::report::Picture;
use wavelerp::report::metrics::Metrics;
use wavelerp::runs::bench::integrate::{Columns, DEPTHS, Integrate, Mapping, TANGENTS, froxel};
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, edited, error_over_bound, rows, scene, settings};
use crate::oracles::fog::FogSlice;
use crate::oracles::integrate::{error_bound, integrals, picture_bound};

use picture::IntegratedFog;

/// The texels of a volume of four half floats each, slice by slice, row by row.
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

/// The integrals of a grid by a mapping.
fn integrated(
    harness: &Harness,
    pipelines: &Pipelines,
    columns: &Columns,
    mapping: Mapping,
) -> Vec<[f32; 4]> {
    let integrate = Integrate::new(&harness.gpu, pipelines, mapping).expect("it compiles");
    let gpu = &harness.gpu;
    let done = gpu.compute_and_wait("integrate", |pass| columns.record(gpu, pass, &integrate));
    done.expect("computed");
    read_volume(gpu, &columns.integrals)
}

/// A column as the CPU twin takes it: its slices, and metres of path per metre of view depth.
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

/// Greatest error over bound of all integrals of a grid.
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
        let columns = Columns::new(&harness.gpu, grid).expect("it fits");
        for mapping in Mapping::ALL {
            let found = integrated(&harness, &harness.pipelines, &columns, mapping);
            let excess = excess(&columns, &found);
            assert!(excess <= 1.0, "{grid:?} {mapping:?}: {excess} of the bound");
        }
    }
}

mod controls {
    use super::*;

    /// Faults of the first mapping, and of the second.
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
        let columns = Columns::new(&harness.gpu, [19, 7, slices]).expect("it fits");
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

/// A pixel is a column.
const GRID: [u32; 2] = [40, 22];

/// The picture with integrated fog.
fn integrated_picture(
    harness: &Harness,
    pipelines: &Pipelines,
    capture: &Capture,
    mapping: Mapping,
) -> Picture {
    let (gpu, frame) = (&harness.gpu, &capture.frame);
    let fog = IntegratedFog::new(gpu, pipelines, frame, mapping);
    let done = gpu.compute_and_wait("integrated fog", |pass| {
        fog.record(gpu, pass, frame, &frame.target);
        Ok(())
    });
    done.expect("computed");
    let pixels = frame.read_composite(gpu).expect("pixels");
    Picture::new(capture.settings.size, pixels).expect("a picture")
}

/// Greatest difference of two pictures over the bound: of rgb, or of transmittance.
fn picture_excess(reference: &Picture, found: &Picture, [rgb, transmittance]: [f64; 2]) -> f64 {
    let pixels = reference.pixels.iter().zip(&found.pixels);
    let bound = [rgb, rgb, rgb, transmittance];
    let excess = pixels.map(|(a, b)| error_over_bound(a.map(f64::from), bound, *b));
    excess.fold(0.0, f64::max)
}

/// The look-up takes the slice itself with what is in front of it, and stops at the near side of the slice.
const FAULTS_OF_LOOK_UPS: &str = "
slice - 1u, 0.0 | slice, 0.0
max(0.0, depth - front_of(slice)) | max(0.0, front_of(slice) - depth)
";

fn integrated_fog_is_fog_as_layers(name: &str, slices: u32) {
    let harness = Harness::new();
    let scene = scene(name);
    assert!(scene.sheets.is_empty(), "sheets are tested apart");
    let particles = scene.particles.min(12_000);
    let settings = settings(&scene, GRID, particles, slices);
    let mut capture = harness.capture(&scene, &settings);
    let largest = f64::from(capture.largest_radiance().expect("a radiance"));
    let bound = picture_bound(largest);
    let layers = capture.picture(Method::PixelLoop).expect("a picture");
    let pipelines = picture::pipelines(&[]);
    for mapping in Mapping::ALL {
        let found = integrated_picture(&harness, &pipelines, &capture, mapping);
        let excess = picture_excess(&layers.composite, &found, bound);
        let what = format!("{name} {slices} {mapping:?}");
        assert!(excess <= 1.0, "{what}: {excess} of the bound");
    }
    for [find, replace] in rows(FAULTS_OF_LOOK_UPS) {
        let edit = Edit::new("methods/integral", find, replace);
        let pipelines = picture::pipelines(&[edit]);
        let found = integrated_picture(&harness, &pipelines, &capture, Mapping::Column);
        let excess = picture_excess(&layers.composite, &found, bound);
        assert!(excess > 1.0, "{name} {replace}: {excess} of the bound");
    }
}

#[test]
fn integrated_fog_gives_the_picture_of_fog_as_layers_in_the_temple() {
    integrated_fog_is_fog_as_layers("temple", 8);
}

#[test]
fn integrated_fog_gives_the_picture_of_fog_as_layers_under_stress() {
    integrated_fog_is_fog_as_layers("stress", 6);
}

#[test]
fn integrated_fog_gives_the_picture_of_fog_as_layers_in_one_slice() {
    integrated_fog_is_fog_as_layers("two", 1);
}

#[test]
fn without_slices_integrated_fog_is_the_particles_alone() {
    let harness = Harness::new();
    let scene = scene("temple");
    let settings = settings(&scene, GRID, 4000, 0);
    let mut capture = harness.capture(&scene, &settings);
    let layers = capture.picture(Method::PixelLoop).expect("a picture");
    let pipelines = picture::pipelines(&[]);
    for mapping in Mapping::ALL {
        let found = integrated_picture(&harness, &pipelines, &capture, mapping);
        let metrics = Metrics::between(&layers.composite, &found).expect("one size");
        assert_eq!(metrics.max_abs, 0.0, "{mapping:?}: {metrics:?}");
    }
}
