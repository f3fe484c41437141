//! A recorded frame's submissions, and the times of its passes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::passes::Label;

/// A frame's recorded commands.
#[derive(Default)]
pub struct Recorded {
    pub(super) submissions: Vec<Submission>,
    /// Passes timed with timestamps, in order.
    pub(super) passes: Vec<TimedPass>,
}

pub(super) type Write = (wgpu::Buffer, [u32; 4]);

pub(super) struct Submission {
    pub encoder: wgpu::CommandEncoder,
    /// Uniform to write before the submission.
    pub writes: Option<Write>,
    /// The pass, if it is the whole submission and is timed.
    pub pass: Option<TimedPass>,
}

#[derive(Clone)]
pub(super) struct TimedPass {
    pub label: Label,
    pub key: Option<Key>,
}

impl TimedPass {
    pub fn span(self, start: f64, end: f64) -> Span {
        let Self { label, key } = self;
        Span {
            label,
            key,
            start,
            end,
        }
    }
}

/// A pass with its start and end on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub label: Label,
    pub key: Option<Key>,
    /// Start in milliseconds. The driver chooses the origin.
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Identifies timed passes to readers of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of a set of subjects that are compared with each other.
    pub set: u64,
    /// Index of a subject in the set. `None` for passes that all subjects share.
    pub subject: Option<usize>,
    /// False during a warm-up.
    pub counts: bool,
}

impl Key {
    pub fn new_set() -> u64 {
        static SETS: AtomicU64 = AtomicU64::new(1);
        SETS.fetch_add(1, Ordering::Relaxed)
    }
}
