//! Inspections of a frame: the difference between A and B, the layers of a pixel, the values of a region, and a debug
//! view.

pub mod debug;
pub mod definition;
pub mod inspect;
pub mod metrics;
pub(super) mod probe;
pub(super) mod region;

use super::readback::{Arrived, ReadBackPart, Readbacks};
use super::shown::LiveFrame;
use super::wanted::Wanted;
use crate::error::Result;
use crate::frame::target::Target;
use crate::gpu::{Gpu, Pipelines, Recorder, storage_buffer};
use crate::methods::Specialization;
use crate::model::passes::Pass;
use debug::DebugPass;
use inspect::{BehindPass, ProbePass, Probed};
use metrics::{MetricsPart, MetricsPass};
use probe::{MOST_LAYERS, ProbeNote, ProbeTurns};

pub use debug::DebugView;
pub use metrics::LiveMetrics;
pub use probe::{LiveProbe, ProbeResult, ProbeWanted};
pub use region::{MOST_REGION, Region, Values};

/// Indices of the parts of a read-back. The rows of the region follow.
mod part {
    pub const METRICS: usize = 0;
    pub const DECADES: usize = 1;
    pub const PROBED: usize = 2;
    pub const PROBE_VALUE: usize = 3;
    pub const PROBE_RAN_AT: usize = 4;
    pub const COUNT: usize = 5;
}

pub struct Looking {
    /// Difference between A and B, kept until a newer result arrives or metrics are no longer requested.
    pub metrics: Option<LiveMetrics>,
    /// Methods of `metrics`, as requested.
    pub metrics_of: [Option<Specialization>; 2],
    /// Number of the measured work, which may belong to an earlier frame.
    pub metrics_work: u64,
    pub metrics_frame: u64,
    pub probe: Option<LiveProbe>,
    pub values: Option<Values>,
    /// The requested region, and the region requested last.
    region: Option<Region>,
    region_asked: Option<Region>,
    /// Values of the last debug view: one f32 per pixel, row-major.
    pub debug_values: wgpu::Buffer,
    size: [u32; 2],
    metrics_pass: Option<(BehindPass, MetricsPass)>,
    metrics_wanted: bool,
    probe_pass: Option<ProbePass>,
    probe_turns: ProbeTurns,
    probe_wanted: bool,
    debug_pass: Option<DebugPass>,
    debug: Option<DebugView>,
    pub(super) readbacks: Readbacks<Note>,
}

#[derive(Default)]
pub(super) struct Note {
    metrics_of: Option<[Option<Specialization>; 2]>,
    work: u64,
    probe: Option<ProbeNote>,
    region: Option<Region>,
}

impl Note {
    fn is_empty(&self) -> bool {
        self.metrics_of.is_none() && self.probe.is_none() && self.region.is_none()
    }
}

fn rows(
    region: Option<Region>,
    shown: &LiveFrame,
    methods: [Option<Specialization>; 2],
) -> impl Iterator<Item = Option<ReadBackPart<'_>>> {
    let frame = shown.frame.shape().size;
    let Region { origin, size } = region.unwrap_or_default();
    let targets = shown.targets().into_iter().zip(methods);
    targets.flat_map(move |(target, method)| {
        (0..size[1]).map(move |row| {
            let first = [origin[0], origin[1] + row];
            method.map(|_| ReadBackPart::pixels(&target.composites, frame, first, size[0]))
        })
    })
}

fn made<T>(slot: &mut Option<T>, make: impl FnOnce() -> Result<T>) -> Result<&mut T> {
    Ok(match slot {
        Some(made) => made,
        None => slot.insert(make()?),
    })
}

