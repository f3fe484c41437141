use crate::error::Result;
use crate::gpu::{Gpu, Recorded, Recorder};
use crate::model::passes::Inputs;

use super::{Live, Wanted};

impl Live {
    /// Records a frame: the scene up to `inputs`, the methods, and the inspections.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        wanted: &Wanted,
        inputs: Inputs,
    ) -> Result<Recorded> {
        let (shown, scratch) = (&mut self.shown, self.scratch.as_ref());
        let profiler = match wanted.untimed {
            true => &mut self.untimed,
            false => &mut self.profiler,
        };
        let mut recorder = match wanted.in_pieces {
            true => Recorder::in_pieces(gpu, profiler, "frame"),
            false => Recorder::new(gpu, profiler, "frame"),
        };
        shown.record(gpu, &mut recorder, wanted, inputs, scratch)?;
        let asked = self.choosing.asked;
        self.looking
            .record(gpu, &mut recorder, wanted, shown, scratch, asked)?;
        shown.read_back(gpu, &mut recorder, wanted, inputs);
        Ok(recorder.finish())
    }

    /// Records a displayed method that has too few times, only to time it.
    pub(super) fn record_times(&mut self, gpu: &Gpu, wanted: &Wanted) -> Result<Option<Recorded>> {
        let Some(again) = self.shown.wants_times(wanted) else {
            return Ok(None);
        };
        let mut recorder = Recorder::new(gpu, &mut self.profiler, "times");
        self.shown.record_again(&mut recorder, again)?;
        Ok(Some(recorder.finish()))
    }
}
