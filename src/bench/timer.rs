//! Timing subjects against each other: warmed up, interleaved, several dispatches to a timed pass
//! where one is short, and what would take too long left out.

use super::record::{PassSamples, Row};
use super::warmth::Warmth;
use crate::error::Result;
use crate::gpu::{ClockSource, Gpu, Profiler, Recorder, clock, finish_frame};

/// A timed pass takes about this long, µs, where it can be repeated.
pub const LONG_PASS: f64 = 500.0;
/// By timestamps a subject shorter than this, µs, is dispatched several times per timed pass …
const SHORT: f64 = 50.0;
/// … so many times at least, and at most.
const SHORT_DISPATCHES: u32 = 16;
const MOST_DISPATCHES: u32 = 64;
/// By the wall clock a pass takes so many times as long as an empty submission, which is then less than 2 % of it …
const SUBMISSIONS: f64 = 50.0;
/// … unless it would have more dispatches than these.
const MOST_BY_WALL_CLOCK: u32 = 4096;
/// Dispatches of a slowed subject, of which a tenth more is a whole number.
const SLOWED_DISPATCHES: u32 = 20;

/// All rounds of a set of subjects should not take longer than this, µs …
const LONGEST_CELL: f64 = 3e6;
/// … unless there would be fewer than these.
const FEWEST_ROUNDS: u32 = 5;

/// Something to be timed.
pub struct Subject<'a> {
    /// Records it `n` times, in one pass or several of which each does its part `n` times; every
    /// pass's label starts with the prefix given.
    pub record: Box<Record<'a>>,
    /// Really repeats this much of the work, to test the statistics; 1: none.
    pub slow: f64,
}

/// Records a subject into a recorder, so many times, with labels that start with the prefix.
pub type Record<'a> = dyn Fn(&mut Recorder, u32, &str) -> Result<()> + 'a;

/// A subject's times.
#[derive(Clone, Debug, Default)]
pub struct Timed {
    /// Dispatches per timed pass.
    pub dispatches: u32,
    /// Microseconds per dispatch of all passes together, by round.
    pub samples: Vec<f64>,
    /// The same by pass, where there are several.
    pub passes: Vec<PassSamples>,
}

/// How often everything is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Before the first that counts.
    pub warm_up: u32,
    /// That count.
    pub counted: u32,
}

/// Times subjects with one profiler.
pub struct Timer<'a> {
    gpu: &'a Gpu,
    profiler: Profiler,
    /// How often.
    pub rounds: Rounds,
    pass: Pass,
    warmth: Warmth,
}

/// How long timed passes are, µs, and how many dispatches make them so.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pass {
    /// A pass of something short takes about this long.
    length: f64,
    /// What the time of a pass holds besides its dispatches: the cost of a submission, by the wall clock.
    overhead: f64,
    /// Dispatches of something short.
    least: u32,
    /// Dispatches of anything.
    most: u32,
}

impl Pass {
    fn by_timestamps(length: f64) -> Self {
        Self {
            length,
            overhead: 0.0,
            least: SHORT_DISPATCHES,
            most: MOST_DISPATCHES,
        }
    }

    /// Passes in which the cost of a submission, µs, does not count.
    fn by_wall_clock(submission: f64) -> Self {
        Self {
            length: SUBMISSIONS * submission,
            overhead: submission,
            least: 1,
            most: MOST_BY_WALL_CLOCK,
        }
    }

    /// Dispatches per timed pass of a subject of which one took `pilot` µs.
    fn dispatches(&self, slow: f64, pilot: f64) -> u32 {
        let one = (pilot - self.overhead).max(1.0);
        let wanted = (self.length / one).ceil() as u32;
        let least = match (slow > 1.0, one < SHORT) {
            (true, _) => SLOWED_DISPATCHES,
            (false, true) => self.least,
            (false, false) => 1,
        };
        let count = wanted.clamp(least, self.most.max(least));
        match slow > 1.0 {
            true => count.next_multiple_of(SLOWED_DISPATCHES),
            false => count,
        }
    }
}

