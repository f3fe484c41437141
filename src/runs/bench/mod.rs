//! What `bench` times: [`lists`] (synthetic lists on the GPU), [`runners`] (what a row is of), [`sweep`] (methods over
//! outputs and layers), [`integrate`] (columns of fog), [`splats`], [`cloud`] and
//! [`cloud_times`] (Gaussian splats from projection to picture), [`scenes`] (frames end to end), [`run`] (all of it), [`files`] (what is written of it).

pub mod cloud;
pub mod cloud_times;
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
