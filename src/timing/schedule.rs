//! The rounds of a measurement: their number, their subjects and the times. The schedule never waits, and depends on
//! neither wgpu nor the work.

use serde::{Deserialize, Serialize};

use crate::gpu::{Key, Span};
use crate::model::passes::Label;
use crate::model::samples::{Interval, Sorted};

/// Rounds continue until the times of all counted rounds have arrived. Timers can get lost, so the limit is this
/// multiple of the requested number.
const PATIENCE: u32 = 4;
/// A median has settled when its 95 % confidence interval is no wider than this fraction of the median.
const SETTLED: f64 = 0.02;
/// Milliseconds that the subjects of a set share equally.
const WHOLE_SET: f64 = 1.5e3;
/// Number of rounds of a subject that exceeds its share. On a GPU, the 95 % confidence interval of a median needs that
/// many. A CPU adapter gets fewer, because its benchmarks have a single sitting.
const FEWEST: u32 = 6;
const FEWEST_ON_A_CPU: u32 = 8;

/// Minimum number of counted rounds for methods that are timed in frames.
pub const IN_FRAMES: u32 = 30;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// Minimum number of warm-up rounds. More follow while the GPU's clock is still rising.
    pub warm_up: u32,
    pub least: u32,
    /// Maximum number of counted rounds, if the medians do not settle.
    pub most: u32,
    /// A subject stops after this many rounds if it has used up its share of the time.
    pub fewest: u32,
}

impl Rounds {
    /// Requests at least `least` rounds, and on a GPU up to four times as many until the medians settle. A slow subject
    /// gets fewer.
    pub fn from(least: u32, is_cpu: bool) -> Self {
        let (warm_up, more, fewest) = if is_cpu {
            (0, 1, FEWEST_ON_A_CPU)
        } else {
            (1, 4, FEWEST)
        };
        Self {
            warm_up,
            least,
            most: more * least,
            fewest: fewest.min(least),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// True if the GPU was slower than it can be. Such a round is repeated.
    pub is_slow: bool,
    /// Nanoseconds per iteration of the known workload, if it was recorded.
    pub known_work: Option<f64>,
}

/// State of a GPU during a measurement. Older records also contain the clock and the temperature that the driver
/// reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Median nanoseconds per iteration of the known workload. The value is inversely proportional to the clock of the
    /// kernels.
    pub known_work: Option<f64>,
}

impl Conditions {
    /// Conditions over several rounds. `None` if no round has any.
    fn of(moments: &[Moment]) -> Option<Self> {
        let known: Vec<f64> = moments.iter().filter_map(|of| of.known_work).collect();
        Some(Self {
            known_work: Some(Sorted::new(&known)?.median()),
        })
    }

    /// Combines the conditions of two sittings.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = |one: Option<f64>, two: Option<f64>| Some(f64::midpoint(one?, two?));
        Self {
            known_work: both(self.known_work, other.known_work),
        }
    }
}

