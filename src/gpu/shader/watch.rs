//! A thread that polls a shader folder a few times a second. It compares contents, so editors may save files in any
//! way. A change counts once two polls find the same contents.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::folder;
use super::variant::Texts;
use crate::error::{Error, Result};
use crate::workers::BackgroundThread;

const PAUSE: Duration = Duration::from_millis(150);

/// A watched folder. Dropping the value stops the watch.
pub struct Watch {
    _thread: BackgroundThread,
    changes: Receiver<Texts>,
}

impl Watch {
    /// Watches `folder`. `texts` are its contents so far.
    pub fn start(folder: &Path, texts: Texts) -> Result<Self> {
        let (sender, changes) = channel();
        let (at, mut seen, mut sent) = (folder.to_owned(), texts.clone(), texts);
        let thread = BackgroundThread::start("shaders", move |goes_on| {
            while goes_on() {
                let now = folder::read(&at);
                if now == seen && now != sent {
                    sent.clone_from(&now);
                    // Sending fails when the window is closed.
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

    /// The folder's texts after the latest change since the last call, if any.
    pub fn change(&self) -> Option<Texts> {
        self.changes.try_iter().last()
    }
}
