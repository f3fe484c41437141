//! Work that takes longer than a frame, written as an `async fn`. A command waits for the work ([`Gpu::finish`]). The
//! window advances it in every frame ([`Pending::step`]).

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use web_time::{Duration, Instant};

use super::context::Gpu;
use crate::error::{Error, Result};
use crate::workers::poll;

const LOOK_EVERY: Duration = Duration::from_micros(50);

/// Calls `look` at every poll until it returns something.
pub async fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    #[cfg(target_arch = "wasm32")]
    loop {
        match look() {
            Some(found) => return found,
            None => crate::browser::turn().await,
        }
    }
    #[cfg(not(target_arch = "wasm32"))]
    poll_fn(|_| look().map_or(Poll::Pending, Poll::Ready)).await
}

/// Work that its owner advances.
#[cfg(not(target_arch = "wasm32"))]
pub struct Pending<T>(std::pin::Pin<Box<dyn Future<Output = T>>>);

#[cfg(not(target_arch = "wasm32"))]
impl<T: 'static> Pending<T> {
    pub fn new(work: impl Future<Output = T> + 'static) -> Self {
        Self(Box::pin(work))
    }

    /// Runs until the work is done or `budget` is spent. Must not be called after the work is done.
    pub fn step(&mut self, gpu: &Gpu, budget: Duration) -> Option<T> {
        let started = Instant::now();
        loop {
            // If polling fails, the work finds the failure itself.
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            let done = poll(self.0.as_mut());
            if done.is_some() || started.elapsed() >= budget {
                return done;
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

/// Work that the browser advances between frames, where callbacks of the GPU arrive. Dropping it ends the work.
#[cfg(target_arch = "wasm32")]
pub struct Pending<T>(std::rc::Rc<std::cell::Cell<Option<T>>>);

#[cfg(target_arch = "wasm32")]
impl<T: 'static> Pending<T> {
    pub fn new(work: impl Future<Output = T> + 'static) -> Self {
        let result = std::rc::Rc::<std::cell::Cell<Option<T>>>::default();
        let (kept, mut work) = (std::rc::Rc::downgrade(&result), Box::pin(work));
        let guarded = poll_fn(move |context| {
            let Some(result) = kept.upgrade() else {
                return Poll::Ready(());
            };
            work.as_mut()
                .poll(context)
                .map(|done| result.set(Some(done)))
        });
        wasm_bindgen_futures::spawn_local(guarded);
        Self(result)
    }

    /// The result, once the work is done.
    pub fn step(&mut self, _: &Gpu, _: Duration) -> Option<T> {
        self.0.take()
    }
}

impl Gpu {
    /// Runs `work` to completion and waits for the GPU whenever `work` does.
    pub fn finish<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let mut work = pin!(work);
        let mut waited = Ok(());
        loop {
            if let Some(done) = poll(work.as_mut()) {
                let done = done?;
                return self.check().map(|()| done);
            }
            waited?;
            if cfg!(target_arch = "wasm32") {
                return Err(Error::unavailable(
                    "a page cannot wait for the GPU: use the desktop program",
                ));
            }
            let begin = Instant::now();
            waited = self.wait_until_idle();
            // The work may be waiting for a compiler thread instead of the GPU.
            if begin.elapsed() < LOOK_EVERY {
                std::thread::sleep(LOOK_EVERY);
            }
        }
    }

    /// Submits commands and completes when the GPU has executed them. Returns the time taken.
    pub async fn submitted(&self, commands: wgpu::CommandBuffer) -> Result<Duration> {
        let begin = Instant::now();
        self.queue.submit([commands]);
        self.check()?;
        Ok(self.done().await? - begin)
    }

    /// Completes when all earlier submissions are done. Returns the time at which that was seen.
    pub async fn done(&self) -> Result<Instant> {
        let done = Arc::new(OnceLock::new());
        let seen = Arc::clone(&done);
        self.queue.on_submitted_work_done(move || {
            seen.get_or_init(Instant::now);
        });
        until(|| match done.get() {
            Some(seen) => Some(self.check().map(|()| *seen)),
            None => self.loss().map(Err),
        })
        .await
    }
}
