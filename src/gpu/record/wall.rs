//! Wall-clock times of frames, measured without waiting for the frame. Each timed pass is a separate submission, and
//! the queue reports its completion. While a timed frame is in flight, a thread polls the device every 0.05 ms. The
//! polls of frames are too rare to separate passes.
//!
//! Mesa's llvmpipe waits: it accepts a submission only after the preceding one has run, even if that one draws the
//! window's panes.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use web_time::{Duration, Instant};

use super::span::{Span, Submission, TimedPass};
use crate::gpu::Gpu;
use crate::workers::BackgroundThread;

/// Maximum number of timed frames in flight. With this many, the next frame is not timed.
const PENDING: usize = 3;
const LOOK_EVERY: Duration = Duration::from_micros(50);
/// Completions this close together may have been found by one poll. Submitting also polls.
const ONE_LOOK: Duration = Duration::from_micros(5);

pub(super) struct Wall {
    origin: Instant,
    /// Milliseconds for an empty submission, which do not count as part of a pass.
    pub submission: f64,
    /// Minimum interval between timed frames. Many submissions slow a frame down.
    pub interval: Duration,
    timed: Option<Instant>,
    flights: VecDeque<Flight>,
}

struct Flight {
    submissions: Vec<Submitted>,
    /// Times at which each submission was seen to be done.
    done: Arc<[OnceLock<Instant>]>,
    /// Polling thread, which ends when this value is dropped.
    _watch: Option<BackgroundThread>,
}

struct Submitted {
    at: Instant,
    /// Time at which the driver accepted the submission. Polling is impossible before.
    taken: Instant,
    pass: Option<TimedPass>,
}

impl Submitted {
    /// Start time, and true if the queue was idle. A busy queue starts at the end of the preceding submission, an idle
    /// one at the submission. `None` if the start is unknown.
    fn begin(&self, before: Option<Instant>, done: Instant) -> Option<(Instant, bool)> {
        match before.filter(|before| *before >= self.at) {
            // One poll found both ends, so the time between them is unknown.
            Some(before) if done - before < ONE_LOOK => None,
            // The driver accepted the submission so late that both may have ended before.
            Some(before) if self.taken.min(before) - self.at > done - before => None,
            Some(before) => Some((before, false)),
            None => Some((self.at, true)),
        }
    }
}

impl Wall {
    pub fn new(submission: f64, interval: Duration) -> Self {
        Self {
            origin: Instant::now(),
            submission,
            interval,
            timed: None,
            flights: VecDeque::new(),
        }
    }

    /// Returns true if the passes of the frame are timed.
    pub fn begin_frame(&mut self) -> bool {
        let rests = |timed: Instant| timed.elapsed() < self.interval;
        let times = self.flights.len() < PENDING && !self.timed.is_some_and(rests);
        if times {
            self.timed = Some(Instant::now());
        }
        times
    }

    pub fn submit(&mut self, gpu: &Gpu, submissions: Vec<Submission>) {
        let done: Arc<[OnceLock<Instant>]> = submissions.iter().map(|_| OnceLock::new()).collect();
        let watch = watch(&gpu.device, &done);
        let finish = |of: Submission| (of.encoder.finish(), of.pass);
        let submissions: Vec<_> = submissions.into_iter().map(finish).collect();
        let submit = |(index, (commands, pass)): (usize, _)| {
            let at = Instant::now();
            gpu.queue.submit([commands]);
            let taken = Instant::now();
            let done = Arc::clone(&done);
            gpu.queue.on_submitted_work_done(move || {
                done[index].get_or_init(Instant::now);
            });
            // If the driver waits for the preceding pass, it accepts this empty submission when the pass is done. The
            // next pass then finds an idle queue, and the poll finds the end of this one. A lost device is reported
            // elsewhere.
            gpu.queue.submit([]);
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            Submitted { at, taken, pass }
        };
        self.flights.push_back(Flight {
            submissions: submissions.into_iter().enumerate().map(submit).collect(),
            done,
            _watch: watch,
        });
    }

