//! A recorded frame's submissions, and the times of its passes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::passes::Label;

/// A frame's commands, to be submitted in one go by `Profiler::submit` or `Profiler::submit_and_wait`.
#[derive(Default)]
pub struct Recorded {
    pub(super) submissions: Vec<Submission>,
    /// Passes timed by timestamps, in order.
    pub(super) passes: Vec<TimedPass>,
}

/// A uniform buffer and its new value.
pub(super) type Write = (wgpu::Buffer, [u32; 4]);

pub(super) struct Submission {
    pub encoder: wgpu::CommandEncoder,
    /// Writes before the submission.
    pub writes: Option<Write>,
    /// The pass, if it is the only one and timed by its submission.
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

/// Execution of a pass on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub label: Label,
    /// Purpose, if it was timed for one.
    pub key: Option<Key>,
    /// Start in milliseconds, relative to a time chosen by the driver.
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Purpose of a timed pass, which identifies it to a reader of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of a set of subjects timed against each other.
    pub set: u64,
    /// Index of a subject in it; `None` for passes shared by all.
    pub subject: Option<usize>,
    /// True if its time counts; a warm-up does not.
    pub counts: bool,
}

impl Key {
    pub fn new_set() -> u64 {
        static SETS: AtomicU64 = AtomicU64::new(1);
        SETS.fetch_add(1, Ordering::Relaxed)
    }
}
