use std::collections::VecDeque;
use web_time::{Duration, Instant};

use super::span::{Recorded, Submission, TimedPass};
use crate::error::Result;
use crate::gpu::Gpu;

/// A recorded frame that is submitted in pieces, so that other work can run in between.
pub struct Pieces {
    rest: VecDeque<Submission>,
    pub(super) passes: Vec<TimedPass>,
    /// Start and end time of each finished piece, with its pass if it is timed.
    pub(super) done: Vec<(Instant, Instant, Option<TimedPass>)>,
}

impl Pieces {
    pub fn of(recorded: Recorded) -> Self {
        Self {
            rest: recorded.submissions.into(),
            passes: recorded.passes,
            done: Vec::new(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Submits as many pieces as the device can start within the given time.
    pub fn go_on(&mut self, gpu: &Gpu, within: Duration) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < within
            && let Some(piece) = self.rest.pop_front()
        {
            if let Some((uniform, value)) = piece.writes {
                let bytes = bytemuck::bytes_of(&value);
                gpu.queue.write_buffer(&uniform, 0, bytes);
            }
            let commands = piece.encoder.finish();
            let submitted = Instant::now();
            gpu.queue.submit([commands]);
            gpu.wait()?;
            self.done.push((submitted, Instant::now(), piece.pass));
        }
        Ok(())
    }
}
