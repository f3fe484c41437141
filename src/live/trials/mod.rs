//! What `auto` runs, and what it tries: frames composite its choice and the rivals besides what they show, and the
//! fastest runs from then on.

mod choosing;
mod trial;

use super::shown::Shown;
use super::wanted::Wanted;
use crate::error::Result;
use crate::frame::target::Target;
use crate::gpu::{Gpu, Key, Pipelines, Recorder};
use crate::methods::Specialization;
use crate::methods::auto::Choice;
use crate::methods::composite::Composites;
use choosing::Choosing;

pub use choosing::PATIENCE;

/// Candidates that a frame composites for a trial, at most: the picture keeps moving.
const AT_ONCE: usize = 3;

/// The choices and trials of a live frame.
#[derive(Default)]
pub(super) struct Trials {
    pub choosing: Choosing,
    /// What the frame composites for a trial, with the keys of the times.
    tried: Vec<(Key, Specialization)>,
    /// The methods shown, as they were asked for.
    pub asked: [Option<Specialization>; 2],
}

impl Trials {
    /// The request, with every `auto` replaced by the rule's choice.
    pub fn choose(&mut self, gpu: &Gpu, mut wanted: Wanted, shown: &Shown) -> Wanted {
        self.choosing.begin_frame(&wanted.rule);
        self.asked = wanted.methods;
        let (facts, counted) = (shown.facts(), shown.has_counters());
        let mut choose = |asked| {
            let choosing = &mut self.choosing;
            choosing.specialization(&gpu.caps, asked, &facts, counted)
        };
        wanted.methods = wanted.methods.map(|asked| asked.map(&mut choose));
        let shown = wanted.methods.map(|shown| shown.map(|of| of.method));
        let further = wanted.further.map(&mut choose);
        wanted.further = further.filter(|further| !shown.contains(&Some(further.method)));
        if let Some(probe) = &mut wanted.probe {
            probe.methods = probe.methods.iter().copied().map(choose).collect();
        }
        wanted
    }

    /// What was chosen for the methods shown, if `auto` is one of them.
    pub fn choice(&self) -> Option<&Choice> {
        let mut asked = self.asked.iter().flatten();
        asked.find_map(|asked| self.choosing.choice(*asked))
    }

    /// Whether it is still being decided what runs for an `auto` that was asked for in this frame.
    pub fn is_deciding(&self) -> bool {
        !self.choosing.tried(1).is_empty()
    }

    /// What to composite alone for a trial that is under way, in a frame that draws nothing else.
    pub fn alone(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        composites: &mut Composites,
    ) -> Option<(Key, Specialization)> {
        loop {
            let tried = self.choosing.tried(1).pop()?;
            match composites.make(gpu, pipelines, tried.1) {
                Ok(()) => return Some(tried),
                Err(_) => self.choosing.end_trial(),
            }
        }
    }

    /// Prepares a trial: one candidate per frame, because compiling takes long. Frames drawn once, or recorded, try nothing.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        wanted: &Wanted,
        composites: &mut Composites,
    ) {
        self.tried.clear();
        if wanted.once || wanted.draws_all {
            return;
        }
        let tried = self.choosing.tried(AT_ONCE);
        let mut missing = tried.iter().filter(|(_, of)| !composites.has(*of));
        match missing.next() {
            None => self.tried = tried,
            Some((_, of)) => {
                if composites.make(gpu, pipelines, *of).is_err() {
                    self.choosing.end_trial();
                }
            }
        }
    }

    /// Whether the next frame composites something for a trial.
    pub fn tries(&self) -> bool {
        !self.tried.is_empty()
    }

    /// Records what is tried, in a frame that is timed.
    pub fn record(
        &mut self,
        recorder: &mut Recorder,
        shown: &Shown,
        scratch: Option<&Target>,
    ) -> Result<()> {
        let tries = recorder.times() && self.tries();
        let Some(scratch) = scratch.filter(|_| tries) else {
            return Ok(());
        };
        self.choosing.begin_try(&self.tried);
        for &(key, tried) in &self.tried {
            recorder.key = Some(key);
            shown.record_composite(recorder, tried, scratch, 1)?;
        }
        recorder.key = None;
        Ok(())
    }
}
