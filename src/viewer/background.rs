//! Background tasks of the window: files, dialogs, scenes and comparison sets.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::progress::{Listener, Progress};
use crate::tasks::{Task, Tasks};

use super::action::Pick;
use super::dock::Pane;
use super::flip::Flip;
use super::loading::Loaded;
use super::moving;
use super::staging::{Changed, Staged};

pub enum TaskResult {
    /// A verb for the message, such as "saved", and the path of the file or folder.
    Files(String, PathBuf),
    /// `None` if the dialog was cancelled.
    Chosen(Pick, Option<PathBuf>),
    Flip(Box<Flip>),
    Scene(Box<(Loaded, Staged)>),
    Moving(Box<moving::MovingFrames>),
    Shaders(Box<Changed>),
}

/// `Files` and `Scene` are long tasks. Only one long task runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Writes a file. Closing the window waits for the file.
    File,
    /// Shows a file dialog. Only one dialog is open at a time.
    Dialog,
    /// Writes several files, while the window does not draw the scene. Closing the window waits for the files.
    Files,
    /// Prepares smaller frames for motion.
    Ahead,
    /// Compiles edited shaders, and draws a frame with them.
    Shaders,
    /// Reads a scene while the window draws the current one. Closing the window cancels the reading.
    Scene,
}

impl TaskKind {
    pub fn is_preparation(self) -> bool {
        matches!(self, TaskKind::Ahead | TaskKind::Shaders)
    }
}

/// Kind of a task, and the pane that requested the task and displays its failure.
pub type Job = (TaskKind, Pane);

#[derive(Default)]
pub struct Background(Tasks<Job, TaskResult>);

impl Background {
    /// Starts a task. A second long task and a second dialog are rejected.
    pub fn start(
        &mut self,
        job @ (kind, _): Job,
        name: &str,
        work: impl FnOnce(Listener) -> Result<TaskResult> + Send + 'static,
    ) -> Result<()> {
        let has_dialog = || self.0.find(|(work, _)| *work == TaskKind::Dialog).is_some();
        match kind {
            TaskKind::Files | TaskKind::Scene => self.refuse_while_busy()?,
            TaskKind::Dialog if has_dialog() => {
                return Err(Error::usage(
                    "a file dialog is already open: close it first",
                ));
            }
            TaskKind::File | TaskKind::Dialog | TaskKind::Ahead | TaskKind::Shaders => {}
        }
        self.0.submit(job, name, work)
    }

    fn long(&self) -> Option<&Task<Job, TaskResult>> {
        let is_long = |work| matches!(work, TaskKind::Files | TaskKind::Scene);
        self.0.find(|(work, _)| is_long(*work))
    }

    pub fn refuse_while_busy(&self) -> Result<()> {
        match self.busy() {
            Some(busy) => Err(Error::usage(format!("still at work: {}", busy.next))),
            None => Ok(()),
        }
    }

    pub fn busy(&self) -> Option<Progress> {
        Some(self.long()?.progress())
    }

    /// True if neither a long task nor a preparation is running.
    pub fn has_time_ahead(&self) -> bool {
        self.long().is_none() && self.0.find(|(work, _)| work.is_preparation()).is_none()
    }

    pub fn is_changing_shaders(&self) -> bool {
        self.0
            .find(|(work, _)| *work == TaskKind::Shaders)
            .is_some()
    }

    /// True during a long task that suspends drawing of the scene.
    pub fn holds_the_picture(&self) -> bool {
        self.long()
            .is_some_and(|task| task.key.0 != TaskKind::Scene)
    }

    pub fn is_loading(&self) -> bool {
        self.long()
            .is_some_and(|task| task.key.0 == TaskKind::Scene)
    }

    pub fn cancel(&self) {
        self.long().iter().for_each(|task| task.cancel());
    }

    pub fn finished(&mut self) -> Vec<(Job, Result<TaskResult>)> {
        self.0.poll()
    }

    /// Name of the long task that [`Background::close`] would wait for, if any.
    pub fn waits_for(&self) -> Option<&str> {
        let task = self.long().filter(|task| task.key.0 == TaskKind::Files);
        task.map(|task| &*task.name)
    }

    /// Waits until all files are written. Returns the name of the long task that was cancelled, if any.
    pub fn close(&mut self) -> Option<String> {
        let cut = self.long().filter(|task| task.key.0 != TaskKind::Files);
        let cut = cut.map(|task| task.name.clone());
        for kind in [TaskKind::Ahead, TaskKind::Shaders] {
            self.0
                .find(|(work, _)| *work == kind)
                .iter()
                .for_each(|task| task.cancel());
        }
        // Preparations use the driver, which must not be shut down while they run.
        let is_waited_for = |(work, _): &Job| {
            work.is_preparation() || matches!(work, TaskKind::File | TaskKind::Files)
        };
        self.0.wait(is_waited_for);
        cut
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn one_long_task_at_a_time_and_one_dialog_and_closing_waits_for_files_alone() {
        for kind in [TaskKind::Scene, TaskKind::Files] {
            let mut background = Background::default();
            let (end, dialog) = channel::<()>();
            let (go, wait) = channel::<()>();
            let none = || Ok(TaskResult::Chosen(Pick::Open, None));
            let waiting = |wait: std::sync::mpsc::Receiver<()>| {
                move || {
                    let waited = wait.recv();
                    waited.map_err(|error| Error::failed(error.to_string()))?;
                    none()
                }
            };
            let work = waiting(dialog);
            let job = (TaskKind::Dialog, Pane::Scene);
            background.start(job, "dialog", move |_| work()).unwrap();
            let second = background.start(job, "dialog", move |_| none());
            assert!(second.unwrap_err().message.contains("already open"));
            let work = waiting(wait);
            let job = (kind, Pane::Scene);
            background.start(job, "first", move |_| work()).unwrap();
            let second = background.start(job, "second", move |_| none());
            assert!(second.unwrap_err().message.contains("still at work: first"));
            assert_eq!(background.is_loading(), kind == TaskKind::Scene);
            assert_eq!(background.holds_the_picture(), kind != TaskKind::Scene);
            let is_kept = kind == TaskKind::Files;
            assert_eq!(background.waits_for(), is_kept.then_some("first"));
            go.send(()).unwrap();
            let cut = background.close();
            assert_eq!(cut.as_deref(), (!is_kept).then_some("first"));
            assert!(!is_kept || background.finished().len() == 1);
            drop(end);
        }
    }
}
