//! A thread that polls a shader folder a few times a second. It compares contents, so the way in which an editor saves
//! files does not matter; a change counts once the folder has been the same for two polls.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::folder;
use super::variant::Texts;
use crate::error::{Error, Result};
use crate::workers::BackgroundThread;

/// Pause between two polls.
const PAUSE: Duration = Duration::from_millis(150);

/// A watched folder; dropping the value stops the watch.
pub struct Watch {
    _thread: BackgroundThread,
    changes: Receiver<Texts>,
}

impl Watch {
    /// Watches `folder`, which had the given texts before.
    pub fn start(folder: &Path, texts: Texts) -> Result<Self> {
        let (sender, changes) = channel();
        let (at, mut seen, mut sent) = (folder.to_owned(), texts.clone(), texts);
        let thread = BackgroundThread::start("shaders", move |goes_on| {
            while goes_on() {
                let now = folder::read(&at);
                if now == seen && now != sent {
                    sent.clone_from(&now);
                    // If the window has been closed, nobody receives the texts.
                    let _ = sender.send(now.clone());
                }
                seen = now;
                std::thread::sleep(PAUSE);
            }
        });
        let failed = |error| {
            let folder = folder.display();
            Error::failed(format!("cannot start a thread to watch {folder}: {error}"))
        };
        Ok(Self {
            _thread: thread.map_err(failed)?,
            changes,
        })
    }

    /// Texts of the folder after the latest change since the last call, if any.
    pub fn change(&self) -> Option<Texts> {
        self.changes.try_iter().last()
    }
}
