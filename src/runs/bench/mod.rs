//! Benchmarks: synthetic lists on the GPU ([`lists`]), names of rows ([`runners`]), methods over outputs and layers
//! ([`sweep`]), fog columns ([`integrate`]), Gaussian splats from projection to picture ([`splats`], [`cloud`] and
//! [`splat_times`]), whole frames ([`scenes`]), a whole run ([`run`]), and its files ([`files`]).

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
