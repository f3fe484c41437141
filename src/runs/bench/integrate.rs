//! The benchmark case of fog integration: a synthetic grid of froxels, and one dispatch over it by a
//! thread per column or a wave per column.

use half::f16;

use crate::error::Result;
use crate::gpu::{Binds, Gpu, Pipelines, storage_buffer, texture, uniform_buffer};
use crate::model::layout::FrameUniform;
use crate::model::scene::slice_bounds;
use crate::report::bench::record::{Row, Work};
use crate::runs::bench::integrate_kernel::{INTEGRALS, Integrate, Mapping, integrals_texture};
use crate::timing::{Set, Subject, Timed, Timer};

/// The grids that are timed: columns across, columns down, slices.
pub const GRIDS: [[u32; 3]; 3] = [[160, 90, 64], [160, 90, 128], [320, 180, 128]];

/// Tangents of half the field of view, across and down.
pub const TANGENTS: [f32; 2] = [0.8, 0.45];
/// The view depths that the slices span, metres.
pub const DEPTHS: [f32; 2] = [0.1, 60.0];

/// A grid of synthetic froxels, and room for its integrals.
pub struct Columns {
    /// Columns across, columns down, slices.
    pub grid: [u32; 3],
    /// Where the integrals go: in-scattered rgb and transmittance, half floats.
    pub integrals: wgpu::Texture,
    frame: wgpu::Buffer,
    slice_bounds: wgpu::Buffer,
    froxels: wgpu::TextureView,
    integrals_view: wgpu::TextureView,
}

/// Source radiance (rgb) and extinction (a, per metre) of a synthetic froxel, rounded to the half floats of its
/// texture. The froxels make banks of fog, some of them empty, lit in several colours; the optical depth of a
/// column is a few.
pub fn froxel([x, y, slice]: [u32; 3]) -> [f32; 4] {
    let wave = |frequency: f32, phase: u32| 0.5 + 0.5 * (frequency * phase as f32).sin();
    let density = (wave(0.11, x + 2 * slice) * wave(0.17, y + slice) - 0.1).max(0.0);
    let light = wave(0.05, x + y + slice);
    let value = [0.2 + 3.0 * light, 1.0, 2.5 - 2.0 * light, 0.3 * density];
    value.map(|channel| f16::from_f32(channel).to_f32())
}

impl Columns {
    /// Uploads the froxels of a grid.
    pub fn new(gpu: &Gpu, grid: [u32; 3]) -> Result<Self> {
        let [width, height, slices] = grid;
        let uniform = FrameUniform {
            right: [1.0, 0.0, 0.0],
            up: [0.0, 1.0, 0.0],
            forward: [0.0, 0.0, -1.0],
            tan_x: TANGENTS[0],
            tan_y: TANGENTS[1],
            size: [width, height],
            slices,
            ..FrameUniform::default()
        };
        let bounds = slice_bounds(DEPTHS[0], DEPTHS[1], slices);
        let bounds_buffer = storage_buffer(gpu, "slice bounds", 4 * bounds.len() as u64);
        gpu.queue
            .write_buffer(&bounds_buffer, 0, bytemuck::cast_slice(&bounds));
        let integrals = integrals_texture(gpu, grid);
        let columns = Self {
            grid,
            integrals_view: integrals.create_view(&Default::default()),
            integrals,
            frame: uniform_buffer(gpu, "frame", &uniform),
            slice_bounds: bounds_buffer,
            froxels: upload(gpu, grid).create_view(&Default::default()),
        };
        gpu.check()
            .map_err(|error| error.context("the columns of froxels"))?;
        Ok(columns)
    }

    /// Records one integration of the whole grid. A timed pass needs 16 or more of them.
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        integrate: &Integrate,
    ) -> Result<()> {
        let view = wgpu::BindingResource::TextureView;
        let binds = Binds::new([
            ("frame", self.frame.as_entire_binding()),
            ("slice_bounds", self.slice_bounds.as_entire_binding()),
            ("froxels", view(&self.froxels)),
            ("integrals_out", view(&self.integrals_view)),
        ]);
        let [width, height, _] = self.grid;
        integrate.record(gpu, pass, &[&binds], [width, height])
    }
}

/// Times fog integration over a grid by all mappings that the adapter has.
pub fn rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    grid: [u32; 3],
) -> Result<Vec<Row>> {
    let columns = Columns::new(gpu, grid)?;
    let mappings = if gpu.caps.waves {
        &Mapping::ALL[..]
    } else {
        &[Mapping::Column]
    };
    let made = mappings
        .iter()
        .map(|&mapping| Integrate::new(gpu, pipelines, mapping))
        .collect::<Result<Vec<_>>>()?;
    let columns = &columns;
    let subject = |integrate| {
        Subject::new(move |recorder, times| {
            recorder.compute("integrate", |pass| {
                (0..times).try_for_each(|_| columns.record(gpu, pass, integrate))
            })
        })
    };
    let [x, y, z] = grid;
    let set = Set {
        subjects: made.iter().map(subject).collect(),
        frame: None,
    };
    let times = timer.time_with_pilots(&set);
    let work = || Work::Case {
        name: format!("integrate {x}x{y}x{z}"),
    };
    let row = |(mapping, timed): (&Mapping, &Timed)| {
        Row::new(work(), None, mapping.name().to_owned()).timed(timed, &times)
    };
    Ok(mappings.iter().zip(&times.subjects).map(row).collect())
}

/// The froxels of a grid as a texture.
fn upload(gpu: &Gpu, [width, height, slices]: [u32; 3]) -> wgpu::Texture {
    let froxels = texture(
        gpu,
        "synthetic froxels",
        [width, height, slices.max(2)],
        INTEGRALS,
        wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
    );
    let mut halves: Vec<u16> = Vec::with_capacity(4 * (width * height * slices) as usize);
    for slice in 0..slices {
        for y in 0..height {
            let row = (0..width).flat_map(|x| froxel([x, y, slice]));
            halves.extend(row.map(|channel| f16::from_f32(channel).to_bits()));
        }
    }
    gpu.queue.write_texture(
        froxels.as_image_copy(),
        bytemuck::cast_slice(&halves),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(8 * width),
            rows_per_image: Some(height),
        },
        wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: slices,
        },
    );
    froxels
}
