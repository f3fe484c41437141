//! Benchmark of fog integration: columns of a synthetic froxel grid are summed front to back in one dispatch. It uses a
//! thread per column (`shaders/bench/integrate_column.wesl`) or a wave per column
//! (`shaders/bench/integrate_wave.wesl`). No frame uses these kernels.

use std::sync::Arc;

use half::f16;

use super::lists::halves;
use crate::error::Result;
use crate::gpu::pipeline::pipelines::spread;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, filled_buffer, texture, uniform_buffer};
use crate::methods::Specialization;
use crate::model::layout::FrameUniform;
use crate::model::passes::Pass;
use crate::model::scene::slice_bounds;
use crate::model::{Capabilities, Feature};
use crate::report::bench::record::{Row, Work};
use crate::runs::{Set, Subject, Timer};
use crate::timing::Timed;

/// The timed grids: columns across, columns down, slices.
pub const GRIDS: [[u32; 3]; 3] = [[160, 90, 64], [160, 90, 128], [320, 180, 128]];

/// Tangents of half the field of view, horizontally and vertically.
pub const TANGENTS: [f32; 2] = [0.8, 0.45];
/// Range of the slices' view depths in metres.
pub const DEPTHS: [f32; 2] = [0.1, 60.0];

/// A grid of synthetic froxels, and a texture for its integrals.
pub struct Columns {
    /// Columns across, columns down, slices.
    pub grid: [u32; 3],
    /// Output: in-scattered rgb and transmittance, half floats.
    pub integrals: wgpu::Texture,
    frame: wgpu::Buffer,
    slice_bounds: wgpu::Buffer,
    froxels: wgpu::TextureView,
    integrals_view: wgpu::TextureView,
}

/// Source radiance (rgb) and extinction (a, per metre) of a synthetic froxel, rounded to the half floats of the
/// froxels' texture. The froxels form fog banks with gaps, lit in several colours. A column has an optical depth of a
/// few units.
pub fn froxel([x, y, slice]: [u32; 3]) -> [f32; 4] {
    let wave = |frequency: f32, phase: u32| 0.5 + 0.5 * (frequency * phase as f32).sin();
    let density = (wave(0.11, x + 2 * slice) * wave(0.17, y + slice) - 0.1).max(0.0);
    let light = wave(0.05, x + y + slice);
    let value = [0.2 + 3.0 * light, 1.0, 2.5 - 2.0 * light, 0.3 * density];
    value.map(|channel| f16::from_f32(channel).to_f32())
}

impl Columns {
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
            ..FrameUniform::plain()
        };
        let bounds = slice_bounds(DEPTHS[0], DEPTHS[1], slices);
        let integrals = integrals_texture(gpu, grid);
        let columns = Self {
            grid,
            integrals_view: integrals.create_view(&Default::default()),
            integrals,
            frame: uniform_buffer(gpu, "frame", &uniform),
            slice_bounds: filled_buffer(gpu, "slice bounds", &bounds),
            froxels: upload(gpu, grid).create_view(&Default::default()),
        };
        gpu.check()
            .map_err(|error| error.context("the columns of froxels"))?;
        Ok(columns)
    }

    /// Records one integration of the whole grid. A timed pass needs at least 16 integrations.
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
        integrate.pipeline.set(pass, &[&binds])?;
        let [width, height, _] = self.grid;
        let [x, y] = match integrate.mapping {
            Mapping::Column => [width.div_ceil(GROUP[0]), height.div_ceil(GROUP[1])],
            Mapping::Wave => {
                let waves = Specialization::workgroup(&gpu.caps) / gpu.caps.wave_max;
                spread((width * height).div_ceil(waves))
            }
        };
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }
}

pub fn rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    grid: [u32; 3],
    work: &Work,
) -> Result<Vec<Row>> {
    let columns = Columns::new(gpu, grid)?;
    let mut mappings = Mapping::ALL.to_vec();
    mappings.retain(|mapping| *mapping == Mapping::Column || gpu.caps.waves);
    let made = mappings
        .iter()
        .map(|&mapping| Integrate::new(gpu, pipelines, mapping))
        .collect::<Result<Vec<_>>>()?;
    let columns = &columns;
    let subject = |integrate| -> Subject<'_> {
        Box::new(move |recorder, times| {
            recorder.compute(Pass::Integrate, |pass| {
                (0..times).try_for_each(|_| columns.record(gpu, pass, integrate))
            })
        })
    };
    let set = Set::alone(made.iter().map(subject));
    let times = gpu.finish(timer.time_with_pilots(&set))?;
    let row = |(mapping, timed): (&Mapping, &Timed)| {
        Row::new(work.clone(), None, mapping.name().to_owned()).timed(timed, &times)
    };
    Ok(mappings.iter().zip(&times.subjects).map(row).collect())
}

fn upload(gpu: &Gpu, [width, height, slices]: [u32; 3]) -> wgpu::Texture {
    let mut all: Vec<u16> = Vec::with_capacity(4 * (width * height * slices) as usize);
    for slice in 0..slices {
        for y in 0..height {
            let row = (0..width).flat_map(|x| froxel([x, y, slice]));
            all.extend(row.map(|channel| f16::from_f32(channel).to_bits()));
        }
    }
    halves(gpu, "synthetic froxels", [width, height, slices], &all)
}

/// Workgroup size with a thread per column, in columns along x and y.
const GROUP: [u32; 2] = [4, 8];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mapping {
    /// One thread per column, froxel by froxel.
    Column,
    /// One wave per column with a lane per froxel, using `wave_prefix_lerp`.
    Wave,
}

impl Mapping {
    pub const ALL: [Self; 2] = [Self::Column, Self::Wave];

    pub fn name(self) -> &'static str {
        match self {
            Mapping::Column => "thread per column",
            Mapping::Wave => "wave per column",
        }
    }

    pub fn variant(self, caps: &Capabilities) -> Variant {
        match self {
            Mapping::Column => Variant::new("bench/integrate_column"),
            Mapping::Wave => Variant::new("bench/integrate_wave")
                .with("WORKGROUP", Specialization::workgroup(caps))
                .feature(Feature::Wave, true),
        }
    }
}

pub struct Integrate {
    mapping: Mapping,
    pipeline: Arc<ComputePipeline>,
}

impl Integrate {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, mapping: Mapping) -> Result<Self> {
        let pipeline = pipelines.compute(gpu, &mapping.variant(&gpu.caps), "integrate")?;
        Ok(Self { mapping, pipeline })
    }
}

/// A texture for the integrals of `grid`, with a layer per slice. A view of a one-layer texture is not an array, so the
/// texture has at least two layers.
fn integrals_texture(gpu: &Gpu, [width, height, slices]: [u32; 3]) -> wgpu::Texture {
    texture(
        gpu,
        "fog integrals",
        [width, height, slices.max(2)],
        wgpu::TextureFormat::Rgba16Float,
        wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC,
    )
}
