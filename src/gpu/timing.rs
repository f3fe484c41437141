//! Recording passes with one label each: the wgpu label, the debug group and the GPU time. A composite has
//! two, what it is and by which method.

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use super::Gpu;
use crate::error::{Error, Result};

/// Records one frame's passes; each gets its label as debug group and as timer.
pub struct Recorder<'a> {
    /// The encoder, for copies and clears between passes.
    pub encoder: wgpu::CommandEncoder,
    profiler: &'a mut GpuProfiler,
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
    /// Of a pass of which there are many kinds: the group says which pass it is, `timer` which kind.
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

/// Makes the profiler that [`Recorder`] uses; without timestamps it only makes debug groups.
///
/// # Errors
/// The settings are refused (exit code 1; does not happen).
pub fn profiler(gpu: &Gpu) -> Result<GpuProfiler> {
    GpuProfiler::new(
        &gpu.device,
        GpuProfilerSettings {
            enable_timer_queries: gpu.caps.timestamps,
            ..Default::default()
        },
    )
    .map_err(|error| Error::failed(format!("GPU timers: {error}")))
}

impl<'a> Recorder<'a> {
    /// Starts recording a frame.
    pub fn new(gpu: &Gpu, profiler: &'a mut GpuProfiler, label: &str) -> Self {
        Self {
            encoder: gpu.encoder(label),
            profiler,
        }
    }

    /// Records a compute pass.
    pub fn compute<'l, R>(
        &mut self,
        label: impl Into<Label<'l>>,
        record: impl FnOnce(&mut wgpu::ComputePass) -> R,
    ) -> R {
        let label = label.into();
        let query = self
            .profiler
            .begin_pass_query(label.timer, &mut self.encoder);
        let result = {
            let mut pass = self
                .encoder
                .begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some(label.group),
                    timestamp_writes: query.compute_pass_timestamp_writes(),
                });
            label.inner().inspect(|inner| pass.push_debug_group(inner));
            let result = record(&mut pass);
            label.inner().inspect(|_| pass.pop_debug_group());
            result
        };
        self.profiler.end_query(&mut self.encoder, query);
        result
    }

    /// Records a render pass into `color` and `depth`, as far as they are there, both cleared.
    pub fn render<'l, R>(
        &mut self,
        label: impl Into<Label<'l>>,
        color: Option<(&wgpu::TextureView, wgpu::Color)>,
        depth: Option<(&wgpu::TextureView, f32)>,
        record: impl FnOnce(&mut wgpu::RenderPass) -> R,
    ) -> R {
        let label = label.into();
        let query = self
            .profiler
            .begin_pass_query(label.timer, &mut self.encoder);
        let result = {
            let color = color.map(|(view, clear)| wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(clear),
                    store: wgpu::StoreOp::Store,
                },
            });
            let mut pass = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(label.group),
                color_attachments: if color.is_some() {
                    std::slice::from_ref(&color)
                } else {
                    &[]
                },
                depth_stencil_attachment: depth.map(|(view, clear)| {
                    wgpu::RenderPassDepthStencilAttachment {
                        view,
                        depth_ops: Some(wgpu::Operations {
                            load: wgpu::LoadOp::Clear(clear),
                            store: wgpu::StoreOp::Store,
                        }),
                        stencil_ops: None,
                    }
                }),
                timestamp_writes: query.render_pass_timestamp_writes(),
                ..Default::default()
            });
            label.inner().inspect(|inner| pass.push_debug_group(inner));
            let result = record(&mut pass);
            label.inner().inspect(|_| pass.pop_debug_group());
            result
        };
        self.profiler.end_query(&mut self.encoder, query);
        result
    }

    /// Ends the frame: the commands to submit. Times come later from [`finish_frame`].
    pub fn finish(mut self) -> wgpu::CommandBuffer {
        self.profiler.resolve_queries(&mut self.encoder);
        self.encoder.finish()
    }
}

/// When a pass ran on the GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Its label.
    pub label: String,
    /// Start, ms from a moment of the driver's choice.
    pub start: f64,
    /// End, ms from the same moment.
    pub end: f64,
}

/// Ends the profiler's frame after its commands were submitted and are done; ms per pass, in
/// recording order; empty without timestamps.
///
/// # Errors
/// A timer was left open (exit code 1; a bug).
pub fn finish_frame(gpu: &Gpu, profiler: &mut GpuProfiler) -> Result<Vec<(String, f64)>> {
    Ok(finish_spans(gpu, profiler)?
        .into_iter()
        .map(milliseconds)
        .collect())
}

/// The same as [`finish_frame`] with when each pass ran.
///
/// # Errors
/// As [`finish_frame`].
pub fn finish_spans(gpu: &Gpu, profiler: &mut GpuProfiler) -> Result<Vec<Span>> {
    profiler
        .end_frame()
        .map_err(|error| Error::failed(format!("GPU timers: {error}")))?;
    // The end of a frame maps its query results; the GPU is idle, so one poll delivers them.
    gpu.wait()?;
    Ok(take_spans(gpu, profiler).unwrap_or_default())
}

/// The times of the oldest frame that has come back, ms per pass in recording order, once; never
/// waits.
pub fn take_times(gpu: &Gpu, profiler: &mut GpuProfiler) -> Option<Vec<(String, f64)>> {
    let spans = take_spans(gpu, profiler)?;
    Some(spans.into_iter().map(milliseconds).collect())
}

fn take_spans(gpu: &Gpu, profiler: &mut GpuProfiler) -> Option<Vec<Span>> {
    // What was mapped on a device that is gone cannot be read, and the profiler does not expect that.
    if gpu.is_lost() {
        return None;
    }
    let results = profiler.process_finished_frame(gpu.queue.get_timestamp_period())?;
    Some(results.into_iter().filter_map(span).collect())
}

fn span(result: GpuTimerQueryResult) -> Option<Span> {
    let time = result.time?;
    Some(Span {
        label: result.label,
        start: time.start * 1e3,
        end: time.end * 1e3,
    })
}

fn milliseconds(span: Span) -> (String, f64) {
    (span.label, span.end - span.start)
}
