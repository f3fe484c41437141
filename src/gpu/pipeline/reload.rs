//! Shader files that change while pipelines made of them are in use. Every pipeline that was made of a changed
//! file is made anew, on any thread. Between two frames all of them are put into use or, if one does not
//! compile, none of them: the last good pipelines stay. If the first frame that uses a new pipeline fails, the
//! old one comes back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pipelines::Cache;
use super::reloadable::{Any, Swap};
use crate::error::Result;
use crate::gpu::Pipelines;
use crate::gpu::shader::error_location::Fault;
use crate::gpu::shader::source::{ShaderSource, hash_of};
use crate::gpu::shader::variant::{Hashes, Texts};
use crate::workers::lock;

pub struct Rebuilt {
    source: Arc<ShaderSource>,
    /// Names of the pipelines that depend on changed files, sorted.
    pub stale: Vec<String>,
    /// Module paths of the files that changed and that they depend on.
    pub changed: Vec<String>,
    /// What does not compile. If there is anything, nothing is put into use.
    pub faults: Vec<Fault>,
    pub took: Duration,
    swaps: Vec<Swap>,
}

impl Pipelines {
    pub fn source(&self) -> Arc<ShaderSource> {
        self.kept.sources.now()
    }

    /// Every pipeline and the hashes of the files that it was made of, by name.
    pub fn made_of(&self) -> Vec<(String, Hashes)> {
        let all = self.all().into_iter();
        let mut all: Vec<_> = all.map(|p| (p.name().to_owned(), p.files())).collect();
        all.sort();
        all
    }

    /// Sentences about the files that were set aside since the last call.
    pub fn said(&self) -> Vec<String> {
        self.kept.sources.said()
    }

    fn all(&self) -> Vec<Arc<dyn Any>> {
        fn of<P: Send + Sync + 'static>(cache: &Cache<P>) -> Vec<Arc<dyn Any>> {
            let cache = lock(cache);
            cache.values().map(|p| Arc::clone(p) as _).collect()
        }
        [of(&self.kept.computes), of(&self.kept.draws)].concat()
    }

    /// The source with these texts instead of those read before.
    fn with_texts(&self, texts: Texts) -> ShaderSource {
        ShaderSource {
            texts,
            ..ShaderSource::clone(&self.source())
        }
    }

    /// Names of the pipelines that were made of other texts than these, sorted.
    pub fn stale(&self, texts: &Texts) -> Vec<String> {
        let stale = self.stale_under(&self.with_texts(texts.clone())).0;
        stale.iter().map(|p| p.name().to_owned()).collect()
    }

    /// Pipelines with a file that has another text in `source`, by name, and those files.
    fn stale_under(&self, source: &ShaderSource) -> (Vec<Arc<dyn Any>>, Vec<String>) {
        let mut all = self.all();
        all.sort_by(|a, b| a.name().cmp(b.name()));
        let mut known: BTreeMap<String, Option<u64>> = BTreeMap::new();
        let mut changed = Vec::new();
        all.retain(|pipeline| {
            let before = changed.len();
            for (module, hash) in pipeline.files() {
                let of = |module: &String| source.hash(module);
                let now = known.entry(module.clone()).or_insert_with_key(of);
                if *now != Some(hash) {
                    changed.push(module);
                }
            }
            changed.len() > before
        });
        changed.sort_unstable();
        changed.dedup();
        (all, changed)
    }

    /// Makes anew every pipeline that depends on a file with another text in `texts`, and puts none into
    /// use; [`Pipelines::take_up`] does. Asks `goes_on` before each of them; stopped half-way, it gives
    /// nothing.
    pub fn rebuild(&self, texts: Texts, goes_on: impl Fn() -> bool) -> Option<Rebuilt> {
        self.rebuild_from(self.with_texts(texts), goes_on)
    }

    fn rebuild_from(&self, source: ShaderSource, goes_on: impl Fn() -> bool) -> Option<Rebuilt> {
        let began = Instant::now();
        let (stale, changed) = self.stale_under(&source);
        let names = stale.iter().map(|p| p.name().to_owned()).collect();
        let (mut swaps, mut faults) = (Vec::new(), Vec::new());
        for pipeline in stale {
            if !goes_on() {
                return None;
            }
            match pipeline.remake(&source) {
                Ok(swap) => swaps.push(swap),
                Err(fault) => faults.push(*fault),
            }
        }
        Some(Rebuilt {
            source: Arc::new(source),
            stale: names,
            changed,
            faults,
            took: began.elapsed(),
            swaps,
        })
    }

    /// Puts what was made anew into use, if all of it compiled. Between frames. Whether it did.
    pub fn take_up(&self, rebuilt: Rebuilt) -> bool {
        if !rebuilt.faults.is_empty() {
            return false;
        }
        let before = self.source();
        let mut source = ShaderSource::clone(&rebuilt.source);
        // What was set aside meanwhile stays so.
        for (module, hash) in &before.set_aside {
            if source.texts.get(module).map(|text| hash_of(text)) == Some(*hash) {
                source.set_aside.insert(module.clone(), *hash);
            }
        }
        self.kept.sources.put(Arc::new(source));
        for swap in rebuilt.swaps {
            swap();
        }
        true
    }

    /// After a good frame: the pipelines that it used are good.
    pub fn keep(&self) {
        for pipeline in self.all() {
            pipeline.keep();
        }
    }

    /// After a frame that failed: the pipelines that it used, and that no good frame has used yet, go back to what
    /// they were before. Returns their names.
    pub fn put_back(&self) -> Vec<String> {
        let mut back = self.all();
        back.retain(|pipeline| pipeline.put_back());
        back.iter().map(|p| p.name().to_owned()).collect()
    }

    /// Sets aside all files that are not as the embedded ones, and makes what depended on them anew. False
    /// if there is none.
    pub fn use_embedded(&self) -> Result<bool> {
        let mut source = ShaderSource::clone(&self.source());
        let texts = source.texts.clone();
        let differing: Vec<&String> = texts.keys().filter(|m| source.differs(m)).collect();
        if differing.is_empty() {
            return Ok(false);
        }
        for module in differing {
            source.put_aside(module);
        }
        if let Some(rebuilt) = self.rebuild_from(source, || true) {
            if let Some(fault) = rebuilt.faults.first() {
                return Err(fault.error());
            }
            self.take_up(rebuilt);
        }
        Ok(true)
    }
}
