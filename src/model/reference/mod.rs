//! The program's own oracles: composites and their error bounds in f64, and lists of layers that reveal mistakes.
//!
//! `verify` compares every method with them, and a probe of a pixel shows their result next to those of methods. Twins of the
//! frame's other stages are only for tests (`tests/suite/oracles`). Nothing here may use wgpu or a GPU, or share code with
//! what it checks, and only checks and the probe may use it.

pub mod composite;
pub mod half;
pub mod order;
pub mod stress;
