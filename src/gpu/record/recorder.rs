//! Recording passes with one label each: the wgpu label, the debug group and the time by the adapter's clock.
//! A composite has two: the pass and the method.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use wgpu_profiler::{GpuProfiler, GpuProfilerQuery, GpuProfilerSettings, GpuTimerQueryResult};

use super::clock_check::clock;
use crate::error::{Error, Result, one_line};
use crate::gpu::Gpu;
use crate::model::clock::ClockSource;

/// Frames with pending timestamps; beyond them wgpu-profiler drops the last but one.
const PENDING: usize = 3;

/// Names the passes of frames, and times them.
pub struct Profiler {
    groups: GpuProfiler,
    wall: Option<Wall>,
    /// Timed passes of the frame that is being recorded, in their order; by timestamps their times come later.
    spans: Vec<Span>,
    /// Timed passes of the frames that were ended and whose times were not taken yet, oldest first.
    frames: VecDeque<Vec<Span>>,
}

/// Times of passes by the wall clock.
struct Wall {
    /// The moment that spans count from.
    origin: Instant,
    /// Milliseconds of an empty submission, which are no part of a pass.
    submission: f64,
    /// The first error of a pass, until the frame ends.
    failure: Option<Error>,
    /// From one frame that is timed to the next at least this long, because each pass of it is waited for.
    interval: Duration,
    /// When a frame was timed last.
    timed: Option<Instant>,
}

impl Profiler {
    /// Names passes and does not time them.
    ///
    /// # Errors
    /// The settings are refused (does not happen).
    pub fn untimed(gpu: &Gpu) -> Result<Self> {
        Self::new(gpu, false, None)
    }

    /// Times the passes of every frame by the adapter's clock.
    pub fn timed(gpu: &Gpu) -> Result<Self> {
        Self::timed_every(gpu, Duration::ZERO)
    }

    /// Times the passes of frames by the adapter's clock. By the wall clock that slows a frame down: only one
    /// within `interval` is timed.
    pub fn timed_every(gpu: &Gpu, interval: Duration) -> Result<Self> {
        let clock = clock(gpu)?;
        match clock.source {
            ClockSource::Timestamps => Self::new(gpu, true, None),
            ClockSource::Wall => {
                let wall = Wall {
                    origin: Instant::now(),
                    submission: clock.submission,
                    failure: None,
                    interval,
                    timed: None,
                };
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
            spans: Vec::new(),
            frames: VecDeque::new(),
        })
    }

    /// Ends a frame whose commands were submitted.
    ///
    /// # Errors
    /// A timer was left open (a bug), or a pass that was timed by itself failed.
    pub fn end_frame(&mut self) -> Result<()> {
        let spans = std::mem::take(&mut self.spans);
        match &mut self.wall {
            Some(wall) => {
                if let Some(failure) = wall.failure.take() {
                    return Err(failure);
                }
                if !spans.is_empty() {
                    self.frames.push_back(spans);
                }
            }
            None => {
                // As wgpu-profiler does with its own.
                if self.frames.len() == PENDING {
                    self.frames.pop_back();
                }
                self.frames.push_back(spans);
            }
        }
        self.groups.end_frame().map_err(timers)
    }
}

/// The error of wgpu's timers.
fn timers(error: impl std::fmt::Display) -> Error {
    Error::failed(format!("GPU timers: {}", one_line(&error)))
}

/// Records one frame's passes; each gets its label as debug group and as timer.
pub struct Recorder<'a> {
    /// The encoder, for copies and clears between passes.
    pub encoder: wgpu::CommandEncoder,
    gpu: &'a Gpu,
    profiler: &'a mut Profiler,
    /// Whether each pass is submitted and waited for by itself, timed by the wall clock.
    waits: bool,
    /// What the passes recorded next are timed for.
    pub key: Option<Key>,
}

/// What a timed pass is part of, for a reader of times to know them by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of a set of things that are timed against each other.
    pub set: u64,
    /// Which of them; none for what all of them share.
    pub subject: Option<usize>,
    /// Whether its time counts: that of a warm-up does not.
    pub counts: bool,
}

/// What a pass is called: as a rule one label for all.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// Its debug group, which a GPU debugger shows.
    group: &'a str,
    /// Its GPU time; where it differs from the group's, the pass's work stands in an inner group of this
    /// name.
    timer: &'a str,
}

impl<'a> Label<'a> {
    /// For a pass of many kinds: the group names the pass, `timer` the kind.
    pub fn kind_of(group: &'a str, timer: &'a str) -> Self {
        Self { group, timer }
    }

    /// The inner group. It stands inside the pass: Mesa's drivers crash where a group of the encoder's
    /// ends in another command buffer than it began in.
    fn inner(self) -> Option<&'a str> {
        (self.group != self.timer).then_some(self.timer)
    }
}

impl<'a> From<&'a str> for Label<'a> {
    fn from(label: &'a str) -> Self {
        Self::kind_of(label, label)
    }
}

impl<'a> From<&'a String> for Label<'a> {
    fn from(label: &'a String) -> Self {
        Self::kind_of(label, label)
    }
}

impl<'a> Recorder<'a> {
    /// Starts recording a frame.
    pub fn new(gpu: &'a Gpu, profiler: &'a mut Profiler, label: &str) -> Self {
        let waits = profiler.wall.as_mut().is_some_and(|wall| {
            let rests = |timed: Instant| timed.elapsed() < wall.interval;
            let waits = !wall.timed.is_some_and(rests);
            if waits {
                wall.timed = Some(Instant::now());
            }
            waits
        });
        Self {
            encoder: gpu.encoder(label),
            gpu,
            profiler,
            waits,
            key: None,
        }
    }

