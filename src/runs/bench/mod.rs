//! Benchmarks: [`lists`] (synthetic lists on the GPU), [`runners`] (names of rows), [`sweep`] (methods over outputs
//! and layers), [`integrate`] (fog columns), [`splats`], [`cloud`] and [`splat_times`] (Gaussian splats from
//! projection to picture), [`scenes`] (frames end to end), [`run`] (a whole run), [`files`] (its output).

pub mod cloud;
mod errors;
pub mod files;
pub mod integrate;
pub mod lists;
pub mod run;
pub mod runners;
pub mod scenes;
pub mod splat_times;
pub mod splats;
pub mod sweep;
