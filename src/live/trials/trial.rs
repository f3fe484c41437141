//! A trial of what `auto` chose against its rivals: some frames composite all of them besides what they show, and
//! their times say which one runs from then on. Knows no wgpu.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::gpu::{Key, Span};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::model::samples::Summary;

/// Times of each candidate that count. The first of each does not: it follows a compilation.
const TIMES: usize = 5;
/// After so many frames a trial ends with the times that there are: passes may be too short for their clock.
const MOST_FRAMES: usize = 4 * TIMES;

/// A trial under way.
pub(super) struct Trial {
    number: u64,
    choice: Choice,
    /// Milliseconds of each of the choice's candidates, one a frame.
    times: Vec<Vec<f64>>,
    /// Frames that composited all candidates.
    frames: usize,
}

impl Trial {
    /// A trial of a choice that has rivals; none of one that has not.
    pub fn of(choice: &Choice) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        if choice.rivals.is_empty() {
            return None;
        }
        Some(Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            choice: choice.clone(),
            times: vec![Vec::new(); choice.candidates().len()],
            frames: 0,
        })
    }

    /// What a frame composites for it, and the keys of their times: all candidates, each of them first in turn.
    pub fn passes(&self) -> Vec<(Key, Specialization)> {
        let pass = |(index, of): (usize, Specialization)| {
            let key = Key {
                set: self.number,
                subject: Some(index),
                counts: true,
            };
            (key, of)
        };
        let candidates = self.choice.candidates().into_iter();
        let mut passes: Vec<_> = candidates.enumerate().map(pass).collect();
        let turn = self.frames % passes.len();
        passes.rotate_left(turn);
        passes
    }

    /// Counts a frame that composites its passes.
    pub fn begin_frame(&mut self) {
        self.frames += 1;
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

    /// What it decides; none as long as it is under way.
    pub fn result(&self) -> Option<Choice> {
        let has_all = self.times.iter().all(|times| times.len() > TIMES);
        if !has_all && self.frames < MOST_FRAMES {
            return None;
        }
        let median = |times: &Vec<f64>| Some(Summary::of(times.get(1..)?)?.median);
        let medians: Vec<_> = self.times.iter().map(median).collect();
        Some(self.choice.clone().by_times(&medians))
    }
}
