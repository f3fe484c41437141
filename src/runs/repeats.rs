//! How many times a subject is dispatched in one timed pass.

use crate::model::{Clock, ClockSource};

/// The length of a timed pass whose work may be repeated, in milliseconds, approximately.
pub const LONG_PASS: f64 = 0.5;
/// A subject that takes fewer milliseconds than this is dispatched several times per timed pass, where time is
/// taken by timestamps.
const SHORT: f64 = 0.05;
/// The least and the greatest number of these dispatches.
const SHORT_DISPATCHES: u32 = 16;
const MOST_DISPATCHES: u32 = 64;
/// A pass that is timed by the wall clock takes this many times as long as an empty submission, which is then less
/// than 2 % of its time.
const SUBMISSIONS: f64 = 50.0;
/// The greatest number of dispatches of a pass that is timed by the wall clock; such a pass may be shorter.
const MOST_BY_WALL_CLOCK: u32 = 4096;

/// How long timed passes are, and how many dispatches a pass may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repeats {
    /// A timed pass of a short subject takes about this many milliseconds.
    pub length: f64,
    /// The least number of dispatches of a short subject.
    least: u32,
    /// The greatest number of dispatches of any subject.
    most: u32,
}

impl Repeats {
    /// For work that is timed alone. Where time is taken by timestamps, a pass of a short subject takes about
    /// `length` milliseconds; by the wall clock it takes so long that the cost of a submission does not matter.
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

    /// For work that follows other passes of a frame. Where time is taken by timestamps, it is dispatched once,
    /// because the other passes leave the caches as a frame finds them.
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

    /// The number of dispatches per timed pass of a subject, if one dispatch took `pilot` milliseconds.
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
