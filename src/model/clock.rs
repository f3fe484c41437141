//! The clock for work on an adapter: GPU timestamps if a self-test has shown that they enclose the work, otherwise the
//! CPU's clock around submitting the work and waiting for it. `record/clock_check.rs` runs the self-test.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ClockChoice {
    /// GPU timestamps if the self-test passes, otherwise the wall clock.
    #[default]
    Auto,
    /// GPU timestamps; an error if the self-test fails.
    Timestamps,
    Wall,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockSource {
    /// Timestamps that the GPU writes at the beginning and end of a pass.
    #[default]
    Timestamps,
    /// The CPU's clock around submitting a single pass and waiting for it.
    Wall,
}

impl ClockSource {
    pub fn name(self) -> &'static str {
        match self {
            ClockSource::Timestamps => "GPU timestamps",
            ClockSource::Wall => "wall clock",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    pub source: ClockSource,
    /// Reason for the choice of clock, worded to follow "GPU timestamps: ".
    pub reason: String,
    /// Minimum milliseconds to submit an empty pass and wait for it.
    pub submission: f64,
}

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.source.name(), self.reason)
    }
}

/// One amount of work timed by both clocks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    pub work: u32,
    pub timestamps: f64,
    /// Time on the wall clock, minus the time of an empty submission.
    pub wall: f64,
}

/// Amounts of work in the trials, in multiples of the smallest.
pub const WORK: [u32; 4] = [1, 2, 4, 8];
/// Allowed ratio of times when the work doubles, for a clock that encloses the work. GPU clocks may rise in between.
const GROWTH: [f64; 2] = [1.4, 2.8];
/// Maximum disagreement of the clocks at the largest amount of work, as a fraction of the wall clock's time.
const APART: f64 = 0.25;
/// A round is hopeless if every timestamp time is below this fraction of the wall clock's time.
const HOPELESS: f64 = 0.25;

/// Ticks in which a clock is too coarse for passes, in milliseconds. GPUs count in at most a microsecond; browsers round to
/// 0.1 ms, so that pages cannot spy.
const COARSE: f64 = 0.01;

/// The tick of a clock in milliseconds: the longest time of which all `times` are multiples, to the nanosecond.
pub fn tick(times: impl IntoIterator<Item = f64>) -> f64 {
    let nanoseconds = times.into_iter().map(|time| (time * 1e6).round() as u64);
    let common = |mut one: u64, mut other: u64| {
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    };
    nanoseconds.fold(0, common) as f64 * 1e-6
}

/// Checks that a clock's ticks are short enough for passes.
pub fn check_tick(tick: f64) -> Result<(), String> {
    match tick <= COARSE {
        true => Ok(()),
        false => Err(format!("they come in ticks of {tick:.3} ms")),
    }
}

/// Checks that timestamps grow with the work, and agree with the wall clock at the largest amount of work.
pub fn judge(trials: &[Trial]) -> Result<(), String> {
    for pair in trials.windows(2) {
        let [less, more] = [pair[0], pair[1]];
        let growth = more.timestamps / less.timestamps;
        if !(GROWTH[0]..=GROWTH[1]).contains(&growth) {
            return Err(format!(
                "{}x the work took {:.4} ms by timestamps, {}x the work {:.4} ms",
                less.work, less.timestamps, more.work, more.timestamps
            ));
        }
    }
    match trials.last() {
        Some(most) if (most.timestamps - most.wall).abs() > APART * most.wall => Err(format!(
            "{}x the work took {:.4} ms by timestamps and {:.4} ms by the wall clock",
            most.work, most.timestamps, most.wall
        )),
        Some(_) => Ok(()),
        None => Err("nothing was timed".to_owned()),
    }
}

/// True if timestamps are so far below the wall clock at every amount of work that they cannot enclose the work.
/// Another program on the machine can delay one trial by that much, but not all of them.
pub fn is_hopeless(round: &[Trial]) -> bool {
    round
        .iter()
        .all(|trial| trial.timestamps < HOPELESS * trial.wall)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_were_rounded_show_the_tick_of_their_clock() {
        let rounded = [0.3, 1.2, 0.0, 2.1, 4.2].map(|time| time + 1e-9);
        assert!((tick(rounded) - 0.3).abs() < 1e-6);
        assert!(check_tick(tick([0.4, 0.7, 1.1])).is_err_and(|why| why.contains("0.100 ms")));
        assert_eq!(check_tick(tick([0.411_232, 0.700_001, 1.1])), Ok(()));
        assert_eq!(check_tick(tick([])), Ok(()));
    }

    fn trials(timestamps: [f64; 4], walls: [f64; 4]) -> Vec<Trial> {
        let times = timestamps.into_iter().zip(walls);
        let trial = |(work, (timestamps, wall))| Trial {
            work,
            timestamps,
            wall,
        };
        WORK.into_iter().zip(times).map(trial).collect()
    }

    #[test]
    fn timestamps_that_grow_with_the_work_and_agree_with_the_wall_clock_are_good() {
        let walls = [1.1, 2.1, 4.1, 8.1];
        assert_eq!(judge(&trials([1.0, 2.0, 4.0, 8.0], walls)), Ok(()));
        let rising_clocks = [1.2, 2.1, 3.5, 6.8];
        assert_eq!(judge(&trials(rising_clocks, [1.3, 2.2, 3.6, 6.9])), Ok(()));
    }

    #[test]
    fn timestamps_that_do_not_enclose_the_work_are_found() {
        let walls = [1.9, 3.7, 7.5, 14.9];
        // Mesa 22.3's llvmpipe.
        let seen = judge(&trials([0.003, 0.004, 0.003, 0.003], walls)).expect_err("they are wrong");
        assert!(seen.contains("2x the work"), "{seen}");
        let of_another_unit = [0.19, 0.37, 0.75, 1.49];
        let seen = judge(&trials(of_another_unit, walls)).expect_err("they are wrong");
        assert!(seen.contains("by the wall clock"), "{seen}");
    }

    #[test]
    fn only_timestamps_far_below_every_wall_clock_time_are_hopeless() {
        // Mesa 22.3's llvmpipe.
        let walls = [1.9, 3.7, 7.5, 14.9];
        assert!(is_hopeless(&trials([0.003, 0.004, 0.003, 0.003], walls)));
        // Good timestamps while another program delays every submission except the first.
        let delayed = [1.9, 37.0, 75.0, 149.0];
        assert!(!is_hopeless(&trials([1.8, 3.6, 7.4, 14.8], delayed)));
    }
}
