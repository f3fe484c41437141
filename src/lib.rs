//! wavelerp composites many ordered translucent layers – fog slices and particles – per screen tile
//! in compute shaders, by every method of the article "Interpolation Using Wave Intrinsics" and by
//! what one would write instead, and shows what each costs and where they differ.
//!
//! The binary adds nothing but `main`; tests and benchmarks use this library.

pub mod app;
pub mod auto;
pub mod bench;
pub mod capture;
pub mod cli;
pub mod codegen;
pub mod compare;
pub mod error;
pub mod gpu;
pub mod input;
pub mod meshes;
pub mod methods;
pub mod paths;
pub mod progress;
pub mod reference;
pub mod render;
pub mod scene;
pub mod settings;
pub mod splats;
pub mod timing;
pub mod verify;
pub mod workers;
pub mod writing;
