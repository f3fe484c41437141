//! Records passes. Each pass has one label for wgpu, debug group and timer. A composite pass has two labels: pass and
//! method. A [`Recorded`] frame is submitted at once or in `Pieces`.

use wgpu_profiler::GpuProfilerQuery;

use super::profiler::Profiler;
use super::span::{Key, Recorded, Submission, TimedPass, Write};
use crate::gpu::Gpu;
use crate::model::passes::Label;

/// Records the passes of one frame.
pub struct Recorder<'a> {
    /// For copies and clears between passes.
    pub encoder: wgpu::CommandEncoder,
    gpu: &'a Gpu,
    profiler: &'a mut Profiler,
    /// True if each pass is a separate, timed submission.
    splits: bool,
    /// True if each pass is a piece of `Pieces`.
    is_in_pieces: bool,
    /// Uniform to write before the next recorded piece.
    writes: Option<Write>,
    recorded: Recorded,
    /// Timing key of the passes recorded next.
    pub key: Option<Key>,
}

/// Debug group of a pass, and an inner group if the pass has a second label. The inner group is inside the pass,
/// because Mesa's drivers crash if an encoder's group ends in another command buffer than it began in.
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

    /// Like [`Recorder::new`], but for `Pieces`.
    pub fn in_pieces(gpu: &'a Gpu, profiler: &'a mut Profiler, label: &str) -> Self {
        Self {
            is_in_pieces: true,
            ..Self::new(gpu, profiler, label)
        }
    }

    /// True if a long pass becomes several pieces. A timed pass is always one piece.
    pub fn cuts_passes(&self) -> bool {
        self.is_in_pieces && !self.profiler.is_timing()
    }

    /// Writes `value` to a uniform before the next recorded piece.
    pub fn write_before(&mut self, uniform: &wgpu::Buffer, value: [u32; 4]) {
        self.writes = Some((uniform.clone(), value));
    }

    /// Labels of the passes recorded so far with the given key.
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

    /// Records a render pass into `colors`, in the order of their locations, and into `depth`, which is cleared.
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
