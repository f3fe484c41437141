//! A single harness for all integration tests. Tests under `gpu::` need an adapter and run once per wave size; tests
//! under `wave8::` need an adapter too, but run only at wave 8. `cli::` runs the binary, `page::` opens its pages in a
//! browser, and `window::` opens its window; all other tests need neither adapter nor binary. `oracles` contains the
//! CPU twins of GPU stages.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests print their measurements"
)]

mod cli;
mod docs;
mod frames;
#[path = "../fuzz/mod.rs"]
mod fuzz;
mod gpu;
mod harness;
mod meshes;
mod on_screen;
mod oracles;
mod page;
mod panel;
mod random_lists;
mod renderdoc;
mod rooms;
mod shaders;
mod splats;
mod tile_lists;
mod values;
mod wave8;
// These tests drive X servers, which exist only on Linux.
#[cfg(target_os = "linux")]
mod window;
