//! One harness for all integration tests. Tests under `gpu::` need an adapter and are run once per wave
//! size, those under `wave8::` need one too and are run at wave 8; `cli::` runs the binary, `page::` opens
//! its pages in a browser, `window::` opens its window; the rest needs neither. `oracles` holds the CPU twins that tests compare the GPU's stages with.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test says what it saw"
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
// Drives X servers, which only Linux has.
#[cfg(target_os = "linux")]
mod window;
