//! What has come back of earlier frames: asked for in every frame, never waited for.

use crate::error::{Error, Result};
use crate::gpu::Gpu;

use super::inspect::Probed;
use super::metrics::LiveMetrics;
use super::probe::ProbeReading;
use super::readback::Arrived;
use super::record::part;
use super::times::add_time;
use super::{Live, Note, Values};
use crate::frame::counters::Counters;

impl Live {
    /// Takes in whatever has come back, and grows buffers that were too small.
    pub(super) fn poll(&mut self, gpu: &Gpu) -> Result<()> {
        let polled = gpu.device.poll(wgpu::PollType::Poll);
        gpu.check()?;
        polled.map_err(|error| Error::failed(format!("the device: {error}")))?;
        while let Some(spans) = self.profiler.take_spans(gpu) {
            self.timed_frames += 1;
            self.choosing.take_times(&spans);
            // Those of a trial are not of what is shown.
            for span in spans.into_iter().filter(|span| span.key.is_none()) {
                let time = span.milliseconds();
                add_time(&mut self.times, span.label, time, self.timed_frames);
            }
        }
        while let Some(mut spans) = self.round_profiler.take_spans(gpu) {
            let Some(clocks) = &mut self.clocks else {
                continue;
            };
            let moment = clocks.take(gpu, &mut spans);
            if let Some(measuring) = &mut self.measuring {
                measuring.take_times(&spans, moment);
            }
        }
        while let Some(arrived) = self.round_readbacks.take()? {
            if let Some(measuring) = &mut self.measuring {
                measuring.take_wave_sizes(&arrived.part(0));
            }
        }
        while let Some(arrived) = self.readbacks.take()? {
            self.take(&arrived);
        }
        self.grow(gpu)
    }

    /// Takes in the readings of a frame.
    fn take(&mut self, arrived: &Arrived<Note>) {
        let note = &arrived.note;
        let wave_size = |index: usize| {
            let size = arrived.part::<u32>(index).first().copied();
            size.filter(|&size| size > 0)
        };
        self.counters = Counters::from_words(&arrived.part::<u32>(part::COUNTERS));
        self.counted = note.scene;
        for (index, size) in self.wave_sizes.iter_mut().enumerate() {
            *size = note.methods[index].and_then(|_| wave_size(part::RAN_AT[index]));
        }
        if note.has_metrics && self.metrics_wanted {
            let size = self.frame.shape().size;
            let parts = arrived.part(part::METRICS);
            let decades = arrived.part::<u32>(part::DECADES);
            self.metrics = Some(LiveMetrics::from_parts(&parts, &decades, size));
            self.metrics_of = note.asked;
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
            let reading = ProbeReading {
                note: note.clone(),
                probed: Probed::from_bytes(arrived.bytes(part::PROBED)),
                value: value.first().copied().unwrap_or_default(),
                wave_size: wave_size(part::PROBE_RAN_AT),
            };
            self.probe.get_or_insert_default().take(reading);
        }
    }

    /// Gives the lists more room where the newest counters ask for it.
    fn grow(&mut self, gpu: &Gpu) -> Result<()> {
        let needed = self.counters.entries_needed;
        if needed <= self.frame.shape().entry_capacity || needed <= self.asked_entries {
            return Ok(());
        }
        self.asked_entries = needed;
        self.frame.grow(gpu, needed.saturating_add(needed / 4))?;
        // They bind buffers that are gone.
        self.composites.clear();
        self.round_composites.clear();
        // What was drawn is gone with the old buffers, and its counters may still be on their way.
        self.scene += 1;
        Ok(())
    }
}
