//! One harness for all integration tests. Tests under `gpu::` need an adapter and are run once per
//! wave size; `cli::` runs the binary, `window::` opens its window; the rest needs neither.

mod auto;
mod cli;
mod gpu;
mod loop_turns;
mod panel;
mod readme;
mod renderdoc;
mod shaders;
mod values;
mod window;
