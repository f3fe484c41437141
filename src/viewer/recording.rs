//! Recordings started with F12: one frame of each method shown, recorded with RenderDoc.

use std::collections::VecDeque;
use std::path::Path;

use crate::error::Result;
use crate::gpu::Gpu;
use crate::gpu::device::renderdoc;
use crate::gpu::device::renderdoc::Recording;
use crate::model::methods::Method;
use crate::runs::capture::RECORDINGS;

use super::state::State;

#[derive(Default)]
pub(super) struct Recorder {
    wanted: VecDeque<Method>,
}

pub(super) struct RecordedFrame {
    pub method: Method,
    recording: Recording,
}

impl Recorder {
    pub fn want(&mut self, state: &State) {
        self.wanted = state.comparison.shown().into_iter().flatten().collect();
    }

    pub fn is_wanted(&self) -> bool {
        !self.wanted.is_empty()
    }

    pub fn start(&mut self, state: &State) -> Result<Option<RecordedFrame>> {
        let Some(method) = self.wanted.pop_front() else {
            return Ok(None);
        };
        let name = renderdoc::recording_name(&state.subject.settings.scene_name(), method.name());
        let recording = Recording::start(&Path::new(RECORDINGS).join(name));
        let recording = recording.inspect_err(|_| self.wanted.clear())?;
        Ok(Some(RecordedFrame { method, recording }))
    }

    /// Ends the recording of a shown frame. A frame that was not shown is recorded again.
    pub fn end(
        &mut self,
        recorded: RecordedFrame,
        was_shown: bool,
        gpu: &Gpu,
        state: &mut State,
    ) -> Result<()> {
        if !was_shown {
            self.wanted.push_front(recorded.method);
            return Ok(());
        }
        gpu.wait()?;
        let path = recorded.recording.finish()?;
        state.note_saved("recorded", &path);
        Ok(())
    }
}
