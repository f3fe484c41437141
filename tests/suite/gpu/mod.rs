//! Tests of what depends on the wave size: the methods, the wave library, and the passes that count, scan,
//! sort and list by wave operations. `cargo xtask test` runs them at wave 4, 8 and 16 of software Vulkan;
//! WAVELERP_EXPECT_WAVE says which size a shader must then read, WAVELERP_ADAPTER names the adapter.
//!
//! Modules called `controls` run at wave 8 alone: they plant a fault in the wave library and show that the
//! tests beside them find it. That those can fail is shown once; what they claim is tested at every size.

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
mod wave_library;
