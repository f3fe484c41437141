//! The oracles that the program itself uses: composites and their error bounds in f64, lists of layers that
//! bring out mistakes, and a model of a wave in which reading an inactive lane is an error.
//!
//! `verify` compares every method and the wave library with them, and a probe of a pixel shows their result
//! beside the methods'. Twins of the frame's other stages serve tests alone and stand in
//! `tests/suite/oracles`. Nothing here may touch wgpu or a GPU, nothing here may share code with what it
//! checks, and nothing but checks and the probe may take anything from here.

pub mod composite;
pub mod half;
pub mod order;
pub mod stress;
pub mod wave_intrinsics;
pub mod wave_model;
