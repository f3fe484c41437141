//! Timing several things against each other: the one way in which the window, captures, benchmarks and
//! calibrations do it. Knows passes and clocks, and nothing of what the passes draw.
//!
//! [`Schedule`] says what comes next and keeps what came back; it never waits, so that a window can go by it.
//! [`Timer`] runs a schedule and waits for the GPU, and repeats what is short (`repeats.rs`). Both warm up
//! (`warmth.rs`), watch the GPU's clock ([`Clocks`]) and end when the medians have settled.

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
