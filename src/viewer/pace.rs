//! Decides when to draw the next frame, and counts frames per second.

use std::collections::VecDeque;
use web_time::{Duration, Instant};

/// Maximum and minimum number of frames in the mean.
const FRAMES: usize = 60;
const FEWEST: usize = 3;
/// Number of frames drawn without a pause after the last event, because readings arrive a few frames late.
const FRAMES_AFTER_AN_EVENT: u32 = 12;
/// Pause between frames at rest, short enough for messages from other threads to appear promptly.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Default)]
pub(super) struct Pace {
    starts: VecDeque<Instant>,
    still_frames: u32,
}

impl Pace {
    pub fn wake(&mut self) {
        self.still_frames = 0;
    }

    /// Records a frame that began at `start`. `moves` is true if the next frame will differ without events.
    pub fn after_frame(&mut self, start: Instant, is_drawn: bool, moves: bool) {
        self.still_frames = if moves { 0 } else { self.still_frames + 1 };
        if !is_drawn {
            self.starts.clear();
            return;
        }
        self.starts.push_back(start);
        if self.starts.len() > FRAMES {
            self.starts.pop_front();
        }
    }

    /// Pause before the next frame on a CPU adapter, where drawing an unchanged picture would occupy every core.
    pub fn pause(&self) -> Duration {
        if self.still_frames < FRAMES_AFTER_AN_EVENT {
            Duration::ZERO
        } else {
            PAUSE
        }
    }

    /// Mean seconds between frames; `None` while the scene is not redrawn.
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
    fn a_window_in_which_nothing_happens_rests_and_a_rest_begins_the_mean_anew() {
        let (start, mut pace) = (Instant::now(), Pace::default());
        for frame in 0..FRAMES_AFTER_AN_EVENT {
            assert_eq!(pace.pause(), Duration::ZERO);
            let at = start + frame * Duration::from_millis(100);
            pace.after_frame(at, true, false);
        }
        assert_eq!(pace.pause(), PAUSE);
        assert!(pace.seconds().is_some_and(|mean| (mean - 0.1).abs() < 1e-9));
        pace.after_frame(start, false, true);
        assert_eq!((pace.seconds(), pace.pause()), (None, Duration::ZERO));
    }
}
