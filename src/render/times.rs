//! Recent GPU times per pass.

use std::collections::VecDeque;

use crate::compare::samples::Summary;

/// Times kept per pass.
const HISTORY: usize = 240;

/// A pass's recent GPU times, ms, newest last.
#[derive(Clone, Debug, Default)]
pub struct PassTimes {
    /// The pass.
    pub label: String,
    /// At most a few seconds of them.
    pub samples: VecDeque<f64>,
}

impl PassTimes {
    /// Last, median and 95th percentile in ms.
    pub fn statistics(&self) -> Option<[f64; 3]> {
        let last = *self.samples.back()?;
        let samples: Vec<f64> = self.samples.iter().copied().collect();
        let summary = Summary::of(&samples)?;
        Some([last, summary.median, summary.p95])
    }
}

/// Adds a time to its pass, which is new at first.
pub(super) fn add_time(times: &mut Vec<PassTimes>, label: String, milliseconds: f64) {
    let index = match times.iter().position(|times| times.label == label) {
        Some(index) => index,
        None => {
            times.push(PassTimes {
                label,
                samples: VecDeque::new(),
            });
            times.len() - 1
        }
    };
    let samples = &mut times[index].samples;
    samples.push_back(milliseconds);
    if samples.len() > HISTORY {
        samples.pop_front();
    }
}
