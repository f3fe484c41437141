//! The code that becomes of a method: its resolved WGSL, what naga (and the patch) makes of it in other
//! languages, and what the dispatched module holds, counted. Needs no GPU.

mod code;
pub mod emit;
pub mod library;
mod method;
pub mod ops;
mod table;

pub use code::{Code, Site};
pub use method::{Part, Sheet, assumed, core_module, parts};
pub use table::{beside, by_loops, cell, names};
