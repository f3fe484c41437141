//! Speed of a GPU over time, measured with a known workload.

use std::time::{Duration, Instant};

use super::schedule::Moment;
use crate::error::Result;
use crate::gpu::{Gpu, KnownWork, Recorder, Span};
use crate::model::passes::Pass;
use crate::model::{Clock, ClockSource};

/// Number of turns of the known workload: they take some tens of microseconds on a large GPU.
const TURNS: u32 = 4096;
/// Measurements pause while the GPU runs below this fraction of its highest speed.
const LEAST_SPEED: f64 = 0.9;
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Nanoseconds of known workload that each round adds while it waits for the GPU to speed up again.
const AT_WORK: f64 = 5e6;
/// Maximum number of dispatches of the known workload per round.
const MOST_AT_WORK: f64 = 100.0;

/// Time of the known workload in nanoseconds per turn, so a smaller value is faster. 0 means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed(f64);

/// Monitors the speed of a GPU during measurements.
pub struct Clocks {
    /// The known workload. It is absent on a CPU adapter, whose clock cannot be monitored, and if passes are not timed
    /// with timestamps.
    work: Option<KnownWork>,
    /// Highest speed seen so far.
    pub best: Speed,
    /// Time of the known workload in the previous round, in nanoseconds per turn.
    last: f64,
    /// Start of the current slow phase, if there is one.
    low_since: Option<Instant>,
}

impl Clocks {
    /// Creates the known workload for an adapter.
    ///
    /// # Errors
    /// The shader does not compile.
    pub fn new(gpu: &Gpu, clock: &Clock) -> Result<Self> {
        let tells = !gpu.caps.is_cpu && clock.source == ClockSource::Timestamps;
        let work = tells.then(|| KnownWork::new(gpu)).transpose()?;
        if let Some(work) = &work {
            work.set_turns(gpu, TURNS);
        }
        Ok(Self {
            work,
            best: Speed::default(),
            last: 0.0,
            low_since: None,
        })
    }

    /// Records the known workload as the first pass of a round. While the GPU is slow, some milliseconds of untimed
    /// work precede it, because a GPU raises its clock only under load.
    pub fn record(&self, recorder: &mut Recorder) -> Result<()> {
        let Some(work) = &self.work else {
            return Ok(());
        };
        if self.are_low() {
            let time = self.last * f64::from(TURNS);
            let times = (AT_WORK / time).clamp(1.0, MOST_AT_WORK) as u32;
            let descriptor = wgpu::ComputePassDescriptor {
                label: Some("work for the clock"),
                timestamp_writes: None,
            };
            let mut pass = recorder.encoder.begin_compute_pass(&descriptor);
            work.set(&mut pass)?;
            (0..times).for_each(|_| work.dispatch(&mut pass));
        }
        recorder.key = None;
        recorder.compute(Pass::KnownWork, |pass| {
            work.set(pass)?;
            work.dispatch(pass);
            Ok(())
        })
    }

    /// Removes the known workload from the start of a round's passes, and returns the state of the GPU.
    pub fn take(&mut self, spans: &mut Vec<Span>) -> Moment {
        if self.work.is_none() || spans.is_empty() {
            return Moment::default();
        }
        let milliseconds = spans.remove(0).milliseconds();
        self.note(milliseconds * 1e6 / f64::from(TURNS));
        Moment {
            is_slow: self.are_low(),
            known_work: Some(self.last),
        }
    }

    fn note(&mut self, time: f64) {
        self.last = time;
        let is_best = self.best == Speed::default() || time < self.best.0;
        if is_best && time > 0.0 {
            self.best = Speed(time);
        }
        if !self.are_low() {
            self.low_since = None;
        } else if self.low_since.get_or_insert_with(Instant::now).elapsed() > LONGEST_WAIT {
            self.give_up();
        }
    }

    /// True if the GPU is slower than it was before.
    pub fn are_low(&self) -> bool {
        self.last * LEAST_SPEED > self.best.0
    }

    /// Accepts the present speed as the highest, because the GPU did not speed up again.
    fn give_up(&mut self) {
        self.best = Speed(self.last);
        self.low_since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_is_low_when_known_work_takes_a_tenth_longer_than_ever() {
        let mut clocks = Clocks {
            work: None,
            best: Speed::default(),
            last: 0.0,
            low_since: None,
        };
        assert!(!clocks.are_low(), "nothing is known");
        for (time, is_low) in [(12.0, false), (10.0, false), (10.9, false), (11.2, true)] {
            clocks.note(time);
            assert_eq!(clocks.are_low(), is_low, "{time}");
        }
        // The GPU stays slow: after the longest wait, this counts as its normal speed.
        clocks.low_since = Instant::now().checked_sub(LONGEST_WAIT);
        clocks.note(11.2);
        assert!(!clocks.are_low());
        clocks.note(11.3);
        assert!(!clocks.are_low());
        clocks.note(9.0);
        clocks.note(9.5);
        assert!(!clocks.are_low());
    }
}
