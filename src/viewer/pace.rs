//! When the next frame is drawn, and how many are drawn a second. Pure.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Frames that the mean is over, at most and at least.
const FRAMES: usize = 60;
const FEWEST: usize = 3;
/// Frames that are drawn at once after the last event: readings of the adapter come back a few frames late.
const FRAMES_AFTER_AN_EVENT: u32 = 12;
/// Pause between two frames at rest. Short enough that messages of other threads are seen as they come.
const PAUSE: Duration = Duration::from_millis(200);

/// The times of the last frames, and how many were drawn since something last happened.
#[derive(Default)]
pub(super) struct Pace {
    starts: VecDeque<Instant>,
    still_frames: u32,
}

impl Pace {
    pub fn wake(&mut self) {
        self.still_frames = 0;
    }

    /// A frame of the window began at `start`. `is_drawn`: it has drawn the scene; `moves`: the next one will differ even if
    /// nothing happens.
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

    /// How long after the last frame the next one is due on a CPU adapter: a software driver takes every core for each
    /// frame, so a picture in which nothing moves is drawn a few times a second.
    pub fn pause(&self) -> Duration {
        if self.still_frames < FRAMES_AFTER_AN_EVENT {
            Duration::ZERO
        } else {
            PAUSE
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
