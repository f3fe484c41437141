//! Work that the window must not wait for: files, comparison sets, benchmarks. Each piece
//! runs on a thread, which reports over a channel; the window asks for news once a frame.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::error::{Error, Result};
use crate::progress::{Listener, Progress, seconds_left};

use super::dock::Pane;
use super::flip::Flip;
use super::loading::Loaded;
use super::maps::Maps;
use super::picking::Pick;
use super::staging::Staged;

/// A message from a thread to the window.
enum News {
    /// How far the long piece of work is.
    Progress(Progress),
    Done(Box<Finished>),
}

/// A piece of work that is done.
pub struct Finished {
    pub asked_in: Pane,
    /// What it made, or why it failed.
    pub made: Result<Made>,
    /// What kind of work it was, if it was the long one.
    pub long: Option<Work>,
}

/// What a piece of work made.
pub enum Made {
    /// A file or a folder, and a few words on what was done before its path: "saved".
    Files(String, PathBuf),
    /// The choice of a path in a dialog; none where the user has cancelled.
    Chosen(Pick, Option<PathBuf>),
    Maps(Maps),
    /// How different A and B look.
    Flip(Box<Flip>),
    /// Another scene, and the frame that draws it.
    Scene(Box<(Loaded, Staged)>),
}

/// The kinds of long work: what they leave to the window meanwhile, and what becomes of them when it closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Files are written. The window draws no scene meanwhile, and waits for them when it closes: the user would miss them.
    Files,
    /// Something is measured. The window draws no scene meanwhile, and cuts it off when it closes: it can be done again.
    Measurement,
    /// A scene is read, while the window goes on drawing the one before. It is cut off, too.
    Scene,
}

/// A long piece of work under way.
struct Long {
    name: String,
    kind: Work,
    thread: JoinHandle<()>,
    since: Instant,
    /// Set by the window to end the work at its next step.
    is_cancelled: Arc<AtomicBool>,
}

/// The threads at work, and the messages from them.
pub struct Background {
    sender: Sender<News>,
    news: Receiver<News>,
    started: Vec<JoinHandle<()>>,
    /// The thread of a dialog, which ends when the user closes that.
    dialog: Option<JoinHandle<()>>,
    long: Option<Long>,
    busy: Option<Progress>,
}

impl Default for Background {
    fn default() -> Self {
        let (sender, news) = channel();
        Self {
            sender,
            news,
            started: Vec::new(),
            dialog: None,
            long: None,
            busy: None,
        }
    }
}

impl Background {
    /// Runs a short piece of work, which closing waits for. A failure is shown in the pane that asked for it.
    pub fn start(
        &mut self,
        asked_in: Pane,
        work: impl FnOnce() -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        let handle = self.spawn("files", asked_in, work)?;
        self.started.retain(|thread| !thread.is_finished());
        self.started.push(handle);
        Ok(())
    }

    /// Shows a dialog and waits for its end. Only one is there at a time, and the window does not wait for it when it
    /// closes.
    ///
    /// # Errors
    /// One is there already, or the system has no thread left.
    pub fn show(
        &mut self,
        asked_in: Pane,
        dialog: impl FnOnce() -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        let is_there = |thread: &JoinHandle<()>| !thread.is_finished();
        if self.dialog.as_ref().is_some_and(is_there) {
            return Err(Error::usage(
                "a file dialog is already open: close it first",
            ));
        }
        self.dialog = Some(self.spawn("dialog", asked_in, dialog)?);
        Ok(())
    }

    fn spawn(
        &self,
        name: &str,
        asked_in: Pane,
        work: impl FnOnce() -> Result<Made> + Send + 'static,
    ) -> Result<JoinHandle<()>> {
        let sender = self.sender.clone();
        let thread = std::thread::Builder::new().name(name.to_owned());
        let handle = thread.spawn(move || {
            // Sending fails only when the window is gone, and then nobody needs the news.
            let _ = sender.send(News::Done(Box::new(Finished {
                asked_in,
                made: work(),
                long: None,
            })));
        });
        handle.map_err(no_thread)
    }

    /// Refuses what would disturb a long piece of work.
    pub fn refuse_while_busy(&self) -> Result<()> {
        match &self.busy {
            Some(busy) => Err(Error::usage(format!("still at work: {}", busy.next))),
            None => Ok(()),
        }
    }

