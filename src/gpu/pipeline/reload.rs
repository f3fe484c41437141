//! Shader files that change while their pipelines are in use. Every pipeline made from a changed file is remade, on
//! any thread. Between two frames all of them are swapped in or, if one does not compile, none: the last good
//! pipelines stay. If the first frame with a new pipeline fails, the old one returns.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pipelines::Cache;
use super::reloadable::{Any, Swap};
use crate::error::Result;
use crate::gpu::Pipelines;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::shader::source::{ShaderSource, hash_of};
use crate::gpu::shader::variant::{Hashes, Texts};
use crate::workers::lock;

pub struct Rebuilt {
    source: Arc<ShaderSource>,
    /// Names of the pipelines that depend on changed files, sorted.
    pub stale: Vec<String>,
    /// Module paths of the changed files that they depend on.
    pub changed: Vec<String>,
    /// Compile errors. If there are any, nothing is swapped in.
    pub faults: Vec<ShaderFault>,
    pub took: Duration,
    swaps: Vec<Swap>,
}

impl Pipelines {
    pub fn source(&self) -> Arc<ShaderSource> {
        self.kept.sources.now()
    }

    /// Every pipeline by name, with the hashes of its files.
    pub fn made_of(&self) -> Vec<(String, Hashes)> {
        let all = self.all().into_iter();
        let mut all: Vec<_> = all.map(|p| (p.name().to_owned(), p.files())).collect();
        all.sort();
        all
    }

    /// Sentences about files set aside since the last call.
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

    /// The source with these texts replacing those read before.
    fn with_texts(&self, texts: Texts) -> ShaderSource {
        ShaderSource {
            texts,
            ..ShaderSource::clone(&self.source())
        }
    }

    /// Sorted names of the pipelines made from other texts.
    pub fn stale(&self, texts: &Texts) -> Vec<String> {
        let stale = self.stale_under(&self.with_texts(texts.clone())).0;
        stale.iter().map(|p| p.name().to_owned()).collect()
    }

    /// Pipelines whose files have other texts in `source`, sorted by name, and those files.
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

    /// Remakes every pipeline that depends on a file with another text in `texts`, without using any; see
    /// [`Pipelines::take_up`]. Calls `goes_on` before each; `None` if it stops.
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

    /// Swaps in the remade pipelines between frames. Returns false, without changes, if any failed to compile.
    pub fn take_up(&self, rebuilt: Rebuilt) -> bool {
        if !rebuilt.faults.is_empty() {
            return false;
        }
        let before = self.source();
        let mut source = ShaderSource::clone(&rebuilt.source);
        // Files set aside in the meantime stay so.
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

    /// After a good frame: its pipelines are good.
    pub fn keep(&self) {
        for pipeline in self.all() {
            pipeline.keep();
        }
    }

    /// After a failed frame: reverts pipelines that it used and no good frame has used yet. Returns their names.
    pub fn put_back(&self) -> Vec<String> {
        let mut back = self.all();
        back.retain(|pipeline| pipeline.put_back());
        back.iter().map(|p| p.name().to_owned()).collect()
    }

    /// Sets aside all files that differ from the embedded ones, and remakes pipelines that depended on them. False if
    /// there are none.
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
