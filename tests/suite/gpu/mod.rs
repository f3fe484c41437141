//! Tests of methods, lists and passes on an adapter. `cargo xtask test` runs all of them at wave 8 of software
//! Vulkan; at 4 and 16 it runs the modules with wave operations, except for their submodules `controls` and `dials`.
//! The variable WAVELERP_EXPECT_WAVE is the size that a shader must then read; WAVELERP_ADAPTER names the adapter.
//!
//! Modules called `controls` plant faults in the text of shaders and show that the parent module's tests find them.

mod approximate;
mod batches;
mod cloud;
mod covers;
mod debug;
mod gaussians;
mod integrate;
mod last_lanes;
mod lists;
mod memory;
mod methods;
mod particles;
mod patches;
mod pictures;
mod sort;
mod split_depth;
mod two;
mod values;
mod wave_intrinsics;