/// For example "0.512 ns per turn of known work".
impl std::fmt::Display for Conditions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.known_work {
            Some(time) => write!(f, "{time:.3} ns per turn of known work"),
            None => write!(f, "unknown"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct PassSamples {
    pub label: Label,
    /// Milliseconds, in the order of measurement.
    pub samples: Vec<f64>,
}

/// Times of one subject in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Sum of the times of all passes in each round.
    pub times: Vec<f64>,
    /// Times of each pass in each round.
    pub passes: Vec<PassSamples>,
}

impl Samples {
    /// Adds a round: pass labels with milliseconds. A pass that was recorded several times counts as one.
    pub fn add(&mut self, passes: &[(Label, f64)]) {
        let round = self.times.len() + 1;
        self.times.push(passes.iter().map(|pass| pass.1).sum());
        for &(label, time) in passes {
            let known = self.passes.iter_mut().find(|pass| pass.label == label);
            let pass = match known {
                Some(pass) => pass,
                None => {
                    self.passes.push(PassSamples {
                        label,
                        samples: Vec::new(),
                    });
                    let last = self.passes.len() - 1;
                    &mut self.passes[last]
                }
            };
            pass.samples.resize(round, 0.0);
            pass.samples[round - 1] += time;
        }
    }
}

/// True if the median's 95 % confidence interval is no wider than 2 % of the median.
pub fn is_settled(samples: &[f64]) -> bool {
    let Some(sorted) = Sorted::new(samples) else {
        return false;
    };
    let is_narrow = |interval: Interval| {
        let [low, high] = interval.ends;
        interval.confidence >= 0.95 && high - low <= SETTLED * sorted.median()
    };
    sorted.interval().is_some_and(is_narrow)
}

/// A sentence that lists the subjects with unsettled medians. `None` if all medians have settled.
pub fn not_settled(names: &[&str]) -> Option<String> {
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!("Not settled within 2 %: the medians of {names}."))
}

/// Subjects that are timed against each other, round by round.
#[derive(Clone, Debug)]
pub struct Schedule {
    set: u64,
    rounds: Rounds,
    recorded: u32,
    warm_up: u32,
    slow: u32,
    /// Passes that all subjects of a round share.
    shared: Samples,
    subjects: Vec<Samples>,
    /// True for each subject that has failed. A failed subject is not timed again.
    failed: Vec<bool>,
    moments: Vec<Moment>,
}

impl Schedule {
    pub fn new(subjects: usize, rounds: Rounds) -> Self {
        Self {
            set: Key::new_set(),
            rounds,
            recorded: 0,
            warm_up: 0,
            slow: 0,
            shared: Samples::default(),
            subjects: vec![Samples::default(); subjects],
            failed: vec![false; subjects],
            moments: Vec::new(),
        }
    }

    /// Drops a subject, and the times of the round in which it failed.
    pub fn fail(&mut self, subject: usize) {
        self.failed[subject] = true;
    }

    /// Subjects of the next round in order, each with the key of its passes. Each round starts with a different
    /// subject. It leaves out subjects that have settled medians, have used up their share of the time, or have failed.
    /// Empty if there is no next round. If `is_cold` is true, the round does not count.
    pub fn next_round(&mut self, is_cold: bool) -> Vec<Key> {
        let open: Vec<usize> = (0..self.subjects.len())
            .filter(|&index| self.is_open(index))
            .collect();
        if self.is_finished() {
            return Vec::new();
        }
        let counts = self.warm_up >= self.rounds.warm_up && !is_cold;
        let first = self.recorded as usize;
        self.recorded += 1;
        self.warm_up += u32::from(!counts);
        let key = |position| Key {
            set: self.set,
            subject: Some(open[(position + first) % open.len()]),
            counts,
        };
        (0..open.len()).map(key).collect()
    }

    fn is_open(&self, index: usize) -> bool {
        let times = &self.subjects[index].times;
        let count = times.len() as u32;
        let wants_more =
            count < self.rounds.least || count < self.rounds.most && !is_settled(times);
        let has_time = count < self.rounds.fewest || times.iter().sum::<f64>() < self.share();
        wants_more && has_time && !self.failed[index]
    }

    /// Milliseconds that each subject may take. A slower subject gets the fewest rounds, without affecting other
    /// subjects.
    fn share(&self) -> f64 {
        WHOLE_SET / self.subjects.len() as f64
    }

    /// Number of rounds that a subject has time for, up to its minimum, estimated from its times so far.
    fn expected(&self, times: &[f64]) -> f64 {
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let in_share = (self.share() / mean).ceil();
        in_share.clamp(self.rounds.fewest.into(), self.rounds.least.into())
    }

