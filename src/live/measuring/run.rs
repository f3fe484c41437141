//! A measurement of methods in the window. Each frame runs one round of the schedule, and nothing waits. Independent of
//! wgpu.

use std::collections::VecDeque;
use web_time::Instant;

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

/// Number of rounds on a CPU adapter, where frames are slow.
const ON_A_CPU: u32 = ENOUGH as u32;
/// Maximum milliseconds of passes per frame on a CPU adapter. Panes must follow the mouse, but need no repaint for each
/// pass.
const AT_ONCE: f64 = 1e3;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    pub clock: Clock,
    pub conditions: Option<Conditions>,
    pub methods: Vec<Method>,
    /// Specialization that ran for each method. For `auto`, the chosen one.
    pub of: Vec<Specialization>,
    /// Wave size of each method, `None` while unknown.
    pub wave_sizes: Vec<Option<u32>>,
    /// Minimum number of counted rounds. A method with an unsettled median gets more, and a slow method fewer.
    pub rounds: u32,
    /// Current activity with its progress: "compiling 12 of 31".
    pub doing: String,
    /// Completed fraction of rounds and comparisons, 0 to 1.
    pub done: f64,
    /// Estimated seconds left. `None` at the start and at the end.
    pub seconds_left: Option<f64>,
    /// Milliseconds for each method and round, added as they arrive.
    pub samples: Vec<Vec<f64>>,
    /// Milliseconds of the passes that make each method's inputs, once all are known.
    pub inputs: Vec<Option<f64>>,
    /// Difference between each method and the exact result, once known.
    pub errors: Vec<Option<LiveMetrics>>,
    /// True if no more results will come. Samples may be missing if timers kept getting lost.
    pub finished: bool,
}

pub(super) struct MeasurementRun {
    pub measurement: Measurement,
    /// Timed subjects: the specialization of each method except `auto`, and the candidates of `auto`.
    subjects: Vec<Specialization>,
    asked: Vec<Specialization>,
    /// Candidates of `auto`, if it is measured, with the rule's choice first. The fastest candidate's times become
    /// those of `auto`.
    candidates: Vec<Specialization>,
    wave_sizes: Vec<Option<u32>>,
    pub schedule: Schedule,
    rounds: Rounds,
    warmth: Warmth,
    /// Passes of the current round that are not yet recorded.
    left: VecDeque<Key>,
    pub is_new: bool,
    /// Number of frames still needed to time the scene's list passes. The first frame may be cold.
    frames_left: usize,
    errors: Vec<Option<LiveMetrics>>,
    /// The next subject to compare with the exact result, and the number of pending comparisons.
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
    /// Creates a measurement of compiled methods. A CPU adapter gets only a few rounds.
    pub fn new(caps: &Capabilities, clock: Clock, asked: Vec<Specialization>) -> Self {
        let mut subjects = asked.clone();
        subjects.retain(|of| of.method != Method::Auto);
        let least = if caps.is_cpu { ON_A_CPU } else { IN_FRAMES };
        // The first run of a pipeline is compared with the exact result, and its time never counts.
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

    pub fn asked_auto(&self) -> Option<Specialization> {
        let mut asked = self.asked.iter().copied();
        asked.find(|of| of.method == Method::Auto)
    }

    /// Begins the first round. `candidates` of `auto` are timed too.
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

    /// The next passes of the current round, or of the next round. Empty at the end.
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

    /// Adds the times of a frame's passes, and the GPU's state after the frame.
    pub fn take_times(&mut self, spans: &[Span], moment: Moment) {
        self.warmth.add(spans.iter().map(Span::milliseconds));
        self.schedule.take(spans, moment);
        self.measurement.conditions = self.schedule.conditions();
        self.fill();
    }

    pub fn next_error(&mut self) -> Option<(usize, Specialization)> {
        let next = (self.erred, *self.subjects.get(self.erred)?);
        (self.erred, self.errors_on_their_way) = (self.erred + 1, self.errors_on_their_way + 1);
        Some(next)
    }

    /// Adds the difference between a subject and the exact result. `None` if the subject cannot be compared.
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

    /// True if another frame is needed to time the list passes.
    pub fn wants_frame(&self) -> bool {
        self.is_new && self.frames_left > 0
    }

    pub fn take_inputs(&mut self, times: &Times) {
        let of = self.measurement.of.iter();
        self.measurement.inputs = of.map(|of| times.of_inputs(of.inputs())).collect();
    }

    pub fn settle(&mut self) {
        let has_all = self.erred >= self.subjects.len() && self.errors_on_their_way == 0;
        self.measurement.finished = !self.is_new && has_all && self.schedule.is_finished();
    }

    /// Adds the wave sizes of the subjects. 0 means unknown.
    pub fn take_wave_sizes(&mut self, sizes: &[u32]) {
        for (known, &size) in self.wave_sizes.iter_mut().zip(sizes) {
            *known = (size > 0).then_some(size);
        }
        self.fill();
    }

    pub fn fastest(&self) -> Option<Choice> {
        let median = |of: &Specialization| {
            let subject = subject_of(&self.subjects, *of)?;
            let times = &self.schedule.subjects()[subject].times;
            Some(Sorted::new(times)?.median())
        };
        let medians: Vec<_> = self.candidates.iter().map(median).collect();
        auto::fastest(&self.candidates, &medians)
    }

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
            // Comparisons take longer than timed rounds, so they would spoil the estimate.
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

fn subject_of(subjects: &[Specialization], of: Specialization) -> Option<usize> {
    subjects.iter().position(|other| other.runs_like(&of))
}
