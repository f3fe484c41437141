//! Progress and cancellation of long-running work.

use std::time::Duration;

use crate::error::Result;

/// The remaining time is estimated after this fraction of the work.
const LEAST_DONE: f64 = 0.05;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    pub next: String,
    /// Fraction of the work done, 0 to 1.
    pub done: f64,
    /// Estimated seconds left. `None` if the work makes no estimate.
    pub left: Option<f64>,
}

impl Progress {
    /// Progress before step `next`, with `done` of `all` steps completed.
    pub fn step(next: impl Into<String>, done: usize, all: usize) -> Self {
        Self {
            next: next.into(),
            done: done as f64 / all.max(1) as f64,
            left: None,
        }
    }
}

/// Remaining seconds, extrapolated from the time `spent` on the fraction `done` (0 to 1). `None` if the work has barely
/// begun or is done.
pub fn seconds_left(spent: Duration, done: f64) -> Option<f64> {
    (done > LEAST_DONE && done < 1.0).then(|| spent.as_secs_f64() / done * (1.0 - done))
}

/// Remaining seconds as a suffix. Empty if unknown.
pub fn left_in_words(seconds: Option<f64>) -> String {
    seconds.map_or(String::new(), |seconds| format!(", {seconds:.0} s left"))
}

/// Called before each step. An error ends the work.
pub type Listener<'a> = &'a mut dyn FnMut(Progress) -> Result<()>;
