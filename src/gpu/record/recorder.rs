//! Records passes with one label each: wgpu label, debug group and timer. A composite has two: pass and method. A
//! [`Recorded`] frame is submitted at once or in [`Pieces`].

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use wgpu_profiler::GpuProfilerQuery;

use super::profiler::Profiler;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::model::passes::Label;

/// Records the passes of one frame; each label becomes a debug group and a timer.
pub struct Recorder<'a> {
    /// The encoder, for copies and clears between passes.
    pub encoder: wgpu::CommandEncoder,
    gpu: &'a Gpu,
    profiler: &'a mut Profiler,
    /// True if each pass is a separate, timed submission.
    splits: bool,
    /// Whether each pass is a submission of its own, for [`Pieces`].
    is_in_pieces: bool,
    /// A uniform write before the next recorded piece.
    writes: Option<Write>,
    recorded: Recorded,
    /// Purpose of timing the passes recorded next.
    pub key: Option<Key>,
}

/// Commands of a frame, to be submitted at once by [`Profiler::submit`] or `Profiler::submit_and_wait`.
#[derive(Default)]
pub struct Recorded {
    pub(super) submissions: Vec<Submission>,
    /// Passes timed by timestamps, in order.
    pub(super) passes: Vec<TimedPass>,
}

/// A uniform buffer and its new value.
pub(super) type Write = (wgpu::Buffer, [u32; 4]);

pub(super) struct Submission {
    pub encoder: wgpu::CommandEncoder,
    /// Writes before the submission.
    pub writes: Option<Write>,
    /// The pass, if it is the only one and timed by its submission.
    pub pass: Option<TimedPass>,
}

#[derive(Clone)]
pub(super) struct TimedPass {
    pub label: Label,
    pub key: Option<Key>,
}

impl TimedPass {
    /// The pass with its time in milliseconds.
    pub fn span(self, start: f64, end: f64) -> Span {
        let Self { label, key } = self;
        Span {
            label,
            key,
            start,
            end,
        }
    }
}

/// Execution of a pass on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub label: Label,
    /// Purpose, if it was timed for one.
    pub key: Option<Key>,
    /// Start in milliseconds, relative to a time chosen by the driver.
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Purpose of a timed pass, which identifies it to a reader of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of a set of subjects timed against each other.
    pub set: u64,
    /// Index of a subject in it; `None` for passes shared by all.
    pub subject: Option<usize>,
    /// True if its time counts; a warm-up does not.
    pub counts: bool,
}

impl Key {
    pub fn new_set() -> u64 {
        static SETS: AtomicU64 = AtomicU64::new(1);
        SETS.fetch_add(1, Ordering::Relaxed)
    }
}

/// Debug group of a pass, and the inner group around its work if its time has another name. The inner group is inside
/// the pass: Mesa's drivers crash if an encoder's group ends in another command buffer than it began in.
fn groups_of(label: Label) -> (String, Option<String>) {
    let (group, name) = (label.group(), label.to_string());
    let inner = (group != name).then_some(name);
    (group, inner)
}

impl<'a> Recorder<'a> {
    pub fn new(gpu: &'a Gpu, profiler: &'a mut Profiler, label: &str) -> Self {
        Self {
            encoder: gpu.encoder(label),
            gpu,
            splits: profiler.begin_frame(),
            is_in_pieces: false,
            writes: None,
            profiler,
            recorded: Recorded::default(),
            key: None,
        }
    }

    /// Like [`Recorder::new`], for [`Pieces`].
    pub fn in_pieces(gpu: &'a Gpu, profiler: &'a mut Profiler, label: &str) -> Self {
        Self {
            is_in_pieces: true,
            ..Self::new(gpu, profiler, label)
        }
    }

    /// Whether long passes are several pieces; one that is timed is one.
    pub fn cuts_passes(&self) -> bool {
        self.is_in_pieces && !self.profiler.is_timing()
    }

    /// Writes `value` to a uniform before the next recorded piece.
    pub fn write_before(&mut self, uniform: &wgpu::Buffer, value: [u32; 4]) {
        self.writes = Some((uniform.clone(), value));
    }

    /// Passes recorded so far with this key.
    pub fn passes_of(&self, key: Key) -> impl Iterator<Item = Label> {
        let submissions = self.recorded.submissions.iter();
        let alone = submissions.filter_map(|submission| submission.pass.as_ref());
        let passes = alone.chain(&self.recorded.passes);
        passes
            .filter(move |pass| pass.key == Some(key))
            .map(|pass| pass.label)
    }

