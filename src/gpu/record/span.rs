//! A recorded frame's submissions, and the times of its passes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::passes::Label;

/// A frame's commands, which `Profiler::submit` or `Profiler::submit_and_wait` submits in one go.
#[derive(Default)]
pub struct Recorded {
    pub(super) submissions: Vec<Submission>,
    /// Passes timed with timestamps, in order.
    pub(super) passes: Vec<TimedPass>,
}

/// A uniform buffer and its new value.
pub(super) type Write = (wgpu::Buffer, [u32; 4]);

pub(super) struct Submission {
    pub encoder: wgpu::CommandEncoder,
    /// Writes to be done before the submission.
    pub writes: Option<Write>,
    /// The pass, if the submission contains nothing else and is timed as a whole.
    pub pass: Option<TimedPass>,
}

#[derive(Clone)]
pub(super) struct TimedPass {
    pub label: Label,
    pub key: Option<Key>,
}

impl TimedPass {
    /// The pass with its time in milliseconds.
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

/// Period in which a pass ran on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub label: Label,
    /// Purpose of the timing, if it has one.
    pub key: Option<Key>,
    /// Start in milliseconds, relative to an origin that the driver chooses.
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Purpose of a timed pass, by which readers of times identify it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of a set of subjects that are timed against each other.
    pub set: u64,
    /// Index of a subject in the set; `None` for passes that all subjects share.
    pub subject: Option<usize>,
    /// True if the time counts, which it does not during a warm-up.
    pub counts: bool,
}

impl Key {
    pub fn new_set() -> u64 {
        static SETS: AtomicU64 = AtomicU64::new(1);
        SETS.fetch_add(1, Ordering::Relaxed)
    }
}
