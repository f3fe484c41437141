//! Threads beside a caller who goes on with something else, such as the GPU. Knows nothing of the work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, ScopedJoinHandle};

/// How many threads run side by side.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Work on a thread of its own, which ends and is waited for when this is dropped.
pub struct BackgroundThread {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundThread {
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

impl Drop for BackgroundThread {
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
