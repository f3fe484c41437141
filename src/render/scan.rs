//! Exclusive prefix sum on the GPU: reduce, spine, apply (`shaders/scan.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::ScanJob;
use crate::gpu::shader::Variant;
use crate::gpu::{Bind, ComputePipeline, Gpu, Pipelines, uniform_buffer};

/// How many workgroups the element stages of a scan take.
pub enum Groups<'a> {
    /// Known on the CPU.
    Direct(u32),
    /// In this slot of the indirect arguments.
    Indirect(&'a wgpu::Buffer, u64),
}

/// A scan over data whose length comes from a counter.
pub struct Scan {
    job: wgpu::Buffer,
    reduce: Arc<ComputePipeline>,
    spine: Arc<ComputePipeline>,
    apply: Arc<ComputePipeline>,
}

impl Scan {
    /// A scan of what `job` says.
    ///
    /// # Errors
    /// A shader does not compile (exit code 1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, label: &str, job: ScanJob) -> Result<Self> {
        let variant = Variant::new("scan").feature("wave", gpu.caps.waves);
        Ok(Self {
            job: uniform_buffer(gpu, label, &job),
            reduce: pipelines.compute(gpu, &variant, "reduce")?,
            spine: pipelines.compute(gpu, &variant, "spine")?,
            apply: pipelines.compute(gpu, &variant, "apply")?,
        })
    }

    /// Scans `data` in place; `partials` holds one word per 1024 elements.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        counters: &wgpu::Buffer,
        data: &wgpu::Buffer,
        partials: &wgpu::Buffer,
        groups: &Groups,
    ) -> Result<()> {
        let binds: [Bind; 4] = [
            ("job", self.job.as_entire_binding()),
            ("counters", counters.as_entire_binding()),
            ("data", data.as_entire_binding()),
            ("partials", partials.as_entire_binding()),
        ];
        let wide = |pass: &mut wgpu::ComputePass, pipeline: &ComputePipeline| match groups {
            Groups::Direct(count) => pipeline.dispatch(gpu, pass, &binds, *count),
            Groups::Indirect(arguments, slot) => {
                pipeline.dispatch_indirect(gpu, pass, &binds, arguments, *slot)
            }
        };
        wide(pass, &self.reduce)?;
        self.spine.dispatch(gpu, pass, &binds, 1)?;
        wide(pass, &self.apply)
    }
}
