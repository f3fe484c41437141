//! Recent GPU times per pass.

use std::collections::VecDeque;

use crate::model::methods::Method;
use crate::model::samples::Summary;

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

    /// Whether it is a method, or a part of one.
    fn is_of_a_method(&self) -> bool {
        Method::all().any(|method| self.label == method.name() || self.is_part_of(method))
    }

    /// Whether it is what a method does before or after its own pass, as drawn methods do: `fixed-function (stream)`.
    pub fn is_part_of(&self, method: Method) -> bool {
        let rest = self.label.strip_prefix(method.name());
        rest.is_some_and(|rest| rest.starts_with(" ("))
    }
}

/// Adds the time of a pass of timed frame `frame` to its pass, which is new at first. A pass that a frame has for A and
/// for B, such as bloom, has the sum of both; a method's own passes have their times one by one.
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
    let is_again = pass.taken > 0 && pass.frame == frame && !pass.is_of_a_method();
    if let Some(sum) = pass.samples.back_mut().filter(|_| is_again) {
        *sum += milliseconds;
        return;
    }
    pass.taken += 1;
    pass.frame = frame;
    pass.samples.push_back(milliseconds);
    if pass.samples.len() > HISTORY {
        pass.samples.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_that_a_frame_has_twice_has_the_sum_of_both_but_a_method_each_time() {
        let mut times = Vec::new();
        let method = Method::PixelLoop.name();
        for frame in 1..=2 {
            for (label, time) in [("bloom", 1.0), (method, 5.0), ("bloom", 0.5), (method, 6.0)] {
                add_time(&mut times, label.to_owned(), time, frame);
            }
        }
        let samples = |index: usize| times[index].samples.iter().copied().collect::<Vec<_>>();
        assert_eq!(samples(0), [1.5, 1.5]);
        assert_eq!(samples(1), [5.0, 6.0, 5.0, 6.0]);
        assert_eq!([times[0].taken, times[1].taken], [2, 4]);
    }
}
