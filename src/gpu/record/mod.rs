//! Recording of passes with labels and times, and read-back of results.

pub(in crate::gpu) mod clock_check;
pub(in crate::gpu) mod known_work;
pub(in crate::gpu) mod pieces;
pub(in crate::gpu) mod profiler;
pub(in crate::gpu) mod read_back;
pub(in crate::gpu) mod recorder;
pub(in crate::gpu) mod span;
pub(in crate::gpu) mod waited;
mod wall;
