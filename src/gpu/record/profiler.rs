//! Times of passes on the adapter's clock. Times arrive after the frame was submitted, and no function here waits for
//! them. With the wall clock, each timed pass is a separate submission (`wall.rs`).

use std::collections::VecDeque;
use std::time::Duration;

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use super::pieces::Pieces;
use super::span::{Recorded, Span, TimedPass};
use super::wall::Wall;
use crate::error::{Error, Result, one_line};
use crate::gpu::Gpu;
use crate::model::clock::{Clock, ClockSource};

/// Maximum number of frames with pending timestamps. With more, wgpu-profiler drops the last but one.
const PENDING: usize = 3;

pub struct Profiler {
    pub(super) groups: GpuProfiler,
    pub(super) wall: Option<Wall>,
    has_timestamps: bool,
    /// Passes of submitted frames that wait for timestamps, oldest first.
    frames: VecDeque<Vec<TimedPass>>,
}

impl Profiler {
    /// A profiler that labels passes without timing them.
    pub fn untimed(gpu: &Gpu) -> Result<Self> {
        Self::new(gpu, false, None)
    }

    /// A profiler that times passes with `clock`. The wall clock slows a frame down, so it times only one frame per
    /// `interval`.
    pub fn by(gpu: &Gpu, clock: &Clock, interval: Duration) -> Result<Self> {
        match clock.source {
            ClockSource::Timestamps => Self::new(gpu, true, None),
            ClockSource::Wall => {
                let wall = Wall::new(clock.submission, interval);
                Self::new(gpu, false, Some(wall))
            }
        }
    }

    fn new(gpu: &Gpu, has_timestamps: bool, wall: Option<Wall>) -> Result<Self> {
        let settings = GpuProfilerSettings {
            enable_timer_queries: has_timestamps,
            max_num_pending_frames: PENDING,
            ..Default::default()
        };
        let groups = GpuProfiler::new(&gpu.device, settings).map_err(timers)?;
        Ok(Self {
            groups,
            wall,
            has_timestamps,
            frames: VecDeque::new(),
        })
    }

    /// Returns true if each pass of the frame must be a separate submission.
    pub(super) fn begin_frame(&mut self) -> bool {
        self.wall.as_mut().is_some_and(Wall::begin_frame)
    }

    /// Sets the minimum interval between frames that are timed with the wall clock.
    pub fn set_interval(&mut self, interval: Duration) {
        if let Some(wall) = &mut self.wall {
            wall.interval = interval;
        }
    }

    /// Submits a frame without waiting. [`Profiler::take_spans`] returns its times later.
    pub fn submit(&mut self, gpu: &Gpu, recorded: Recorded) -> Result<()> {
        let submissions = recorded.submissions;
        match &mut self.wall {
            Some(wall) if submissions.len() > 1 => wall.submit(gpu, submissions),
            _ => {
                let commands = submissions.into_iter().map(|of| of.encoder.finish());
                gpu.queue.submit(commands);
            }
        }
        self.end_frame(recorded.passes)
    }

    pub fn end_pieces(&mut self, pieces: Pieces) -> Result<()> {
        if let Some(wall) = &mut self.wall {
            wall.land(pieces.done);
        }
        self.end_frame(pieces.passes)
    }

    pub(super) fn is_timing(&self) -> bool {
        self.wall.is_some() || self.has_timestamps
    }

    pub(super) fn end_frame(&mut self, passes: Vec<TimedPass>) -> Result<()> {
        if self.wall.is_none() {
            // wgpu-profiler does the same with its own frames.
            if self.frames.len() == PENDING {
                self.frames.pop_back();
            }
            self.frames.push_back(passes);
        }
        self.groups.end_frame().map_err(timers)
    }

    /// Spans of the oldest completed frame in recording order. Returns each frame once, and never waits.
    pub fn take_spans(&mut self, gpu: &Gpu) -> Option<Vec<Span>> {
        // The mapped memory of a lost device cannot be read, and wgpu-profiler would read it.
        if gpu.is_lost() {
            return None;
        }
        let period = gpu.queue.get_timestamp_period();
        let results = self.groups.process_finished_frame(period);
        if let Some(wall) = &mut self.wall {
            return wall.take_spans();
        }
        let results = results?;
        let passes = self.frames.pop_front()?;
        Some(passes.into_iter().zip(results).filter_map(timed).collect())
    }

    pub fn is_pending(&self) -> bool {
        let by_wall = self.wall.as_ref().is_some_and(Wall::is_pending);
        by_wall || !self.frames.is_empty()
    }
}

fn timers(error: impl std::fmt::Display) -> Error {
    Error::failed(format!("GPU timers: {}", one_line(&error)))
}

fn timed((pass, result): (TimedPass, GpuTimerQueryResult)) -> Option<Span> {
    let time = result.time?;
    Some(pass.span(time.start * 1e3, time.end * 1e3))
}
