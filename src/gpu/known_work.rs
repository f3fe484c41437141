//! A kernel of known work (`shaders/clock.wesl`): what takes so long by it is known beforehand, so that it
//! tells of clocks – whether one encloses work, and how fast a GPU's is.

use std::sync::Arc;

use super::shader::{ShaderSource, Variant};
use super::{ComputePipeline, Gpu, Pipelines, storage_buffer};
use crate::error::Result;

/// Numbers that the work is done on: enough workgroups for every core of any adapter.
const NUMBERS: u32 = 16_384;

/// The kernel, and what it works on.
pub struct KnownWork {
    pipeline: Arc<ComputePipeline>,
    numbers: wgpu::Buffer,
    turns: wgpu::Buffer,
}

impl KnownWork {
    /// Compiles it.
    ///
    /// # Errors
    /// The shader does not compile (exit code 1).
    pub fn new(gpu: &Gpu) -> Result<Self> {
        // The embedded shaders: an edited folder has no say in what a clock is worth.
        let pipelines = Pipelines::new(ShaderSource::default());
        Ok(Self {
            pipeline: pipelines.compute(gpu, &Variant::new("clock"), "turn")?,
            numbers: storage_buffer(gpu, "clock numbers", 4 * u64::from(NUMBERS)),
            turns: storage_buffer(gpu, "clock turns", 4),
        })
    }

    /// Says how much work each dispatch does from the next submission on: twice the turns take twice as long.
    pub fn set_turns(&self, gpu: &Gpu, turns: u32) {
        let bytes = bytemuck::bytes_of(&turns);
        gpu.queue.write_buffer(&self.turns, 0, bytes);
    }

    /// Makes a pass ready for [`KnownWork::dispatch`].
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn set(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass) -> Result<()> {
        let binds = [
            ("numbers", self.numbers.as_entire_binding()),
            ("turns", self.turns.as_entire_binding()),
        ];
        self.pipeline.set(gpu, pass, &binds)
    }

    /// Does the work once, in a pass that was made ready.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass) {
        pass.dispatch_workgroups(NUMBERS / 64, 1, 1);
    }
}
