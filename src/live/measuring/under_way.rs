//! A measurement of methods in the window, one round of its schedule per frame, without ever waiting.
//! Knows no wgpu.

use std::collections::VecDeque;
use std::time::Instant;

use crate::gpu::{Key, Span};
use crate::live::shown::ENOUGH;
use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::model::{Capabilities, Clock};
use crate::progress::seconds_left;
use crate::timing::{Conditions, IN_FRAMES, Moment, Rounds, Schedule, Warmth};

/// Rounds on a CPU adapter, whose frames take long.
const ON_A_CPU: u32 = ENOUGH as u32;

/// Those times of methods that have come back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// What the times are read from.
    pub clock: Clock,
    /// What the GPU was like, where it says that.
    pub conditions: Option<Conditions>,
    /// The methods in the order asked for.
    pub methods: Vec<Method>,
    /// What ran of each; of `auto` what it chose.
    pub of: Vec<Specialization>,
    /// The wave size each ran at; absent where it is not known (yet).
    pub wave_sizes: Vec<Option<u32>>,
    /// Minimum rounds that count: a method with an unsettled median gets more, a slow one fewer.
    pub rounds: u32,
    /// The fraction of these rounds with returned times, 0 to 1.
    pub done: f64,
    /// Estimated seconds until these rounds are done; absent before the first and after the last of them.
    pub seconds_left: Option<f64>,
    /// Times, ms, per method and round.
    pub samples: Vec<Vec<f64>>,
    /// Whether nothing more will come. There are fewer samples than asked for only where timers were
    /// lost again and again.
    pub finished: bool,
}

/// A measurement under way.
pub(super) struct UnderWay {
    pub measurement: Measurement,
    pub specializations: Vec<Specialization>,
    schedule: Schedule,
    rounds: Rounds,
    warmth: Warmth,
    /// The passes of the round under way that were not recorded yet.
    left: VecDeque<Key>,
    is_new: bool,
    since: Instant,
}

pub(super) struct RoundPass {
    /// Which of the methods.
    pub index: usize,
    pub specialization: Specialization,
    pub key: Key,
}

impl UnderWay {
    /// Of methods that were compiled; a CPU adapter gets a few rounds and no warm-up.
    pub fn new(caps: &Capabilities, clock: Clock, specializations: Vec<Specialization>) -> Self {
        let least = if caps.is_cpu { ON_A_CPU } else { IN_FRAMES };
        let rounds = Rounds {
            // The first of a pipeline does not count anywhere.
            warm_up: 1,
            ..Rounds::from(least, caps.is_cpu)
        };
        let methods: Vec<Method> = specializations.iter().map(|of| of.method).collect();
        Self {
            measurement: Measurement {
                clock,
                wave_sizes: vec![None; methods.len()],
                samples: vec![Vec::new(); methods.len()],
                finished: methods.is_empty(),
                methods,
                rounds: least,
                ..Measurement::default()
            },
            schedule: Schedule::new(specializations.len(), rounds),
            specializations,
            rounds,
            warmth: Warmth::new(caps, None),
            left: VecDeque::new(),
            is_new: true,
            since: Instant::now(),
        }
    }

    /// Whether no round has been recorded.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The next passes of the round under way, or else of the next one: at most so many. None where there is no more to
    /// measure.
    pub fn next_passes(&mut self, most: usize) -> Vec<RoundPass> {
        if self.left.is_empty() {
            self.is_new = false;
            self.measurement.of.clone_from(&self.specializations);
            self.warmth.begin();
            let round = self.schedule.next_round(self.warmth.is_cold(self.rounds));
            self.left.extend(round);
            self.measurement.finished = self.schedule.is_finished();
        }
        let count = self.left.len().min(most);
        let passes: Vec<Key> = self.left.drain(..count).collect();
        let pass = |key: Key| {
            let index = key.subject?;
            Some(RoundPass {
                index,
                specialization: self.specializations[index],
                key,
            })
        };
        passes.into_iter().filter_map(pass).collect()
    }

    /// Takes the passes of a frame in, and what the GPU was like after it.
    pub fn take_times(&mut self, spans: &[Span], moment: Moment) {
        self.warmth.add(spans.iter().map(Span::milliseconds));
        self.schedule.take(spans, moment);
        let times = self.schedule.subjects().iter().map(|of| of.times.clone());
        let measurement = &mut self.measurement;
        measurement.samples = times.collect();
        measurement.done = self.schedule.done();
        measurement.seconds_left = seconds_left(self.since.elapsed(), measurement.done);
        measurement.conditions = self.schedule.conditions();
        measurement.finished = self.schedule.is_finished();
    }

    /// Takes in the wave sizes that the methods ran at, 0 for unknown.
    pub fn take_wave_sizes(&mut self, sizes: &[u32]) {
        for (known, &size) in self.measurement.wave_sizes.iter_mut().zip(sizes) {
            *known = (size > 0).then_some(size);
        }
    }
}