    /// Adds a finished frame that was submitted in pieces, one after the other. Each entry is the submission, the end
    /// and the pass of a piece.
    pub fn land(&mut self, pieces: Vec<(Instant, Instant, Option<TimedPass>)>) {
        if pieces.iter().all(|(_, _, pass)| pass.is_none()) {
            return;
        }
        let done = pieces.iter().map(|(_, done, _)| OnceLock::from(*done));
        let done = done.collect();
        let submitted = |(at, _, pass)| Submitted {
            at,
            taken: at,
            pass,
        };
        self.flights.push_back(Flight {
            submissions: pieces.into_iter().map(submitted).collect(),
            done,
            _watch: None,
        });
    }

    /// Times of the oldest frame. They are returned once, after the whole frame is done.
    pub fn take_spans(&mut self) -> Option<Vec<Span>> {
        let done = self.flights.front()?.done.iter();
        let done: Vec<Instant> = done
            .map(|done| done.get().copied())
            .collect::<Option<_>>()?;
        let flight = self.flights.pop_front()?;
        let mut before = None;
        let mut spans = Vec::new();
        let mut missed = Vec::new();
        for (submitted, done) in flight.submissions.into_iter().zip(done) {
            let begin = submitted.begin(before, done);
            before = Some(done);
            let Some(pass) = submitted.pass else {
                continue;
            };
            let Some((begin, was_idle)) = begin else {
                missed.extend(pass.key);
                continue;
            };
            let less = if was_idle { self.submission } else { 0.0 };
            let ran = self.since(begin, done, less);
            spans.extend(ran.map(|[start, end]| pass.span(start, end)));
        }
        // A method has no valid time if one of its passes was missed.
        let is_whole = |span: &Span| {
            let key = span.key.filter(|key| key.subject.is_some());
            key.is_none_or(|key| !missed.contains(&key))
        };
        spans.retain(is_whole);
        Some(spans)
    }

    pub fn is_pending(&self) -> bool {
        !self.flights.is_empty()
    }

    /// Interval of a pass from `begin` to `done`, minus `less` milliseconds. A pass no longer than an empty submission
    /// has no time, because the two cannot be distinguished.
    pub fn since(&self, begin: Instant, done: Instant, less: f64) -> Option<[f64; 2]> {
        let time = (done - begin).as_secs_f64() * 1e3 - less;
        let start = (begin - self.origin).as_secs_f64() * 1e3;
        (time > 0.0).then_some([start, start + time])
    }
}

