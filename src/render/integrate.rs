//! Integrated fog: columns of froxels summed up front to back (`shaders/integrate_column.wesl`,
//! `shaders/integrate_wave.wesl`), and a picture in which fog is applied to every particle by the
//! integral to its depth (`shaders/composite/integrated_fog.wesl`).

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gpu::layout::Range;
use crate::gpu::pipeline::spread;
use crate::gpu::shader::Variant;
use crate::gpu::{Bind, Capabilities, ComputePipeline, Gpu, Pipelines, uniform_buffer};
use crate::methods::Specialization;

use super::frame::Frame;
use super::inspect::list_kernel;
use super::resources::{FROXELS, Target, texture};

/// Columns of a workgroup of the thread-per-column form, in x and y.
const GROUP: [u32; 2] = [4, 8];
/// Format of an integral: in-scattered rgb and transmittance; see `shaders/common/column.wesl`.
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
            Mapping::Column => Variant::new("integrate_column"),
            Mapping::Wave => Variant::new("integrate_wave")
                .with("WORKGROUP", Specialization::workgroup(caps))
                .feature("wave", true),
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
    ///
    /// # Errors
    /// The adapter cannot run it (exit code 3), the shader does not compile (1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, mapping: Mapping) -> Result<Self> {
        if !mapping.runs_on(&gpu.caps) {
            return Err(Error::unavailable(format!(
                "{} has no wave operations: fog cannot be integrated by a {}",
                gpu.caps.name,
                mapping.name()
            )));
        }
        let pipeline = pipelines.compute(gpu, &mapping.variant(&gpu.caps), "integrate")?;
        Ok(Self { mapping, pipeline })
    }

    /// Integrates the `width` x `height` columns of the froxels in `binds`, which must hold `frame`,
    /// `froxels`, `slice_bounds` and `integrals_out`.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        binds: &[Bind],
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

/// A texture for the integrals of `grid` froxels; at least two deep, as one of depth 1 would be
/// two-dimensional.
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

/// A frame's picture with integrated fog: the independent form that fog as layers is held against.
pub struct IntegratedFog {
    integrate: Integrate,
    composite: Arc<ComputePipeline>,
    integrals: wgpu::TextureView,
    range: wgpu::Buffer,
}

impl IntegratedFog {
    /// Makes what `frame` needs for it.
    ///
    /// # Errors
    /// As [`Integrate::new`].
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, frame: &Frame, mapping: Mapping) -> Result<Self> {
        let (variant, _) = list_kernel(gpu, "composite/integrated_fog", frame.input().tile);
        let variant = variant.feature("integrated", true);
        let [width, height] = FROXELS;
        let integrals = integrals_texture(gpu, [width, height, frame.uniform().slices]);
        let whole_list = Range {
            layer_count: u32::MAX,
            ..Range::default()
        };
        Ok(Self {
            integrate: Integrate::new(gpu, pipelines, mapping)?,
            composite: pipelines.compute(gpu, &variant, "composite")?,
            integrals: integrals.create_view(&Default::default()),
            range: uniform_buffer(gpu, "whole list", &whole_list),
        })
    }

    /// Records the integration and the composite of `frame`'s lists into `target`. Its lists may hold
    /// at most as many layers as [`super::composite::layers_per_dispatch`] allows.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        frame: &Frame,
        target: &Target,
    ) -> Result<()> {
        let view = || wgpu::BindingResource::TextureView(&self.integrals);
        let mut binds = frame.binds_with(target);
        binds.push(("integrals", view()));
        binds.push(("integrals_out", view()));
        binds.push(("range", self.range.as_entire_binding()));
        self.integrate.record(gpu, pass, &binds, FROXELS)?;
        let pixels = frame.tiles() * frame.input().tile * frame.input().tile;
        self.composite
            .dispatch(gpu, pass, &binds, pixels.div_ceil(64))
    }
}
