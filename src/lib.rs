//! wavelerp composites many ordered translucent layers – fog slices and particles – per screen tile in compute
//! shaders, by every method of the article "Interpolation Using Wave Intrinsics" and by its usual alternatives, and
//! shows their costs and differences.
//!
//! The binary adds only `main`; tests and benchmarks use this library.

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
