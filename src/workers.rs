//! Work on all cores beside a caller who goes on with something else, such as the GPU. Knows nothing of the work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Starts pieces of work on threads of a scope, at most as many at once as the machine has cores.
pub struct Workers<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    /// Holds a token for each piece of work under way, and has room for as many as there are cores.
    begun: SyncSender<()>,
    ended: Arc<Mutex<Receiver<()>>>,
}

/// Takes a token out when its work ends, however it ends.
struct Token(Arc<Mutex<Receiver<()>>>);

impl Drop for Token {
    fn drop(&mut self) {
        let _ = lock(&self.0).try_recv();
    }
}

impl<'scope, 'env> Workers<'scope, 'env> {
    /// Workers of a scope that ends when all their work has ended.
    pub fn new(scope: &'scope Scope<'scope, 'env>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (begun, ended) = sync_channel(cores);
        let ended = Arc::new(Mutex::new(ended));
        Self {
            scope,
            begun,
            ended,
        }
    }

    /// Starts `work` on a thread. While all cores have work it waits for one of them, so that results do not pile up.
    pub fn start<T: Send + 'scope>(
        &self,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> ScopedJoinHandle<'scope, T> {
        // It cannot fail: the other end is in `self`.
        let _ = self.begun.send(());
        let token = Token(Arc::clone(&self.ended));
        self.scope.spawn(move || {
            let _token = token;
            work()
        })
    }
}

/// Work on a thread of its own, which ends and is waited for when this is dropped.
pub struct Aside {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Aside {
    /// Starts `work` on a thread of this name. It asks again and again whether it is to go on.
    pub fn start(
        name: &str,
        work: impl FnOnce(&dyn Fn() -> bool) + Send + 'static,
    ) -> std::io::Result<Self> {
        let ends = Arc::new(AtomicBool::new(false));
        let has_ended = Arc::clone(&ends);
        let goes_on = move || !has_ended.load(Ordering::Acquire);
        let thread = Builder::new().name(name.to_owned());
        let thread = Some(thread.spawn(move || work(&goes_on))?);
        Ok(Self { ends, thread })
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error.
            drop(thread.join());
        }
    }
}

/// Locks a mutex, also after a thread that held it has panicked: what it guards is whole at any time.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of work that was started; a panic goes on here.
pub fn joined<T>(work: ScopedJoinHandle<'_, T>) -> T {
    work.join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_work_runs_at_once_than_there_are_cores_and_all_of_it_is_done() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let sum: usize = std::thread::scope(|scope| {
            let workers = Workers::new(scope);
            let work = |number| {
                let (running, most) = (&running, &most);
                workers.start(move || {
                    let now = running.fetch_add(1, Ordering::AcqRel) + 1;
                    most.fetch_max(now, Ordering::AcqRel);
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    running.fetch_sub(1, Ordering::AcqRel);
                    number
                })
            };
            let started: Vec<_> = (0..8 * cores).map(work).collect();
            started.into_iter().map(joined).sum()
        });
        assert_eq!(sum, (0..8 * cores).sum::<usize>());
        assert!(most.into_inner() <= cores);
    }

    #[test]
    fn work_that_panics_gives_its_place_back() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let workers = Workers::new(scope);
            assert!(workers.start(|| panic!("a fault")).join().is_err());
            let free = (0..=cores).map_while(|_| workers.begun.try_send(()).ok());
            assert_eq!(free.count(), cores);
        });
    }
}
