//! Errors of measured methods against the exact result. One method is compared per frame, before times are measured.

use crate::error::Result;
use crate::frame::target::Target;
use crate::gpu::{Gpu, Pipelines, Profiler, Recorder, storage_buffer};
use crate::live::looking::LiveMetrics;
use crate::live::looking::inspect::BehindPass;
use crate::live::looking::metrics::{MetricsPart, MetricsPass};
use crate::live::readback::{ReadBackPart, Readbacks};
use crate::live::shown::LiveFrame;
use crate::methods::Specialization;
use crate::model::passes::Pass;

/// The exact result of a frame, and the pass that compares other results with it.
pub(super) struct ErrorMeasurement {
    exact: wgpu::Buffer,
    /// Number of the exact result's scene. 0 before the first.
    scene: u64,
    behind: BehindPass,
    metrics: MetricsPass,
    size: [u32; 2],
    /// Each copy carries the number of its subject.
    pub readbacks: Readbacks<usize>,
    profiler: Profiler,
}

impl ErrorMeasurement {
    /// Creates the measurement for a frame of `size` pixels. Methods composite into `scratch`.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, size: [u32; 2], scratch: &Target) -> Result<Self> {
        let exact = storage_buffer(gpu, "exact result", scratch.composites.size());
        let behind = BehindPass::new(gpu, pipelines, size)?;
        let buffers = [&scratch.composites, &exact, &behind.backgrounds];
        Ok(Self {
            metrics: MetricsPass::new(gpu, pipelines, size, buffers)?,
            behind,
            exact,
            scene: 0,
            size,
            readbacks: Readbacks::new("errors read-back"),
            profiler: Profiler::untimed(gpu)?,
        })
    }

    /// Composites a subject, and compares it with the exact result for the current scene.
    pub fn record(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        shown: &mut LiveFrame,
        scratch: &Target,
        (subject, of): (usize, Specialization),
    ) -> Result<()> {
        let mut recorder = Recorder::new(gpu, &mut self.profiler, "errors");
        if self.scene != shown.scene {
            let exact = of.options.exact();
            shown.composites.make(gpu, pipelines, exact)?;
            shown.record_composite(&mut recorder, exact, scratch, 1)?;
            let (from, to) = (&scratch.composites, &self.exact);
            let encoder = &mut recorder.encoder;
            encoder.copy_buffer_to_buffer(from, 0, to, 0, to.size());
            recorder.compute(Pass::Metrics, |compute| {
                self.behind.record(compute, &shown.frame)
            })?;
            self.scene = shown.scene;
        }
        shown.composites.make(gpu, pipelines, of)?;
        let frames = shown.composites.get(of)?.frames();
        shown.record_composite(&mut recorder, of, scratch, frames)?;
        let metrics = &self.metrics;
        recorder.compute(Pass::Metrics, |compute| {
            metrics.record(gpu, compute, f32::INFINITY)
        })?;
        let bytes = metrics.blocks() as usize * size_of::<MetricsPart>();
        let parts = [Some(ReadBackPart::first(&metrics.parts, bytes as u64))];
        self.readbacks
            .record(gpu, &mut recorder.encoder, &parts, subject);
        let recorded = recorder.finish();
        self.profiler.submit(gpu, recorded)?;
        self.readbacks.submitted();
        Ok(())
    }

    pub fn take(&mut self) -> Result<Option<(usize, LiveMetrics)>> {
        let arrived = self.readbacks.take()?;
        Ok(arrived.map(|arrived| {
            let parts = arrived.part::<MetricsPart>(0);
            let found = LiveMetrics::from_parts(&parts, &[], self.size);
            (arrived.note, found)
        }))
    }

    pub fn bytes(&self) -> u64 {
        self.exact.size()
            + self.behind.backgrounds.size()
            + self.metrics.parts.size()
            + self.readbacks.bytes()
    }
}
