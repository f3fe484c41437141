//! A pipeline with the layout of its resources and the files it was made of. Whoever holds one sees what it
//! was made into last: pipelines are replaced in place, between frames (`reload.rs`).

use std::sync::Arc;

use super::Gpu;
use super::bindings::Layout;
use super::binds::{Binds, Identity, kept_group};
use super::origin::Fault;
use super::shader::{ShaderSource, embedded, hash_of};
use super::slot::Slot;
use super::variant::{Hashes, Texts};
use crate::error::Result;

/// A pipeline whose resources are bound by name (all in group 0).
pub struct Bound<P> {
    /// The label of pass, pipeline and module.
    pub label: String,
    /// What it is called in messages: its variant and entry points.
    pub name: String,
    make: Make<P>,
    slot: Slot<Built<P>>,
}

/// A pipeline as it was made of one state of its files.
pub struct Built<P> {
    /// The pipeline.
    pub pipeline: P,
    /// What it binds.
    pub layout: Layout,
    /// What it was made of.
    pub files: Hashes,
    /// Whether these are the program's own, of which it is known what they read.
    pub is_embedded: bool,
    identity: Identity,
}

impl<P> Built<P> {
    pub(super) fn new(pipeline: P, layout: Layout, files: Hashes) -> Self {
        let is_own = |(module, hash): (&String, &u64)| embedded(module).map(hash_of) == Some(*hash);
        Self {
            pipeline,
            layout,
            is_embedded: files.iter().all(is_own),
            files,
            identity: Identity::default(),
        }
    }
}

/// How a pipeline is made of shader files.
pub(super) type Make<P> =
    Box<dyn Fn(&Gpu, &ShaderSource) -> Result<Built<P>, Box<Unmade>> + Send + Sync>;

/// A pipeline that could not be made.
pub(super) struct Unmade {
    /// Why.
    pub fault: Box<Fault>,
    /// The files that were read for it.
    pub files: Texts,
}

impl<P> Bound<P> {
    pub(super) fn new(label: String, name: String, make: Make<P>, built: Built<P>) -> Self {
        let slot = Slot::new(built);
        Self {
            label,
            name,
            make,
            slot,
        }
    }

    /// The pipeline as it is now, with its resources bound: each is taken from the first of `sets` that has it.
    /// The bind group is kept by the last of them until a set or the pipeline is another.
    ///
    /// # Errors
    /// The shader uses a name that is in none of the sets (a bug).
    pub fn bind(&self, gpu: &Gpu, sets: &[&Binds]) -> Result<(Arc<Built<P>>, wgpu::BindGroup)> {
        let built = self.slot.get();
        let make = || built.layout.bind(gpu, &self.label, sets);
        let group = kept_group(&built.identity, sets, make)?;
        Ok((built, group))
    }
}

/// Puts a pipeline that was made anew into use.
pub(super) type Swap = Box<dyn FnOnce() + Send>;

/// What reloading needs of a pipeline of any kind.
pub(super) trait Reloads: Send + Sync {
    /// What it is called.
    fn name(&self) -> &str;
    /// What it was made of.
    fn files(&self) -> Hashes;
    /// Makes it of other files, without putting it into use.
    fn remake(self: Arc<Self>, gpu: &Gpu, source: &ShaderSource) -> Result<Swap, Box<Fault>>;
    /// After a good frame.
    fn keep(&self);
    /// After a frame that failed; whether it went back to what it was before.
    fn put_back(&self) -> bool;
}

impl<P: Send + Sync + 'static> Reloads for Bound<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn files(&self) -> Hashes {
        self.slot.peek().files.clone()
    }

    fn remake(self: Arc<Self>, gpu: &Gpu, source: &ShaderSource) -> Result<Swap, Box<Fault>> {
        let built = (self.make)(gpu, source).map_err(|unmade| unmade.fault)?;
        Ok(Box::new(move || self.slot.put(built)))
    }

    fn keep(&self) {
        self.slot.keep();
    }

    fn put_back(&self) -> bool {
        self.slot.put_back()
    }
}
