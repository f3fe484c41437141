//! Tests on an adapter whose claims hold at every wave size if they hold at one: `cargo xtask test` runs them only at
//! wave 8. Each module says why that suffices.

// Choices of `auto` depend on measured times and facts of the lists; `gpu::pictures` tests the methods themselves at
// every size.
mod auto;
// Draws run without wave operations, and so do the kernels that arrange their layers.
mod fixed_function;
// Splitting fog at a particle is arithmetic of one layer, in code shared by all methods.
mod fog;
// Compositing in half floats, by a kernel without wave operations; scenes in half floats are under `gpu::gaussians`.
mod half;
// A layer seen through fog is arithmetic of one layer; the other passes use no wave operations.
mod integrated_fog;
// Skipped passes of a frame: decided on the CPU.
mod kept;
// Buffers, counters, timers and errors of a live frame; captures test its passes.
mod live;
// Light and surfaces: no kernel among them uses wave operations.
mod look;
// Order and number of measured frames: decided on the CPU.
mod measure;
// Triangles of files, drawn and shaded without wave operations.
mod meshes;
// Irrelevant changes of the input, by the plain loop; `gpu::lists` tests its lists.
mod metamorphic;
// The kernel that compares pictures uses no wave operations.
mod metrics;
// Display of a difference in the window: a fragment stage without wave operations.
pub mod present;
// Results kept and dropped by a probe while frames go on; evaluating a layer uses no wave operations.
mod probe;
// Passes of a frame: decided on the CPU.
mod needed_lists;
// Pipelines to be compiled again: decided on the CPU.
mod reload;
// Methods tested at the start: decided on the CPU; the checks are those of `verify`.
mod self_test;
// Geometry and light of panes, by kernels without wave operations; `gpu::pictures` covers them as layers.
mod sheets;
// Visible triangles: kernels without wave operations.
mod solids;
// Units of light and fog: numbers of the CPU, and kernels without wave operations that store in them.
mod units;
// Duration of calls: the same at every wave size.
mod waiting;
