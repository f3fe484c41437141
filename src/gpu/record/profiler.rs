//! Times of passes by the adapter's clock: they come back some time after a frame was submitted, and nothing here waits
//! for them. By the wall clock each timed pass is a submission of its own (`wall.rs`).

use std::collections::VecDeque;
use std::time::Duration;

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use super::span::{Recorded, Span, TimedPass};
use super::wall::Wall;
use crate::error::{Error, Result, one_line};
use crate::gpu::Gpu;
use crate::model::clock::{Clock, ClockSource};

/// Frames with pending timestamps; beyond them wgpu-profiler drops the last but one.
const PENDING: usize = 3;

/// Names the passes of frames, and times them.
pub struct Profiler {
    pub(super) groups: GpuProfiler,
    pub(super) wall: Option<Wall>,
    /// Passes of the frames that were submitted and whose timestamps were not taken yet, oldest first.
    frames: VecDeque<Vec<TimedPass>>,
}

impl Profiler {
    /// Names passes and does not time them.
    pub fn untimed(gpu: &Gpu) -> Result<Self> {
        Self::new(gpu, false, None)
    }

    /// Times the passes of frames by `clock`. By the wall clock that slows a frame down: only one within `interval` is
    /// timed.
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
            frames: VecDeque::new(),
        })
    }

    /// Begins a frame: whether each of its passes is to be a submission of its own.
    pub(super) fn begin_frame(&mut self) -> bool {
        self.wall.as_mut().is_some_and(Wall::begin_frame)
    }

    /// From one frame that is timed by the wall clock to the next it takes at least so long from now on.
    pub fn set_interval(&mut self, interval: Duration) {
        if let Some(wall) = &mut self.wall {
            wall.interval = interval;
        }
    }

    /// Submits a frame and does not wait for it; its times come later from [`Profiler::take_spans`].
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

    /// Ends a frame that was submitted.
    pub(super) fn end_frame(&mut self, passes: Vec<TimedPass>) -> Result<()> {
        if self.wall.is_none() {
            // As wgpu-profiler does with its own.
            if self.frames.len() == PENDING {
                self.frames.pop_back();
            }
            self.frames.push_back(passes);
        }
        self.groups.end_frame().map_err(timers)
    }

    /// When the passes of the oldest frame that has come back ran, in recording order, once; never waits.
    pub fn take_spans(&mut self, gpu: &Gpu) -> Option<Vec<Span>> {
        // What was mapped on a device that is gone cannot be read, and the profiler does not expect that.
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
