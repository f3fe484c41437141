//! Work that the window must not wait for: writing pictures, making a comparison set. Threads report
//! over a channel; the window asks for news once a frame.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::error::{Error, Result};

/// What a thread has to say.
pub enum News {
    /// What it is doing.
    Progress(String),
    /// It is done: what it made, in words, or why it failed.
    Done(Result<String>),
}

/// Threads at work.
pub struct Background {
    sender: Sender<News>,
    news: Receiver<News>,
    writers: Vec<JoinHandle<()>>,
    busy: Option<String>,
}

impl Default for Background {
    fn default() -> Self {
        let (sender, news) = channel();
        Self {
            sender,
            news,
            writers: Vec::new(),
            busy: None,
        }
    }
}

impl Background {
    /// Runs a short piece of work that is waited for when the window closes.
    ///
    /// # Errors
    /// The system has no thread left (exit code 1).
    pub fn write(&mut self, work: impl FnOnce() -> Result<String> + Send + 'static) -> Result<()> {
        let sender = self.sender.clone();
        let thread = std::thread::Builder::new().name("writer".to_owned());
        let handle = thread.spawn(move || {
            // Nobody listens any more when the window is gone.
            let _ = sender.send(News::Done(work()));
        });
        self.writers.retain(|writer| !writer.is_finished());
        self.writers.push(handle.map_err(no_thread)?);
        Ok(())
    }

    /// Runs a long piece of work, one at a time; the window does not draw the scene meanwhile.
    ///
    /// # Errors
    /// Another one is under way (exit code 2), or the system has no thread left (1).
    pub fn occupy(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut dyn FnMut(String)) -> Result<String> + Send + 'static,
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
    pub fn finished(&mut self) -> Vec<Result<String>> {
        let mut finished = Vec::new();
        while let Ok(news) = self.news.try_recv() {
            match news {
                News::Progress(line) => self.busy = (!line.is_empty()).then_some(line),
                News::Done(result) => finished.push(result),
            }
        }
        finished
    }

    /// Waits for what is being written.
    pub fn close(&mut self) {
        for writer in self.writers.drain(..) {
            // A thread that panicked has said so on standard error.
            let _ = writer.join();
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

    fn finished(background: &mut Background) -> Vec<Result<String>> {
        for _ in 0..500 {
            let results = background.finished();
            if !results.is_empty() && background.busy().is_none() {
                return results;
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
                Ok("made".to_owned())
            })
            .unwrap();
        let refused = background.occupy("second", |_| Ok(String::new()));
        assert!(refused.unwrap_err().message.contains("still at work"));
        go.send(()).unwrap();
        let results = finished(&mut background);
        assert_eq!(results[0].as_ref().unwrap(), "made");
        assert!(background.occupy("third", |_| Ok(String::new())).is_ok());
    }

    #[test]
    fn closing_waits_for_what_is_being_written() {
        let mut background = Background::default();
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("late");
        let target = path.clone();
        background
            .write(move || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                std::fs::write(&target, "x").map_err(|e| Error::failed(e.to_string()))?;
                Ok(String::new())
            })
            .unwrap();
        background.close();
        assert!(path.exists());
    }
}