    pub fn compute<R>(
        &mut self,
        label: impl Into<Label>,
        record: impl FnOnce(&mut wgpu::ComputePass) -> R,
    ) -> R {
        let label = label.into();
        let (group, inner) = groups_of(label);
        self.timed(label, |encoder, query| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(&group),
                timestamp_writes: query.compute_pass_timestamp_writes(),
            });
            inner.iter().for_each(|name| pass.push_debug_group(name));
            let result = record(&mut pass);
            inner.iter().for_each(|_| pass.pop_debug_group());
            result
        })
    }

    /// Records a render pass into `colors`, in order of location, each cleared or loaded as it says, and into
    /// `depth`, which is cleared.
    pub fn render<'l, R>(
        &mut self,
        label: impl Into<Label>,
        colors: &[(&'l wgpu::TextureView, wgpu::LoadOp<wgpu::Color>)],
        depth: Option<(&wgpu::TextureView, f32)>,
        record: impl FnOnce(&mut wgpu::RenderPass) -> R,
    ) -> R {
        let label = label.into();
        let (group, inner) = groups_of(label);
        let attachment =
            |&(view, load): &(&'l wgpu::TextureView, _)| Some(color_attachment(view, load));
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
                label: Some(&group),
                color_attachments: &colors,
                depth_stencil_attachment: depth,
                timestamp_writes: query.render_pass_timestamp_writes(),
                ..Default::default()
            });
            inner.iter().for_each(|name| pass.push_debug_group(name));
            let result = record(&mut pass);
            inner.iter().for_each(|_| pass.pop_debug_group());
            result
        })
    }

    /// Records a pass between two timestamps, or as a separate submission.
    fn timed<R>(
        &mut self,
        label: Label,
        record: impl FnOnce(&mut wgpu::CommandEncoder, &GpuProfilerQuery) -> R,
    ) -> R {
        if self.splits {
            self.end_submission(None);
        }
        let groups = &self.profiler.groups;
        let query = groups.begin_pass_query(label.to_string(), &mut self.encoder);
        let result = record(&mut self.encoder, &query);
        groups.end_query(&mut self.encoder, query);
        let pass = TimedPass {
            label,
            key: self.key,
        };
        if self.splits {
            self.end_submission(Some(pass));
        } else {
            self.recorded.passes.push(pass);
            if self.is_in_pieces {
                self.end_submission(None);
            }
        }
        result
    }

    /// Ends a submission; whatever is recorded next belongs to another one.
    fn end_submission(&mut self, pass: Option<TimedPass>) {
        let next = self.gpu.encoder("pass");
        let encoder = std::mem::replace(&mut self.encoder, next);
        let writes = self.writes.take();
        self.recorded.submissions.push(Submission {
            encoder,
            writes,
            pass,
        });
    }

    pub fn finish(mut self) -> Recorded {
        self.profiler.groups.resolve_queries(&mut self.encoder);
        self.recorded.submissions.push(Submission {
            encoder: self.encoder,
            writes: self.writes,
            pass: None,
        });
        self.recorded
    }
}

/// A recorded frame that goes to the device piece by piece, so that others have their turn in between.
pub struct Pieces {
    rest: VecDeque<Submission>,
    pub(super) passes: Vec<TimedPass>,
    /// When each piece was submitted and when it was done, and the pass that it is.
    pub(super) done: Vec<(Instant, Instant, Option<TimedPass>)>,
}

impl Pieces {
    pub fn of(recorded: Recorded) -> Self {
        Self {
            rest: recorded.submissions.into(),
            passes: recorded.passes,
            done: Vec::new(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Submits as many pieces as the device starts within this time.
    pub fn go_on(&mut self, gpu: &Gpu, within: Duration) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < within
            && let Some(piece) = self.rest.pop_front()
        {
            if let Some((uniform, value)) = piece.writes {
                let bytes = bytemuck::bytes_of(&value);
                gpu.queue.write_buffer(&uniform, 0, bytes);
            }
            let commands = piece.encoder.finish();
            let submitted = Instant::now();
            gpu.queue.submit([commands]);
            gpu.wait()?;
            self.done.push((submitted, Instant::now(), piece.pass));
        }
        Ok(())
    }
}

/// A texture that a render pass draws into and stores.
pub fn color_attachment(
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load,
            store: wgpu::StoreOp::Store,
        },
    }
}
