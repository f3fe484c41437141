//! Times several subjects against each other. The window, captures, benchmarks and calibrations all measure in this
//! one way. The files here know passes and clocks, and nothing of what the passes draw.
//!
//! [`Schedule`] says which subjects come next and keeps the times that came back. It never waits, so that the window
//! can use it. [`Timer`] runs a schedule and waits for the GPU, and repeats short subjects within a pass
//! (`repeats.rs`). Both warm the GPU up (`warmth.rs`), watch its clock ([`Clocks`]) and end when the medians have
//! settled.

mod clocks;
mod repeats;
mod schedule;
mod timer;
mod warmth;

pub use clocks::{Clocks, Speed};
pub use repeats::LONG_PASS;
pub use schedule::{
    Conditions, IN_FRAMES, Moment, PassSamples, Rounds, Samples, Schedule, is_settled, not_settled,
};
pub use timer::{Set, Subject, Timed, Timer, Times, is_plausible};
pub use warmth::Warmth;
