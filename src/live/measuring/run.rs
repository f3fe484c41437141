//! A measurement of methods in the window, one round of its schedule per frame, without ever waiting.
//! Knows no wgpu.

use std::collections::VecDeque;
use std::time::Instant;

use crate::gpu::{Key, Span};
use crate::live::looking::LiveMetrics;
use crate::live::shown::{ENOUGH, Times};
use crate::methods::Specialization;
use crate::methods::auto::{self, Choice};
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::model::{Capabilities, Clock};
use crate::progress::seconds_left;
use crate::timing::{Conditions, IN_FRAMES, Moment, Rounds, Schedule, Warmth};

/// Rounds on a CPU adapter, whose frames take long.
const ON_A_CPU: u32 = ENOUGH as u32;
/// What the passes of a frame take together there, ms: the panes follow the mouse, and are not painted anew for each pass.
const AT_ONCE: f64 = 1e3;

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
    /// What goes on, and how much of it is done: "compiling 12 of 31".
    pub doing: String,
    /// The part of these rounds and of the comparisons before them that is done, 0 to 1.
    pub done: f64,
    /// Estimated seconds until all that is done; absent at first and at last.
    pub seconds_left: Option<f64>,
    /// Times, ms, per method and round. They come as they are measured.
    pub samples: Vec<Vec<f64>>,
    /// What the passes take that make the inputs of each, ms, once all times are there.
    pub inputs: Vec<Option<f64>>,
    /// How far each is from the exact result, once that has come back.
    pub errors: Vec<Option<LiveMetrics>>,
    /// Whether nothing more will come. Samples are missing only where timers were lost again and again.
    pub finished: bool,
}

pub(super) struct MeasurementRun {
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
    /// Frames of the scene still to be drawn for it, for times of the passes that make lists; the first may be cold.
    frames_left: usize,
    /// How far each subject is from the exact result, once that is known.
    errors: Vec<Option<LiveMetrics>>,
    /// The first subject not yet compared with it, and how many comparisons have not come back.
    erred: usize,
    errors_on_their_way: usize,
    since: Instant,
}

pub(super) struct RoundPass {
    pub index: usize,
    pub specialization: Specialization,
    pub key: Key,
}

impl MeasurementRun {
    /// Of methods that were compiled; a CPU adapter gets a few rounds.
    pub fn new(caps: &Capabilities, clock: Clock, asked: Vec<Specialization>) -> Self {
        let mut subjects = asked.clone();
        subjects.retain(|of| of.method != Method::Auto);
        let least = if caps.is_cpu { ON_A_CPU } else { IN_FRAMES };
        // The first of a pipeline does not count anywhere: it is compared with the exact result.
        let rounds = Rounds::from(least, caps.is_cpu);
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
            frames_left: if caps.is_cpu { 2 } else { ENOUGH + 1 },
            errors: Vec::new(),
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
        self.errors = vec![None; self.subjects.len()];
        self.candidates = candidates;
        (self.is_new, self.since) = (false, Instant::now());
    }

    /// Whether it has not begun.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The next passes of the round under way, or of the next one: none at the end.
    pub fn next_passes(&mut self, is_cpu: bool) -> Vec<RoundPass> {
        let known = Sorted::new(&self.measurement.samples.concat());
        let most = known.map_or(1, |times| (AT_ONCE / times.median()) as usize + 1);
        let most = if is_cpu { most } else { usize::MAX };
        if self.left.is_empty() {
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
        self.measurement.conditions = self.schedule.conditions();
        self.fill();
    }

    /// Leaves out what cannot be recorded.
    pub fn fail(&mut self, subject: usize) {
        self.schedule.fail(subject);
    }

    /// The next subject to compare with the exact result.
    pub fn next_error(&mut self) -> Option<(usize, Specialization)> {
        let next = (self.erred, *self.subjects.get(self.erred)?);
        (self.erred, self.errors_on_their_way) = (self.erred + 1, self.errors_on_their_way + 1);
        Some(next)
    }

    /// Takes in how far a subject is from the exact result, if it can be compared.
    pub fn take_error(&mut self, subject: usize, error: Option<LiveMetrics>) {
        self.errors_on_their_way -= 1;
        self.errors[subject] = error;
        self.fill();
    }

    pub fn note_frame(&mut self) {
        if self.wants_frame() {
            self.measurement.doing = format!("drawing lists, {} left", self.frames_left);
            self.frames_left -= 1;
        }
    }

    /// Whether another frame is wanted, for times of the passes that make lists.
    pub fn wants_frame(&self) -> bool {
        self.is_new && self.frames_left > 0
    }

    /// Takes in what the passes of a frame take.
    pub fn take_inputs(&mut self, times: &Times) {
        let of = self.measurement.of.iter();
        self.measurement.inputs = of.map(|of| times.of_inputs(of.inputs())).collect();
    }

    /// Ends it where all times and errors are there.
    pub fn settle(&mut self) {
        let has_all = self.erred >= self.subjects.len() && self.errors_on_their_way == 0;
        self.measurement.finished = !self.is_new && has_all && self.schedule.is_finished();
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
        let error = |subject: &Option<usize>| self.errors.get((*subject)?).cloned().flatten();
        self.measurement.errors = subjects.iter().map(error).collect();
        let all = self.subjects.len();
        let compared = self.erred - self.errors_on_their_way;
        let [timed, times] = self.schedule.done();
        let measurement = &mut self.measurement;
        measurement.done = (compared as f64 + timed) / (all as f64 + times).max(1.0);
        if compared < all {
            // What compares takes longer than what is timed, and tells nothing of it.
            self.since = Instant::now();
        }
        measurement.seconds_left = seconds_left(self.since.elapsed(), timed / times.max(1.0));
        measurement.doing = match self.schedule.open() {
            _ if compared < all => format!("comparing {compared} of {all}"),
            _ if timed < times => format!("timing {timed} of {times}"),
            open => format!("{open} medians not settled"),
        };
    }
}

/// Which of the subjects runs the same.
fn subject_of(subjects: &[Specialization], of: Specialization) -> Option<usize> {
    subjects.iter().position(|other| other.runs_like(&of))
}