    /// Whether the passes of this frame are timed, if the profiler times any.
    pub fn times(&self) -> bool {
        self.profiler.wall.is_none() || self.waits
    }

    /// Records a compute pass.
    pub fn compute<'l, R>(
        &mut self,
        label: impl Into<Label<'l>>,
        record: impl FnOnce(&mut wgpu::ComputePass) -> R,
    ) -> R {
        let label = label.into();
        self.timed(label, |encoder, query| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(label.group),
                timestamp_writes: query.compute_pass_timestamp_writes(),
            });
            label.inner().inspect(|inner| pass.push_debug_group(inner));
            let result = record(&mut pass);
            label.inner().inspect(|_| pass.pop_debug_group());
            result
        })
    }

    /// Records a render pass into `colors`, each by its location and cleared or kept as it says, and into `depth`, which is
    /// cleared.
    pub fn render<'l, R>(
        &mut self,
        label: impl Into<Label<'l>>,
        colors: &[(&'l wgpu::TextureView, wgpu::LoadOp<wgpu::Color>)],
        depth: Option<(&wgpu::TextureView, f32)>,
        record: impl FnOnce(&mut wgpu::RenderPass) -> R,
    ) -> R {
        let label = label.into();
        let attachment = |&(view, load): &(&'l wgpu::TextureView, _)| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })
        };
        let colors: Vec<_> = colors.iter().map(attachment).collect();
        let depth = depth.map(|(view, clear)| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(clear),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        });
        self.timed(label, |encoder, query| {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(label.group),
                color_attachments: &colors,
                depth_stencil_attachment: depth,
                timestamp_writes: query.render_pass_timestamp_writes(),
                ..Default::default()
            });
            label.inner().inspect(|inner| pass.push_debug_group(inner));
            let result = record(&mut pass);
            label.inner().inspect(|_| pass.pop_debug_group());
            result
        })
    }

    /// Records a pass between its two timestamps; by the wall clock it is submitted by itself.
    fn timed<R>(
        &mut self,
        label: Label,
        record: impl FnOnce(&mut wgpu::CommandEncoder, &GpuProfilerQuery) -> R,
    ) -> R {
        self.flush();
        let groups = &self.profiler.groups;
        let query = groups.begin_pass_query(label.timer, &mut self.encoder);
        let result = record(&mut self.encoder, &query);
        groups.end_query(&mut self.encoder, query);
        self.time(label.timer);
        result
    }

    /// Submits what was recorded so far and waits for it, if the next pass is to be timed by itself.
    fn flush(&mut self) {
        if !self.waits {
            return;
        }
        let next = self.gpu.encoder("timed pass");
        let commands = std::mem::replace(&mut self.encoder, next).finish();
        let submitted = self.gpu.submit_and_wait(commands);
        if let (Some(wall), Err(error)) = (&mut self.profiler.wall, submitted) {
            wall.failure.get_or_insert(error);
        }
    }

    /// Notes the pass that was just recorded; submits it, if it is to be timed by itself.
    fn time(&mut self, label: &str) {
        let begin = Instant::now();
        self.flush();
        let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
        let mut span = Span {
            label: label.to_owned(),
            key: self.key,
            start: 0.0,
            end: 0.0,
        };
        if let Some(wall) = &self.profiler.wall {
            if !self.waits {
                return;
            }
            let time = milliseconds - wall.submission;
            // What took no longer than an empty submission cannot be told from one: it has no time, not a time of 0.
            if time <= 0.0 {
                return;
            }
            span.start = (begin - wall.origin).as_secs_f64() * 1e3;
            span.end = span.start + time;
        }
        self.profiler.spans.push(span);
    }

    /// Ends the frame: the commands to submit. Times come later from [`finish_frame`].
    pub fn finish(mut self) -> wgpu::CommandBuffer {
        self.profiler.groups.resolve_queries(&mut self.encoder);
        self.encoder.finish()
    }
}

/// When a pass ran on the GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    pub label: String,
    /// What it is part of, where it was timed for something.
    pub key: Option<Key>,
    /// Start, ms from a moment of the driver's choice.
    pub start: f64,
    /// End, ms from the same moment.
    pub end: f64,
}

impl Span {
    /// How long the pass took, ms.
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Ends the profiler's frame after its commands were submitted and are done, and says when each pass ran, in
/// recording order; empty if the profiler does not time.
pub fn finish_frame(gpu: &Gpu, profiler: &mut Profiler) -> Result<Vec<Span>> {
    profiler.end_frame()?;
    // The end of a frame maps its query results; the GPU is idle, so one poll delivers them.
    gpu.wait()?;
    Ok(take_spans(gpu, profiler).unwrap_or_default())
}

/// When the passes of the oldest frame that has come back ran, in recording order, once; never waits.
pub fn take_spans(gpu: &Gpu, profiler: &mut Profiler) -> Option<Vec<Span>> {
    // What was mapped on a device that is gone cannot be read, and the profiler does not expect that.
    if gpu.is_lost() {
        return None;
    }
    let period = gpu.queue.get_timestamp_period();
    let results = profiler.groups.process_finished_frame(period);
    if profiler.wall.is_some() {
        return profiler.frames.pop_front();
    }
    let results = results?;
    let spans = profiler.frames.pop_front()?;
    Some(spans.into_iter().zip(results).filter_map(timed).collect())
}

/// A pass with the time that the GPU noted for it.
fn timed((span, result): (Span, GpuTimerQueryResult)) -> Option<Span> {
    let time = result.time?;
    Some(Span {
        start: time.start * 1e3,
        end: time.end * 1e3,
        ..span
    })
}
