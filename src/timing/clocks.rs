//! Measures the speed of a GPU over time with a known workload.

use web_time::{Duration, Instant};

use super::schedule::Moment;
use crate::error::Result;
use crate::gpu::{Gpu, KnownWork, Recorder, Span};
use crate::model::passes::Pass;
use crate::model::{Clock, ClockSource};

/// Number of loop iterations, some tens of microseconds on a large GPU.
const TURNS: u32 = 4096;
/// Measurements pause while the GPU runs below this fraction of its highest speed.
const LEAST_SPEED: f64 = 0.9;
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Nanoseconds of known workload added to each round while the GPU is slow.
const AT_WORK: f64 = 5e6;
/// Maximum number of dispatches of the known workload per round.
const MOST_AT_WORK: f64 = 100.0;

/// Nanoseconds per iteration of the known workload. A smaller value is faster, and 0 means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed(f64);

/// Monitors the speed of a GPU during measurements.
pub struct Clocks {
    /// `None` on a CPU adapter, which has no clock to monitor, and without timestamps.
    work: Option<KnownWork>,
    pub best: Speed,
    /// Nanoseconds per iteration in the previous round.
    last: f64,
    /// Start of the current slow phase.
    low_since: Option<Instant>,
}

impl Clocks {
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
    /// work come first, because a GPU raises its clock only under load.
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

    /// Removes the known workload from the start of a round's passes, and returns the GPU's state.
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
        // The GPU stays slow. After the longest wait, its speed counts as normal.
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