impl Looking {
    pub(super) fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        Self {
            metrics: None,
            metrics_of: [None; 2],
            metrics_work: 0,
            metrics_frame: 0,
            probe: None,
            values: None,
            region: None,
            region_asked: None,
            debug_values: storage_buffer(gpu, "debug values", 4 * pixels),
            size,
            metrics_pass: None,
            metrics_wanted: false,
            probe_pass: None,
            probe_turns: ProbeTurns::default(),
            probe_wanted: false,
            debug_pass: None,
            debug: None,
            readbacks: Readbacks::new("read-back of inspections"),
        }
    }

    /// Values of the debug view at the ends of its colour scale.
    pub fn debug_range(&self, shown: &LiveFrame) -> [f32; 2] {
        let wave = shown.wave_sizes[0].unwrap_or(1);
        self.debug.map_or([0.0, 1.0], |view| {
            view.range(shown.frame.shape(), &shown.counters, wave)
        })
    }

    pub(super) fn is_complete(&self, wanted: &Wanted) -> bool {
        let probed = |asked: &ProbeWanted| {
            let reading = self.probe.as_ref();
            reading.is_some_and(|reading| reading.results.len() >= asked.methods.len())
        };
        wanted.probe.as_ref().is_none_or(probed)
    }

    pub(super) fn want_values(&mut self, region: Option<Region>) {
        self.region = region.and_then(|region| region.inside(self.size));
        if self.region.is_none() {
            (self.values, self.region_asked) = (None, None);
        }
    }

    /// Reads back values of an earlier frame, unless that frame already requested them.
    pub(super) fn read_values(
        &mut self,
        gpu: &Gpu,
        shown: &LiveFrame,
        methods: [Option<Specialization>; 2],
    ) {
        if self.region == self.region_asked || !self.readbacks.has_room() {
            return;
        }
        let mut parts = Vec::from([const { None }; part::COUNT]);
        parts.extend(rows(self.region, shown, methods));
        let note = Note {
            region: self.region,
            ..Note::default()
        };
        self.region_asked = self.region;
        let mut encoder = gpu.encoder("values of pixels");
        self.readbacks.record(gpu, &mut encoder, &parts, note);
        gpu.queue.submit([encoder.finish()]);
        self.readbacks.submitted();
    }

    /// Creates the requested inspections, and drops readings that are no longer requested.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        wanted: &Wanted,
        shown: &LiveFrame,
    ) -> Result<()> {
        let shape = shown.frame.shape();
        let longest = shown.composites.extent().longest_list;
        self.debug = wanted.debug;
        if wanted.debug.is_some() {
            let make = || DebugPass::new(gpu, pipelines, &self.debug_values, shape);
            let pass = made(&mut self.debug_pass, make)?;
            pass.cover(gpu, longest, wanted.early_out());
        }
        self.metrics_wanted = wanted.metrics.is_some();
        if self.metrics_wanted {
            let [picture, reference] = shown.targets().map(|target| &target.composites);
            let make = || {
                let behind = BehindPass::new(gpu, pipelines, self.size)?;
                let buffers = [picture, reference, &behind.backgrounds];
                let metrics = MetricsPass::new(gpu, pipelines, self.size, buffers)?;
                Ok((behind, metrics))
            };
            made(&mut self.metrics_pass, make)?;
        } else {
            self.metrics = None;
        }
        self.probe_wanted = wanted.probe.is_some();
        if !self.probe_wanted {
            self.probe = None;
            return Ok(());
        }
        let capacity = longest.min(MOST_LAYERS);
        if self.probe_pass.as_ref().map(|pass| pass.capacity) != Some(capacity) {
            self.probe_pass = Some(ProbePass::new(gpu, pipelines, shape, capacity)?);
        }
        Ok(())
    }

    /// Records the inspections of the frame, and copies of their results. `asked` contains the requested methods.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        wanted: &Wanted,
        shown: &LiveFrame,
        scratch: Option<&Target>,
        asked: [Option<Specialization>; 2],
    ) -> Result<()> {
        let frame = &shown.frame;
        if let (Some(view), Some(pass)) = (wanted.debug, &self.debug_pass) {
            let binds = frame.binds_with(&frame.target);
            recorder.compute(Pass::DebugView, |compute| {
                pass.record(gpu, compute, binds, view)
            })?;
        }
        if !self.readbacks.has_room() {
            return Ok(());
        }
        let mut parts = Vec::from([const { None }; part::COUNT]);
        let mut note = Note {
            work: wanted.work,
            ..Note::default()
        };
        let both = wanted.methods.iter().all(Option::is_some);
        let threshold = wanted.metrics.filter(|_| both);
        if let (Some(threshold), Some((behind, pass))) = (threshold, &self.metrics_pass) {
            recorder.compute(Pass::Metrics, |compute| {
                behind.record(compute, frame)?;
                pass.record(gpu, compute, threshold)
            })?;
            let bytes = pass.blocks() as usize * size_of::<MetricsPart>();
            parts[part::METRICS] = Some(ReadBackPart::first(&pass.parts, bytes as u64));
            parts[part::DECADES] = Some(ReadBackPart::first(&pass.decades, pass.decades.size()));
            note.metrics_of = Some(asked);
        }
        if let (Some(probe), Some(pass), Some(scratch)) = (&wanted.probe, &self.probe_pass, scratch)
        {
            let next = self.probe_turns.next(probe, frame, shown.scene);
            recorder.compute(Pass::Probe, |compute| {
                pass.record(gpu, compute, frame.resources.binds(), next.pixel)
            })?;
            parts[part::PROBED] = Some(ReadBackPart::first(&pass.probed, pass.probed.size()));
            if let Some(turn) = next.turn {
                let composite = shown.composites.get(turn)?;
                let label = Pass::ProbeComposite.into();
                frame.record_composite(recorder, composite, scratch, label, 1)?;
                let value = ReadBackPart::pixels(&scratch.composites, self.size, next.pixel, 1);
                parts[part::PROBE_VALUE] = Some(value);
                parts[part::PROBE_RAN_AT] = Some(ReadBackPart::first(&scratch.ran_at, 4));
            }
            note.probe = Some(next);
        }
        parts.extend(rows(self.region, shown, wanted.methods));
        (note.region, self.region_asked) = (self.region, self.region);
        if !note.is_empty() {
            self.readbacks
                .record(gpu, &mut recorder.encoder, &parts, note);
        }
        Ok(())
    }

    pub(super) fn take_readings(&mut self) -> Result<()> {
        while let Some(arrived) = self.readbacks.take()? {
            self.take(&arrived);
        }
        Ok(())
    }

    fn take(&mut self, arrived: &Arrived<Note>) {
        let note = &arrived.note;
        if let Some(of) = note.metrics_of.filter(|_| self.metrics_wanted) {
            let parts = arrived.part(part::METRICS);
            let decades = arrived.part::<u32>(part::DECADES);
            self.metrics = Some(LiveMetrics::from_parts(&parts, &decades, self.size));
            (self.metrics_of, self.metrics_work) = (of, note.work);
            self.metrics_frame += 1;
        }
        if let Some(region) = note.region {
            let rows = region.size[1] as usize;
            let of = [0, 1].map(|side| {
                let first = part::COUNT + side * rows;
                let rows = first..first + rows;
                rows.flat_map(|row| arrived.part::<[f32; 4]>(row)).collect()
            });
            self.values = Some(Values { region, of });
        }
        if let Some(note) = note.probe.as_ref().filter(|_| self.probe_wanted) {
            let value = arrived.part::<[f32; 4]>(part::PROBE_VALUE);
            let value = value.first().copied().unwrap_or_default();
            let probed = Probed::from_bytes(arrived.bytes(part::PROBED));
            let wave_size = arrived.wave_size(part::PROBE_RAN_AT);
            let probe = self.probe.get_or_insert_default();
            probe.take(note, probed, value, wave_size);
        }
    }

    /// Labels and sizes in bytes of all buffers except read-back buffers.
    pub(super) fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut all = vec![("debug values", self.debug_values.size())];
        if let Some((behind, metrics)) = &self.metrics_pass {
            all.push(("metrics", metrics.parts.size() + behind.backgrounds.size()));
        }
        if let Some(probe) = &self.probe_pass {
            all.push(("probed layers", probe.probed.size()));
        }
        all
    }
}
