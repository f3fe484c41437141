//! Recording passes with one label each: the wgpu label, the debug group and the GPU time.

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use super::Gpu;
use crate::error::{Error, Result};

/// Records one frame's passes; each gets its label as debug group and as timer.
pub struct Recorder<'a> {
    /// The encoder, for copies and clears between passes.
    pub encoder: wgpu::CommandEncoder,
    profiler: &'a mut GpuProfiler,
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
    pub fn compute<R>(
        &mut self,
        label: &str,
        record: impl FnOnce(&mut wgpu::ComputePass) -> R,
    ) -> R {
        let query = self.profiler.begin_pass_query(label, &mut self.encoder);
        let result = {
            let mut pass = self
                .encoder
                .begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some(label),
                    timestamp_writes: query.compute_pass_timestamp_writes(),
                });
            record(&mut pass)
        };
        self.profiler.end_query(&mut self.encoder, query);
        result
    }

    /// Records a render pass into `color` and `depth`, as far as they are there, both cleared.
    pub fn render<R>(
        &mut self,
        label: &str,
        color: Option<(&wgpu::TextureView, wgpu::Color)>,
        depth: Option<(&wgpu::TextureView, f32)>,
        record: impl FnOnce(&mut wgpu::RenderPass) -> R,
    ) -> R {
        let query = self.profiler.begin_pass_query(label, &mut self.encoder);
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
                label: Some(label),
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
            record(&mut pass)
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

/// Ends the profiler's frame after its commands were submitted and are done; ms per pass, in
/// recording order; empty without timestamps.
///
/// # Errors
/// A timer was left open (exit code 1; a bug).
pub fn finish_frame(gpu: &Gpu, profiler: &mut GpuProfiler) -> Result<Vec<(String, f64)>> {
    profiler
        .end_frame()
        .map_err(|error| Error::failed(format!("GPU timers: {error}")))?;
    // The end of a frame maps its query results; the GPU is idle, so one poll delivers them.
    gpu.wait()?;
    Ok(take_times(gpu, profiler).unwrap_or_default())
}

/// The times of the oldest frame that has come back, ms per pass in recording order, once; never
/// waits.
pub fn take_times(gpu: &Gpu, profiler: &mut GpuProfiler) -> Option<Vec<(String, f64)>> {
    // What was mapped on a device that is gone cannot be read, and the profiler does not expect that.
    if gpu.is_lost() {
        return None;
    }
    let results = profiler.process_finished_frame(gpu.queue.get_timestamp_period())?;
    Some(results.into_iter().filter_map(milliseconds).collect())
}

fn milliseconds(result: GpuTimerQueryResult) -> Option<(String, f64)> {
    let time = result.time?;
    Some((result.label, (time.end - time.start) * 1e3))
}
