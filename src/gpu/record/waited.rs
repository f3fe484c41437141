//! Frames that are waited for: those of captures, benchmarks and self-tests. The frame of the window uses nothing of this.

use std::time::{Duration, Instant};

use super::clock_check::clock;
use super::profiler::Profiler;
use super::recorder::{Recorded, Span, Submission};
use crate::error::Result;
use crate::gpu::Gpu;

#[derive(Default)]
pub struct Done {
    /// When each pass ran, in recording order; empty if the profiler does not time.
    pub spans: Vec<Span>,
    /// Milliseconds from submitting the frame until it was done.
    pub wall: f64,
}

impl Profiler {
    /// Times the passes of every frame by the adapter's clock.
    pub fn timed(gpu: &Gpu) -> Result<Self> {
        Self::by(gpu, clock(gpu)?, Duration::ZERO)
    }

    /// Submits a frame and waits until it is done. By the wall clock each timed pass is waited for by itself.
    pub fn submit_and_wait(&mut self, gpu: &Gpu, recorded: Recorded) -> Result<Done> {
        let (mut spans, mut failure) = (Vec::new(), None);
        let begin = Instant::now();
        for Submission { encoder, pass } in recorded.submissions {
            let submitted = Instant::now();
            if let Err(error) = gpu.submit_and_wait(encoder.finish()) {
                failure.get_or_insert(error);
            }
            if let (Some(wall), Some(pass)) = (&self.wall, pass) {
                let ran = wall.since(submitted, Instant::now(), wall.submission);
                spans.extend(ran.map(|[start, end]| pass.span(start, end)));
            }
        }
        let wall = begin.elapsed().as_secs_f64() * 1e3;
        self.end_frame(recorded.passes)?;
        failure.map_or(Ok(()), Err)?;
        if self.wall.is_none() {
            // The end of a frame maps its query results; the GPU is idle, so one poll delivers them.
            gpu.wait()?;
            spans = self.take_spans(gpu).unwrap_or_default();
        }
        Ok(Done { spans, wall })
    }
}
