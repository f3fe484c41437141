//! Number of dispatches per timed pass.

use crate::model::{Clock, ClockSource};

/// Approximate milliseconds of a timed pass with work that can be repeated.
pub const LONG_PASS: f64 = 0.5;
/// With timestamps, a subject that takes fewer milliseconds is dispatched several times per pass.
const SHORT: f64 = 0.05;
/// Minimum and maximum number of dispatches of a short subject.
const SHORT_DISPATCHES: u32 = 16;
const MOST_DISPATCHES: u32 = 64;
/// Length of a pass timed by the wall clock, in empty submissions. The submission is then less than 2 % of the time.
const SUBMISSIONS: f64 = 50.0;
/// Maximum number of dispatches in a pass timed by the wall clock. It may make a pass shorter than intended.
const MOST_BY_WALL_CLOCK: u32 = 4096;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repeats {
    /// Approximate milliseconds of a timed pass with a short subject.
    pub length: f64,
    /// Minimum number of dispatches of a short subject.
    least: u32,
    /// Maximum number of dispatches of any subject.
    most: u32,
}

impl Repeats {
    /// Limits for work that is timed alone. With timestamps, a pass of a short subject takes about `length`
    /// milliseconds. With the wall clock, it is long enough to make the cost of a submission unimportant.
    pub fn new(clock: &Clock, length: f64) -> Self {
        match clock.source {
            ClockSource::Timestamps => Self {
                length,
                least: SHORT_DISPATCHES,
                most: MOST_DISPATCHES,
            },
            ClockSource::Wall => Self {
                length: SUBMISSIONS * clock.submission,
                least: 1,
                most: MOST_BY_WALL_CLOCK,
            },
        }
    }

    /// Limits for work that follows other passes of a frame. With timestamps it is dispatched once, because the other
    /// passes leave the caches as in a real frame.
    pub fn in_frames(clock: &Clock) -> Self {
        match clock.source {
            ClockSource::Timestamps => Self {
                length: 0.0,
                least: 1,
                most: 1,
            },
            ClockSource::Wall => Self::new(clock, 0.0),
        }
    }

    /// Number of dispatches per timed pass of a subject that takes `pilot` milliseconds per dispatch.
    pub fn dispatches(&self, pilot: f64) -> u32 {
        let one = pilot.max(1e-3);
        let wanted = (self.length / one).ceil() as u32;
        let least = if one < SHORT { self.least } else { 1 };
        wanted.clamp(least, self.most.max(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(source: ClockSource) -> Clock {
        Clock {
            source,
            submission: 0.04,
            ..Clock::default()
        }
    }

    #[test]
    fn what_is_short_is_dispatched_sixteen_times_or_more_and_what_is_long_once() {
        let by_timestamps = clock(ClockSource::Timestamps);
        let repeats = Repeats::new(&by_timestamps, LONG_PASS);
        let times = [0.6, 0.1, 0.049, 0.01, 0.0001];
        let dispatches = times.map(|pilot| repeats.dispatches(pilot));
        assert_eq!(dispatches, [1, 5, 16, 50, 64]);
        let in_frames = Repeats::in_frames(&by_timestamps);
        assert_eq!(times.map(|pilot| in_frames.dispatches(pilot)), [1; 5]);
    }

    #[test]
    fn by_the_wall_clock_a_submission_is_less_than_a_fiftieth_of_a_pass() {
        let clock = clock(ClockSource::Wall);
        for repeats in [Repeats::new(&clock, LONG_PASS), Repeats::in_frames(&clock)] {
            for one in [0.002, 0.03, 0.5, 1.999, 100.0] {
                let dispatches = repeats.dispatches(one);
                let length = f64::from(dispatches) * one;
                assert!(clock.submission <= 0.02 * length, "{one}: {dispatches}");
                assert!(
                    dispatches == 1 || length < 2.0 * repeats.length,
                    "{one}: {dispatches}"
                );
            }
        }
    }
}
