//! What a live frame puts into its command buffers.

use crate::error::Result;
use crate::gpu::{Gpu, Pipelines, Recorded, Recorder};
use crate::model::passes::Inputs;

use super::{Live, Wanted};

impl Live {
    /// Records a frame: the scene up to `inputs`, methods, what `auto` tries, and what looks at them.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        wanted: &Wanted,
        inputs: Inputs,
    ) -> Result<Recorded> {
        let (shown, scratch) = (&mut self.shown, self.scratch.as_ref());
        let mut recorder = Recorder::new(gpu, &mut self.profiler, "frame");
        shown.record(gpu, &mut recorder, wanted, inputs, scratch)?;
        self.trials.record(&mut recorder, shown, scratch)?;
        let asked = self.trials.asked;
        self.looking
            .record(gpu, &mut recorder, wanted, shown, scratch, asked)?;
        shown.read_back(gpu, &mut recorder, wanted, inputs);
        Ok(recorder.finish())
    }

    /// Records one method for its time alone: a candidate of `auto` first, then one shown that has too few times.
    pub(super) fn record_times(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        wanted: &Wanted,
    ) -> Result<Option<Recorded>> {
        let tried = self
            .trials
            .alone(gpu, pipelines, &mut self.shown.composites);
        if tried.is_some() {
            self.make_scratch(gpu);
        }
        let mut recorder = Recorder::new(gpu, &mut self.profiler, "times");
        match (tried, &self.scratch) {
            (Some((key, of)), Some(scratch)) => {
                recorder.key = Some(key);
                self.shown.record_composite(&mut recorder, of, scratch, 1)?;
                self.trials.choosing.begin_try(&[(key, of)]);
            }
            _ => {
                let Some(again) = self.shown.wants_times(wanted) else {
                    return Ok(None);
                };
                self.shown.record_again(&mut recorder, again)?;
            }
        }
        Ok(Some(recorder.finish()))
    }
}
