//! Tracks whether a GPU's clocks are up, judging by its recent work. An idle GPU raises its clocks only under load, no
//! matter how long the program has been running.

use web_time::{Duration, Instant};

use super::schedule::Rounds;
use crate::gpu::Worked;
use crate::model::Capabilities;

/// After this much work, the clocks of an idle GPU are up.
const CLOCKS_RISE: Duration = Duration::from_millis(300);
/// After a pause of this length, the clocks may have dropped.
const PAUSE: Duration = Duration::from_secs(1);
/// Milliseconds of work per warm-up submission. With less, the GPU idles between submissions.
const AT_ONCE: f64 = 5.0;
/// Maximum number of repeats of the same work in a submission.
const MOST_AT_ONCE: f64 = 64.0;
/// Maximum length of a warm-up, regardless of the timestamps.
const LONGEST: Duration = Duration::from_secs(3);

/// Work that a GPU has done since its last pause.
pub struct Warmth {
    has_clocks: bool,
    worked: Duration,
    since: Instant,
    until: Instant,
}

impl Warmth {
    /// State of an adapter that was idle except for `last`. A CPU adapter has no clocks to wait for.
    pub fn new(caps: &Capabilities, last: Option<Worked>) -> Self {
        let now = Instant::now();
        let last = last.filter(|work| work.until.elapsed() < PAUSE);
        Self {
            has_clocks: !caps.is_cpu,
            worked: last.map_or(Duration::ZERO, |work| work.time),
            since: now,
            until: last.map_or(now, |work| work.until),
        }
    }

    /// Forgets work before a pause. Call it before submitting work.
    pub fn begin(&mut self) {
        if self.until.elapsed() >= PAUSE {
            self.worked = Duration::ZERO;
            self.since = Instant::now();
        }
    }

    /// Adds milliseconds of work that has just ended.
    pub fn add(&mut self, milliseconds: impl IntoIterator<Item = f64>) {
        for time in milliseconds {
            self.worked += Duration::from_secs_f64(time.max(0.0) * 1e-3);
        }
        self.until = Instant::now();
    }

    /// True if the warm-up should continue. False if no warm-up rounds are requested.
    pub fn is_cold(&self, rounds: Rounds) -> bool {
        let is_warm = self.worked >= CLOCKS_RISE && self.until.elapsed() < PAUSE;
        rounds.warm_up > 0 && self.has_clocks && !is_warm && self.since.elapsed() < LONGEST
    }

    /// Number of repeats, in one warm-up submission, of work that takes this many milliseconds.
    pub fn at_once(milliseconds: f64) -> u32 {
        (AT_ONCE / milliseconds.max(1e-3)).clamp(1.0, MOST_AT_ONCE) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDS: Rounds = Rounds {
        warm_up: 1,
        least: 5,
        most: 5,
        fewest: 5,
    };

    #[test]
    fn work_warms_and_time_alone_does_not() {
        let mut warmth = Warmth::new(&Capabilities::default(), None);
        assert!(warmth.is_cold(ROUNDS));
        warmth.begin();
        warmth.add([100.0, 150.0]);
        assert!(warmth.is_cold(ROUNDS));
        warmth.begin();
        warmth.add([60.0]);
        assert!(!warmth.is_cold(ROUNDS));
    }

    #[test]
    fn work_that_has_just_ended_counts_and_work_of_long_ago_does_not() {
        let worked = |ago: Duration| {
            let until = Instant::now().checked_sub(ago).expect("a moment");
            let time = Duration::from_millis(350);
            Warmth::new(&Capabilities::default(), Some(Worked { time, until }))
        };
        let mut warm = worked(Duration::from_millis(200));
        warm.begin();
        assert!(!warm.is_cold(ROUNDS));
        assert!(worked(2 * PAUSE).is_cold(ROUNDS));
    }

    #[test]
    fn a_pause_cools_and_warming_up_ends() {
        let mut warmth = Warmth::new(&Capabilities::default(), None);
        warmth.add([400.0]);
        warmth.until -= PAUSE;
        assert!(warmth.is_cold(ROUNDS));
        warmth.begin();
        warmth.add([200.0]);
        assert!(
            warmth.is_cold(ROUNDS),
            "what was before the pause is forgotten"
        );
        warmth.since -= LONGEST;
        assert!(!warmth.is_cold(ROUNDS));
    }

    #[test]
    fn short_work_is_submitted_many_times_at_once() {
        assert_eq!([0.0, 0.5, 4.0, 100.0].map(Warmth::at_once), [64, 10, 1, 1]);
    }

    #[test]
    fn nothing_waits_for_a_cpu_or_where_no_round_warms_up() {
        let cpu = Capabilities {
            is_cpu: true,
            ..Capabilities::default()
        };
        assert!(!Warmth::new(&cpu, None).is_cold(ROUNDS));
        let none = Rounds {
            warm_up: 0,
            ..ROUNDS
        };
        assert!(!Warmth::new(&Capabilities::default(), None).is_cold(none));
    }
}
