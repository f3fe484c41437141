//! The window's tasks: files, dialogs, scenes, comparison sets. Which of them exclude each other, and what
//! becomes of them when the window closes.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::progress::{Listener, Progress};
use crate::tasks::{Task, Tasks};

use super::dock::Pane;
use super::flip::Flip;
use super::loading::Loaded;
use super::picking::Pick;
use super::staging::Staged;

pub enum Made {
    /// A file or a folder, and a few words on what was done before its path: "saved".
    Files(String, PathBuf),
    /// The choice of a path in a dialog; none where the user has cancelled.
    Chosen(Pick, Option<PathBuf>),
    /// How different A and B look.
    Flip(Box<Flip>),
    /// Another scene, and the frame that draws it.
    Scene(Box<(Loaded, Staged)>),
}

/// The kinds of tasks. Of the last two, which take long, one runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A file is written, which closing waits for.
    File,
    /// A dialog is open: one at a time. It ends when the user closes it.
    Dialog,
    /// Files are written. The window draws no scene meanwhile, and waits for them when it closes: the user would miss them.
    Files,
    /// A scene is read, while the window goes on drawing the one before. Closing cuts it off: it can be done again.
    Scene,
}

impl Work {
    fn is_long(self) -> bool {
        matches!(self, Work::Files | Work::Scene)
    }
}

/// What a task is, and the pane that asked for it, where its failure is shown.
pub type Job = (Work, Pane);

#[derive(Default)]
pub struct Background(Tasks<Job, Made>);

impl Background {
    pub fn start(
        &mut self,
        asked_in: Pane,
        work: impl FnOnce() -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        self.0
            .submit((Work::File, asked_in), "files", move |_| work())
    }

    /// Shows a dialog and waits for its end.
    ///
    /// # Errors
    /// One is there already, or the system has no thread left.
    pub fn show(
        &mut self,
        asked_in: Pane,
        dialog: impl FnOnce() -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        if self.0.find(|(work, _)| *work == Work::Dialog).is_some() {
            return Err(Error::usage(
                "a file dialog is already open: close it first",
            ));
        }
        self.0
            .submit((Work::Dialog, asked_in), "dialog", move |_| dialog())
    }

    /// Starts a long task.
    ///
    /// # Errors
    /// There is one already, or the system has no thread left.
    pub fn occupy(
        &mut self,
        (asked_in, what): (Pane, &str),
        kind: Work,
        work: impl FnOnce(Listener) -> Result<Made> + Send + 'static,
    ) -> Result<()> {
        self.refuse_while_busy()?;
        self.0.submit((kind, asked_in), what, work)
    }

    fn long(&self) -> Option<&Task<Job, Made>> {
        self.0.find(|(work, _)| work.is_long())
    }

    /// Refuses what would disturb a long task.
    pub fn refuse_while_busy(&self) -> Result<()> {
        match self.busy() {
            Some(busy) => Err(Error::usage(format!("still at work: {}", busy.next))),
            None => Ok(()),
        }
    }

    pub fn busy(&self) -> Option<Progress> {
        Some(self.long()?.progress())
    }

    /// Whether a long task is under way that the window does not draw the scene beside.
    pub fn holds_the_picture(&self) -> bool {
        self.long().is_some_and(|task| task.key.0 != Work::Scene)
    }

    pub fn is_loading(&self) -> bool {
        self.long().is_some_and(|task| task.key.0 == Work::Scene)
    }

    /// Ends the long task at its next step.
    pub fn cancel(&self) {
        self.long().iter().for_each(|task| task.cancel());
    }

    /// The tasks that have ended since the last call, with what each made.
    pub fn finished(&mut self) -> Vec<(Job, Result<Made>)> {
        self.0.poll()
    }

    /// The name of the long task that [`Background::close`] would wait for, if one is under way.
    pub fn waits_for(&self) -> Option<&str> {
        let task = self.long().filter(|task| task.key.0 == Work::Files);
        task.map(|task| &*task.name)
    }

    /// Waits until all files are written. Returns the name of the long task that is cut off, if one is.
    pub fn close(&mut self) -> Option<String> {
        let cut = self.long().filter(|task| task.key.0 != Work::Files);
        let cut = cut.map(|task| task.name.clone());
        let writes = |(work, _): &Job| matches!(work, Work::File | Work::Files);
        self.0.wait(writes);
        cut
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn files() -> Result<Made> {
        Ok(Made::Files("made".to_owned(), PathBuf::new()))
    }

    #[test]
    fn one_long_task_at_a_time_holds_the_picture_or_loads_and_is_waited_for_or_cut_off() {
        for kind in [Work::Scene, Work::Files] {
            let mut background = Background::default();
            let (go, wait) = channel::<()>();
            let work = move |_: Listener| {
                wait.recv().map_err(|e| Error::failed(e.to_string()))?;
                files()
            };
            background
                .occupy((Pane::Scene, "first"), kind, work)
                .unwrap();
            let second = background.occupy((Pane::Scene, "second"), kind, |_| files());
            assert!(second.unwrap_err().message.contains("still at work: first"));
            assert_eq!(background.is_loading(), kind == Work::Scene);
            assert_eq!(background.holds_the_picture(), kind != Work::Scene);
            let is_kept = kind == Work::Files;
            assert_eq!(background.waits_for(), is_kept.then_some("first"));
            go.send(()).unwrap();
            let cut = background.close();
            assert_eq!(cut.as_deref(), (!is_kept).then_some("first"));
            assert!(!is_kept || background.finished().len() == 1);
        }
    }

    #[test]
    fn a_second_dialog_is_refused_and_closing_waits_for_files_and_for_no_dialog() {
        let mut background = Background::default();
        let (end, wait) = channel::<()>();
        let open = move || {
            wait.recv().map_err(|e| Error::failed(e.to_string()))?;
            Ok(Made::Chosen(Pick::Open, None))
        };
        background.show(Pane::Scene, open).unwrap();
        let second = background.show(Pane::Scene, files);
        assert!(second.unwrap_err().message.contains("already open"));
        let late = || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            files()
        };
        background.start(Pane::Files, late).unwrap();
        assert_eq!(background.close(), None);
        let [((work, _), made)] = &background.finished()[..] else {
            panic!("the file alone is done")
        };
        assert!(*work == Work::File && made.is_ok());
        drop(end);
    }
}