    /// Runs a long piece of work. Only one runs at a time.
    pub fn occupy(
        &mut self,
        (asked_in, what): (Pane, &str),
        kind: Work,
        work: impl FnOnce(Listener) -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        self.refuse_while_busy()?;
        let sender = self.sender.clone();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (name, asked) = (what.to_owned(), Arc::clone(&is_cancelled));
        let thread = std::thread::Builder::new().name(name.clone());
        let thread = thread
            .spawn(move || {
                let mut progress = |at: Progress| {
                    if asked.load(Ordering::Relaxed) {
                        return Err(Error::failed(format!("{name}: stopped and discarded")));
                    }
                    let next = format!("{name}: {}", at.next);
                    let _ = sender.send(News::Progress(Progress { next, ..at }));
                    Ok(())
                };
                let _ = sender.send(News::Done(Box::new(Finished {
                    asked_in,
                    made: work(&mut progress),
                    long: Some(kind),
                })));
            })
            .map_err(no_thread)?;
        self.busy = Some(Progress::step(what, 0, 1));
        self.long = Some(Long {
            name: what.to_owned(),
            kind,
            thread,
            since: Instant::now(),
            is_cancelled,
        });
        Ok(())
    }

    /// How far the long piece of work is, if one is under way.
    pub fn busy(&self) -> Option<Progress> {
        let at = self.busy.clone()?;
        let spent = self.long.as_ref().map(|long| long.since.elapsed());
        let estimate = || seconds_left(spent?, at.done);
        Some(Progress {
            left: at.left.or_else(estimate),
            ..at
        })
    }

    /// The long piece of work that is under way.
    fn long(&self) -> Option<&Long> {
        self.long.as_ref().filter(|_| self.busy.is_some())
    }

    /// Whether a long piece of work is under way that the window does not draw the scene beside.
    pub fn holds_the_picture(&self) -> bool {
        self.long().is_some_and(|long| long.kind != Work::Scene)
    }

    /// Whether a scene is being read.
    pub fn is_loading(&self) -> bool {
        self.long().is_some_and(|long| long.kind == Work::Scene)
    }

