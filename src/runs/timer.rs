//! Runs schedules. Times sets of subjects against each other in interleaved rounds, after a warm-up. A timed pass
//! repeats a short dispatch. Nothing here blocks. Commands wait with [`Gpu::finish`].

use super::repeats::Repeats;
use crate::error::{Error, Result};
use crate::frame::Frame;
use std::time::Duration;

use crate::gpu::{Done, Gpu, Key, Profiler, Recorder, Span, tested_clock};
use crate::methods::Composite;
use crate::model::samples::Summary;
use crate::model::{Clock, ClockSource};
use crate::timing::{
    Clocks, Moment, Rounds, Samples, Schedule, Speed, Timed, Times, Warmth, is_plausible,
    is_settled,
};

/// Number of rounds if the times only select what is measured afterwards.
const BRIEFLY: u32 = 8;
/// A first dispatch of more milliseconds than this is not repeated to estimate the subject's time.
const LONG_PILOT: f64 = 10.0;
/// Number of wall-clock measurements of whole rounds. A measurement is plausible if it agrees with the sum of the passes.
const WHOLE: usize = 3;
/// Milliseconds per wall-clock measurement, which contains several rounds in one submission.
const WHOLE_TIME: f64 = 10.0;
/// Maximum number of rounds in such a submission, which keeps the CPU time of submitting unimportant.
const WHOLE_ROUNDS: f64 = 16.0;

/// Records a subject `n` times, in one pass or in several passes that each repeat their part `n` times.
pub type Subject<'a> = Box<dyn Fn(&mut Recorder, u32) -> Result<()> + 'a>;

pub struct Set<'a> {
    /// Every round contains all subjects, in rotating order.
    pub subjects: Vec<Subject<'a>>,
    /// Passes before and after the subjects of each round, if the subjects are parts of a frame. Each subject then
    /// finds the caches as in a real frame.
    pub frame: Option<[Box<Shared<'a>>; 2]>,
}

impl<'a> Set<'a> {
    pub fn alone(subjects: impl IntoIterator<Item = Subject<'a>>) -> Self {
        Self {
            subjects: subjects.into_iter().collect(),
            frame: None,
        }
    }
}

/// Records the passes that all subjects of a round share.
pub type Shared<'a> = dyn Fn(&mut Recorder) -> Result<()> + 'a;

pub struct Timer<'a> {
    pub gpu: &'a Gpu,
    clock: &'a Clock,
    profiler: Profiler,
    untimed: Profiler,
    pub rounds: Rounds,
    repeats: Repeats,
    warmth: Warmth,
    clocks: Clocks,
    /// Wall-clock milliseconds of the last round, minus those of an empty submission.
    wall: f64,
}

impl<'a> Timer<'a> {
    /// Creates a timer for `gpu`. With timestamps, a pass repeats a short subject for about `length` milliseconds.
    pub async fn new(gpu: &'a Gpu, rounds: Rounds, length: f64) -> Result<Self> {
        let clock = tested_clock(gpu).await?;
        Ok(Self {
            clock,
            profiler: Profiler::by(gpu, clock, Duration::ZERO)?,
            untimed: Profiler::untimed(gpu)?,
            gpu,
            rounds,
            repeats: Repeats::new(clock, length),
            warmth: Warmth::new(&gpu.caps, gpu.last_work()),
            clocks: Clocks::new(gpu, clock)?,
            wall: 0.0,
        })
    }

    /// Highest speed of the GPU so far, for [`Timer::expect`] of a timer on another device of the same adapter.
    pub fn speed(&self) -> Speed {
        self.clocks.best
    }

    /// From now on, makes the timer wait whenever the GPU is slower than `speed`.
    pub fn expect(&mut self, speed: Speed) {
        self.clocks.best = speed;
    }

    /// Milliseconds of one dispatch of a subject at full clock speed. The first dispatch does not count, unless it
    /// takes so long that caches do not matter, or only one round is requested.
    pub async fn pilot(&mut self, subject: &Subject<'_>) -> Result<f64> {
        let mut time = self.once(subject, 1).await?;
        while self.warmth.is_cold(self.rounds) {
            let dispatches = Warmth::at_once(time);
            time = self.once(subject, dispatches).await? / f64::from(dispatches);
        }
        // With the wall clock, the first dispatch may include a compilation.
        let is_long = time > LONG_PILOT && self.clock.source == ClockSource::Timestamps;
        if self.rounds.most == 1 || is_long {
            Ok(time)
        } else {
            self.once(subject, 1).await
        }
    }

    /// Total milliseconds of several dispatches of a subject.
    async fn once(&mut self, subject: &Subject<'_>, dispatches: u32) -> Result<f64> {
        let timed = self.timed(|recorder| subject(recorder, dispatches));
        let (spans, _) = timed.await?;
        Ok(spans.iter().map(Span::milliseconds).sum())
    }

