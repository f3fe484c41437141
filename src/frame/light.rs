//! Lights froxels and items by sun, lamps and ambient light, and integrates froxels (`shaders/frame/fog.wesl`,
//! `shaders/frame/integrate.wesl`).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::model::items::ItemKind;

use super::input::FrameInput;
use super::layers::layer_kind;
use super::resources::Resources;
use super::shape::FrameShape;

/// Number of froxels per workgroup along x and y.
const GROUP_EDGE: u32 = 8;

pub struct Light {
    froxels: Arc<ComputePipeline>,
    /// `None` if the lists contain the fog.
    integrate: Option<Arc<ComputePipeline>>,
    /// For the kinds of items that are lit.
    items: Vec<(ItemKind, Arc<ComputePipeline>)>,
    frames: AtomicU32,
}

impl Light {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let plain = |module, entry| pipelines.compute(gpu, &Variant::new(module), entry);
        let integrate = || plain("frame/integrate", "integrate");
        let lit = input.shape.counts.kinds();
        let lit = lit.filter_map(|kind| Some((kind, (layer_kind(kind).light)(input)?)));
        let items = lit.map(|(kind, (variant, entry))| {
            let pipeline = pipelines.compute(gpu, &variant, entry)?;
            Ok((kind, pipeline))
        });
        Ok(Self {
            froxels: plain("frame/fog", "froxels")?,
            integrate: input.shape.integrates_fog.then(integrate).transpose()?,
            items: items.collect::<Result<_>>()?,
            frames: AtomicU32::new(0),
        })
    }

    /// True if the pass lights anything. Splats of files that emit light need no lighting.
    pub fn has_work(&self, shape: &FrameShape) -> bool {
        shape.slices > 0 || !self.items.is_empty()
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
        for (kind, pipeline) in &self.items {
            let kind = layer_kind(*kind);
            if frame.is_multiple_of((kind.lit_every)(shape)) {
                let [x, y] = (kind.light_groups)(shape);
                pipeline.set(pass, &binds)?;
                pass.dispatch_workgroups(x, y, 1);
            }
        }
        Ok(())
    }
}
