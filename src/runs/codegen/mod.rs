//! Compiled forms of a method's shader: resolved WGSL, naga's translations into other languages (with native opcodes
//! patched in), and operation counts of the module that runs. Needs no GPU.

pub mod emit;
mod expanded;
pub mod library;
mod method;
pub mod ops;
mod table;

pub use expanded::{Code, Site};
pub use method::{Sheet, assumed};
pub use table::{beside, by_loops, cell, names};
