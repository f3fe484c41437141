//! Work that the window must not wait for: files, comparison sets, calibrations, benchmarks. Each piece
//! runs on a thread, which reports over a channel; the window asks for news once a frame.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::auto::Calibration;
use crate::error::{Error, Result};

use super::maps::Maps;

/// A message from a thread to the window.
pub enum News {
    /// What it is doing.
    Progress(String),
    /// It is done: what it made, or why it failed.
    Done(Result<Made>),
}

/// What a piece of work made.
pub enum Made {
    /// Files; the line says which.
    Files(String),
    /// A calibration, and the file that keeps it for the next start.
    Calibration(Box<Calibration>, Result<PathBuf>),
    /// The maps of a benchmark record.
    Maps(Maps),
}

/// The threads at work, and the messages from them.
pub struct Background {
    sender: Sender<News>,
    news: Receiver<News>,
    started: Vec<JoinHandle<()>>,
    busy: Option<String>,
}

impl Default for Background {
    fn default() -> Self {
        let (sender, news) = channel();
        Self {
            sender,
            news,
            started: Vec::new(),
            busy: None,
        }
    }
}

impl Background {
    /// Runs a short piece of work, such as writing a file. The window waits for it when it closes.
    ///
    /// # Errors
    /// The system has no thread left .
    pub fn start(&mut self, work: impl FnOnce() -> Result<Made> + Send + 'static) -> Result<()> {
        let sender = self.sender.clone();
        let thread = std::thread::Builder::new().name("files".to_owned());
        let handle = thread.spawn(move || {
            // Sending fails only when the window is gone, and then nobody needs the news.
            let _ = sender.send(News::Done(work()));
        });
        self.started.retain(|thread| !thread.is_finished());
        self.started.push(handle.map_err(no_thread)?);
        Ok(())
    }

    /// Runs a long piece of work. Only one runs at a time, and the window does not draw the scene meanwhile.
    ///
    /// # Errors
    /// Another one is under way , or the system has no thread left.
    pub fn occupy(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut dyn FnMut(String)) -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        if let Some(busy) = &self.busy {
            return Err(Error::usage(format!("still at work: {busy}")));
        }
        let sender = self.sender.clone();
        let thread = std::thread::Builder::new().name(what.to_owned());
        thread
            .spawn(move || {
                let mut progress = |line| {
                    let _ = sender.send(News::Progress(line));
                };
                let result = work(&mut progress);
                let _ = sender.send(News::Progress(String::new()));
                let _ = sender.send(News::Done(result));
            })
            .map_err(no_thread)?;
        self.busy = Some(what.to_owned());
        Ok(())
    }

    /// What the long piece of work is doing, if one is under way.
    pub fn busy(&self) -> Option<&str> {
        self.busy.as_deref()
    }

    /// What was finished since the last call.
    pub fn finished(&mut self) -> Vec<Result<Made>> {
        let mut finished = Vec::new();
        while let Ok(news) = self.news.try_recv() {
            match news {
                News::Progress(line) => self.busy = (!line.is_empty()).then_some(line),
                News::Done(result) => finished.push(result),
            }
        }
        finished
    }

    /// Waits until all short work is done.
    pub fn close(&mut self) {
        for thread in self.started.drain(..) {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

fn no_thread(error: std::io::Error) -> Error {
    Error::failed(format!("no thread to work on: {error}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn files(words: &str) -> Result<Made> {
        Ok(Made::Files(words.to_owned()))
    }

    fn finished(background: &mut Background) -> Vec<String> {
        let words = |made| match made {
            Ok(Made::Files(words)) => words,
            _ => panic!("these make files"),
        };
        for _ in 0..500 {
            let results = background.finished();
            if !results.is_empty() && background.busy().is_none() {
                return results.into_iter().map(words).collect();
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        Vec::new()
    }

    #[test]
    fn one_long_work_at_a_time_and_the_next_after_it() {
        let mut background = Background::default();
        let (go, wait) = channel::<()>();
        background
            .occupy("first", move |progress| {
                progress("half-way".to_owned());
                wait.recv().map_err(|e| Error::failed(e.to_string()))?;
                files("made")
            })
            .unwrap();
        let refused = background.occupy("second", |_| files(""));
        assert!(refused.unwrap_err().message.contains("still at work"));
        go.send(()).unwrap();
        let results = finished(&mut background);
        assert_eq!(results, ["made"]);
        assert!(background.occupy("third", |_| files("")).is_ok());
    }

    #[test]
    fn closing_waits_for_what_is_being_written() {
        let mut background = Background::default();
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("late");
        let target = path.clone();
        background
            .start(move || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                std::fs::write(&target, "x").map_err(|e| Error::failed(e.to_string()))?;
                files("")
            })
            .unwrap();
        background.close();
        assert!(path.exists());
    }
}