    /// Median milliseconds of several subjects over a few rounds, enough to find the fastest among subjects that differ
    /// by a few per cent. `None` if no time arrived. `pilots` are as in [`Timer::time`].
    pub async fn briefly(&mut self, set: &Set<'_>, pilots: &[f64]) -> Result<Vec<Option<f64>>> {
        let asked = self.rounds;
        self.rounds = Rounds {
            least: BRIEFLY,
            most: BRIEFLY,
            ..asked
        };
        let times = self.time(set, pilots).await?;
        self.rounds = asked;
        let median = |timed: &Timed| Some(Summary::of(&timed.samples)?.median);
        times.ended.map_or(Ok(()), Err)?;
        Ok(times.subjects.iter().map(median).collect())
    }

    /// Times a set, after measuring one dispatch of each subject. [`Timed::failure`] and [`Times::ended`] contain
    /// failures, which do not affect the other subjects.
    pub async fn time_with_pilots(&mut self, set: &Set<'_>) -> Result<Times> {
        let mut pilots = Vec::new();
        for subject in &set.subjects {
            let pilot = self.pilot(subject).await;
            if self.gpu.is_lost() {
                return Ok(Times {
                    subjects: vec![Timed::default(); set.subjects.len()],
                    ended: pilot.err(),
                    ..Times::default()
                });
            }
            pilots.push(pilot);
        }
        Ok(self.time_all(set, &pilots).await)
    }

    /// Times a set like [`Timer::time_with_pilots`], given the milliseconds of one dispatch of each subject.
    pub async fn time(&mut self, set: &Set<'_>, pilots: &[f64]) -> Result<Times> {
        let pilots: Vec<Result<f64>> = pilots.iter().copied().map(Ok).collect();
        Ok(self.time_all(set, &pilots).await)
    }

    async fn time_all(&mut self, set: &Set<'_>, pilots: &[Result<f64>]) -> Times {
        let repeats = match set.frame {
            None => self.repeats,
            Some(_) => Repeats::in_frames(self.clock),
        };
        let dispatches =
            |pilot: &Result<f64>| repeats.dispatches(pilot.as_ref().map_or(0.0, |pilot| *pilot));
        let dispatches: Vec<u32> = pilots.iter().map(dispatches).collect();
        let mut failures: Vec<Option<Error>> = pilots.iter().map(|of| of.clone().err()).collect();
        let mut schedule = Schedule::new(set.subjects.len(), self.rounds);
        let failed = failures.iter().enumerate().filter(|(_, why)| why.is_some());
        failed.for_each(|(index, _)| schedule.fail(index));
        let (mut to_wall, mut ended) = (Vec::new(), None);
        loop {
            let round = schedule.next_round(self.warmth.is_cold(self.rounds));
            if round.is_empty() {
                break;
            }
            match self.round(set, &schedule, &round, &dispatches).await {
                Ok((spans, moment, failed)) => {
                    for (index, why) in failed {
                        schedule.fail(index);
                        failures[index] = Some(why);
                    }
                    schedule.take(&spans, moment);
                    to_wall.extend(self.long_to_wall(&spans));
                }
                Err(error) => {
                    ended = Some(error);
                    break;
                }
            }
        }
        let mut times = Times {
            subjects: timed(&schedule, &dispatches, failures),
            shared: schedule.shared().to_vec(),
            passes_to_wall: Summary::of(&to_wall).map(|of_rounds| of_rounds.median),
            conditions: schedule.conditions(),
            ended,
        };
        let is_whole = times.ended.is_none() && self.rounds.most > 1;
        if !is_whole {
            times.passes_to_wall = None;
        } else if times.passes_to_wall.is_none() {
            match self.passes_to_wall(set, &times).await {
                Ok(ratio) => times.passes_to_wall = ratio,
                Err(error) => times.ended = Some(error),
            }
        }
        times
    }

    /// Times a round, and then keeps the GPU busy while its clock is low. Also returns the subjects that could not be
    /// recorded, with reasons.
    async fn round(
        &mut self,
        set: &Set<'_>,
        schedule: &Schedule,
        round: &[Key],
        dispatches: &[u32],
    ) -> Result<(Vec<Span>, Moment, Failures)> {
        let shared = schedule.shared_key(round);
        let mut failed = Vec::new();
        let timed = self.timed(|recorder| {
            failed = set.record(recorder, round, shared, dispatches)?;
            Ok(())
        });
        let (spans, moment) = timed.await?;
        while self.clocks.are_low() {
            self.timed(|_| Ok(())).await?;
        }
        Ok((spans, moment, failed))
    }

    /// Sum of the last round's pass times divided by its wall-clock time. `None` if the round was too short, or its
    /// passes were not submitted together.
    fn long_to_wall(&self, spans: &[Span]) -> Option<f64> {
        let passes: f64 = spans.iter().map(Span::milliseconds).sum();
        let is_one = self.clock.source == ClockSource::Timestamps;
        (is_one && passes >= WHOLE_TIME).then(|| passes / self.wall)
    }

