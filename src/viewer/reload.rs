//! Shaders of the window: read from their folder, swapped between frames when a file changes, and reverted when a
//! frame fails with them. Knows only the state that it reports to.

use std::sync::Arc;

use crate::console::say;
use crate::error::{Error, ErrorKind};
use crate::gpu::Pipelines;
use crate::gpu::pipeline::reload::Rebuilt;
use crate::gpu::pipeline::watch::Watch;
use crate::gpu::shader::provenance::Provenance;
use crate::gpu::shader::{ShaderSource, folder};

use super::code::CodePage;
use super::messages::Severity;
use super::shaders::{Freshness, ShaderStatus};
use super::start::Shaders;
use super::state::State;

const SHOWN_FAULTS: usize = 4;

/// The shaders shown, their pipelines, and the watch over their folder.
pub(super) struct Reloading {
    pub shaders: Shaders,
    pub pipelines: Arc<Pipelines>,
    watch: Option<Watch>,
    pub status: ShaderStatus,
    has_said_origin: bool,
    has_drawn: bool,
}

impl Reloading {
    /// Reads the folder, without compiling or watching yet.
    pub fn start(shaders: Shaders) -> Self {
        let texts = shaders.folder.as_deref().map(folder::read);
        let texts = texts.unwrap_or_default();
        let files = folder::summary(&texts);
        let pipelines = Pipelines::new(ShaderSource {
            texts,
            ..ShaderSource::default()
        });
        let of = shaders.folder.as_deref().map(|at| (at, files.as_str()));
        Self {
            status: ShaderStatus::new(of),
            shaders,
            pipelines: Arc::new(pipelines),
            watch: None,
            has_said_origin: false,
            has_drawn: false,
        }
    }

    pub fn shown(&self) -> ShaderSource {
        ShaderSource::clone(&self.pipelines.source())
    }

    /// Switches to the pipelines of another device, and watches the folder for them.
    pub fn change_device(&mut self, pipelines: Pipelines, state: &mut State) {
        self.pipelines = Arc::new(pipelines);
        self.watch(state);
    }

    /// Watches the folder for the pipelines in use, and reports the source of shaders.
    pub fn watch(&mut self, state: &mut State) {
        let origin = self.status.origin.clone();
        let is_first = !std::mem::replace(&mut self.has_said_origin, true);
        self.say(state, Severity::Note, origin, is_first);
        let Some(at) = &self.shaders.folder else {
            return;
        };
        // One thread at a time.
        self.watch = None;
        let watch = Watch::start(at, &self.pipelines);
        match watch {
            Ok(watch) => self.watch = Some(watch),
            Err(error) => self.say(state, Severity::Error, error.to_string(), true),
        }
        self.tell_source(state);
    }

    /// Switches to rebuilt pipelines between frames, but not during a measurement, whose rounds belong together.
    pub fn take_up(&mut self, state: &mut State) {
        if let Some(rebuilt) = self.watch.as_ref().and_then(Watch::change) {
            self.take_up_rebuilt(rebuilt, state);
            self.tell_source(state);
        }
    }

    fn take_up_rebuilt(&mut self, rebuilt: Rebuilt, state: &mut State) {
        let files = rebuilt.changed.iter();
        let files: Vec<String> = files.map(|of| format!("shaders/{of}.wesl")).collect();
        let (files, count) = (files.join(", "), pipelines(rebuilt.stale.len()));
        let place = rebuilt.faults.iter().find_map(|fault| fault.place.as_ref());
        let place = place.map(ToString::to_string);
        let faults: Vec<String> = rebuilt.faults.iter().map(|fault| fault.line()).collect();
        let seconds = rebuilt.took.as_secs_f64();
        if !self.pipelines.take_up(rebuilt) {
            let failing = faults.len();
            let what = format!(
                "{files}: {failing} of {count} cannot be rebuilt; keeping the last good version of all"
            );
            return self.refuse(what, place, faults, state);
        }
        let was_broken = self.status.freshness == Freshness::Failed;
        let (freshness, what) = match files.as_str() {
            "" if was_broken => (Freshness::Unchanged, "fixed: same as in use".to_owned()),
            "" => (
                Freshness::Unchanged,
                "no pipeline in use changed".to_owned(),
            ),
            files => (
                Freshness::Fresh,
                format!("rebuilt {count} in {seconds:.1} s: {files}"),
            ),
        };
        self.status.happened(freshness, what.clone());
        let line = format!("shaders: {what}");
        match was_broken {
            // Its error was also shown above the picture.
            true => state.messages.announce(Severity::Note, line),
            false => state.messages.say(Severity::Note, line),
        }
    }

    /// Reports messages of the pipelines since the last call.
    pub fn report(&mut self, state: &mut State) {
        let said = self.pipelines.said();
        if !said.is_empty() {
            // Embedded files have replaced others.
            self.tell_source(state);
        }
        for line in said {
            self.failed(line, state);
        }
    }

    /// After a drawn frame: the pipelines in use have proven themselves.
    pub fn keep(&mut self) {
        self.pipelines.keep();
        self.has_drawn = true;
    }

    /// After a failed frame: if shaders may be the cause, reverts to the previous ones.
    pub fn doubt(&mut self, error: &Error, state: &mut State) {
        let back = self.pipelines.put_back();
        if !back.is_empty() {
            let what = format!(
                "cannot draw with {}; the previous version is back in use",
                pipelines(back.len())
            );
            return self.refuse(what, None, vec![error.to_string()], state);
        }
        state.messages.say(Severity::Error, error.to_string());
        if self.has_drawn || error.kind != ErrorKind::Failed {
            return;
        }
        match self.pipelines.use_embedded() {
            Ok(false) => {}
            Ok(true) => self.failed(
                format!(
                    "the folder's shaders do not work with this program; using the embedded ones \
                    until they change: {error}"
                ),
                state,
            ),
            Err(error) => state.messages.say(Severity::Error, error.to_string()),
        }
        self.tell_source(state);
    }

    /// Reports the reason why a change is rejected, with its first error, once per reason.
    fn refuse(
        &mut self,
        what: String,
        place: Option<String>,
        mut reasons: Vec<String>,
        state: &mut State,
    ) {
        reasons.sort();
        reasons.dedup();
        let more = reasons.len().saturating_sub(SHOWN_FAULTS);
        reasons.truncate(SHOWN_FAULTS);
        if more > 0 {
            reasons.push(format!("and {more} more"));
        }
        let all = format!("{what}\n{}", reasons.join("\n"));
        self.status.failed(place, all.clone());
        if self.shaders.echo {
            say(&all);
        }
        state.messages.fail(&all);
    }

    fn failed(&mut self, line: String, state: &mut State) {
        self.status.failed(None, line.clone());
        self.say(state, Severity::Error, line, true);
    }

    /// Adds a line to the log, and to standard error if it `matters` there.
    fn say(&self, state: &mut State, severity: Severity, line: String, matters: bool) {
        if matters && self.shaders.echo {
            say(&line);
        }
        state.messages.say(severity, line);
    }

    /// Records the shaders shown in the state, for command lines and the pane "Code".
    fn tell_source(&self, state: &mut State) {
        let source = self.pipelines.source();
        state.panes.code = CodePage::new(ShaderSource::clone(&source));
        state.machine.shaders = Provenance::of(&source, self.shaders.folder.as_deref());
    }
}

fn pipelines(count: usize) -> String {
    match count {
        1 => "1 pipeline".to_owned(),
        _ => format!("{count} pipelines"),
    }
}
