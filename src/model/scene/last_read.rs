//! Cache of the last files read: scenes are reloaded often, as for a window's defaults, and files are large.

use std::sync::{Arc, Mutex, Weak};

use crate::model::files::Seen;
use crate::workers::lock;

/// The last result, for as long as a scene holds it. It is not locked while reading a file, so no thread waits for
/// another's file.
pub(super) struct LastRead<S, T>(Mutex<Option<(Placement<S>, Weak<T>)>>);

#[derive(PartialEq)]
pub(super) struct Placement<S> {
    specs: Vec<S>,
    files: Vec<Seen>,
}

impl<S: Clone> Placement<S> {
    /// `None` if a file is inaccessible or may change unnoticed.
    pub(super) fn of(specs: &[S], files: impl Iterator<Item = Option<Seen>>) -> Option<Self> {
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

    /// Cached result for the same files in the same placement, if a scene still holds it.
    pub(super) fn get(&self, placement: Option<&Placement<S>>) -> Option<Arc<T>> {
        match &*lock(&self.0) {
            Some((before, held)) if placement == Some(before) => held.upgrade(),
            _ => None,
        }
    }

    /// Replaces the cached result, or clears it without a placement.
    pub(super) fn keep(&self, placement: Option<Placement<S>>, held: &Arc<T>) {
        *lock(&self.0) = placement.map(|placement| (placement, Arc::downgrade(held)));
    }
}
