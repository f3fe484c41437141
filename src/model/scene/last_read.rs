//! Cache of the files read last, because scenes are reloaded often and their files are large.

use std::sync::{Arc, Mutex, Weak};

use crate::model::files::FileStamp;
use crate::workers::lock;

/// The last result, kept while a scene holds it. The cache is not locked while a file is read.
pub(super) struct LastRead<S, T>(Mutex<Option<(Placement<S>, Weak<T>)>>);

#[derive(PartialEq)]
pub(super) struct Placement<S> {
    specs: Vec<S>,
    files: Vec<FileStamp>,
}

impl<S: Clone> Placement<S> {
    /// `None` if a file is inaccessible or may change unnoticed.
    pub(super) fn of(specs: &[S], files: impl Iterator<Item = Option<FileStamp>>) -> Option<Self> {
        let known = files.map(|file| file.filter(|file| file.version.is_some()));
        Some(Self {
            specs: specs.to_vec(),
            files: known.collect::<Option<_>>()?,
        })
    }
}

impl<S: PartialEq, T> LastRead<S, T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Cached result for the same files in the same placement, if a scene still holds that result.
    pub(super) fn get(&self, placement: Option<&Placement<S>>) -> Option<Arc<T>> {
        match &*lock(&self.0) {
            Some((before, held)) if placement == Some(before) => held.upgrade(),
            _ => None,
        }
    }

    /// Replaces the cached result, or clears it if there is no placement.
    pub(super) fn keep(&self, placement: Option<Placement<S>>, held: &Arc<T>) {
        *lock(&self.0) = placement.map(|placement| (placement, Arc::downgrade(held)));
    }
}
