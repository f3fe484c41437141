//! Times several subjects against each other, in the same way for the window, captures and benchmarks. Timing depends
//! on passes and clocks, but not on the work of the passes, and it never waits.
//!
//! [`Schedule`] chooses the subjects of each round and stores their times. [`Warmth`] tracks whether the GPU is warm,
//! and [`Clocks`] tracks whether it has slowed down. [`Timer`](crate::runs::Timer) drives all three for code that only
//! times its subjects.

mod clocks;
mod schedule;
mod times;
mod warmth;

pub use clocks::{Clocks, Speed};
pub use schedule::{
    Conditions, IN_FRAMES, Moment, PassSamples, Rounds, Samples, Schedule, is_settled, not_settled,
};
pub use times::{Timed, Times, is_plausible};
pub use warmth::Warmth;
