//! What was read last: scenes are loaded again and again, as for a window's defaults, and files are large.

use std::sync::{Arc, Mutex, Weak};

use crate::model::files::Seen;
use crate::workers::lock;

/// What was made of files last, for as long as a scene has it. Nobody reads a file while it is locked: no thread waits for
/// another's file.
pub(super) struct LastRead<S, T>(Mutex<Option<(Placement<S>, Weak<T>)>>);

/// Which files were placed, and how.
#[derive(PartialEq)]
pub(super) struct Placement<S> {
    specs: Vec<S>,
    files: Vec<Seen>,
}

impl<S: Clone> Placement<S> {
    /// None where a file cannot be looked at, or may change unnoticed.
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

    /// What was read of the same files in the same placement, if a scene still has it.
    pub(super) fn get(&self, placement: Option<&Placement<S>>) -> Option<Arc<T>> {
        match &*lock(&self.0) {
            Some((before, held)) if placement == Some(before) => held.upgrade(),
            _ => None,
        }
    }

    /// Takes the place of what was read before; without a placement nothing does.
    pub(super) fn keep(&self, placement: Option<Placement<S>>, held: &Arc<T>) {
        *lock(&self.0) = placement.map(|placement| (placement, Arc::downgrade(held)));
    }
}
