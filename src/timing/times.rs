//! Measured times of a set of subjects.

use super::schedule::{Conditions, PassSamples};
use crate::error::Error;

/// Plausible range of the sum of all pass times, divided by the time from submission to the end of the work.
const PLAUSIBLE: [f64; 2] = [0.5, 1.5];

#[derive(Clone, Debug, Default)]
pub struct Timed {
    pub dispatches: u32,
    /// Milliseconds per dispatch in each round, summed over the passes.
    pub samples: Vec<f64>,
    /// As in [`is_settled`].
    pub settled: bool,
    /// Reason why timing stopped early, if it did.
    pub failure: Option<Error>,
}

#[derive(Clone, Debug, Default)]
pub struct Times {
    /// In the order of the set.
    pub subjects: Vec<Timed>,
    /// Milliseconds per round of the passes that all subjects share.
    pub shared: Vec<PassSamples>,
    /// Sum of a round's pass times, divided by the wall-clock time of the same round submitted as a whole. Unknown
    /// after a single round.
    pub passes_to_wall: Option<f64>,
    pub conditions: Option<Conditions>,
    /// Device failure that stopped the measurement early. Times measured before the failure are kept.
    pub ended: Option<Error>,
}

impl Times {
    /// Reason why a subject has no time. `None` if it has one.
    pub fn why_untimed<'a>(&'a self, timed: &'a Timed) -> Option<&'a str> {
        if !timed.samples.is_empty() {
            return None;
        }
        let error = timed.failure.as_ref().or(self.ended.as_ref());
        let too_short = "its pass took no longer than an empty submission";
        Some(error.map_or(too_short, |error| &error.message))
    }

    /// True if the pass times add up to roughly the time of the whole work.
    pub fn are_plausible(&self) -> bool {
        self.passes_to_wall.is_none_or(is_plausible)
    }
}

/// True if pass times with this ratio to the wall-clock time are plausible.
pub fn is_plausible(passes_to_wall: f64) -> bool {
    (PLAUSIBLE[0]..=PLAUSIBLE[1]).contains(&passes_to_wall)
}