    /// Adds the passes of a round and the GPU's state after it. Times of a slow GPU are discarded.
    pub fn take(&mut self, spans: &[Span], moment: Moment) {
        let is_counted = |span: &&Span| {
            let own = span.key.filter(|key| key.set == self.set);
            own.is_some_and(|key| key.counts)
        };
        let counted: Vec<&Span> = spans.iter().filter(is_counted).collect();
        if counted.is_empty() {
            return;
        }
        if moment.is_slow {
            self.slow += 1;
            return;
        }
        self.moments.push(moment);
        let passes_of = |subject: Option<usize>| {
            let own = counted.iter().filter(|span| {
                let key = span.key.map(|key| key.subject);
                key == Some(subject)
            });
            let own = own.map(|span| (span.label, span.milliseconds()));
            own.collect::<Vec<_>>()
        };
        let shared = passes_of(None);
        if !shared.is_empty() {
            self.shared.add(&shared);
        }
        for (index, subject) in self.subjects.iter_mut().enumerate() {
            let passes = passes_of(Some(index));
            if !passes.is_empty() && !self.failed[index] {
                subject.add(&passes);
            }
        }
    }

    /// True if no more times will come. Lost timers may leave too few samples.
    pub fn is_finished(&self) -> bool {
        // A lightly loaded GPU needs hundreds of rounds to raise its clock, both at first and after a drop.
        let counting = self.recorded - self.warm_up - self.slow;
        let is_over = counting >= PATIENCE * self.rounds.most;
        is_over || self.open() == 0
    }

    /// Number of rounds done by all subjects together, and their total number. Rounds beyond the minimum, which let
    /// medians settle, do not count.
    pub fn done(&self) -> [f64; 2] {
        let (mut done, mut all) = (0.0, 0.0);
        let subjects = self.subjects.iter().zip(&self.failed);
        for (subject, _) in subjects.filter(|(_, failed)| !**failed) {
            let expected = self.expected(&subject.times);
            done += (subject.times.len() as f64).min(expected);
            all += expected;
        }
        [done, all]
    }

    pub fn open(&self) -> usize {
        let open = |index: &usize| self.is_open(*index);
        (0..self.subjects.len()).filter(open).count()
    }

    pub fn subjects(&self) -> &[Samples] {
        &self.subjects
    }

    pub fn shared(&self) -> &[PassSamples] {
        &self.shared.passes
    }

    pub fn shared_key(&self, round: &[Key]) -> Key {
        Key {
            set: self.set,
            subject: None,
            counts: round.iter().any(|key| key.counts),
        }
    }