    /// Ends the long piece of work at its next step.
    pub fn cancel(&self) {
        if let Some(long) = &self.long {
            long.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// What was finished since the last call.
    pub fn finished(&mut self) -> Vec<Finished> {
        let mut finished = Vec::new();
        while let Ok(news) = self.news.try_recv() {
            match news {
                News::Progress(at) => self.busy = Some(at),
                News::Done(done) => {
                    if done.long.is_some() {
                        self.busy = None;
                    }
                    finished.push(*done);
                }
            }
        }
        finished
    }

    /// The name of the long piece of work that [`Background::close`] would wait for, if one is under way.
    pub fn waits_for(&self) -> Option<&str> {
        let is_at_work = |long: &&Long| long.kind == Work::Files && !long.thread.is_finished();
        Some(&self.long().filter(is_at_work)?.name)
    }

    /// Waits until all work is done, but for a long piece that is to be cut off. Returns the name of that one.
    pub fn close(&mut self) -> Option<String> {
        let busy = self.busy.take();
        let long = self.long.take().filter(|_| busy.is_some());
        let (wait, cut) = match long {
            Some(long) if long.kind == Work::Files => (Some(long.thread), None),
            long => (None, long.map(|long| long.name)),
        };
        for thread in self.started.drain(..).chain(wait) {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
        cut
    }
}

fn no_thread(error: std::io::Error) -> Error {
    Error::failed(format!("cannot start a thread: {error}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn files(words: &str) -> Result<Made> {
        Ok(Made::Files(words.to_owned(), PathBuf::new()))
    }

    /// Work that makes files once something comes through `go`, or fails where that is dropped.
    fn waiting() -> (
        Sender<()>,
        impl FnOnce(Listener) -> Result<Made> + Send + 'static,
    ) {
        let (go, wait) = channel();
        let work = move |progress: Listener| {
            progress(Progress::step("half-way", 1, 2))?;
            wait.recv().map_err(|e| Error::failed(e.to_string()))?;
            files("made")
        };
        (go, work)
    }

    fn next(background: &mut Background) -> Finished {
        let next = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            background.finished().pop()
        });
        next.unwrap()
    }

    fn is_made(finished: &Finished) -> bool {
        matches!(&finished.made, Ok(Made::Files(words, _)) if words == "made")
    }

    #[test]
    fn one_long_work_at_a_time_and_the_next_after_it() {
        let mut background = Background::default();
        let (go, work) = waiting();
        let [first, second, third] = ["first", "second", "third"].map(|name| (Pane::Files, name));
        background.occupy(first, Work::Measurement, work).unwrap();
        let refused = background.occupy(second, Work::Measurement, |_| files(""));
        assert!(refused.unwrap_err().message.contains("still at work"));
        while background.busy().is_some_and(|at| at.done < 0.5) {
            let none = background.finished();
            assert!(none.is_empty());
        }
        let at = background.busy().unwrap();
        assert_eq!(
            (at.next.as_str(), at.left.is_some()),
            ("first: half-way", true)
        );
        go.send(()).unwrap();
        assert!(is_made(&next(&mut background)));
        let after = background.occupy(third, Work::Measurement, |_| files(""));
        assert!(after.is_ok());
    }

    #[test]
    fn work_that_is_cancelled_ends_at_its_next_step_and_says_so() {
        let mut background = Background::default();
        let steps = |progress: Listener| {
            for step in 0..100_000 {
                progress(Progress::step("step", step, 100_000))?;
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            files("made")
        };
        let set = (Pane::Files, "set");
        background.occupy(set, Work::Files, steps).unwrap();
        background.cancel();
        let ended = next(&mut background);
        assert_eq!(ended.asked_in, Pane::Files);
        let said = ended.made.err().unwrap().message;
        assert!(said.contains("set: stopped"), "{said}");
        assert_eq!(background.busy(), None);
    }

    #[test]
    fn the_picture_goes_on_while_a_scene_is_read_and_not_beside_other_long_work() {
        for kind in [Work::Scene, Work::Measurement, Work::Files] {
            let mut background = Background::default();
            let (go, work) = waiting();
            let what = (Pane::Scene, "garden.ply");
            background.occupy(what, kind, work).unwrap();
            assert!(background.busy().is_some());
            assert_eq!(background.is_loading(), kind == Work::Scene);
            assert_eq!(background.holds_the_picture(), kind != Work::Scene);
            go.send(()).unwrap();
            assert!(is_made(&next(&mut background)));
            assert!(!background.is_loading() && !background.holds_the_picture());
        }
    }

    #[test]
    fn a_second_dialog_is_refused_and_closing_waits_for_none() {
        let mut background = Background::default();
        let (end, wait) = channel::<()>();
        let open = move || {
            wait.recv().map_err(|e| Error::failed(e.to_string()))?;
            Ok(Made::Chosen(Pick::Open, None))
        };
        background.show(Pane::Scene, open).unwrap();
        let second = background.show(Pane::Scene, || Ok(Made::Chosen(Pick::Open, None)));
        assert!(second.unwrap_err().message.contains("already open"));
        assert_eq!(background.close(), None);
        assert!(background.finished().is_empty(), "the user has not chosen");
        end.send(()).unwrap();
        let made = next(&mut background).made;
        assert!(matches!(made, Ok(Made::Chosen(Pick::Open, None))));
    }

    #[test]
    fn closing_waits_for_what_is_being_written() {
        let mut background = Background::default();
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("late");
        let target = path.clone();
        background
            .start(Pane::Files, move || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                std::fs::write(&target, "x").map_err(|e| Error::failed(e.to_string()))?;
                files("")
            })
            .unwrap();
        assert_eq!(background.close(), None);
        assert!(path.exists());
    }

    #[test]
    fn closing_waits_for_a_set_of_pictures_and_cuts_a_measurement_off_by_name() {
        let late = |name: &'static str, kind| {
            let mut background = Background::default();
            let (done, is_done) = channel();
            let work = move |_: Listener| {
                std::thread::sleep(std::time::Duration::from_millis(50));
                done.send(()).map_err(|e| Error::failed(e.to_string()))?;
                files("")
            };
            let what = (Pane::Files, name);
            background.occupy(what, kind, work).unwrap();
            let waits = background.waits_for().map(str::to_owned);
            let cut = background.close();
            (waits, cut, is_done.try_recv().is_ok())
        };
        let set = late("set", Work::Files);
        assert_eq!(set, (Some("set".to_owned()), None, true));
        let measurement = late("benchmark", Work::Measurement);
        assert_eq!(measurement, (None, Some("benchmark".to_owned()), false));
    }
}
