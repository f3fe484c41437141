//! A measurement of methods in the window, one round of its schedule per frame, without ever waiting.
//! Knows no wgpu.

use std::collections::VecDeque;
use std::time::Instant;

use crate::gpu::{Key, Span};
use crate::live::shown::{ENOUGH, Times};
use crate::methods::Specialization;
use crate::methods::auto::{self, Choice};
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::model::{Capabilities, Clock};
use crate::progress::seconds_left;
use crate::report::metrics::Metrics;
use crate::timing::{Conditions, IN_FRAMES, Moment, Rounds, Schedule, Warmth};

/// Rounds on a CPU adapter, whose frames take long.
const ON_A_CPU: u32 = ENOUGH as u32;

/// Those times of methods that have come back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
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
    /// What the passes take that make the inputs of each, ms, once all times are there.
    pub inputs: Vec<Option<f64>>,
    /// How far each is from the exact result, once that has come back.
    pub errors: Vec<Option<Metrics>>,
    /// Whether nothing more will come. Samples are missing only where timers were lost again and again.
    pub finished: bool,
}

pub(super) struct UnderWay {
    pub measurement: Measurement,
    /// What is timed: what runs of each method but `auto`, and what `auto` may run besides.
    subjects: Vec<Specialization>,
    asked: Vec<Specialization>,
    /// What `auto` may run, where it is measured: the rule's choice first. The times of the fastest are its own.
    candidates: Vec<Specialization>,
    wave_sizes: Vec<Option<u32>>,
    schedule: Schedule,
    rounds: Rounds,
    warmth: Warmth,
    /// The passes of the round under way that were not recorded yet.
    left: VecDeque<Key>,
    is_new: bool,
    /// Frames of the scene that were drawn for it.
    frames: usize,
    /// The first method not yet compared with the exact result, and how many comparisons have not come back.
    erred: usize,
    errors_on_their_way: usize,
    since: Instant,
}

pub(super) struct RoundPass {
    pub index: usize,
    pub specialization: Specialization,
    pub key: Key,
}

impl UnderWay {
    /// Of methods that were compiled; a CPU adapter gets a few rounds.
    pub fn new(caps: &Capabilities, clock: Clock, asked: Vec<Specialization>) -> Self {
        let mut subjects = asked.clone();
        subjects.retain(|of| of.method != Method::Auto);
        let least = if caps.is_cpu { ON_A_CPU } else { IN_FRAMES };
        let rounds = Rounds {
            // The first of a pipeline does not count anywhere.
            warm_up: 1,
            ..Rounds::from(least, caps.is_cpu)
        };
        let methods: Vec<Method> = asked.iter().map(|of| of.method).collect();
        Self {
            measurement: Measurement {
                clock,
                wave_sizes: vec![None; methods.len()],
                samples: vec![Vec::new(); methods.len()],
                inputs: vec![None; methods.len()],
                errors: vec![None; methods.len()],
                finished: methods.is_empty(),
                of: asked.clone(),
                methods,
                rounds: least,
                ..Measurement::default()
            },
            schedule: Schedule::new(subjects.len(), rounds),
            wave_sizes: vec![None; subjects.len()],
            subjects,
            asked,
            candidates: Vec::new(),
            rounds,
            warmth: Warmth::new(caps, None),
            left: VecDeque::new(),
            is_new: true,
            frames: 0,
            erred: 0,
            errors_on_their_way: 0,
            since: Instant::now(),
        }
    }

    /// The `auto` that is measured, as it was asked for.
    pub fn asked_auto(&self) -> Option<Specialization> {
        let mut asked = self.asked.iter().copied();
        asked.find(|of| of.method == Method::Auto)
    }

    /// Begins, before the first round. What `auto` may run is known by then, and is timed too.
    pub fn begin(&mut self, candidates: Vec<Specialization>) {
        for &candidate in &candidates {
            if subject_of(&self.subjects, candidate).is_none() {
                self.subjects.push(candidate);
            }
        }
        self.schedule = Schedule::new(self.subjects.len(), self.rounds);
        self.wave_sizes = vec![None; self.subjects.len()];
        self.candidates = candidates;
        self.since = Instant::now();
    }

    /// Whether no round has been recorded.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The next passes of the round under way, or of the next one: at most `most`, none at the end.
    pub fn next_passes(&mut self, most: usize) -> Vec<RoundPass> {
        if self.left.is_empty() {
            self.is_new = false;
            self.warmth.begin();
            let round = self.schedule.next_round(self.warmth.is_cold(self.rounds));
            self.left.extend(round);
        }
        let count = self.left.len().min(most);
        let passes: Vec<Key> = self.left.drain(..count).collect();
        let pass = |key: Key| {
            let index = key.subject?;
            Some(RoundPass {
                index,
                specialization: self.subjects[index],
                key,
            })
        };
        passes.into_iter().filter_map(pass).collect()
    }

