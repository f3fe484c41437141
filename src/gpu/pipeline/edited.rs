//! Pipelines after an edit of their files. Pipelines of unchanged files are reused, and the others are compiled again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::bound::{Any, Bound};
use super::pipelines::Cache;
use super::sources::Sources;
use crate::error::Result;
use crate::gpu::Pipelines;
use crate::gpu::shader::compilers;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::shader::source::ShaderSource;
use crate::progress::{Listener, Progress};
use crate::workers::lock;

/// Pipelines of an edited source, before they are in use.
pub struct Edited {
    pub pipelines: Arc<Pipelines>,
    /// Sorted module paths of the changed files that pipelines depend on.
    pub changed: Vec<String>,
    /// Sorted by name.
    stale: Vec<Arc<dyn Any>>,
}

impl Pipelines {
    /// The compiled pipelines, made from the files of `source`.
    pub fn edited(&self, source: ShaderSource) -> Edited {
        let pipelines = Self::new(source);
        let [old, new] = [&self.kept, &pipelines.kept];
        let mut changed = BTreeSet::new();
        let mut stale = share(&old.computes, &new.computes, &new.sources, &mut changed);
        stale.extend(share(&old.draws, &new.draws, &new.sources, &mut changed));
        stale.sort_by(|a, b| a.name().cmp(b.name()));
        Edited {
            pipelines: Arc::new(pipelines),
            changed: changed.into_iter().collect(),
            stale,
        }
    }
}

/// Fills `new` with the compiled pipelines of `old`, and replaces pipelines of changed files by uncompiled ones. Returns
/// the replaced ones, and adds their changed files to `changed`.
fn share<P: Send + Sync + 'static>(
    old: &Cache<P>,
    new: &Cache<P>,
    sources: &Arc<Sources>,
    changed: &mut BTreeSet<String>,
) -> Vec<Arc<dyn Any>> {
    let source = sources.now();
    let (old, mut new, mut stale) = (lock(old), lock(new), Vec::<Arc<dyn Any>>::new());
    for (key, pipeline) in old.iter() {
        let Some(files) = pipeline.files() else {
            continue;
        };
        let differs = |(module, hash): &(&String, &u64)| source.hash(module) != Some(**hash);
        let other: Vec<&String> = files
            .iter()
            .filter(differs)
            .map(|(module, _)| module)
            .collect();
        let mut pipeline = Arc::clone(pipeline);
        if !other.is_empty() {
            pipeline = Arc::new(pipeline.of_others(sources));
            stale.push(Arc::<Bound<P>>::clone(&pipeline));
        }
        changed.extend(other.into_iter().cloned());
        new.insert(key.clone(), pipeline);
    }
    stale
}

impl Edited {
    pub fn stale(&self) -> Vec<&str> {
        self.stale.iter().map(|pipeline| pipeline.name()).collect()
    }

    /// Compiles the stale pipelines in parallel and returns all errors. `progress` can stop the work early.
    pub fn compile(&self, progress: Listener) -> Result<Vec<ShaderFault>> {
        for pipeline in &self.stale {
            let pipeline = Arc::clone(pipeline);
            compilers::begin(move || drop(pipeline.ready()));
        }
        let mut faults = Vec::new();
        for (done, pipeline) in self.stale.iter().enumerate() {
            progress(Progress::step(pipeline.name(), done, self.stale.len()))?;
            faults.extend(pipeline.ready().err().map(|fault| *fault));
        }
        Ok(faults)
    }
}
