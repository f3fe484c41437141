//! wavelerp composites many ordered translucent layers (fog slices and particles) per screen tile in compute shaders.
//! It implements every method of the article "Interpolation Using Wave Intrinsics" and the usual alternatives. It
//! measures what each method costs and how the results differ.
//!
//! The binary adds only `main`. Tests and benchmarks use the library directly.

#[cfg(target_arch = "wasm32")]
pub mod browser;
pub mod cli;
pub mod console;
pub mod error;
pub mod frame;
pub mod gpu;
pub mod input;
pub mod live;
pub mod methods;
pub mod model;
pub mod output;
pub mod paths;
pub mod progress;
pub mod report;
pub mod runs;
pub mod tasks;
pub mod timing;
pub mod viewer;
pub mod workers;
