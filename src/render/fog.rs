//! Fog: froxels, sheets, particles and Gaussians lit by sun, lamps and ambient light (`shaders/fog.wesl`,
//! `shaders/sheet_light.wesl`, `shaders/splat_light.wesl`, `shaders/ellipse_light.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::FrameUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::scene::SHEET_LIGHT_EDGE;

use super::counters::ELEMENT_BLOCK;
use super::frame_table::froxels;
use super::input::FrameInput;
use super::resources::Resources;

/// Froxels and texels per workgroup edge in x and y.
const GROUP_EDGE: u32 = 8;

/// Pipelines that light the medium.
pub struct Fog {
    froxels: Arc<ComputePipeline>,
    light_splats: Arc<ComputePipeline>,
    light_sheets: Option<Arc<ComputePipeline>>,
    light_ellipses: Option<Arc<ComputePipeline>>,
}

impl Fog {
    /// Compiles the pipelines that a frame of these constants needs.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let uniform = &input.uniform;
        let light_sheets = || pipelines.compute(gpu, &Variant::new("sheet_light"), "light_sheets");
        let is_lit = input.splats.sets.iter().any(|set| set.lit > 0);
        let ellipses = input.stored.features(Variant::new("ellipse_light"));
        let light_ellipses = || pipelines.compute(gpu, &ellipses, "light_ellipses");
        let splats = Variant::new("splat_light");
        Ok(Self {
            froxels: pipelines.compute(gpu, &Variant::new("fog"), "froxels")?,
            light_splats: pipelines.compute(gpu, &splats, "light_splats")?,
            light_sheets: (uniform.sheets > 0).then(light_sheets).transpose()?,
            light_ellipses: is_lit.then(light_ellipses).transpose()?,
        })
    }

    /// Whether a frame of these constants has anything to light. One with only Gaussians that have light of
    /// their own has not.
    pub fn has_work(&self, uniform: &FrameUniform) -> bool {
        uniform.slices + uniform.sheets + uniform.particles > 0 || self.light_ellipses.is_some()
    }

    /// Fills the froxels, and lights sheets and splats.
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        uniform: &FrameUniform,
    ) -> Result<()> {
        let (slices, sheets) = (uniform.slices, uniform.sheets);
        let binds = [resources.binds()];
        self.froxels.set(gpu, pass, &binds)?;
        let [columns, rows] = froxels(uniform.size).map(|edge| edge.div_ceil(GROUP_EDGE));
        pass.dispatch_workgroups(columns, rows, slices);
        if let Some(light_sheets) = &self.light_sheets {
            light_sheets.set(gpu, pass, &binds)?;
            let groups = SHEET_LIGHT_EDGE / GROUP_EDGE;
            pass.dispatch_workgroups(groups, groups * sheets, 1);
        }
        let groups = |items: u32| items.div_ceil(ELEMENT_BLOCK);
        self.light_splats
            .dispatch(gpu, pass, &binds, groups(uniform.particles))?;
        if let Some(light_ellipses) = &self.light_ellipses {
            light_ellipses.dispatch(gpu, pass, &binds, groups(uniform.ellipsoids))?;
        }
        Ok(())
    }
}
