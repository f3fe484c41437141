//! Recent GPU times per pass.

use std::collections::VecDeque;

use crate::model::passes::Label;
use crate::model::samples::Summary;

/// Times kept per pass.
const HISTORY: usize = 240;

/// A pass's recent GPU times, ms, newest last.
#[derive(Clone, Debug)]
pub struct PassTimes {
    pub label: Label,
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
}

/// Adds the time of a pass of timed frame `frame` to its pass, which is new at first. A pass that a frame has for A and
/// for B, such as bloom, has the sum of both; a method's own passes have their times one by one.
pub(super) fn add_time(times: &mut Vec<PassTimes>, label: Label, milliseconds: f64, frame: u64) {
    let index = match times.iter().position(|times| times.label == label) {
        Some(index) => index,
        None => {
            times.push(PassTimes {
                label,
                samples: VecDeque::new(),
                taken: 0,
                frame: 0,
            });
            times.len() - 1
        }
    };
    let pass = &mut times[index];
    let is_again = pass.taken > 0 && pass.frame == frame && pass.label.method.is_none();
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
    use crate::model::methods::Method;
    use crate::model::passes::Pass;

    #[test]
    fn a_pass_that_a_frame_has_twice_has_the_sum_of_both_but_a_method_each_time() {
        let mut times = Vec::new();
        let [bloom, method] = [Pass::Bloom.into(), Label::of(Method::PixelLoop)];
        for frame in 1..=2 {
            for (label, time) in [(bloom, 1.0), (method, 5.0), (bloom, 0.5), (method, 6.0)] {
                add_time(&mut times, label, time, frame);
            }
        }
        let samples = |index: usize| times[index].samples.iter().copied().collect::<Vec<_>>();
        assert_eq!(samples(0), [1.5, 1.5]);
        assert_eq!(samples(1), [5.0, 6.0, 5.0, 6.0]);
        assert_eq!([times[0].taken, times[1].taken], [2, 4]);
    }
}
