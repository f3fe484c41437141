//! Recording passes with one label each: the wgpu label, the debug group and the time by the adapter's clock.
//! A composite has two: the pass and the method. [`Recorded`] is what there is to submit, at once or in
//! [`Pieces`].

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use wgpu_profiler::GpuProfilerQuery;

use super::profiler::Profiler;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::model::passes::Label;

/// Records one frame's passes; each gets its label as debug group and as timer.
pub struct Recorder<'a> {
    /// The encoder, for copies and clears between passes.
    pub encoder: wgpu::CommandEncoder,
    gpu: &'a Gpu,
    profiler: &'a mut Profiler,
    /// Whether each pass is a submission of its own, and timed as that.
    splits: bool,
    /// Whether each pass is a submission of its own, for [`Pieces`].
    is_in_pieces: bool,
    /// A value that is written to a uniform before the piece recorded next.
    writes: Option<Write>,
    recorded: Recorded,
    /// What the passes recorded next are timed for.
    pub key: Option<Key>,
}

/// A frame's commands, to be submitted in one go by [`Profiler::submit`] or `Profiler::submit_and_wait`.
#[derive(Default)]
pub struct Recorded {
    pub(super) submissions: Vec<Submission>,
    /// The passes that lie between timestamps, in their order.
    pub(super) passes: Vec<TimedPass>,
}

/// A value of a uniform buffer.
pub(super) type Write = (wgpu::Buffer, [u32; 4]);

pub(super) struct Submission {
    pub encoder: wgpu::CommandEncoder,
    /// Written before it.
    pub writes: Option<Write>,
    /// The pass that they are, where they are one pass alone whose time is that of the submission.
    pub pass: Option<TimedPass>,
}

#[derive(Clone)]
pub(super) struct TimedPass {
    pub label: Label,
    pub key: Option<Key>,
}

impl TimedPass {
    /// The pass with its time, milliseconds.
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

/// When a pass ran on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub label: Label,
    /// What it is part of, where it was timed for something.
    pub key: Option<Key>,
    /// Start, ms from a moment of the driver's choice.
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn milliseconds(&self) -> f64 {
        self.end - self.start
    }
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

impl Key {
    /// A number that no other set has.
    pub fn new_set() -> u64 {
        static SETS: AtomicU64 = AtomicU64::new(1);
        SETS.fetch_add(1, Ordering::Relaxed)
    }
}

/// The debug group of a pass, and the inner group around its work where its time has another name. That one stands inside
/// the pass: Mesa's drivers crash where a group of the encoder's ends in another command buffer than it began in.
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

    /// Has this written to a uniform before the piece that is recorded next.
    pub fn write_before(&mut self, uniform: &wgpu::Buffer, value: [u32; 4]) {
        self.writes = Some((uniform.clone(), value));
    }

    /// The passes recorded so far that are part of this.
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

    /// Records a render pass into `colors`, each by its location and cleared or kept as it says, and into `depth`, which is
    /// cleared.
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

    /// Records a pass between its two timestamps, or as a submission of its own.
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

    /// Ends a submission; what is recorded next belongs to another one.
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

    /// Ends the frame: what there is to submit.
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

    /// Has the device do as many pieces as it begins within this time.
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

/// A texture that a render pass draws into and keeps.
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
