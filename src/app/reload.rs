//! Shaders that change while the window shows them: taken up between frames, and given up again when a
//! frame fails with them.

use std::sync::Arc;

use crate::error::{Error, Kind};
use crate::gpu::reload::Rebuilt;
use crate::gpu::shader::ShaderSource;
use crate::gpu::watch::Watch;
use crate::gpu::{Pipelines, folder};

use super::Shaders;
use super::code::CodePage;
use super::demo::Demo;
use super::shaders::{Freshness, ShaderStatus};

/// Messages about what does not compile that are shown of one change.
const SHOWN_FAULTS: usize = 4;

/// What the window knows of its shaders' folder.
pub(super) struct Reloading {
    shaders: Shaders,
    watch: Option<Watch>,
    pub(super) status: ShaderStatus,
    /// Whether a frame has been drawn with them.
    drawn: bool,
}

impl Reloading {
    /// Reads the folder, and makes a place for pipelines of it.
    pub(super) fn start(shaders: Shaders) -> (Self, Arc<Pipelines>) {
        let texts = shaders.folder.as_deref().map(folder::read);
        let texts = texts.unwrap_or_default();
        let files = folder::summary(&texts);
        let pipelines = Pipelines::new(ShaderSource {
            texts,
            ..ShaderSource::default()
        });
        let of = shaders.folder.as_deref().map(|at| (at, files.as_str()));
        let reloading = Self {
            status: ShaderStatus::new(of),
            shaders,
            watch: None,
            drawn: false,
        };
        (reloading, Arc::new(pipelines))
    }

    /// What measurements that are kept run with: the embedded shaders, or those asked for by name.
    pub(super) fn fixed(&self) -> ShaderSource {
        let folder = self.shaders.folder.clone();
        ShaderSource {
            folder: folder.filter(|_| self.shaders.given),
            ..ShaderSource::default()
        }
    }
}

impl Demo {
    /// Watches the folder for the pipelines that there are now, and says where shaders come from.
    pub(super) fn watch_shaders(&mut self) {
        let origin = self.reloading.status.origin.clone();
        let Some(at) = &self.reloading.shaders.folder else {
            return self.say_of_shaders(origin, true);
        };
        // One thread at a time.
        self.reloading.watch = None;
        let watch = Watch::start(at, &self.gpu, &self.pipelines);
        self.say_of_shaders(origin, false);
        match watch {
            Ok(watch) => self.reloading.watch = Some(watch),
            Err(error) => self.say_of_shaders(error.to_string(), true),
        }
        self.follow_folder();
    }

    /// Says something in the log, and on standard error too if it `matters` there.
    fn say_of_shaders(&mut self, line: String, matters: bool) {
        if matters && self.reloading.shaders.echo {
            eprintln!("{line}");
        }
        self.state.say(line);
    }

    /// Puts pipelines into use that were made anew since the last frame. Not during a measurement, whose
    /// rounds belong together.
    pub(super) fn take_up_shaders(&mut self) {
        if !self.measuring()
            && let Some(rebuilt) = self.reloading.watch.as_ref().and_then(Watch::change)
        {
            self.take_up(rebuilt);
            self.follow_folder();
        }
        for line in self.pipelines.said() {
            self.shaders_failed(line);
        }
    }

    fn take_up(&mut self, rebuilt: Rebuilt) {
        let files: Vec<String> = rebuilt.changed.iter().map(|m| file_of(m)).collect();
        let (files, count) = (files.join(", "), pipelines(rebuilt.stale.len()));
        let faults: Vec<String> = rebuilt.faults.iter().map(|fault| fault.line()).collect();
        let seconds = rebuilt.took.as_secs_f64();
        if !self.pipelines.take_up(rebuilt) {
            let failing = faults.len();
            let what = format!(
                "{files}: {failing} of {count} cannot be rebuilt; all stay as they were, the last good ones"
            );
            return self.refuse(what, faults);
        }
        let (freshness, what) = match files.is_empty() {
            true => (
                Freshness::Unchanged,
                "a change that nothing in use depends on, or one that was undone".to_owned(),
            ),
            false => (
                Freshness::Fresh,
                format!("rebuilt {count} in {seconds:.1} s: {files}"),
            ),
        };
        self.reloading.status.happened(freshness, what.clone());
        self.say_of_shaders(format!("shaders: {what}"), false);
    }

    /// Says why a change is not taken up: each reason once.
    fn refuse(&mut self, what: String, mut reasons: Vec<String>) {
        reasons.sort();
        reasons.dedup();
        let more = reasons.len().saturating_sub(SHOWN_FAULTS);
        reasons.truncate(SHOWN_FAULTS);
        if more > 0 {
            reasons.push(format!("and {more} more"));
        }
        let all = format!("{what}\n{}", reasons.join("\n"));
        let status = &mut self.reloading.status;
        status.happened(Freshness::Failed, all.clone());
        if self.reloading.shaders.echo {
            eprintln!("{all}");
        }
        self.state.announce(all);
    }

    fn shaders_failed(&mut self, line: String) {
        let status = &mut self.reloading.status;
        status.happened(Freshness::Failed, line.clone());
        self.say_of_shaders(line, true);
    }

    /// After a good frame.
    pub(super) fn keep_shaders(&mut self) {
        self.pipelines.keep();
        self.reloading.drawn = true;
    }

    /// After a frame that failed: if shaders may be to blame, what was in use before comes back.
    pub(super) fn doubt_shaders(&mut self, error: &Error) {
        let back = self.pipelines.put_back();
        if !back.is_empty() {
            let what = format!(
                "{} cannot be drawn with; what was in use before is back",
                pipelines(back.len())
            );
            return self.refuse(what, vec![error.to_string()]);
        }
        self.state.say(error.to_string());
        if self.reloading.drawn || error.kind != Kind::Failed {
            return;
        }
        match self.pipelines.use_embedded(&self.gpu) {
            Ok(false) => {}
            Ok(true) => self.shaders_failed(format!(
                "the folder's shaders do not work with this program, the embedded ones are used until they \
                 change: {error}"
            )),
            Err(error) => self.state.say(error.to_string()),
        }
        self.follow_folder();
    }

    /// Remembers, for command lines, whether what is shown is not what the program holds; the page of
    /// generated code is of what is shown.
    fn follow_folder(&mut self) {
        let source = self.pipelines.source();
        self.state.code = CodePage::new(ShaderSource::clone(&source));
        let edited = source.texts.keys().any(|module| source.differs(module));
        let folder = self.reloading.shaders.folder.clone();
        self.state.edited_shaders = folder.filter(|_| edited);
    }
}

fn file_of(module: &str) -> String {
    format!("shaders/{module}.wesl")
}

fn pipelines(count: usize) -> String {
    match count {
        1 => "1 pipeline".to_owned(),
        _ => format!("{count} pipelines"),
    }
}
