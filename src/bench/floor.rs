//! The floor: what the arithmetic of compositing alone takes on this adapter
//! (`shaders/arithmetic_floor.wesl`).

use std::sync::Arc;

use super::lists::{ListSpec, Lists};
use crate::error::Result;
use crate::gpu::layout::FloorJob;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Capabilities, ComputePipeline, Gpu, Pipelines, uniform_buffer};
use crate::methods::{Cost, ListKind, Source};

/// Pixels per thread that the floor is tried with; the least time counts.
pub const PIXELS_PER_THREAD: [u32; 4] = [1, 2, 4, 8];

/// The arithmetic of lists, ready to be dispatched.
pub struct Floor {
    pipeline: Arc<ComputePipeline>,
    job: wgpu::Buffer,
    workgroups: u32,
}

impl Floor {
    /// The floor of lists like `spec` of layers that cost `cost`.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        spec: &ListSpec,
        cost: Cost,
        pixels_per_thread: u32,
    ) -> Result<Self> {
        let variant = variant(&gpu.caps, spec, cost, pixels_per_thread);
        let light = match spec.kind {
            ListKind::Fog => 0.01,
            // log2 of an opacity of 1/16.
            ListKind::Particles | ListKind::Mixed => -4.0,
        };
        let job = FloorJob {
            place: [0.5, 0.5, -0.1, 0.5],
            light: [0.3, 0.6, 0.9, light],
            step: [7.0 / 1024.0, 5.0 / 1024.0],
            layers: spec.layers.next_multiple_of(4),
            pad: 0,
        };
        let pixels = spec.outputs[0] * spec.outputs[1];
        Ok(Self {
            pipeline: pipelines.compute(gpu, &variant, "arithmetic_floor")?,
            job: uniform_buffer(gpu, "floor job", &job),
            workgroups: pixels.div_ceil(64 * pixels_per_thread),
        })
    }

    /// Dispatches it once, over the outputs of `lists`.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, lists: &Lists) -> Result<()> {
        let job = Binds::new([("job", self.job.as_entire_binding())]);
        self.pipeline
            .dispatch(gpu, pass, &[&lists.binds(), &job], self.workgroups)
    }
}

/// The shader of the floor: it evaluates and folds as methods do on lists like `spec`.
pub fn variant(
    caps: &Capabilities,
    spec: &ListSpec,
    cost: Cost,
    pixels_per_thread: u32,
) -> Variant {
    Source::Synthetic(cost, spec.kind).features(
        Variant::new("arithmetic_floor")
            .with("TILE", spec.tile)
            .with("PIXELS_PER_THREAD", pixels_per_thread)
            .feature("one_pixel", pixels_per_thread == 1)
            .feature("fused", caps.fuses()),
    )
}
