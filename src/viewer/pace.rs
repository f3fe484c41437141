//! How many frames a second are drawn, while one follows the other at once. Pure.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Frames that the mean is over, at most.
const FRAMES: usize = 60;
/// Frames that the mean is over, at least.
const FEWEST: usize = 3;

/// The times of the last frames. Pauses in which the scene stays as it was drawn count for nothing.
#[derive(Default)]
pub(super) struct Pace {
    starts: VecDeque<Instant>,
}

impl Pace {
    /// A frame of the window began at `start`; `is_drawn` says whether it has drawn the scene.
    pub fn after_frame(&mut self, start: Instant, is_drawn: bool) {
        if !is_drawn {
            self.starts.clear();
            return;
        }
        self.starts.push_back(start);
        if self.starts.len() > FRAMES {
            self.starts.pop_front();
        }
    }

    /// Mean time from one frame to the next, seconds; nothing while the scene is left as it was drawn.
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
        assert_eq!(pace.seconds(), None, "only panes");
        for frame in 0..3 {
            pace.after_frame(at(3000 + 20 * frame), true);
        }
        assert!(
            pace.seconds()
                .is_some_and(|mean| (mean - 0.02).abs() < 1e-9)
        );
    }
}
