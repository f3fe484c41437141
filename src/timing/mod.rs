//! Times several subjects against each other, in the same way for the window, captures and benchmarks. This code knows
//! passes and clocks, but not the work that the passes do, and it never waits.
//!
//! [`Schedule`] chooses the subjects of each round and keeps their times, [`Warmth`] tracks whether the GPU is warm,
//! and [`Clocks`] whether it has slowed down. Code that does nothing but time its subjects uses
//! [`Timer`](crate::runs::Timer), which drives all three.

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
