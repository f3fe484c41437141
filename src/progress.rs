//! How far a long piece of work has come, and how it is told to stop. Knows nothing of the work.

use std::time::Duration;

use crate::error::Result;

/// The part of the work that must be done before its end is estimated.
const LEAST_DONE: f64 = 0.05;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    pub next: String,
    /// Part of the work that is done, 0 to 1.
    pub done: f64,
    /// Estimated seconds left; `None` where the work makes no estimate of its own.
    pub left: Option<f64>,
}

impl Progress {
    /// What comes next, after `done` of `all` steps.
    pub fn step(next: impl Into<String>, done: usize, all: usize) -> Self {
        Self {
            next: next.into(),
            done: done as f64 / all.max(1) as f64,
            left: None,
        }
    }
}

/// Seconds until all is done, if the rest takes as long as the part `done` (0 to 1) that took the time `spent`. Nothing
/// is said of work that has hardly begun, or is done.
pub fn seconds_left(spent: Duration, done: f64) -> Option<f64> {
    (done > LEAST_DONE && done < 1.0).then(|| spent.as_secs_f64() / done * (1.0 - done))
}

/// What is said of the seconds that are left, after other words; nothing where they are not known.
pub fn left_in_words(seconds: Option<f64>) -> String {
    seconds.map_or(String::new(), |seconds| format!(", {seconds:.0} s left"))
}

/// Is told of each step before it begins. If it returns an error, the work ends with that error.
pub type Listener<'a> = &'a mut dyn FnMut(Progress) -> Result<()>;