impl<'a> Timer<'a> {
    /// A timer for `gpu`. By timestamps a pass of something short takes about `length` µs.
    ///
    /// # Errors
    /// As [`clock`].
    pub fn new(gpu: &'a Gpu, rounds: Rounds, length: f64) -> Result<Self> {
        let clock = clock(gpu)?;
        Ok(Self {
            profiler: Profiler::timed(gpu)?,
            gpu,
            rounds,
            pass: match clock.source {
                ClockSource::Timestamps => Pass::by_timestamps(length),
                ClockSource::Wall => Pass::by_wall_clock(clock.submission * 1e3),
            },
            warmth: Warmth::new(&gpu.caps),
        })
    }

    /// Microseconds of one dispatch of a subject, after one that does not count, and once clocks are up.
    ///
    /// # Errors
    /// A shader or the device failed (exit code 1).
    pub fn pilot(&mut self, subject: &Subject) -> Result<f64> {
        let mut time = self.once(subject, 1)?;
        while self.warmth.is_cold(self.rounds) {
            let dispatches = Warmth::at_once(time * 1e-3);
            time = self.once(subject, dispatches)? / f64::from(dispatches);
        }
        self.once(subject, 1)
    }

    /// Microseconds of so many dispatches of a subject.
    fn once(&mut self, subject: &Subject, dispatches: u32) -> Result<f64> {
        let passes = self.round(&[(subject, dispatches)])?;
        Ok(passes[0].iter().map(|pass| pass.1).sum())
    }

    /// The pilots of several subjects.
    ///
    /// # Errors
    /// As [`Timer::pilot`].
    pub fn pilots(&mut self, subjects: &[Subject]) -> Result<Vec<f64>> {
        subjects.iter().map(|subject| self.pilot(subject)).collect()
    }

    /// Times all subjects in turn, each starting a round as often as any other. `pilots` are the
    /// times of one dispatch each, µs.
    ///
    /// # Errors
    /// A shader or the device failed (exit code 1).
    pub fn time(&mut self, subjects: &[Subject], pilots: &[f64]) -> Result<Vec<Timed>> {
        let rounds = self.affordable(pilots);
        let dispatches: Vec<u32> = subjects
            .iter()
            .zip(pilots)
            .map(|(subject, &pilot)| self.pass.dispatches(subject.slow, pilot))
            .collect();
        let mut timed: Vec<Timed> = dispatches
            .iter()
            .map(|&dispatches| Timed {
                dispatches,
                ..Timed::default()
            })
            .collect();
        let repeats = |index: usize| {
            let nominal = f64::from(dispatches[index]);
            (nominal * subjects[index].slow).round() as u32
        };
        for round in 0..self.rounds.warm_up + rounds {
            let order: Vec<usize> = (0..subjects.len())
                .map(|index| (index + round as usize) % subjects.len())
                .collect();
            let work: Vec<(&Subject, u32)> = order
                .iter()
                .map(|&index| (&subjects[index], repeats(index)))
                .collect();
            let measured = self.round(&work)?;
            if round >= self.rounds.warm_up {
                for (&index, passes) in order.iter().zip(measured) {
                    timed[index].add(passes);
                }
            }
        }
        Ok(timed)
    }

    /// As many rounds as there should be, or fewer where they would take too long.
    fn affordable(&self, pilots: &[f64]) -> u32 {
        let pass = |pilot: &f64| pilot.max(self.pass.length);
        let round: f64 = pilots.iter().map(pass).sum();
        let most = (LONGEST_CELL / round.max(1.0)) as u32;
        self.rounds.counted.min(most.max(FEWEST_ROUNDS))
    }

