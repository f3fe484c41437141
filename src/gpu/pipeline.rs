//! The pipelines of shader variants, each compiled once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Gpu;
use super::binds::Binds;
use super::bound::{Bound, Built, Make, Unmade};
use super::made::made;
use super::shader::ShaderSource;
use super::sources::Sources;
use super::variant::Variant;
use crate::error::Result;

/// A compute pipeline whose resources are bound by name (all in group 0).
pub type ComputePipeline = Bound<wgpu::ComputePipeline>;

/// Pipelines of one kind by what they are made of.
pub(super) type Cache<P> = Mutex<HashMap<String, Arc<Bound<P>>>>;

/// Compiles variants once and keeps them; files that change are taken up by `reload.rs`.
pub struct Pipelines {
    pub(super) sources: Sources,
    pub(super) computes: Cache<wgpu::ComputePipeline>,
    pub(super) draws: Cache<wgpu::RenderPipeline>,
}

impl Pipelines {
    /// An empty cache over `source`.
    pub fn new(source: ShaderSource) -> Self {
        Self {
            sources: Sources::new(source),
            computes: Mutex::default(),
            draws: Mutex::default(),
        }
    }

    /// An empty cache over the same source: drivers may put what is compiled again in another place.
    pub fn anew(&self) -> Self {
        Self::new(ShaderSource::clone(&self.source()))
    }

    /// The compute pipeline of entry point `entry` of a variant, compiled on first use.
    ///
    /// A variant with the feature `native` goes through [`spirv::patch`].
    ///
    /// # Errors
    /// The shader does not resolve, parse or validate (the error names the place).
    pub fn compute(
        &self,
        gpu: &Gpu,
        variant: &Variant,
        entry: &str,
    ) -> Result<Arc<ComputePipeline>> {
        let name = format!("{} {entry}", variant.key());
        let mut cache = self.computes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = cache.get(&name) {
            return Ok(Arc::clone(pipeline));
        }
        let (label, variant, entry) = (variant.label(), variant.clone(), entry.to_owned());
        let make: Make<_> = Box::new(move |gpu, source| compile(gpu, source, &variant, &entry));
        let pipeline = Arc::new(self.sources.first(gpu, label, name.clone(), make)?);
        cache.insert(name, Arc::clone(&pipeline));
        Ok(pipeline)
    }
}

fn compile(
    gpu: &Gpu,
    source: &ShaderSource,
    variant: &Variant,
    entry: &str,
) -> Result<Built<wgpu::ComputePipeline>, Box<Unmade>> {
    let stages = wgpu::ShaderStages::COMPUTE;
    made(gpu, source, variant, &[entry], stages, |shader| {
        let descriptor = wgpu::ComputePipelineDescriptor {
            // A module may have several entry points.
            label: Some(&format!("{} {entry}", shader.label)),
            layout: Some(&shader.pipeline_layout),
            module: &shader.module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        };
        gpu.device.create_compute_pipeline(&descriptor)
    })
}

impl ComputePipeline {
    /// Sets the pipeline and its resources on a pass.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    pub fn set(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, sets: &[&Binds]) -> Result<()> {
        let (built, group) = self.bind(gpu, sets)?;
        pass.set_pipeline(&built.pipeline);
        pass.set_bind_group(0, &group, &[]);
        Ok(())
    }

    /// Sets everything and dispatches `groups` workgroups, spread over x and y.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    pub fn dispatch(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        sets: &[&Binds],
        groups: u32,
    ) -> Result<()> {
        self.set(gpu, pass, sets)?;
        let [x, y] = spread(groups);
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }

    /// Sets everything and dispatches what slot `slot` of `arguments` says.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    pub fn dispatch_indirect(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        sets: &[&Binds],
        arguments: &wgpu::Buffer,
        slot: u64,
    ) -> Result<()> {
        self.set(gpu, pass, sets)?;
        pass.dispatch_workgroups_indirect(arguments, slot * 12);
        Ok(())
    }
}

/// Workgroups in x before a dispatch wraps into y; `shaders/common/wave.wesl` has the same.
pub const GROUPS_PER_ROW: u32 = 32_768;

/// `groups` workgroups as x and y; kernels take `x + y * GROUPS_PER_ROW` and check it themselves.
pub fn spread(groups: u32) -> [u32; 2] {
    [
        groups.min(GROUPS_PER_ROW),
        groups.div_ceil(GROUPS_PER_ROW).max(1),
    ]
}
