//! How many frames a second are drawn, while one follows the other at once. Pure.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Frames that the mean is over, at most.
const FRAMES: usize = 60;
/// Frames that the mean is over, at least.
const FEWEST: usize = 3;

/// The times of the last frames. Pauses in which the window rests count for nothing.
#[derive(Default)]
pub(super) struct Pace {
    starts: VecDeque<Instant>,
}

impl Pace {
    /// A frame that began at `start` was drawn; `goes_on` says whether the next one follows at once.
    pub fn after_frame(&mut self, start: Instant, goes_on: bool) {
        if !goes_on {
            self.starts.clear();
        }
        self.starts.push_back(start);
        if self.starts.len() > FRAMES {
            self.starts.pop_front();
        }
    }

    /// Mean time from one frame to the next, seconds; nothing while the window rests.
    pub fn seconds(&self) -> Option<f64> {
        let (first, last) = (self.starts.front()?, self.starts.back()?);
        let gaps = self.starts.len().checked_sub(1)?;
        let between: Duration = last.saturating_duration_since(*first);
        (gaps + 1 >= FEWEST).then(|| between.as_secs_f64() / gaps as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_frames_that_follow_each_other_and_a_rest_begins_anew() {
        let start = Instant::now();
        let mut pace = Pace::default();
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        for frame in 0..10 {
            pace.after_frame(at(100 * frame), true);
        }
        assert!(pace.seconds().is_some_and(|mean| (mean - 0.1).abs() < 1e-9));
        pace.after_frame(at(1200), false);
        assert_eq!(pace.seconds(), None, "it rests");
        for frame in 0..2 {
            pace.after_frame(at(3000 + 20 * frame), true);
        }
        pace.after_frame(at(3040), true);
        let mean = pace.seconds().expect("it moves again");
        assert!(mean < 0.7, "{mean}");
    }
}
