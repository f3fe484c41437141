//! A thread that looks at a folder of shaders a few times a second and makes what depends on changed files
//! anew. It compares contents, so it does not matter how an editor writes; a change counts once the folder
//! has looked the same twice.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::reload::Rebuilt;
use crate::error::{Error, Result};
use crate::gpu::Pipelines;
use crate::gpu::shader::folder;
use crate::gpu::shader::variant::Texts;
use crate::workers::BackgroundThread;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(150);

/// A folder that is watched until this is dropped.
pub struct Watch {
    _thread: BackgroundThread,
    changes: Receiver<Rebuilt>,
}

struct Watcher {
    folder: PathBuf,
    pipelines: Arc<Pipelines>,
    sender: Sender<Rebuilt>,
    /// As the folder looked last.
    seen: Texts,
    /// As it looked when it was dealt with last, and what was stale then.
    done: (Texts, Vec<String>),
}

impl Watch {
    /// Watches `folder` for the pipelines, which were made of texts read there.
    pub fn start(folder: &Path, pipelines: &Arc<Pipelines>) -> Result<Self> {
        let texts = pipelines.source().texts.clone();
        let (sender, changes) = channel();
        let mut watcher = Watcher {
            folder: folder.to_owned(),
            pipelines: Arc::clone(pipelines),
            sender,
            seen: texts.clone(),
            done: (texts, Vec::new()),
        };
        let thread = BackgroundThread::start("shaders", move |goes_on| watcher.run(goes_on));
        let failed = |error| {
            let folder = folder.display();
            Error::failed(format!("cannot start a thread to watch {folder}: {error}"))
        };
        Ok(Self {
            _thread: thread.map_err(failed)?,
            changes,
        })
    }

    /// What became of the next change, if there is one: pipelines made anew, or why they could not be. None
    /// of them where nothing in use is made of other texts than before.
    pub fn change(&self) -> Option<Rebuilt> {
        self.changes.try_recv().ok()
    }
}

impl Watcher {
    fn run(&mut self, goes_on: &dyn Fn() -> bool) {
        while goes_on() {
            let texts = folder::read(&self.folder);
            let is_settled = texts == self.seen;
            self.seen = texts;
            if is_settled {
                self.deal_with(goes_on);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Does what the folder asks for, once.
    fn deal_with(&mut self, goes_on: &dyn Fn() -> bool) {
        let stale = self.pipelines.stale(&self.seen);
        let is_new = self.seen != self.done.0;
        if !is_new && (stale.is_empty() || stale == self.done.1) {
            return;
        }
        self.done = (self.seen.clone(), stale);
        if let Some(rebuilt) = self.pipelines.rebuild(self.seen.clone(), goes_on) {
            // The window is closed, and nobody receives what is sent.
            let _ = self.sender.send(rebuilt);
        }
    }
}
