//! Simulate, project and cull: from emitters to splats, and how many each macro tile has.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::FrameUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{Capabilities, ComputePipeline, Gpu, Pipelines};
use crate::methods::Stored;

use super::counters::ELEMENT_BLOCK;
use super::input::FrameInput;
use super::resources::Resources;

/// Invocations of a workgroup of the kernel that projects items; `shaders/project.wesl` has the same.
pub const PROJECT_GROUP: u32 = 128;

/// Whether Gaussians have masks of the tiles that they touch.
pub fn has_masks(uniform: &FrameUniform) -> bool {
    uniform.ellipsoids > 0 && uniform.exact_tiles > 0
}

/// What the kernel that projects items is specialised to, with tiles of `tile` pixels.
pub fn project_variant(
    caps: &Capabilities,
    uniform: &FrameUniform,
    stored: Stored,
    tile: u32,
) -> Variant {
    stored
        .features(Variant::new("project"))
        .with("TILE", tile)
        .feature("ellipses", uniform.ellipsoids > 0)
        .feature("exact_tiles", has_masks(uniform))
        .feature("by_distance", uniform.by_distance > 0)
        .feature("wave", caps.waves)
}

/// Pipelines of the particle passes.
pub struct Particles {
    simulate: Arc<ComputePipeline>,
    project: Arc<ComputePipeline>,
}

impl Particles {
    /// Compiles what the particle passes of `input` need.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let project = project_variant(&gpu.caps, &input.uniform, input.stored, input.tile);
        Ok(Self {
            simulate: pipelines.compute(gpu, &Variant::new("simulate"), "simulate")?,
            project: pipelines.compute(gpu, &project, "project")?,
        })
    }

    /// Every particle's state at the frame's time.
    pub fn simulate(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        particles: u32,
    ) -> Result<()> {
        let groups = particles.div_ceil(ELEMENT_BLOCK);
        self.simulate
            .dispatch(gpu, pass, &[resources.binds()], groups)
    }

    /// Visible particles, cells and Gaussians become splats, and are counted in their macro tiles.
    pub fn project(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        items: u32,
    ) -> Result<()> {
        let groups = items.div_ceil(PROJECT_GROUP);
        self.project
            .dispatch(gpu, pass, &[resources.binds()], groups)
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
            let variant = project_variant(&caps, &FrameUniform::default(), Stored::Whole, 8);
            variant.features.contains(&"wave")
        };
        assert!(has_waves(true));
        assert!(!has_waves(false));
    }
}
