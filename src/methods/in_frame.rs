//! Methods specialised for a frame's lists, and the recording of a composite.

use crate::error::Result;
use crate::frame::{Counters, Frame, Target};
use crate::gpu::{Gpu, Pipelines, Recorder};
use crate::model::passes::Label;

use super::auto::Facts;
use super::composite::Composite;
use super::specialization::Specialization;

/// Maximum pieces of a composite if a frame is drawn in pieces, each some rows of tiles.
const PIECES: u32 = 16;

impl Frame {
    /// Records the composite by one method into `target`, `times` times over, timed as `label`.
    pub fn record_composite(
        &self,
        recorder: &mut Recorder,
        composite: &Composite,
        target: &Target,
        label: Label,
        times: u32,
    ) -> Result<()> {
        let binds = self.binds_with(target);
        recorder.encoder.clear_buffer(&target.ran_at, 0, None);
        composite.follow(&mut recorder.encoder, self.changes);
        if recorder.cuts_passes() && composite.frames() == 1 {
            // A drawn method has no sections.
            let is_drawn = composite.specialization.runs.is_drawn();
            let rows = if is_drawn { 1 } else { PIECES };
            let [width, height] = self.shape().size;
            let step = self.shape().tile * self.shape().tiles()[1].div_ceil(rows);
            for top in (0..height).step_by(step as usize) {
                let section = [0, top, width, (top + step).min(height)];
                recorder.write_before(target.section(), section);
                composite.record(recorder, label, &binds, times)?;
            }
            recorder.write_before(target.section(), [0, 0, width, height]);
        } else {
            composite.record(recorder, label, &binds, times)?;
        }
        self.record_fog_behind(recorder, target, (label, times))
    }

    /// Specialises a method for this frame's lists, with lengths by `counters`.
    pub fn composite(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        specialization: Specialization,
        counters: &Counters,
    ) -> Result<Composite> {
        let extent = self.extent(counters.longest_list, counters.listed_layers);
        Composite::new(gpu, pipelines, specialization, extent)
    }

    /// Facts for the choice of `auto`, given this frame's counters.
    pub fn facts(&self, counters: &Counters) -> Facts {
        let [width, height] = self.shape().size;
        Facts {
            pixels: width * height,
            mean: f64::from(counters.listed_layers) / f64::from(self.tiles()),
            longest: counters.longest_list,
            layers: self.shape().layers(),
        }
    }
}
