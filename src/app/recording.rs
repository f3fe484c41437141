//! F12: a frame of the window by each method shown, recorded for RenderDoc.

use std::path::Path;

use crate::capture::RECORDINGS;
use crate::error::{Error, Result};
use crate::gpu::renderdoc::{self, Recording};
use crate::methods::Method;
use crate::render::live::Wanted;

use super::demo::Demo;

/// A frame under way into a file.
pub(super) struct RecordedFrame {
    method: Method,
    recording: Recording,
}

impl Demo {
    /// Asks for a frame by each method shown, one after the other.
    ///
    /// # Errors
    /// RenderDoc is not attached (exit code 1), or the next frames are not those on screen (2).
    pub(super) fn ask_for_recordings(&mut self) -> Result<()> {
        renderdoc::require()?;
        if self.measuring() {
            return Err(Error::usage("methods are being measured: record after it"));
        }
        if let Some(busy) = self.background.busy() {
            return Err(Error::usage(format!("still at work: {busy}")));
        }
        let shown = std::iter::once(self.state.left()).chain(self.state.right());
        self.wanted_recordings = shown.collect();
        Ok(())
    }

    /// Starts to record the frame that comes, if one is asked for.
    ///
    /// # Errors
    /// As [`Recording::start`]; the others asked for are forgotten.
    pub(super) fn start_recording(&mut self) -> Result<Option<RecordedFrame>> {
        let Some(method) = self.wanted_recordings.pop_front() else {
            return Ok(None);
        };
        let scene = self.state.settings.scene_name();
        let name = renderdoc::file_name(&scene, method.name());
        let recording = Recording::start(&Path::new(RECORDINGS).join(name));
        let recording = recording.inspect_err(|_| self.wanted_recordings.clear())?;
        Ok(Some(RecordedFrame { method, recording }))
    }

    /// The frame as it is recorded: by the one method, with nothing that looks at it.
    pub(super) fn wanted_for(&self, recorded: &RecordedFrame) -> Wanted {
        let specialization = self.state.settings_now().knobs.specialize(recorded.method);
        Wanted {
            methods: [Some(specialization), None],
            metrics: None,
            debug: None,
            probe: None,
            ..self.wanted()
        }
    }

    /// Ends the recording of a frame that was shown; one that was not is tried again.
    ///
    /// # Errors
    /// As [`Recording::finish`], or the device failed (exit code 1).
    pub(super) fn end_recording(&mut self, recorded: RecordedFrame, was_shown: bool) -> Result<()> {
        if !was_shown {
            self.wanted_recordings.push_front(recorded.method);
            return Ok(());
        }
        self.gpu.wait()?;
        let path = recorded.recording.finish()?;
        self.state.announce(format!("recorded {}", path.display()));
        Ok(())
    }
}