/// A thread that polls a device until a frame is done. Without a thread (`None`), only frames poll, and times are that
/// coarse. The process cannot end during a poll.
fn watch(device: &wgpu::Device, done: &Arc<[OnceLock<Instant>]>) -> Option<BackgroundThread> {
    let (device, done) = (device.clone(), Arc::clone(done));
    let look = move |goes_on: &dyn Fn() -> bool| {
        let is_done = || done.last().is_none_or(|last| last.get().is_some());
        while goes_on() && !is_done() && device.poll(wgpu::PollType::Poll).is_ok() {
            std::thread::sleep(LOOK_EVERY);
        }
    };
    BackgroundThread::start("pass times", look).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Key;
    use crate::model::passes::Pass;

    fn timed(pass: Pass) -> TimedPass {
        TimedPass {
            label: pass.into(),
            key: None,
        }
    }

    /// Adds a frame in flight: submission and completion of each pass in milliseconds, and the pass.
    fn fly<const N: usize>(wall: &mut Wall, passes: [(u64, u64, TimedPass); N]) {
        let at = |milliseconds: &u64| wall.origin + Duration::from_millis(*milliseconds);
        let done = passes.iter().map(|of| OnceLock::from(at(&of.1)));
        wall.flights.push_back(Flight {
            done: done.collect(),
            submissions: Vec::from(passes.map(|(submitted, _, pass)| Submitted {
                at: at(&submitted),
                taken: at(&submitted),
                pass: Some(pass),
            })),
            _watch: None,
        });
    }

    #[test]
    fn a_pass_counts_from_the_end_of_the_one_before_or_from_its_submission_to_an_idle_queue() {
        let mut wall = Wall::new(1.0, Duration::ZERO);
        let passes = [
            (0, 2, Pass::Bin),
            (1, 12, Pass::Lists),
            (20, 30, Pass::Light),
            (30, 31, Pass::Bloom),
        ];
        fly(
            &mut wall,
            passes.map(|(at, done, of)| (at, done, timed(of))),
        );
        let spans = wall.take_spans().expect("all of it is done");
        let times = spans
            .iter()
            .map(|span| (span.label.pass, span.start, span.milliseconds()));
        assert_eq!(
            times.collect::<Vec<_>>(),
            // The last pass was submitted just as the preceding one ended, so the queue was busy.
            [
                (Pass::Bin, 0.0, 1.0),
                (Pass::Lists, 2.0, 10.0),
                (Pass::Light, 20.0, 9.0),
                (Pass::Bloom, 30.0, 1.0)
            ]
        );
        assert!(wall.take_spans().is_none() && !wall.is_pending());
    }

    #[test]
    fn a_pass_that_a_driver_ran_while_it_took_it_is_not_timed_by_what_was_left() {
        let origin = Instant::now();
        let at = |milliseconds: u64| origin + Duration::from_millis(milliseconds);
        let begin = |taken: u64, before: u64, done: u64| {
            let submitted = Submitted {
                at: at(10),
                taken: at(taken),
                pass: None,
            };
            submitted.begin(Some(at(before)), at(done))
        };
        assert_eq!(begin(110, 110, 111), None);
        // An idle GPU begins at the submission. A busy GPU begins after the previous submission.
        assert_eq!(begin(110, 9, 111), Some((at(10), true)));
        assert_eq!(begin(11, 110, 111), Some((at(110), false)));
    }

    #[test]
    fn a_method_has_no_time_in_a_frame_that_missed_one_of_its_passes() {
        let mut wall = Wall::new(0.0, Duration::ZERO);
        let pass = |subject| TimedPass {
            key: Some(Key {
                subject,
                ..Key::default()
            }),
            ..timed(Pass::Bin)
        };
        // One poll found the end of the second and the third pass.
        let passes = [(2, None), (12, Some(0)), (12, Some(0)), (30, Some(1))];
        fly(
            &mut wall,
            passes.map(|(done, subject)| (0, done, pass(subject))),
        );
        let spans = wall.take_spans().expect("all of it is done");
        let of = spans
            .iter()
            .filter_map(|span| span.key)
            .map(|key| key.subject);
        assert_eq!(of.collect::<Vec<_>>(), [None, Some(1)]);
    }

    #[test]
    fn a_frame_of_which_something_is_not_done_has_no_times_yet_and_a_pass_of_no_time_has_none() {
        let mut wall = Wall::new(1.0, Duration::ZERO);
        fly(
            &mut wall,
            [(0, 4, timed(Pass::Bin)), (0, 4, timed(Pass::Bin))],
        );
        let moment = wall.origin + Duration::from_millis(4);
        let done: Arc<_> = [OnceLock::from(moment), OnceLock::new()].into();
        wall.flights[0].done = Arc::clone(&done);
        assert!(wall.take_spans().is_none() && wall.is_pending());
        done[1].get_or_init(|| moment);
        assert_eq!(wall.take_spans().map(|spans| spans.len()), Some(1));
    }

    #[test]
    fn no_frame_is_timed_before_the_interval_is_over_or_while_too_many_are_on_their_way() {
        let mut wall = Wall::new(1.0, Duration::from_secs(3600));
        assert_eq!([0; 3].map(|_| wall.begin_frame()), [true, false, false]);
        wall.interval = Duration::ZERO;
        assert!(wall.begin_frame());
        wall.flights.extend((0..PENDING).map(|_| Flight {
            submissions: Vec::new(),
            done: Arc::new([OnceLock::new()]),
            _watch: None,
        }));
        assert!(!wall.begin_frame());
    }
}
