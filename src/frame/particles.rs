//! Simulate, project and cull: from emitters to splats, and how many each macro tile has.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::model::methods::Stored;
use crate::model::{Capabilities, Feature};

use super::counters::ELEMENT_BLOCK;
use super::resources::Resources;
use super::shape::FrameShape;

/// Invocations of a workgroup of the kernel that projects items; `shaders/frame/project/item.wesl` has the same.
pub const PROJECT_GROUP: u32 = 128;

/// What the kernel that projects items is specialised to.
pub fn project_variant(caps: &Capabilities, shape: &FrameShape) -> Variant {
    let variant = shape.stored.features(Variant::new("frame/project"));
    variant
        .with("TILE", shape.tile)
        .feature(Feature::Gaussians, shape.gaussians > 0)
        .feature(Feature::Mip, shape.mip)
        .feature(Feature::ByDistance, shape.is_by_distance())
        .feature(Feature::Wave, caps.waves)
}

pub struct Particles {
    simulate: Arc<ComputePipeline>,
    project: Arc<ComputePipeline>,
}

impl Particles {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, shape: &FrameShape) -> Result<Self> {
        let project = project_variant(&gpu.caps, shape);
        Ok(Self {
            simulate: pipelines.compute(gpu, &Variant::new("frame/simulate"), "simulate")?,
            project: pipelines.compute(gpu, &project, "project")?,
        })
    }

    /// Every particle's state at the frame's time.
    pub fn simulate(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        particles: u32,
    ) -> Result<()> {
        let groups = particles.div_ceil(ELEMENT_BLOCK);
        self.simulate.dispatch(pass, &[resources.binds()], groups)
    }

    /// Visible particles, cells and Gaussians become splats, and are counted in their macro tiles.
    pub fn project(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        items: u32,
    ) -> Result<()> {
        let groups = items.div_ceil(PROJECT_GROUP);
        self.project.dispatch(pass, &[resources.binds()], groups)
    }
}

impl Stored {
    /// Adds the feature by which shaders know it.
    pub fn features(self, variant: Variant) -> Variant {
        variant.feature(Feature::HalfSplats, self == Stored::Halves)
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_sums_by_waves_where_there_are_any() {
        let has_waves = |waves| {
            let caps = Capabilities {
                waves,
                ..Capabilities::default()
            };
            let variant = project_variant(&caps, &FrameShape::default());
            variant.features.contains(&Feature::Wave)
        };
        assert!(has_waves(true));
        assert!(!has_waves(false));
    }
}
