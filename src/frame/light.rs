//! Light on froxels, sheets, particles and splats of files by sun, lamps and ambient light, and integration over
//! froxels (`shaders/frame/fog.wesl`, `shaders/frame/integrate.wesl`, `shaders/frame/sheet_light.wesl`,
//! `shaders/frame/particle_light.wesl`, `shaders/frame/gaussian_light.wesl`).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::model::scene::SHEET_LIGHT_EDGE;

use super::counters::ELEMENT_BLOCK;
use super::input::FrameInput;
use super::resources::Resources;
use super::shape::FrameShape;

/// Froxels and texels per workgroup edge in x and y.
const GROUP_EDGE: u32 = 8;

pub struct Light {
    froxels: Arc<ComputePipeline>,
    /// `None` if fog is among the layers.
    integrate: Option<Arc<ComputePipeline>>,
    light_particles: Arc<ComputePipeline>,
    light_sheets: Option<Arc<ComputePipeline>>,
    light_gaussians: Option<Arc<ComputePipeline>>,
    /// Frames recorded so far.
    frames: AtomicU32,
}

impl Light {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let plain = |module, entry| pipelines.compute(gpu, &Variant::new(module), entry);
        let integrate = || plain("frame/integrate", "integrate");
        let light_sheets = || plain("frame/sheet_light", "light_sheets");
        let is_lit = input.splats.sets.iter().any(|set| set.lit > 0);
        let gaussians = Variant::new("frame/gaussian_light");
        let gaussians = input.shape.stored.features(gaussians);
        let light_gaussians = || pipelines.compute(gpu, &gaussians, "light_gaussians");
        Ok(Self {
            froxels: plain("frame/fog", "froxels")?,
            integrate: input.shape.integrates_fog.then(integrate).transpose()?,
            light_particles: plain("frame/particle_light", "light_particles")?,
            light_sheets: (input.shape.sheets > 0).then(light_sheets).transpose()?,
            light_gaussians: is_lit.then(light_gaussians).transpose()?,
            frames: AtomicU32::new(0),
        })
    }

    /// True if a frame of this shape has anything to light. A frame with only self-luminous splats of files has
    /// nothing.
    pub fn has_work(&self, shape: &FrameShape) -> bool {
        shape.slices + shape.sheets + shape.particles > 0 || self.light_gaussians.is_some()
    }

    pub fn record(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let binds = [resources.binds()];
        self.froxels.set(pass, &binds)?;
        let [columns, rows] = shape.columns.map(|edge| edge.div_ceil(GROUP_EDGE));
        pass.dispatch_workgroups(columns, rows, shape.slices);
        if let Some(integrate) = &self.integrate {
            integrate.dispatch_squares(pass, &binds, shape.columns, GROUP_EDGE)?;
        }
        let frame = self.frames.fetch_add(1, Ordering::Relaxed);
        let is_their_turn = frame.is_multiple_of(shape.sheets_lit_every);
        if let Some(light_sheets) = self.light_sheets.as_ref().filter(|_| is_their_turn) {
            light_sheets.set(pass, &binds)?;
            let groups = SHEET_LIGHT_EDGE / GROUP_EDGE;
            pass.dispatch_workgroups(groups, groups * shape.sheets, 1);
        }
        let groups = |items: u32| items.div_ceil(ELEMENT_BLOCK);
        self.light_particles
            .dispatch(pass, &binds, groups(shape.particles))?;
        if let Some(light_gaussians) = &self.light_gaussians {
            light_gaussians.dispatch(pass, &binds, groups(shape.gaussians))?;
        }
        Ok(())
    }
}
