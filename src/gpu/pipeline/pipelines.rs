//! Cache of pipelines. Each variant is compiled once, and variants requested together are compiled in parallel.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use super::bound::{Any, Bound};
use super::compile::{Shader, made};
use super::resource_set::Binds;
use super::sources::Sources;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::shader::compilers;
use crate::gpu::shader::source::ShaderSource;
use crate::gpu::shader::variant::Variant;
use crate::workers::lock;

pub type ComputePipeline = Bound<wgpu::ComputePipeline>;

pub(in crate::gpu) type Cache<P> = Mutex<HashMap<String, Arc<Bound<P>>>>;

/// Compiles each variant of a source once.
pub struct Pipelines {
    pub(in crate::gpu) kept: Arc<PipelineCaches>,
    /// Requests collected by a handle of [`Pipelines::together`] or [`Pipelines::ahead`].
    asked: Option<Mutex<Vec<Arc<dyn Any>>>>,
}

/// State shared by all handles of a cache. No lock is held during compilation.
pub(in crate::gpu) struct PipelineCaches {
    pub sources: Arc<Sources>,
    pub computes: Cache<wgpu::ComputePipeline>,
    pub draws: Cache<wgpu::RenderPipeline>,
}

pub struct Precompile(Vec<Arc<dyn Any>>);

impl Precompile {
    pub fn is_over(&self) -> bool {
        self.0.iter().all(|pipeline| pipeline.is_over())
    }
}

impl Pipelines {
    pub fn new(source: ShaderSource) -> Self {
        let kept = PipelineCaches {
            sources: Arc::new(Sources::new(source)),
            computes: Mutex::default(),
            draws: Mutex::default(),
        };
        Self {
            kept: Arc::new(kept),
            asked: None,
        }
    }

    pub fn source(&self) -> Arc<ShaderSource> {
        self.kept.sources.now()
    }

    /// Messages about files set aside since the last call.
    pub fn said(&self) -> Vec<String> {
        self.kept.sources.said()
    }

    /// An empty cache with the same source. Recompiled code may get other addresses from the driver.
    pub fn anew(&self) -> Self {
        Self::new(ShaderSource::clone(&self.source()))
    }

    /// Compiles in parallel the pipelines that `make` requests. `make` gets a cache that returns pipelines before they
    /// are compiled.
    pub fn together<T>(&self, make: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        if self.asked.is_some() {
            return make(self);
        }
        let (made, asked) = self.asking(make);
        let made = made?;
        let ready = asked.iter().try_for_each(|pipeline| pipeline.ready());
        ready.map_err(|fault| fault.error())?;
        Ok(made)
    }

    /// Starts compiling the pipelines that `ask` requests, without waiting. A failure is returned when the pipeline is
    /// requested again.
    pub fn ahead(&self, ask: impl FnOnce(&Self)) -> Precompile {
        Precompile(self.asking(ask).1)
    }

    fn asking<T>(&self, ask: impl FnOnce(&Self) -> T) -> (T, Vec<Arc<dyn Any>>) {
        let handle = Self {
            kept: Arc::clone(&self.kept),
            asked: Some(Mutex::default()),
        };
        let answer = ask(&handle);
        let asked = handle.asked.unwrap_or_default().into_inner();
        (answer, asked.unwrap_or_else(PoisonError::into_inner))
    }

    /// The compute pipeline for entry point `entry` of a variant, compiled on first use.
    ///
    /// # Errors
    /// The shader does not resolve, parse or validate. The error contains the location.
    pub fn compute(
        &self,
        gpu: &Gpu,
        variant: &Variant,
        entry: &str,
    ) -> Result<Arc<ComputePipeline>> {
        let name = format!("{} {entry}", variant.key());
        self.ask(&self.kept.computes, name.clone(), || {
            let (label, variant, entry) = (variant.label(), variant.clone(), entry.to_owned());
            let make = move |gpu: &Gpu, source: &ShaderSource| {
                let stages = wgpu::ShaderStages::COMPUTE;
                made(gpu, source, &variant, &[&entry], stages, |shader| {
                    pipeline(gpu, shader, &entry)
                })
            };
            Bound::new(gpu, &self.kept.sources, label, name, Arc::new(make))
        })
    }

    /// The cached or new pipeline for a key. It is already compiled unless this handle collects requests.
    pub(in crate::gpu) fn ask<P: Send + Sync + 'static>(
        &self,
        cache: &Cache<P>,
        key: String,
        new: impl FnOnce() -> Bound<P>,
    ) -> Result<Arc<Bound<P>>> {
        let mut known = lock(cache);
        let (pipeline, is_new) = match known.entry(key) {
            Entry::Occupied(known) => (Arc::clone(known.get()), false),
            Entry::Vacant(place) => (Arc::clone(place.insert(Arc::new(new()))), true),
        };
        drop(known);
        match &self.asked {
            None => pipeline.ready().map_err(|fault| fault.error())?,
            Some(asked) => {
                lock(asked).push(Arc::clone(&pipeline) as Arc<dyn Any>);
                if is_new {
                    let pipeline = Arc::clone(&pipeline);
                    // Code that uses the pipeline reports the failure.
                    compilers::begin(move || drop(pipeline.ready()));
                }
            }
        }
        Ok(pipeline)
    }
}

fn pipeline(gpu: &Gpu, shader: &Shader, entry: &str) -> wgpu::ComputePipeline {
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
}

impl ComputePipeline {
    pub fn set(&self, pass: &mut wgpu::ComputePass, sets: &[&Binds]) -> Result<()> {
        let (built, group) = self.bind(sets)?;
        pass.set_pipeline(&built.pipeline);
        pass.set_bind_group(0, &group, &[]);
        Ok(())
    }

    /// Dispatches `groups` workgroups, distributed over x and y.
    pub fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass,
        sets: &[&Binds],
        groups: u32,
    ) -> Result<()> {
        self.set(pass, sets)?;
        let [x, y] = spread(groups);
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }

    /// Dispatches one workgroup per square of `edge` × `edge` pixels in `size`.
    pub fn dispatch_squares(
        &self,
        pass: &mut wgpu::ComputePass,
        sets: &[&Binds],
        size: [u32; 2],
        edge: u32,
    ) -> Result<()> {
        self.set(pass, sets)?;
        let [x, y] = size.map(|pixels| pixels.div_ceil(edge));
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }

    /// Dispatches indirectly with the arguments in slot `slot` of `arguments`.
    pub fn dispatch_indirect(
        &self,
        pass: &mut wgpu::ComputePass,
        sets: &[&Binds],
        arguments: &wgpu::Buffer,
        slot: u64,
    ) -> Result<()> {
        self.set(pass, sets)?;
        pass.dispatch_workgroups_indirect(arguments, slot * 12);
        Ok(())
    }
}

/// A dispatch of more workgroups wraps into y. The same number is in `shaders/common/wave.wesl`.
pub const GROUPS_PER_ROW: u32 = 32_768;

/// Distributes `groups` workgroups over x and y. Kernels compute `x + y * GROUPS_PER_ROW` and check the bound.
pub fn spread(groups: u32) -> [u32; 2] {
    [
        groups.min(GROUPS_PER_ROW),
        groups.div_ceil(GROUPS_PER_ROW).max(1),
    ]
}
