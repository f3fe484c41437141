//! CPU twins: slow, plain statements of what each GPU stage must compute, used as oracles.
//!
//! Nothing here may touch wgpu or a GPU, and nothing here may share code with what it checks.

pub mod cloud;
pub mod composite;
pub mod fog;
pub mod integrate;
pub mod lists;
pub mod project;
pub mod sheets;
pub mod simulate;
pub mod stress;
pub mod wave_intrinsics;
#[cfg(test)]
mod wave_library;
pub mod wave_methods;
pub mod wave_model;
