//! How several subjects are timed against each other. The window, captures and benchmarks all measure in
//! this one way. The files here know passes and clocks, and nothing of what the passes draw, and nothing here waits.
//!
//! [`Schedule`] says which subjects come next and keeps the times that came back, [`Warmth`] whether the GPU is warm, and
//! [`Clocks`] whether it is as fast as before. What times nothing but its subjects leaves all that to a
//! [`Timer`](crate::runs::Timer).

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
