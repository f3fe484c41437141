//! Reads the window's shaders, replaces them when a file changes, and reverts them when a frame fails.

use std::sync::Arc;

use crate::console::say;
use crate::error::Error;
use crate::gpu::Pipelines;
use crate::gpu::shader::provenance::Provenance;
use crate::gpu::shader::watch::Watch;
use crate::gpu::shader::{ShaderSource, folder};

use super::code::CodePage;
use super::messages::Severity;
use super::shaders::{Freshness, ShaderStatus};
use super::staging::{Change, Changed};
use super::start::Shaders;
use super::state::State;

const SHOWN_FAULTS: usize = 4;
/// Messages about a return to earlier shaders.
const NO_FOLDER: &str =
    "the folder's shaders do not work here; using embedded shaders until a file changes";
const NO_EDIT: &str = "cannot draw with the edited shaders; the previous version is back in use";

pub(super) struct Reloading {
    pub shaders: Shaders,
    pub pipelines: Arc<Pipelines>,
    watch: Option<Watch>,
    pub status: ShaderStatus,
    has_said_origin: bool,
    /// Shaders to return to if a frame fails, and the message about that return.
    before: Option<(ShaderSource, &'static str)>,
    back: Option<Change>,
}

impl Reloading {
    /// Reads the folder, but does not compile or watch it yet.
    pub fn start(shaders: Shaders) -> Self {
        let texts = shaders.folder.as_deref().map(folder::read);
        let texts = texts.unwrap_or_default();
        let files = folder::summary(&texts);
        let source = ShaderSource {
            texts,
            ..ShaderSource::default()
        };
        let of = shaders.folder.as_deref().map(|at| (at, files.as_str()));
        Self {
            status: ShaderStatus::new(of),
            shaders,
            before: source.embedded().map(|embedded| (embedded, NO_FOLDER)),
            pipelines: Arc::new(Pipelines::new(source)),
            watch: None,
            has_said_origin: false,
            back: None,
        }
    }

    pub fn shown(&self) -> ShaderSource {
        ShaderSource::clone(&self.pipelines.source())
    }

    /// Switches to the pipelines of another device, and watches the folder for their files.
    pub fn change_device(&mut self, pipelines: Arc<Pipelines>, state: &mut State) {
        self.pipelines = pipelines;
        self.watch(state);
    }

    /// Watches the shaders in use, and reports where they come from.
    pub fn watch(&mut self, state: &mut State) {
        let origin = self.status.origin.clone();
        let is_first = !std::mem::replace(&mut self.has_said_origin, true);
        self.say(state, Severity::Note, origin, is_first);
        let Some(at) = &self.shaders.folder else {
            return;
        };
        // The old watch ends first, so that there is only one thread at a time.
        self.watch = None;
        let watch = Watch::start(at, self.shown().texts);
        match watch {
            Ok(watch) => self.watch = Some(watch),
            Err(error) => self.say(state, Severity::Error, error.to_string(), true),
        }
        self.tell_source(state);
    }

    /// The next change to make, if any: an edit, or a return after a failed frame.
    pub fn change(&mut self) -> Option<Change> {
        let texts = self.watch.as_ref().and_then(Watch::change);
        let edit = texts.map(|texts| Change {
            source: ShaderSource {
                texts,
                ..self.shown()
            },
            why: None,
        });
        let back = self.back.take();
        edit.or(back)
    }

    /// Switches to changed shaders, or reports why they are not used. Returns true if it has switched.
    pub fn take_up(&mut self, changed: &Changed, state: &mut State) -> bool {
        let files = changed.edited.changed.iter();
        let files: Vec<String> = files.map(|of| format!("shaders/{of}.wesl")).collect();
        let files = files.join(", ");
        let count = match changed.edited.stale().len() {
            1 => "1 pipeline".to_owned(),
            count => format!("{count} pipelines"),
        };
        let mut places = changed
            .faults
            .iter()
            .filter_map(|fault| fault.place.as_ref());
        let place = places.next().map(ToString::to_string);
        let faults: Vec<String> = changed.faults.iter().map(|fault| fault.line()).collect();
        let refused = match (&changed.first, faults.len()) {
            (Err(error), _) => Some((format!("cannot draw with {count}"), vec![error.to_string()])),
            (_, 0) => None,
            (_, failing) => Some((format!("{failing} of {count} cannot be rebuilt"), faults)),
        };
        if let Some((what, reasons)) = refused {
            // The failure of the frame has already been reported.
            if changed.why.is_none() {
                let what = format!("{files}: {what}; keeping the last good version of all");
                self.refuse(what, place, reasons, state);
            }
            return false;
        }
        let old = std::mem::replace(&mut self.pipelines, Arc::clone(&changed.edited.pipelines));
        self.tell_source(state);
        if let Some(why) = &changed.why {
            self.failed(why.clone(), state);
            return true;
        }
        self.before = Some((ShaderSource::clone(&old.source()), NO_EDIT));
        let was_broken = self.status.freshness == Freshness::Failed;
        let (freshness, what) = match files.as_str() {
            "" if was_broken => (Freshness::Unchanged, "fixed: same as in use".to_owned()),
            "" => (
                Freshness::Unchanged,
                "no pipeline in use changed".to_owned(),
            ),
            files => {
                let seconds = changed.took.as_secs_f64();
                let what = format!("rebuilt {count} in {seconds:.1} s: {files}");
                (Freshness::Fresh, what)
            }
        };
        self.status.happened(freshness, what.clone());
        let line = format!("shaders: {what}");
        match was_broken {
            // The error itself was also shown above the picture.
            true => state.messages.announce(Severity::Note, line),
            false => state.messages.say(Severity::Note, line),
        }
        true
    }

    /// Reports messages from the pipelines since the last call.
    pub fn report(&mut self, state: &mut State) {
        let said = self.pipelines.said();
        if !said.is_empty() {
            // Embedded files have replaced files of the folder.
            self.tell_source(state);
        }
        for line in said {
            self.failed(line, state);
        }
    }

    /// Requests the earlier shaders after a failed frame. They are used if they can draw the frame.
    pub fn doubt(&mut self, error: &Error, state: &mut State) {
        state.messages.say(Severity::Error, error.to_string());
        if let Some((source, what)) = self.before.take() {
            let why = Some(format!("{what}: {error}"));
            self.back = Some(Change { source, why });
        }
    }

    /// Reports why a change is rejected, with the change's first error. Each reason is reported once.
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

    /// Adds a line to the log, and prints it to standard error if it `matters`.
    fn say(&self, state: &mut State, severity: Severity, line: String, matters: bool) {
        if matters && self.shaders.echo {
            say(&line);
        }
        state.messages.say(severity, line);
    }

    fn tell_source(&self, state: &mut State) {
        let source = self.pipelines.source();
        state.panes.code = CodePage::new(ShaderSource::clone(&source));
        state.machine.shaders = Provenance::of(&source, self.shaders.folder.as_deref());
    }
}