    /// Records, submits and times passes after the known workload.
    async fn timed(
        &mut self,
        record: impl FnOnce(&mut Recorder) -> Result<()>,
    ) -> Result<(Vec<Span>, Moment)> {
        let mut recorder = Recorder::new(self.gpu, &mut self.profiler, "timed round");
        self.clocks.record(&mut recorder)?;
        record(&mut recorder)?;
        self.warmth.begin();
        let recorded = recorder.finish();
        let done = self.profiler.submitted(self.gpu, recorded).await?;
        let Done { mut spans, wall } = done;
        self.wall = wall - self.clock.submission;
        self.warmth.add(spans.iter().map(Span::milliseconds));
        let moment = self.clocks.take(&mut spans);
        Ok((spans, moment))
    }

    /// Sum of a round's median pass times divided by the wall-clock time of such a round. `None` if nothing was timed.
    async fn passes_to_wall(&mut self, set: &Set<'_>, times: &Times) -> Result<Option<f64>> {
        let median = |samples: &[f64]| Summary::of(samples).map_or(0.0, |times| times.median);
        let shared = times.shared.iter().map(|pass| median(&pass.samples));
        let own = times.subjects.iter();
        let own = own.map(|timed| median(&timed.samples) * f64::from(timed.dispatches));
        let passes: f64 = shared.chain(own).sum();
        let is_timed = |index: &usize| times.subjects[*index].failure.is_none();
        let key = |index| Key {
            set: 0,
            subject: Some(index),
            counts: false,
        };
        let timed = (0..set.subjects.len()).filter(is_timed);
        let round: Vec<Key> = timed.map(key).collect();
        if round.is_empty() {
            return Ok(None);
        }
        let dispatches: Vec<u32> = times.subjects.iter().map(|of| of.dispatches).collect();
        let at_once = (WHOLE_TIME / passes.max(1e-3)).ceil();
        let at_once = at_once.clamp(1.0, WHOLE_ROUNDS);
        let mut ratios = Vec::new();
        for _ in 0..WHOLE {
            let mut recorder = Recorder::new(self.gpu, &mut self.untimed, "whole round");
            let shared = Key {
                subject: None,
                ..round[0]
            };
            for _ in 0..at_once as usize {
                set.record(&mut recorder, &round, shared, &dispatches)?;
            }
            let recorded = recorder.finish();
            let done = self.untimed.submitted(self.gpu, recorded).await?;
            let wall = done.wall - self.clock.submission;
            let ratio = at_once * passes / wall.max(1e-6);
            ratios.push(ratio);
            if is_plausible(ratio) {
                return Ok(Some(ratio));
            }
        }
        Ok(Some(median(&ratios)))
    }
}

/// Indices of failed subjects in a set, with reasons.
type Failures = Vec<(usize, Error)>;

impl Set<'_> {
    /// Records a round: the subjects in the order of their keys, each with its number of `dispatches`. Returns the
    /// subjects that could not be recorded, with reasons. Other subjects and the shared passes are unaffected.
    fn record(
        &self,
        recorder: &mut Recorder,
        round: &[Key],
        shared: Key,
        dispatches: &[u32],
    ) -> Result<Failures> {
        let mut failed = Vec::new();
        let [before, after] = match &self.frame {
            Some(frame) => frame.each_ref().map(Some),
            None => [None, None],
        };
        recorder.key = Some(shared);
        before.map_or(Ok(()), |record| record(recorder))?;
        for &key in round {
            let index = key.subject.unwrap_or_default();
            let subject = &self.subjects[index];
            recorder.key = Some(key);
            if let Err(error) = subject(recorder, dispatches[index]) {
                failed.push((index, error));
            }
        }
        recorder.key = Some(shared);
        after.map_or(Ok(()), |record| record(recorder))?;
        Ok(failed)
    }
}

impl Frame {
    pub fn subject<'s>(&'s self, composite: &'s Composite) -> Subject<'s> {
        Box::new(move |recorder, times| {
            let label = composite.label();
            self.record_composite(recorder, composite, &self.target, label, times)
        })
    }
}

/// A schedule's times, divided by the number of dispatches per pass.
fn timed(schedule: &Schedule, dispatches: &[u32], failures: Vec<Option<Error>>) -> Vec<Timed> {
    let subject = |((samples, &dispatches), failure): ((&Samples, &u32), Option<Error>)| {
        let share = 1.0 / f64::from(dispatches.max(1));
        Timed {
            dispatches,
            samples: samples.times.iter().map(|time| time * share).collect(),
            settled: is_settled(&samples.times),
            failure,
        }
    };
    let all = schedule.subjects().iter().zip(dispatches).zip(failures);
    all.map(subject).collect()
}
