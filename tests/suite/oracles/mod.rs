//! CPU twins of the frame's stages: slow, plain statements of what each stage on the GPU must compute, each
//! with tests of its own.
//!
//! Nothing here may touch wgpu or a GPU, and nothing here may share code with what it checks: of the program
//! only layouts of structs, inputs, and the oracles that `verify` itself uses (`wavelerp::reference`) are
//! taken.

pub mod cloud;
pub mod ellipses;
pub mod fog;
pub mod integrate;
pub mod lists;
pub mod project;
pub mod sheets;
pub mod simulate;
pub mod solids;
pub mod wave_methods;
