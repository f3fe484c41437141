//! Recent GPU times per pass.

use std::collections::VecDeque;

use crate::compare::samples::Summary;
use crate::methods::Method;

/// Times kept per pass.
const HISTORY: usize = 240;

/// A pass's recent GPU times, ms, newest last.
#[derive(Clone, Debug, Default)]
pub struct PassTimes {
    /// The pass.
    pub label: String,
    /// At most a few seconds of them.
    pub samples: VecDeque<f64>,
    /// How many have come back since the frame was made, those no longer kept included.
    pub taken: u64,
    /// Number of the newest timed frame that had the pass.
    pub frame: u64,
}

impl PassTimes {
    /// Last, median and 95th percentile in ms.
    pub fn statistics(&self) -> Option<[f64; 3]> {
        let last = *self.samples.back()?;
        let samples: Vec<f64> = self.samples.iter().copied().collect();
        let summary = Summary::of(&samples)?;
        Some([last, summary.median, summary.p95])
    }

    /// Whether it is what a method does before or after its own pass, as drawn methods do: `fixed-function (stream)`.
    pub fn is_part_of(&self, method: Method) -> bool {
        let rest = self.label.strip_prefix(method.name());
        rest.is_some_and(|rest| rest.starts_with(" ("))
    }
}

/// Adds the time of a pass of timed frame `frame` to its pass, which is new at first.
pub(super) fn add_time(times: &mut Vec<PassTimes>, label: String, milliseconds: f64, frame: u64) {
    let index = match times.iter().position(|times| times.label == label) {
        Some(index) => index,
        None => {
            times.push(PassTimes {
                label,
                ..PassTimes::default()
            });
            times.len() - 1
        }
    };
    let pass = &mut times[index];
    pass.taken += 1;
    pass.frame = frame;
    pass.samples.push_back(milliseconds);
    if pass.samples.len() > HISTORY {
        pass.samples.pop_front();
    }
}