    /// Records, submits and times every subject once: µs of each of its passes, in order.
    fn round(&mut self, work: &[(&Subject, u32)]) -> Result<Vec<Vec<(String, f64)>>> {
        let mut recorder = Recorder::new(self.gpu, &mut self.profiler, "timed round");
        for (position, (subject, repeats)) in work.iter().enumerate() {
            (subject.record)(&mut recorder, *repeats, &prefix(position))?;
        }
        self.warmth.begin();
        self.gpu.submit_and_wait(recorder.finish())?;
        let mut measured = vec![Vec::new(); work.len()];
        let passes = finish_frame(self.gpu, &mut self.profiler)?;
        self.warmth.add(passes.iter().map(|pass| pass.1));
        for (label, milliseconds) in passes {
            let Some((position, pass)) = label.split_once('|') else {
                continue;
            };
            if let Some(passes) = position
                .parse::<usize>()
                .ok()
                .and_then(|position| measured.get_mut(position))
            {
                passes.push((pass.to_owned(), milliseconds * 1e3));
            }
        }
        Ok(measured)
    }
}

/// What the labels of the passes at a place of the round start with.
fn prefix(position: usize) -> String {
    format!("{position}|")
}

impl Timed {
    /// `row` with these times.
    pub fn into_row(self, row: Row) -> Row {
        Row {
            dispatches: self.dispatches,
            samples: self.samples,
            passes: self.passes,
            ..row
        }
    }

    /// Takes in the passes of a round, µs each.
    fn add(&mut self, passes: Vec<(String, f64)>) {
        let each = 1.0 / f64::from(self.dispatches.max(1));
        self.samples
            .push(passes.iter().map(|pass| pass.1).sum::<f64>() * each);
        if passes.len() < 2 {
            return;
        }
        let round = self.samples.len();
        for (label, time) in passes {
            let known = self.passes.iter_mut().position(|pass| pass.label == label);
            let index = known.unwrap_or(self.passes.len());
            if known.is_none() {
                let samples = Vec::new();
                self.passes.push(PassSamples { label, samples });
            }
            // A pass that was recorded several times in a round counts as one.
            let samples = &mut self.passes[index].samples;
            samples.resize(round, 0.0);
            samples[round - 1] += time * each;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_TIMESTAMPS: Pass = Pass {
        length: LONG_PASS,
        overhead: 0.0,
        least: SHORT_DISPATCHES,
        most: MOST_DISPATCHES,
    };

    #[test]
    fn what_is_short_is_dispatched_sixteen_times_or_more_and_what_is_long_once() {
        assert_eq!(Pass::by_timestamps(LONG_PASS), BY_TIMESTAMPS);
        let dispatches = |pilot| BY_TIMESTAMPS.dispatches(1.0, pilot);
        assert_eq!(
            [600.0, 100.0, 49.0, 10.0, 0.1].map(dispatches),
            [1, 5, 16, 50, 64]
        );
    }

    #[test]
    fn by_the_wall_clock_a_submission_is_less_than_a_fiftieth_of_a_pass() {
        let submission = 40.0;
        let pass = Pass::by_wall_clock(submission);
        for one in [2.0, 30.0, 500.0, 1999.0, 1e5] {
            let dispatches = pass.dispatches(1.0, one + submission);
            let length = f64::from(dispatches) * one;
            assert!(submission <= 0.02 * length, "{one}: {dispatches}");
            assert!(
                dispatches == 1 || length < 2.0 * pass.length,
                "{one}: {dispatches}"
            );
        }
    }

    #[test]
    fn a_tenth_more_of_a_slowed_subjects_work_is_a_whole_number() {
        for pilot in [0.1, 3.0, 10.0, 49.0, 60.0, 1e4] {
            assert_eq!(BY_TIMESTAMPS.dispatches(1.1, pilot) % 10, 0);
        }
    }

    #[test]
    fn passes_of_a_subject_add_up_and_are_kept_apart() {
        let mut timed = Timed {
            dispatches: 2,
            ..Timed::default()
        };
        timed.add(vec![("sort".into(), 4.0), ("lists".into(), 6.0)]);
        timed.add(vec![("sort".into(), 6.0), ("lists".into(), 6.0)]);
        assert_eq!(timed.samples, [5.0, 6.0]);
        assert_eq!(timed.passes[0].samples, [2.0, 3.0]);
        assert_eq!(timed.passes[1].label, "lists");
    }
}