    /// Takes the passes of a frame in, and what the GPU was like after it.
    pub fn take_times(&mut self, spans: &[Span], moment: Moment) {
        self.warmth.add(spans.iter().map(Span::milliseconds));
        self.schedule.take(spans, moment);
        self.fill();
        let measurement = &mut self.measurement;
        measurement.done = self.schedule.done();
        measurement.seconds_left = seconds_left(self.since.elapsed(), measurement.done);
        measurement.conditions = self.schedule.conditions();
    }

    pub fn is_timed(&self) -> bool {
        !self.is_new && self.schedule.is_finished()
    }

    /// Leaves out what cannot be recorded.
    pub fn fail(&mut self, subject: usize) {
        self.schedule.fail(subject);
    }

    /// The next method to compare with the exact result: its place, and what runs. One without times is left out.
    pub fn next_error(&self) -> Option<(usize, Specialization)> {
        let mut left = self.erred..self.measurement.of.len();
        let place = left.find(|place| !self.measurement.samples[*place].is_empty())?;
        Some((place, self.measurement.of[place]))
    }

    /// Notes that the method at a place is being compared.
    pub fn note_erred(&mut self, place: usize) {
        self.erred = place + 1;
        self.errors_on_their_way += 1;
    }

    /// Takes in how far the method at a place is from the exact result.
    pub fn take_error(&mut self, place: usize, error: Metrics) {
        self.errors_on_their_way -= 1;
        self.measurement.errors[place] = Some(error);
    }

    pub fn note_frame(&mut self) {
        self.frames += 1;
    }

    /// Whether another frame is wanted, for times of the passes that make lists. The first may have cold pipelines.
    pub fn wants_frame(&self) -> bool {
        self.is_new && self.frames <= ENOUGH
    }

    /// Takes in what the passes of a frame take.
    pub fn take_inputs(&mut self, times: &Times) {
        let of = self.measurement.of.iter();
        self.measurement.inputs = of.map(|of| times.of_inputs(of.inputs())).collect();
    }

    /// Ends it where all times and errors are there.
    pub fn settle(&mut self) {
        let has_all = self.next_error().is_none() && self.errors_on_their_way == 0;
        self.measurement.finished = self.is_timed() && has_all;
    }

    /// Takes in the wave sizes that the subjects ran at, 0 for unknown.
    pub fn take_wave_sizes(&mut self, sizes: &[u32]) {
        for (known, &size) in self.wave_sizes.iter_mut().zip(sizes) {
            *known = (size > 0).then_some(size);
        }
        self.fill();
    }

    /// The fastest candidate of `auto` by the times so far.
    pub fn fastest(&self) -> Option<Choice> {
        let median = |of: &Specialization| {
            let subject = subject_of(&self.subjects, *of)?;
            let times = &self.schedule.subjects()[subject].times;
            Some(Sorted::new(times)?.median())
        };
        let medians: Vec<_> = self.candidates.iter().map(median).collect();
        auto::fastest(&self.candidates, &medians)
    }

    /// Brings the measurement up to date.
    fn fill(&mut self) {
        let auto = self.fastest().map(|fastest| fastest.specialization);
        let runs = |asked: &Specialization| match asked.method {
            Method::Auto => auto.unwrap_or(*asked),
            _ => *asked,
        };
        self.measurement.of = self.asked.iter().map(runs).collect();
        let subjects = self.measurement.of.iter();
        let subjects: Vec<_> = subjects.map(|of| subject_of(&self.subjects, *of)).collect();
        let samples = |subject: &Option<usize>| {
            let of = subject.and_then(|subject| self.schedule.subjects().get(subject));
            of.map_or_else(Vec::new, |of| of.times.clone())
        };
        self.measurement.samples = subjects.iter().map(samples).collect();
        let size = |subject: &Option<usize>| subject.and_then(|subject| self.wave_sizes[subject]);
        self.measurement.wave_sizes = subjects.iter().map(size).collect();
    }
}

/// Which of the subjects runs the same: `auto`'s choice may differ from it in options that it does not use.
fn subject_of(subjects: &[Specialization], of: Specialization) -> Option<usize> {
    let is_same = |other: &Specialization| other.runs == of.runs && other.label() == of.label();
    subjects.iter().position(is_same)
}
