//! Frames that complete before the next one begins, for captures, benchmarks and self-tests.

use web_time::{Duration, Instant};

use super::clock_check::clock;
use super::profiler::Profiler;
use super::span::{Recorded, Span, Submission};
use crate::error::Result;
use crate::gpu::Gpu;

#[derive(Default)]
pub struct Done {
    /// Spans of the passes in recording order, empty if the profiler does not time.
    pub spans: Vec<Span>,
    /// Milliseconds from submission to completion.
    pub wall: f64,
}

impl Profiler {
    /// A profiler that times the passes of every frame with the adapter's clock.
    pub fn timed(gpu: &Gpu) -> Result<Self> {
        Self::by(gpu, clock(gpu)?, Duration::ZERO)
    }

    pub fn submit_and_wait(&mut self, gpu: &Gpu, recorded: Recorded) -> Result<Done> {
        gpu.finish(self.submitted(gpu, recorded))
    }

    /// Submits a frame and completes when the GPU has finished it. With the wall clock, each timed pass starts after
    /// the preceding one.
    pub async fn submitted(&mut self, gpu: &Gpu, recorded: Recorded) -> Result<Done> {
        let (mut spans, mut failure) = (Vec::new(), None);
        let begin = Instant::now();
        for Submission { encoder, pass, .. } in recorded.submissions {
            let submitted = Instant::now();
            let done = match gpu.submitted(encoder.finish()).await {
                Ok(took) => submitted + took,
                Err(error) => {
                    failure.get_or_insert(error);
                    continue;
                }
            };
            if let (Some(wall), Some(pass)) = (&self.wall, pass) {
                let ran = wall.since(submitted, done, wall.submission);
                spans.extend(ran.map(|[start, end]| pass.span(start, end)));
            }
        }
        let wall = begin.elapsed().as_secs_f64() * 1e3;
        self.end_frame(recorded.passes)?;
        failure.map_or(Ok(()), Err)?;
        if self.wall.is_none() {
            // Query results are mapped before the end of the frame is reported.
            gpu.done().await?;
            spans = self.take_spans(gpu).unwrap_or_default();
        }
        Ok(Done { spans, wall })
    }
}