    pub fn conditions(&self) -> Option<Conditions> {
        Conditions::of(&self.moments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::passes::Pass;

    const ROUNDS: Rounds = Rounds {
        warm_up: 2,
        least: 4,
        most: 8,
        fewest: 2,
    };

    /// Smallest number of times of any subject.
    fn fewest(schedule: &Schedule) -> usize {
        counts(schedule).into_iter().min().unwrap_or_default()
    }

    /// Passes of a round. Each takes `time(place, key)` milliseconds.
    fn spans(round: &[Key], mut time: impl FnMut(usize, &Key) -> f64) -> Vec<Span> {
        let span = |(place, key): (usize, &Key)| Span {
            label: Pass::Composite.into(),
            key: Some(*key),
            start: 1.0,
            end: 1.0 + time(place, key),
        };
        round.iter().enumerate().map(span).collect()
    }

    fn run(schedule: &mut Schedule, mut time: impl FnMut(usize, &Key) -> f64) -> Vec<Vec<Key>> {
        let mut rounds = Vec::new();
        loop {
            let round = schedule.next_round(false);
            if round.is_empty() {
                return rounds;
            }
            schedule.take(&spans(&round, &mut time), Moment::default());
            rounds.push(round);
        }
    }

    fn part_done(schedule: &Schedule) -> f64 {
        let [done, all] = schedule.done();
        done / all
    }

    fn counts(schedule: &Schedule) -> Vec<usize> {
        let subjects = schedule.subjects().iter();
        subjects.map(|of| of.times.len()).collect()
    }

    #[test]
    fn no_subject_is_always_first_and_warm_up_does_not_count() {
        let mut schedule = Schedule::new(3, ROUNDS);
        let rounds = run(&mut schedule, |place, _| place as f64);
        let first: Vec<_> = rounds.iter().map(|round| round[0].subject).collect();
        let expected = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0].map(Some);
        assert_eq!(first, expected, "these medians never settle");
        assert!(schedule.is_finished());
        assert_eq!(fewest(&schedule), 8);
        assert_eq!(schedule.subjects()[0].times[..4], [1.0, 0.0, 2.0, 1.0]);
        assert!(rounds[..2].iter().flatten().all(|key| !key.counts));
    }

    #[test]
    fn what_has_settled_is_left_out_and_the_rest_goes_on() {
        let rounds = Rounds { least: 6, ..ROUNDS };
        let mut schedule = Schedule::new(2, rounds);
        let mut number = 0.0;
        run(&mut schedule, |_, key| match key.subject {
            Some(0) => 5.0,
            _ => {
                number += 1.0;
                5.0 + number
            }
        });
        assert_eq!(counts(&schedule), [6, 8]);
    }

    #[test]
    fn medians_settle_by_the_interval_of_their_order_statistics() {
        let around = |spread: f64, n: usize| -> Vec<f64> {
            let sample = |i: usize| 1.0 + spread * (i as f64 / (n - 1) as f64 - 0.5);
            (0..n).map(sample).collect()
        };
        assert!(!is_settled(&[1.0; 5]), "too few samples");
        assert!(is_settled(&[1.0; 6]));
        assert!(is_settled(&around(0.019, 6)));
        assert!(!is_settled(&around(0.021, 6)));
        // More samples make the interval narrower.
        assert!(is_settled(&around(0.04, 40)));
        // One outlier does not matter among many.
        let mut one_off = vec![1.0; 20];
        one_off[7] = 9.0;
        assert!(is_settled(&one_off));
        assert!(!is_settled(&[]));
    }

    /// Runs a schedule with subjects that take these milliseconds. Returns each subject's final number of times.
    fn counts_of(schedule: &mut Schedule, times: &[f64]) -> Vec<usize> {
        run(schedule, |_, key| times[key.subject.expect("a subject")]);
        counts(schedule)
    }

    #[test]
    fn a_subject_a_thousand_times_slower_gets_its_fewest_rounds_and_takes_none_from_the_others() {
        let rounds = Rounds::from(30, false);
        let mut schedule = Schedule::new(3, rounds);
        assert_eq!(counts_of(&mut schedule, &[0.5, 500.0, 0.6]), [30, 6, 30]);
        assert_eq!(part_done(&schedule), 1.0);
        // The slower subject gets as many rounds as fit into its share of 500 ms.
        let mut schedule = Schedule::new(3, rounds);
        assert_eq!(counts_of(&mut schedule, &[0.5, 50.0, 0.6]), [30, 10, 30]);
        // A CPU adapter gets the requested number of rounds if that is small.
        let mut schedule = Schedule::new(2, Rounds::from(3, true));
        assert_eq!(counts_of(&mut schedule, &[0.5, 5e4]), [3, 3]);
    }

    #[test]
    fn a_subject_that_failed_is_left_out_and_the_others_go_on() {
        let mut schedule = Schedule::new(3, ROUNDS);
        let round = schedule.next_round(false);
        schedule.take(&spans(&round, |_, _| 1.0), Moment::default());
        schedule.fail(1);
        assert_eq!(counts_of(&mut schedule, &[1.0, 1.0, 1.0]), [6, 0, 6]);
        let mut none = Schedule::new(1, ROUNDS);
        none.fail(0);
        assert!(none.is_finished() && none.next_round(false).is_empty());
    }

    #[test]
    fn what_is_done_is_told_by_the_rounds_that_there_is_time_for() {
        let mut schedule = Schedule::new(2, Rounds::from(30, false));
        assert_eq!(part_done(&schedule), 0.0);
        let mut before = 0.0;
        for number in 0..30 {
            let round = schedule.next_round(false);
            let time = |_, key: &Key| if key.subject == Some(1) { 300.0 } else { 1.0 };
            schedule.take(&spans(&round, time), Moment::default());
            assert!(part_done(&schedule) >= before, "{number}");
            before = part_done(&schedule);
        }
        assert!(
            (0.9..1.0).contains(&before),
            "the warm-up does not count: {before}"
        );
    }

    #[test]
    fn a_round_whose_timers_were_lost_is_measured_again() {
        let mut schedule = Schedule::new(3, ROUNDS);
        let mut recorded = 0;
        loop {
            let round = schedule.next_round(false);
            if round.is_empty() {
                break;
            }
            if recorded != 3 && recorded != 5 {
                schedule.take(&spans(&round, |_, _| 1.0), Moment::default());
            }
            recorded += 1;
        }
        assert_eq!(fewest(&schedule), 6);
        assert_eq!(recorded, 2 + 6 + 2);
    }

    #[test]
    fn timers_that_never_come_back_end_the_measurement() {
        let mut schedule = Schedule::new(3, ROUNDS);
        let rounds = (0..1000).take_while(|_| !schedule.next_round(false).is_empty());
        assert_eq!(rounds.count(), 2 + 4 * 8);
        assert!(schedule.is_finished());
        assert_eq!(fewest(&schedule), 0);
    }

    #[test]
    fn times_of_another_set_or_an_ordinary_frame_do_not_count() {
        let [mut earlier, mut schedule] = [(); 2].map(|()| Schedule::new(3, ROUNDS));
        for _ in 0..3 {
            earlier.next_round(false);
        }
        let mut others = spans(&earlier.next_round(false), |_, _| 1.0);
        schedule.take(&others, Moment::default());
        others[0].key = None;
        schedule.take(&others, Moment::default());
        assert_eq!(fewest(&schedule), 0);
    }

    #[test]
    fn rounds_before_clocks_are_up_do_not_count_and_those_after_they_fell_are_repeated() {
        let mut schedule = Schedule::new(1, ROUNDS);
        for _ in 0..1000 {
            let round = schedule.next_round(true);
            schedule.take(&spans(&round, |_, _| 1.0), Moment::default());
        }
        assert_eq!(fewest(&schedule), 0);
        let moment = |clock: f64, is_slow| Moment {
            is_slow,
            known_work: Some(1e4 / clock),
        };
        for (clock, is_slow) in [
            (2000.0, false),
            (2000.0, false),
            (1000.0, true),
            (1600.0, false),
        ] {
            for _ in 0..if is_slow { 1000 } else { 1 } {
                let round = schedule.next_round(false);
                schedule.take(&spans(&round, |_, _| 1.0), moment(clock, is_slow));
            }
        }
        assert_eq!(fewest(&schedule), 3, "the slow ones were thrown away");
        let conditions = schedule.conditions().expect("known work");
        assert_eq!(conditions.known_work, Some(5.0));
        assert_eq!(conditions.to_string(), "5.000 ns per turn of known work");
    }

    #[test]
    fn passes_of_a_subject_add_up_and_are_kept_apart() {
        let mut samples = Samples::default();
        let [bin, lists] = [Pass::Bin, Pass::Lists].map(Label::from);
        samples.add(&[(bin, 4.0), (lists, 6.0)]);
        samples.add(&[(bin, 2.0), (bin, 4.0), (lists, 6.0)]);
        assert_eq!(samples.times, [10.0, 12.0]);
        assert_eq!(samples.passes[0].samples, [4.0, 6.0]);
        assert_eq!(samples.passes[1].label, lists);
    }
}
