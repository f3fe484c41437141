//! When the window may rest: a software driver takes every core for each frame, so a picture in which
//! nothing moves is drawn a few times a second instead of as often as possible. Pure.

use std::time::Duration;

/// Frames that are drawn at once after the last event: readings of the adapter come back a few frames late.
const FRAMES_AFTER_AN_EVENT: u32 = 12;
/// Pause between two frames at rest. Short enough that messages of other threads are seen as they come.
const PAUSE: Duration = Duration::from_millis(200);

/// Counts the frames since something last happened.
#[derive(Default)]
pub(super) struct Rest {
    still_frames: u32,
}

impl Rest {
    /// Something happened: a key, the mouse, a new size.
    pub fn wake(&mut self) {
        self.still_frames = 0;
    }

    /// A frame was drawn; `moves` says whether the next one will differ even if nothing happens.
    pub fn after_frame(&mut self, moves: bool) {
        self.still_frames = if moves { 0 } else { self.still_frames + 1 };
    }

    /// How long after the last frame the next one is due.
    pub fn pause(&self) -> Duration {
        if self.still_frames < FRAMES_AFTER_AN_EVENT {
            Duration::ZERO
        } else {
            PAUSE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(frames: u32) -> Rest {
        let mut rest = Rest::default();
        for _ in 0..frames {
            rest.after_frame(false);
        }
        rest
    }

    #[test]
    fn a_window_in_which_nothing_happens_rests_after_some_frames() {
        assert_eq!(after(FRAMES_AFTER_AN_EVENT - 1).pause(), Duration::ZERO);
        assert_eq!(after(FRAMES_AFTER_AN_EVENT).pause(), PAUSE);
    }

    #[test]
    fn an_event_or_something_that_moves_ends_the_rest_at_once() {
        let mut woken = after(100);
        woken.wake();
        assert_eq!(woken.pause(), Duration::ZERO);
        let mut moving = after(100);
        moving.after_frame(true);
        assert_eq!(moving.pause(), Duration::ZERO);
    }
}
