//! Work that takes longer than a frame, written as an `async fn`: a command waits for it ([`Gpu::finish`]), the window
//! takes it a step further in every frame ([`Pending::step`]).

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use super::context::Gpu;
use crate::error::Result;

/// Pause between two looks at what the work waits for.
const LOOK_EVERY: Duration = Duration::from_micros(50);

/// Waits until `look` returns something: it is called whenever the work goes on.
pub async fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    poll_fn(|_| look().map_or(Poll::Pending, Poll::Ready)).await
}

/// Nobody has to be woken: whoever has work to do looks again.
fn poll<T>(work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}

pub struct Pending<T>(Pin<Box<dyn Future<Output = T>>>);

impl<T> Pending<T> {
    pub fn new(work: impl Future<Output = T> + 'static) -> Self {
        Self(Box::pin(work))
    }

    /// Goes on for so long, or until it is done. It must not be called again after that.
    pub fn step(&mut self, gpu: &Gpu, budget: Duration) -> Option<T> {
        let started = Instant::now();
        loop {
            // The work itself finds out if this fails.
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            let done = poll(self.0.as_mut());
            if done.is_some() || started.elapsed() >= budget {
                return done;
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Gpu {
    /// Does `work` and waits wherever it does. What fails meanwhile is the work's to take up; it may go on without.
    pub fn finish<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let mut work = pin!(work);
        let mut waited = Ok(());
        loop {
            if let Some(done) = poll(work.as_mut()) {
                let done = done?;
                return self.check().map(|()| done);
            }
            waited?;
            let begin = Instant::now();
            waited = self.wait_until_idle();
            // It may wait for a thread that compiles, not for the GPU.
            if begin.elapsed() < LOOK_EVERY {
                std::thread::sleep(LOOK_EVERY);
            }
        }
    }

    /// Submits commands, and is over when they are done. Returns how long that took.
    pub async fn submitted(&self, commands: wgpu::CommandBuffer) -> Result<Duration> {
        let begin = Instant::now();
        self.queue.submit([commands]);
        self.check()?;
        Ok(self.done().await? - begin)
    }

    /// Is over when all that was submitted before is done. Returns when that was seen.
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
