//! What a method's shader is compiled to: its resolved WGSL, the translation by naga (with native opcodes
//! patched in) into other languages, and the operations of the dispatched module, counted. Needs no GPU.

pub mod emit;
mod expanded;
pub mod library;
mod method;
pub mod ops;
mod table;

pub use expanded::{Code, Site};
pub use method::{Sheet, assumed};
pub use table::{beside, by_loops, cell, names};
