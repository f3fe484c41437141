//! The program's own oracles: composites and their error bounds in f64, lists of layers that reveal mistakes, and a model of a
//! wave in which reading an inactive lane is an error.
//!
//! `verify` compares every method and the wave library with them, and a probe of a pixel shows their result next to those of
//! methods. Twins of the frame's other stages are only for tests (`tests/suite/oracles`). Nothing here may use wgpu or a GPU,
//! or share code with what it checks, and only checks and the probe may use it.

pub mod composite;
pub mod half;
pub mod order;
pub mod stress;
pub mod wave_intrinsics;
pub mod wave_model;
