//! What there is to submit of a frame, and when its passes ran.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::passes::Label;

/// A frame's commands, to be submitted in one go by `Profiler::submit` or `Profiler::submit_and_wait`.
#[derive(Default)]
pub struct Recorded {
    pub(super) submissions: Vec<Submission>,
    /// The passes that lie between timestamps, in their order.
    pub(super) passes: Vec<TimedPass>,
}

/// A value of a uniform buffer.
pub(super) type Write = (wgpu::Buffer, [u32; 4]);

pub(super) struct Submission {
    pub encoder: wgpu::CommandEncoder,
    /// Written before it.
    pub writes: Option<Write>,
    /// The pass that they are, where they are one pass alone whose time is that of the submission.
    pub pass: Option<TimedPass>,
}

#[derive(Clone)]
pub(super) struct TimedPass {
    pub label: Label,
    pub key: Option<Key>,
}

impl TimedPass {
    /// The pass with its time, milliseconds.
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

/// When a pass ran on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub label: Label,
    /// What it is part of, where it was timed for something.
    pub key: Option<Key>,
    /// Start, ms from a moment of the driver's choice.
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
}

/// What a timed pass is part of, for a reader of times to know them by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of a set of things that are timed against each other.
    pub set: u64,
    /// Which of them; none for what all of them share.
    pub subject: Option<usize>,
    /// Whether its time counts: that of a warm-up does not.
    pub counts: bool,
}

impl Key {
    /// A number that no other set has.
    pub fn new_set() -> u64 {
        static SETS: AtomicU64 = AtomicU64::new(1);
        SETS.fetch_add(1, Ordering::Relaxed)
    }
}
