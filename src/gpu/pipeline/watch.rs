//! A thread that polls a shader folder a few times a second and remakes everything that depends on changed files. It
//! compares contents, so an editor's way of saving does not matter; a change counts once the folder has been the same
//! for two polls.

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

/// Pause between two polls.
const PAUSE: Duration = Duration::from_millis(150);

/// A watched folder; dropping this stops the watch.
pub struct Watch {
    _thread: BackgroundThread,
    changes: Receiver<Rebuilt>,
}

struct Watcher {
    folder: PathBuf,
    pipelines: Arc<Pipelines>,
    sender: Sender<Rebuilt>,
    /// Contents at the last poll.
    seen: Texts,
    /// Contents when last handled, and the pipelines that were stale then.
    done: (Texts, Vec<String>),
}

impl Watch {
    /// Watches `folder` for the pipelines, which were made from its texts.
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

    /// Result of the next change, if any: remade pipelines, or the errors. Empty if no pipeline in use is affected.
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

    /// Handles the current contents once.
    fn deal_with(&mut self, goes_on: &dyn Fn() -> bool) {
        let stale = self.pipelines.stale(&self.seen);
        let is_new = self.seen != self.done.0;
        if !is_new && (stale.is_empty() || stale == self.done.1) {
            return;
        }
        self.done = (self.seen.clone(), stale);
        if let Some(rebuilt) = self.pipelines.rebuild(self.seen.clone(), goes_on) {
            // If the window is closed, nobody receives this.
            let _ = self.sender.send(rebuilt);
        }
    }
}
