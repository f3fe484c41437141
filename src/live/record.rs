//! What a live frame, or a round of a measurement, puts into its command buffer.

use crate::error::Result;
use crate::gpu::{Gpu, Pipelines, Recorded, Recorder};

use super::metrics::MetricsPart;
use super::readback::Part;
use super::{Live, Note, Wanted};
use crate::frame::frame_table::BufferId;
use crate::model::passes;

/// The parts of a frame's read-back.
pub(super) mod part {
    pub const COUNTERS: usize = 0;
    pub const RAN_AT: [usize; 2] = [1, 2];
    pub const METRICS: usize = 3;
    pub const DECADES: usize = 4;
    pub const PROBED: usize = 5;
    pub const PROBE_VALUE: usize = 6;
    pub const PROBE_RAN_AT: usize = 7;
    pub const COUNT: usize = 8;
}

impl Live {
    /// Records a frame: scene, methods, and what looks at them.
    pub(super) fn record(&mut self, gpu: &Gpu, wanted: &Wanted) -> Result<Recorded> {
        let probe = self.probe_in_frame(wanted);
        let frame = &self.frame;
        let mut recorder = Recorder::new(gpu, &mut self.profiler, "frame");
        if wanted.draws_all {
            frame.draw_all_next();
        }
        frame.record_scene(gpu, &mut recorder)?;
        self.scene += 1;
        let targets = [&frame.target, &self.other];
        for (specialization, target) in wanted.methods.into_iter().zip(targets) {
            let Some(specialization) = specialization else {
                continue;
            };
            let composite = self.composites.get(specialization)?;
            let label = composite.label();
            frame.record_composite(gpu, &mut recorder, composite, target, label, 1)?;
            frame.record_resolve(gpu, &mut recorder, target)?;
        }
        if let (Some(further), Some(scratch)) = (wanted.further, &self.scratch) {
            let composite = self.composites.get(further)?;
            let label = composite.label();
            frame.record_composite(gpu, &mut recorder, composite, scratch, label, 1)?;
        }
        let tries = recorder.times() && !self.tried.is_empty();
        if let Some(scratch) = self.scratch.as_ref().filter(|_| tries) {
            self.choosing.begin_try();
            for &(key, tried) in &self.tried {
                let composite = self.composites.get(tried)?;
                recorder.key = Some(key);
                let label = composite.label();
                frame.record_composite(gpu, &mut recorder, composite, scratch, label, 1)?;
            }
            recorder.key = None;
        }
        if let (Some(view), Some(pass)) = (wanted.debug, &self.debug_pass) {
            let binds = frame.binds_with(&frame.target);
            recorder.compute(passes::DEBUG_VIEW, |compute| {
                pass.record(gpu, compute, binds, view)
            })?;
        }
        if !self.readbacks.has_room() {
            return Ok(recorder.finish());
        }

        // From here on: what is read back.
        let mut parts: Vec<Option<Part>> = Vec::new();
        parts.resize_with(part::COUNT, || None);
        let counters = frame.resources.buffer(BufferId::Counters);
        parts[part::COUNTERS] = Some(Part::first(counters, counters.size()));
        for (index, target) in part::RAN_AT.into_iter().zip(targets) {
            parts[index] = Some(Part::first(&target.ran_at, 4));
        }
        let both = wanted.methods.iter().all(Option::is_some);
        let threshold = wanted.metrics.filter(|_| both);
        if let (Some(threshold), Some(pass)) = (threshold, &self.metrics_pass) {
            recorder.compute(passes::METRICS, |compute| {
                pass.record(gpu, compute, threshold)
            })?;
            let bytes = pass.blocks() as usize * size_of::<MetricsPart>();
            parts[part::METRICS] = Some(Part::first(&pass.parts, bytes as u64));
            parts[part::DECADES] = Some(Part::first(&pass.decades, pass.decades.size()));
        }
        let mut note = None;
        if let (Some(probe), Some(pass), Some(scratch)) = (probe, &self.probe_pass, &self.scratch) {
            let turns = &mut self.probe_turns;
            let next = turns.next(probe, frame.input().moment.camera, self.scene);
            recorder.compute(passes::PROBE, |compute| {
                pass.record(gpu, compute, frame.resources.binds(), next.pixel)
            })?;
            parts[part::PROBED] = Some(Part::first(&pass.probed, pass.probed.size()));
            if let Some(turn) = next.turn {
                let composite = self.composites.get(turn)?;
                let label = passes::PROBE_COMPOSITE;
                frame.record_composite(gpu, &mut recorder, composite, scratch, label, 1)?;
                let [x, y] = next.pixel.map(u64::from);
                parts[part::PROBE_VALUE] = Some(Part {
                    buffer: &scratch.composites,
                    offset: 16 * (y * u64::from(frame.shape().size[0]) + x),
                    bytes: 16,
                });
                parts[part::PROBE_RAN_AT] = Some(Part::first(&scratch.ran_at, 4));
            }
            note = Some(next);
        }
        let size = frame.shape().size;
        let region = wanted.region.and_then(|region| region.inside(size));
        if let Some(region) = region {
            for (target, method) in targets.into_iter().zip(wanted.methods) {
                for row in 0..region.size[1] {
                    let [x, y] = region.origin.map(u64::from);
                    let first = (y + u64::from(row)) * u64::from(size[0]) + x;
                    parts.push(method.map(|_| Part {
                        buffer: &target.composites,
                        offset: 16 * first,
                        bytes: 16 * u64::from(region.size[0]),
                    }));
                }
            }
        }
        let note = Note {
            scene: self.scene,
            methods: wanted.methods,
            asked: self.shown,
            has_metrics: threshold.is_some(),
            probe: note,
            region,
        };
        self.readbacks
            .record(gpu, &mut recorder.encoder, &parts, note);
        Ok(recorder.finish())
    }

    /// Records the next round of the measurement on the scene that is there, if there is one to
    /// record now.
    pub(super) fn round(&mut self, gpu: &Gpu, pipelines: &Pipelines) -> Result<Option<Recorded>> {
        let facts = self.facts();
        let (Some(measuring), Some(scratch), Some(clocks)) =
            (&mut self.measuring, &self.scratch, &self.clocks)
        else {
            return Ok(None);
        };
        // No more rounds on their way than frames: the GPU is not to fall behind.
        if !self.round_readbacks.has_room() {
            return Ok(None);
        }
        let extent = self.frame.extent_of(&self.counters);
        self.round_composites.fit(extent);
        if measuring.is_new() {
            for asked in &mut measuring.specializations {
                *asked = self.choosing.current(&gpu.caps, *asked, &facts);
            }
        }
        let round = measuring.next_round();
        if round.is_empty() {
            return Ok(None);
        }
        for pass in &round {
            let composites = &mut self.round_composites;
            composites.make(gpu, pipelines, pass.specialization)?;
        }
        let mut recorder = Recorder::new(gpu, &mut self.round_profiler, "round");
        clocks.record(gpu, &mut recorder)?;
        for pass in &round {
            let composite = self.round_composites.get(pass.specialization)?;
            let label = composite.label();
            recorder.key = Some(pass.key);
            self.frame
                .record_composite(gpu, &mut recorder, composite, scratch, label, 1)?;
            recorder.encoder.copy_buffer_to_buffer(
                &scratch.ran_at,
                0,
                &self.round_sizes,
                4 * pass.index as u64,
                4,
            );
        }
        let sizes = Part::first(&self.round_sizes, self.round_sizes.size());
        self.round_readbacks
            .record(gpu, &mut recorder.encoder, &[Some(sizes)], ());
        Ok(Some(recorder.finish()))
    }
}
