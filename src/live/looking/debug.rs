//! Debug views. Each view writes one f32 per pixel, and the window colours it.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, uniform_buffer};
use crate::model::layout::{Range, gpu_struct};
use crate::model::passes::Inputs;

use super::inspect::list_kernel;
use crate::frame::counters::Counters;
use crate::frame::shape::FrameShape;
use crate::methods::kernel::layers_per_dispatch;

/// Threshold of the early-out view when early-out is off.
const DEFAULT_THRESHOLD: f32 = 1.0 / 256.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugView {
    /// Number of layers in the list of the pixel's tile.
    ListLength,
    /// Number of groups in the pixel's list at method A's wave size.
    Groups,
    Transmittance,
    /// View depth of the opaque surface in metres, or of the far plane if there is no surface.
    OpaqueDepth,
    /// Number of the group in which transmittance falls below the early-out threshold (1/256 if it is 0). If none does,
    /// the number of groups.
    EarlyOutGroup,
    /// 1 where a channel of method A is NaN or infinite, otherwise 0.
    NotFinite,
}

impl DebugView {
    /// Inputs of the view. Those of the methods are not included.
    pub fn inputs(self) -> Inputs {
        match self {
            Self::ListLength | Self::Groups | Self::EarlyOutGroup => Inputs::LISTS,
            Self::Transmittance | Self::NotFinite | Self::OpaqueDepth => Inputs::OPAQUE,
        }
    }

    /// Values at the ends of the colour scale, for a frame in which method A ran with waves of `wave` lanes.
    pub fn range(self, shape: &FrameShape, counters: &Counters, wave: u32) -> [f32; 2] {
        let longest = counters.longest_list;
        match self {
            Self::ListLength => [0.0, longest as f32],
            Self::Groups | Self::EarlyOutGroup => [0.0, longest.div_ceil(wave.max(1)) as f32],
            Self::Transmittance | Self::NotFinite => [0.0, 1.0],
            Self::OpaqueDepth => [shape.near, shape.far],
        }
    }
}

gpu_struct! {
    DebugJob {
        /// Position in `DebugView`.
        view: u32,
        pad0: u32,
        pad1: u32,
        pad2: u32,
    }
}

pub struct DebugPass {
    view: Arc<ComputePipeline>,
    early_out: Arc<ComputePipeline>,
    job: wgpu::Buffer,
    layers_per_dispatch: u32,
    groups: u32,
    ranges: Vec<Binds>,
    binds: Binds,
    ranges_for: (u32, f32),
}

impl DebugPass {
    /// Creates the view for frames of this shape. It writes one f32 per pixel to `values`, row-major.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        values: &wgpu::Buffer,
        shape: &FrameShape,
    ) -> Result<Self> {
        let (variant, specialization) = list_kernel(gpu, "inspect/debug_view", shape);
        let job = uniform_buffer(gpu, "debug job", &DebugJob::default());
        Ok(Self {
            binds: Binds::new([
                ("job", job.as_entire_binding()),
                ("debug_values", values.as_entire_binding()),
            ]),
            view: pipelines.compute(gpu, &variant, "debug_view")?,
            early_out: pipelines.compute(gpu, &variant, "early_out")?,
            job,
            layers_per_dispatch: layers_per_dispatch(&gpu.caps, &specialization),
            groups: (shape.tile_count() * shape.tile * shape.tile).div_ceil(64),
            ranges: Vec::new(),
            ranges_for: (0, 0.0),
        })
    }

    /// Makes the early-out view cover lists of up to `longest` layers.
    pub fn cover(&mut self, gpu: &Gpu, longest: u32, early_out: f32) {
        if self.ranges_for == (longest, early_out) {
            return;
        }
        let step = self.layers_per_dispatch;
        let is_off = early_out <= 0.0;
        let threshold = if is_off { DEFAULT_THRESHOLD } else { early_out };
        self.ranges = (0..longest.max(1))
            .step_by(step as usize)
            .map(|first_layer| {
                let range = Range {
                    first_layer,
                    layer_count: step,
                    early_out: threshold,
                    batch: 0,
                };
                let buffer = uniform_buffer(gpu, "debug range", &range);
                Binds::new([("range", buffer.as_entire_binding())])
            })
            .collect();
        self.ranges_for = (longest, early_out);
    }

    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        [frame, target]: [&Binds; 2],
        view: DebugView,
    ) -> Result<()> {
        let job = DebugJob {
            view: view as u32,
            ..DebugJob::default()
        };
        gpu.queue
            .write_buffer(&self.job, 0, bytemuck::bytes_of(&job));
        if view == DebugView::EarlyOutGroup {
            for range in &self.ranges {
                let sets = [frame, target, &self.binds, range];
                self.early_out.dispatch(pass, &sets, self.groups)?;
            }
        }
        let sets = [frame, target, &self.binds];
        self.view.dispatch(pass, &sets, self.groups)
    }
}
