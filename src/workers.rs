//! Functions for threads that run in parallel with their caller, and for waiting.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{Builder, JoinHandle, ScopedJoinHandle};

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Work on a separate thread. Dropping the handle stops the work and waits for its end.
pub struct BackgroundThread {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundThread {
    /// Starts `work` on a thread with this name. The work must regularly check whether to continue.
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
            // The thread has already printed the message of a panic.
            drop(thread.join());
        }
    }
}

/// Locks a mutex even after a panic in another thread. The data is consistent at all times.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Result of a finished thread. A panic of the thread is propagated.
pub fn joined<T>(work: ScopedJoinHandle<'_, T>) -> T {
    work.join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Polls without a waker, because the owner of the work polls again anyway.
pub fn poll<T>(work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}

/// Waits for an answer. `None` in a page, where a program cannot wait.
pub fn waited<T>(answer: impl Future<Output = T>) -> Option<T> {
    #[cfg(not(target_arch = "wasm32"))]
    return Some(pollster::block_on(answer));
    #[cfg(target_arch = "wasm32")]
    return poll(std::pin::pin!(answer));
}
