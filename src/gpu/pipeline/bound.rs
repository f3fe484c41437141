//! A pipeline with the layout of its resources and the files that it was made from. Once compiled, it never changes.

use std::sync::{Arc, OnceLock};

use super::compile::{Built, Make};
use super::resource_set::{Binds, kept_group};
use super::sources::Sources;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::shader::variant::Hashes;

/// A pipeline with resources bound by name, all in group 0.
pub struct Bound<P> {
    /// Label of the pass, pipeline and module.
    pub label: String,
    /// Variant and entry points, for messages.
    pub name: String,
    gpu: Gpu,
    sources: Arc<Sources>,
    make: Arc<Make<P>>,
    /// True if embedded files may replace files that do not compile.
    falls_back: bool,
    /// Empty until first use.
    built: OnceLock<Result<Built<P>, Box<ShaderFault>>>,
}

impl<P> Bound<P> {
    pub(in crate::gpu) fn new(
        gpu: &Gpu,
        sources: &Arc<Sources>,
        label: String,
        name: String,
        make: Arc<Make<P>>,
    ) -> Self {
        Self {
            label,
            name,
            gpu: gpu.clone(),
            sources: Arc::clone(sources),
            make,
            falls_back: true,
            built: OnceLock::new(),
        }
    }

    /// The same pipeline for the current files of `sources`. It never falls back to embedded files.
    pub(in crate::gpu) fn of_others(&self, sources: &Arc<Sources>) -> Self {
        let (label, name) = (self.label.clone(), self.name.clone());
        Self {
            falls_back: false,
            ..Self::new(&self.gpu, sources, label, name, Arc::clone(&self.make))
        }
    }

    /// The compiled pipeline. Compiles it on this thread, or waits for the thread that is compiling it.
    fn built(&self) -> Result<&Built<P>, Box<ShaderFault>> {
        let compile = || match self.falls_back {
            true => self.sources.first(&self.gpu, &*self.make),
            false => (self.make)(&self.gpu, &self.sources.now()).map_err(|unmade| unmade.fault),
        };
        self.built
            .get_or_init(compile)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Hashes of the files that the pipeline was made from, once compiled.
    pub(in crate::gpu) fn files(&self) -> Option<&Hashes> {
        let built = self.built.get()?.as_ref();
        built.ok().map(|built| &built.files)
    }

    /// The pipeline with its resources bound, each from the first of `sets` that contains it. The last set caches the
    /// bind group.
    pub fn bind(&self, sets: &[&Binds]) -> Result<(&Built<P>, wgpu::BindGroup)> {
        let built = self.built().map_err(|fault| fault.error())?;
        let make = || built.layout.bind(&self.gpu, &self.label, sets);
        let group = kept_group(&built.identity, sets, make)?;
        Ok((built, group))
    }
}

pub(in crate::gpu) trait Any: Send + Sync {
    fn name(&self) -> &str;
    /// Compiles the pipeline if necessary, or waits for the thread that is compiling it.
    fn ready(&self) -> Result<(), Box<ShaderFault>>;
    /// True if the pipeline is compiled or has failed to compile.
    fn is_over(&self) -> bool;
}

impl<P: Send + Sync> Any for Bound<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn ready(&self) -> Result<(), Box<ShaderFault>> {
        self.built().map(drop)
    }

    fn is_over(&self) -> bool {
        self.built.get().is_some()
    }
}
