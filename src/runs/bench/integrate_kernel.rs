//! Integrated fog: columns of froxels summed up front to back (`shaders/bench/integrate_column.wesl`,
//! `shaders/bench/integrate_wave.wesl`). The benchmark `integrate` times it; no frame is drawn with it.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gpu::pipeline::pipelines::spread;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, texture};
use crate::methods::Specialization;
use crate::model::{Capabilities, Feature};

/// Columns of a workgroup of the thread-per-column form, in x and y.
const GROUP: [u32; 2] = [4, 8];
/// Format of an integral: in-scattered rgb and transmittance; see `shaders/bench/column.wesl`.
pub const INTEGRALS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Who walks a column of froxels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mapping {
    /// A thread, froxel by froxel.
    Column,
    /// A wave, a lane per froxel, by `wave_prefix_lerp`.
    Wave,
}

impl Mapping {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Column, Self::Wave];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Mapping::Column => "thread per column",
            Mapping::Wave => "wave per column",
        }
    }

    /// Its shader on an adapter.
    pub fn variant(self, caps: &Capabilities) -> Variant {
        match self {
            Mapping::Column => Variant::new("bench/integrate_column"),
            Mapping::Wave => Variant::new("bench/integrate_wave")
                .with("WORKGROUP", Specialization::workgroup(caps))
                .feature(Feature::Wave, true),
        }
    }

    /// Whether an adapter can run it.
    pub fn runs_on(self, caps: &Capabilities) -> bool {
        self == Mapping::Column || caps.waves
    }
}

/// The integration of a grid of columns.
pub struct Integrate {
    mapping: Mapping,
    pipeline: Arc<ComputePipeline>,
}

impl Integrate {
    /// Compiles a mapping.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, mapping: Mapping) -> Result<Self> {
        if !mapping.runs_on(&gpu.caps) {
            return Err(Error::unavailable(format!(
                "{} has no wave operations: cannot integrate fog by {}",
                gpu.caps.name,
                mapping.name()
            )));
        }
        let pipeline = pipelines.compute(gpu, &mapping.variant(&gpu.caps), "integrate")?;
        Ok(Self { mapping, pipeline })
    }

    /// Integrates the `width` x `height` columns of the froxels in `binds`, which must hold `frame`,
    /// `froxels`, `slice_bounds` and `integrals_out`.
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        binds: &[&Binds],
        [width, height]: [u32; 2],
    ) -> Result<()> {
        self.pipeline.set(gpu, pass, binds)?;
        let [x, y] = match self.mapping {
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

/// A texture for the integrals of `grid` froxels, a layer for each slice; at least two, as views of a texture with one
/// layer are of no array.
pub fn integrals_texture(gpu: &Gpu, [width, height, slices]: [u32; 3]) -> wgpu::Texture {
    texture(
        gpu,
        "fog integrals",
        [width, height, slices.max(2)],
        INTEGRALS,
        wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC,
    )
}
