//! A trial of what `auto` chose against its rivals: some frames composite some of them besides what they show, and their
//! times say which one runs from then on. Knows no wgpu.

use crate::gpu::{Key, Span};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::model::samples::Summary;

/// Times of each candidate that count, and those on a slow CPU adapter. The first follows a compilation and does not count.
const TIMES: usize = 5;
const ON_A_CPU: usize = 3;
/// A candidate recorded this many times as often as needed is left alone: it may be too short for its clock.
const PATIENCE: usize = 4;
/// A candidate that takes this many times as long as the fastest is not tried further.
const HOPELESS: f64 = 1.5;

pub(super) struct Trial {
    number: u64,
    choice: Choice,
    /// Times of each candidate that are needed, the first included.
    needed: usize,
    /// Milliseconds of each of the choice's candidates.
    times: Vec<Vec<f64>>,
    /// How often each was recorded.
    tries: Vec<usize>,
    turn: usize,
}

impl Trial {
    /// A trial of a choice that has rivals; none of one that has not.
    pub fn of(choice: &Choice, is_cpu: bool) -> Option<Self> {
        if choice.rivals.is_empty() {
            return None;
        }
        let candidates = choice.candidates().len();
        Some(Self {
            number: Key::new_set(),
            choice: choice.clone(),
            needed: 1 + if is_cpu { ON_A_CPU } else { TIMES },
            times: vec![Vec::new(); candidates],
            tries: vec![0; candidates],
            turn: 0,
        })
    }

    /// What a frame composites for it, and the keys of their times: at most so many candidates, in turn.
    pub fn passes(&self, most: usize) -> Vec<(Key, Specialization)> {
        let candidates = self.choice.candidates();
        let fastest = self.fastest();
        let open = (0..candidates.len()).filter(|&index| self.is_open(index, fastest));
        let mut open: Vec<usize> = open.collect();
        let turn = self.turn % open.len().max(1);
        open.rotate_left(turn);
        open.truncate(most);
        let pass = |index: usize| {
            let key = Key {
                set: self.number,
                subject: Some(index),
                counts: true,
            };
            (key, candidates[index])
        };
        open.into_iter().map(pass).collect()
    }

    /// Notes that a frame composites these.
    pub fn begin(&mut self, passes: &[(Key, Specialization)]) {
        for (key, _) in passes.iter().filter(|(key, _)| key.set == self.number) {
            if let Some(tries) = key.subject.and_then(|index| self.tries.get_mut(index)) {
                *tries += 1;
            }
        }
        self.turn += passes.len();
    }

    /// Takes in the passes of a frame, those that are its own.
    pub fn take(&mut self, spans: &[Span]) {
        let mut sums = vec![None; self.times.len()];
        for span in spans {
            let own = span.key.filter(|key| key.set == self.number);
            let sum = own.and_then(|key| sums.get_mut(key.subject?));
            if let Some(sum) = sum {
                *sum = Some(sum.unwrap_or(0.0) + span.milliseconds());
            }
        }
        for (times, sum) in self.times.iter_mut().zip(sums) {
            times.extend(sum);
        }
    }

    /// The least time that counts of a candidate.
    fn least(&self, index: usize) -> Option<f64> {
        self.times[index].iter().skip(1).copied().reduce(f64::min)
    }

    fn fastest(&self) -> f64 {
        let least = (0..self.times.len()).filter_map(|index| self.least(index));
        least.fold(f64::INFINITY, f64::min)
    }

    /// Whether a candidate is to be tried further.
    fn is_open(&self, index: usize, fastest: f64) -> bool {
        let is_hopeless = self
            .least(index)
            .is_some_and(|time| time > HOPELESS * fastest);
        let has_all = self.times[index].len() >= self.needed;
        !has_all && !is_hopeless && self.tries[index] < PATIENCE * self.needed
    }

    /// What it decides; none as long as it is under way.
    pub fn result(&self) -> Option<Choice> {
        let fastest = self.fastest();
        if (0..self.times.len()).any(|index| self.is_open(index, fastest)) {
            return None;
        }
        let median = |times: &Vec<f64>| Some(Summary::of(times.get(1..)?)?.median);
        let medians: Vec<_> = self.times.iter().map(median).collect();
        Some(self.choice.clone().by_times(&medians))
    }
}
