//! What a timed set of subjects comes to: plain data.

use super::schedule::{Conditions, PassSamples};
use crate::error::Error;

/// The sum of the times of all passes over the time from submitting to the end of the work: outside of these bounds
/// the times of the passes cannot be right.
const PLAUSIBLE: [f64; 2] = [0.5, 1.5];

/// The times of one subject.
#[derive(Clone, Debug, Default)]
pub struct Timed {
    /// The number of dispatches in each timed pass.
    pub dispatches: u32,
    /// Milliseconds per dispatch, all passes together, one for each round.
    pub samples: Vec<f64>,
    /// Whether the median has settled: see [`is_settled`].
    pub settled: bool,
    /// Why it was not timed to the end.
    pub failure: Option<Error>,
}

/// The times of a set of subjects.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// The times of each subject, in the order of the set.
    pub subjects: Vec<Timed>,
    /// The times of the passes that all subjects share, in milliseconds, one for each round.
    pub shared: Vec<PassSamples>,
    /// The sum of the times of a round's passes over the time that the same round, submitted at once, takes by the
    /// wall clock. It is not known after a single round.
    pub passes_to_wall: Option<f64>,
    /// What the GPU was like meanwhile, where that is known.
    pub conditions: Option<Conditions>,
    /// Why the measurement ended before its time: the device failed. What was timed until then is here.
    pub ended: Option<Error>,
}

impl Times {
    /// Why one of the subjects has no time; none if it has one.
    pub fn why_untimed<'a>(&'a self, timed: &'a Timed) -> Option<&'a str> {
        if !timed.samples.is_empty() {
            return None;
        }
        let error = timed.failure.as_ref().or(self.ended.as_ref());
        let too_short = "its pass took no longer than an empty submission";
        Some(error.map_or(too_short, |error| &error.message))
    }

    /// Whether the times of the passes sum to about the time that the work took as a whole.
    pub fn are_plausible(&self) -> bool {
        self.passes_to_wall.is_none_or(is_plausible)
    }
}

/// Whether pass times can be right if their sum is this multiple of the wall-clock time.
pub fn is_plausible(passes_to_wall: f64) -> bool {
    (PLAUSIBLE[0]..=PLAUSIBLE[1]).contains(&passes_to_wall)
}
