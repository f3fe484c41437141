//! A kernel with a known workload (`shaders/bench/clock.wesl`). Its time shows whether timestamps enclose the work, and
//! how fast the GPU's clock runs.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::pipeline::resource_set::Binds;
use crate::gpu::shader::{ShaderSource, Variant};
use crate::gpu::{ComputePipeline, Gpu, Pipelines, storage_buffer};

/// Number of values processed, enough for workgroups on every core of any adapter.
const NUMBERS: u32 = 16_384;

pub struct KnownWork {
    pipeline: Arc<ComputePipeline>,
    turns: wgpu::Buffer,
    binds: Binds,
}

impl KnownWork {
    pub fn new(gpu: &Gpu) -> Result<Self> {
        // Edited shaders must not change the workload.
        let pipelines = Pipelines::new(ShaderSource::default());
        let numbers = storage_buffer(gpu, "clock numbers", 4 * u64::from(NUMBERS));
        let turns = storage_buffer(gpu, "clock turns", 4);
        Ok(Self {
            pipeline: pipelines.compute(gpu, &Variant::new("bench/clock"), "turn")?,
            binds: Binds::new([
                ("numbers", numbers.as_entire_binding()),
                ("turns", turns.as_entire_binding()),
            ]),
            turns,
        })
    }

    /// Sets the loop iterations of each dispatch from the next submission on. Twice as many take twice as long.
    pub fn set_turns(&self, gpu: &Gpu, turns: u32) {
        let bytes = bytemuck::bytes_of(&turns);
        gpu.queue.write_buffer(&self.turns, 0, bytes);
    }

    pub fn set(&self, pass: &mut wgpu::ComputePass) -> Result<()> {
        self.pipeline.set(pass, &[&self.binds])
    }

    pub fn dispatch(&self, pass: &mut wgpu::ComputePass) {
        pass.dispatch_workgroups(NUMBERS / 64, 1, 1);
    }
}
