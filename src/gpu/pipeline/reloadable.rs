//! A pipeline with the layout of its resources and the files it was made from. Holders always see the latest version:
//! pipelines are replaced in place, between frames (`reload.rs`).

use std::sync::{Arc, OnceLock};

use super::compile::{Built, Make};
use super::resource_set::{Binds, kept_group};
use super::rollback::Slot;
use super::sources::Sources;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::shader::source::ShaderSource;
use crate::gpu::shader::variant::Hashes;

/// A pipeline with resources bound by name, all in group 0.
pub struct Bound<P> {
    /// Label of pass, pipeline and module.
    pub label: String,
    /// Name in messages: its variant and entry points.
    pub name: String,
    gpu: Gpu,
    sources: Arc<Sources>,
    make: Make<P>,
    /// Empty until first use, which compiles it.
    slot: OnceLock<Result<Slot<Built<P>>>>,
}

impl<P> Bound<P> {
    pub(in crate::gpu) fn new(
        gpu: &Gpu,
        sources: &Arc<Sources>,
        label: String,
        name: String,
        make: Make<P>,
    ) -> Self {
        Self {
            label,
            name,
            gpu: gpu.clone(),
            sources: Arc::clone(sources),
            make,
            slot: OnceLock::new(),
        }
    }

    /// The pipeline. Compiles it here, or waits for the thread that does.
    fn built(&self) -> Result<&Slot<Built<P>>> {
        let compile = || self.sources.first(&self.gpu, &self.make).map(Slot::new);
        let slot = self.slot.get_or_init(compile);
        slot.as_ref().map_err(Clone::clone)
    }

    fn compiled(&self) -> Option<&Slot<Built<P>>> {
        self.slot.get()?.as_ref().ok()
    }

    pub(in crate::gpu) fn has_failed(&self) -> bool {
        self.slot.get().is_some_and(Result::is_err)
    }

    /// The current pipeline with its resources bound, each taken from the first of `sets` that contains it. The last
    /// set caches the bind group until a set or the pipeline changes.
    pub fn bind(&self, sets: &[&Binds]) -> Result<(Arc<Built<P>>, wgpu::BindGroup)> {
        let built = self.built()?.get();
        let make = || built.layout.bind(&self.gpu, &self.label, sets);
        let group = kept_group(&built.identity, sets, make)?;
        Ok((built, group))
    }
}

/// Swaps in a remade pipeline.
pub(in crate::gpu) type Swap = Box<dyn FnOnce() + Send>;

pub(in crate::gpu) trait Any: Send + Sync {
    fn name(&self) -> &str;
    /// Compiles it if necessary, or waits for the thread that does.
    fn ready(&self) -> Result<()>;
    /// True if it is compiled or has failed to compile.
    fn is_over(&self) -> bool;
    fn files(&self) -> Hashes;
    /// Remakes it from other files, without using the result.
    fn remake(self: Arc<Self>, source: &ShaderSource) -> Result<Swap, Box<ShaderFault>>;
    /// After a good frame.
    fn keep(&self);
    /// After a failed frame. Returns true if it was reverted.
    fn put_back(&self) -> bool;
}

impl<P: Send + Sync + 'static> Any for Bound<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn ready(&self) -> Result<()> {
        self.built().map(drop)
    }

    fn is_over(&self) -> bool {
        self.slot.get().is_some()
    }

    fn files(&self) -> Hashes {
        let slot = self.compiled();
        slot.map_or_else(Hashes::default, |slot| slot.peek().files.clone())
    }

    fn remake(self: Arc<Self>, source: &ShaderSource) -> Result<Swap, Box<ShaderFault>> {
        let built = (self.make)(&self.gpu, source).map_err(|unmade| unmade.fault)?;
        Ok(Box::new(move || {
            if let Some(slot) = self.compiled() {
                slot.put(built);
            }
        }))
    }

    fn keep(&self) {
        if let Some(slot) = self.compiled() {
            slot.keep();
        }
    }

    fn put_back(&self) -> bool {
        self.compiled().is_some_and(Slot::put_back)
    }
}
