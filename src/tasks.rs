//! A queue of tasks with a thread each. Tasks are submitted under a key, polled without waiting, and cancelled between
//! steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;
use web_time::Instant;

use crate::error::{Error, Result};
use crate::progress::{Listener, Progress, seconds_left};

enum News<T> {
    Progress(Progress),
    Done(Result<T>),
}

pub struct Task<K, T> {
    pub key: K,
    pub name: String,
    at: Progress,
    since: Instant,
    news: Receiver<News<T>>,
    is_cancelled: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl<K, T> Task<K, T> {
    /// Current step, and estimated seconds left.
    pub fn progress(&self) -> Progress {
        let estimate = || seconds_left(self.since.elapsed(), self.at.done);
        Progress {
            left: self.at.left.or_else(estimate),
            ..self.at.clone()
        }
    }

    /// Ends the task with an error at its next step.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Receives progress reports. Returns the result as soon as there is one.
    fn poll(&mut self) -> Option<Result<T>> {
        loop {
            match self.news.try_recv() {
                Ok(News::Progress(at)) => self.at = at,
                Ok(News::Done(made)) => return Some(made),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    let line = format!("{}: failed unexpectedly", self.name);
                    return Some(Err(Error::failed(line)));
                }
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn start(name: &str, run: impl FnOnce() + Send + 'static) -> Result<Option<JoinHandle<()>>> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
    thread
        .map(Some)
        .map_err(|error| Error::failed(format!("cannot start a thread: {error}")))
}

/// A page has no threads, so the task runs at once.
#[cfg(target_arch = "wasm32")]
fn start(_: &str, run: impl FnOnce()) -> Result<Option<JoinHandle<()>>> {
    run();
    Ok(None)
}

pub struct Tasks<K, T>(Vec<Task<K, T>>);

impl<K, T> Default for Tasks<K, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K, T: Send + 'static> Tasks<K, T> {
    /// Starts a task. The task reports each step before it begins.
    pub fn submit(
        &mut self,
        key: K,
        name: &str,
        work: impl FnOnce(Listener) -> Result<T> + Send + 'static,
    ) -> Result<()> {
        let (sender, news) = channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (named, asked) = (name.to_owned(), Arc::clone(&is_cancelled));
        // Sending fails only after the queue is dropped, when nobody needs the report.
        let run = move || {
            let mut progress = |at: Progress| {
                if asked.load(Ordering::Relaxed) {
                    return Err(Error::failed(format!("{named}: stopped and discarded")));
                }
                let next = format!("{named}: {}", at.next);
                let _ = sender.send(News::Progress(Progress { next, ..at }));
                Ok(())
            };
            let made = work(&mut progress);
            let _ = sender.send(News::Done(made));
        };
        let thread = start(name, run)?;
        self.0.push(Task {
            key,
            name: name.to_owned(),
            at: Progress::step(name, 0, 1),
            since: Instant::now(),
            news,
            is_cancelled,
            thread,
        });
        Ok(())
    }

    pub fn find(&self, is_one: impl Fn(&K) -> bool) -> Option<&Task<K, T>> {
        self.0.iter().find(|task| is_one(&task.key))
    }

    /// Tasks that have ended since the last call, with their results.
    pub fn poll(&mut self) -> Vec<(K, Result<T>)> {
        let mut ended = Vec::new();
        for mut task in std::mem::take(&mut self.0) {
            match task.poll() {
                Some(made) => ended.push((task.key, made)),
                None => self.0.push(task),
            }
        }
        ended
    }

    /// Waits for the tasks that `is_one` selects by key. The next [`Tasks::poll`] returns their results.
    pub fn wait(&mut self, is_one: impl Fn(&K) -> bool) {
        for task in self.0.iter_mut().filter(|task| is_one(&task.key)) {
            // The thread has already printed the message of a panic.
            let _ = task.thread.take().map(JoinHandle::join);
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn next<T: Send + 'static>(tasks: &mut Tasks<u8, T>) -> (u8, Result<T>) {
        let next = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            tasks.poll().pop()
        });
        next.unwrap()
    }

    #[test]
    fn a_task_reports_its_steps_and_then_its_result_once() {
        let mut tasks = Tasks::default();
        let (go, wait) = channel();
        let work = move |progress: Listener| {
            progress(Progress::step("half-way", 1, 2))?;
            wait.recv()
                .map_err(|error| Error::failed(error.to_string()))
        };
        tasks.submit(7, "set", work).unwrap();
        while tasks.find(|_| true).unwrap().progress().done < 0.5 {
            assert!(tasks.poll().is_empty());
        }
        let at = tasks.find(|key| *key == 7).unwrap().progress();
        assert_eq!((&*at.next, at.left.is_some()), ("set: half-way", true));
        go.send(42).unwrap();
        assert_eq!(next(&mut tasks), (7, Ok(42)));
        assert!(tasks.find(|_| true).is_none() && tasks.poll().is_empty());
    }

    #[test]
    fn a_cancelled_task_ends_at_its_next_step_and_one_that_panics_ends_too() {
        let mut tasks = Tasks::default();
        let steps = |progress: Listener| {
            loop {
                progress(Progress::step("step", 1, 9))?;
            }
        };
        tasks.submit(1, "set", steps).unwrap();
        tasks.find(|_| true).unwrap().cancel();
        let (_, ended) = next::<()>(&mut tasks);
        assert_eq!(ended.unwrap_err().message, "set: stopped and discarded");
        tasks.submit(2, "bad", |_| panic!("a fault")).unwrap();
        assert!(next(&mut tasks).1.unwrap_err().message.contains("bad: "));
    }

    #[test]
    fn only_tasks_of_the_keys_asked_for_are_waited_for() {
        let mut tasks = Tasks::default();
        let (end, dialog) = channel::<()>();
        let open = move |_: Listener| Ok(dialog.recv().is_ok());
        tasks.submit(1, "dialog", open).unwrap();
        let late = |_: Listener| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            Ok(true)
        };
        tasks.submit(2, "files", late).unwrap();
        tasks.wait(|key| *key == 2);
        assert_eq!(tasks.poll(), [(2, Ok(true))]);
        end.send(()).unwrap();
        assert_eq!(next(&mut tasks), (1, Ok(true)));
    }
}
