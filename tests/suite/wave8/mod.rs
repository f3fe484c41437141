//! Tests on an adapter whose claims hold at every wave size if they hold at one: `cargo xtask test` runs them
//! at wave 8 alone. Each module says why that is enough.

// What `auto` chooses is made of measured times and facts of the lists; the methods it chooses among are
// tested at every size by `gpu::pictures`.
mod auto;
// The draws run without wave operations, and so do the kernels that lay out their layers.
mod fixed_function;
// How fog is split at a particle is arithmetic of one layer, in code that every method shares.
mod fog;
// Compositing in half floats, by a kernel without wave operations; scenes in half floats are under `gpu::gaussians`.
mod half;
// How a layer is seen through fog is arithmetic of one layer; the passes beside it use no wave operations.
mod integrated_fog;
// Which passes a frame leaves as they were: decided on the CPU.
mod kept;
// Buffers, counters, timers and errors of a frame on screen; its passes are tested by captures.
mod live;
// Light and surfaces: no kernel among them uses wave operations.
mod look;
// The order and number of measured frames, decided on the CPU.
mod measure;
// Triangles of files, drawn and shaded without wave operations.
mod meshes;
// What changes of the input must not matter, by the plain loop; its lists are tested by `gpu::lists`.
mod metamorphic;
// The kernel that compares pictures uses no wave operations.
mod metrics;
// What the window shows of a difference: a fragment stage without wave operations.
pub mod present;
// What a probe keeps and drops while frames go on; a layer's evaluation uses no wave operations.
mod probe;
// Which passes a frame has: decided on the CPU.
mod needed_lists;
// Which pipelines are made anew, and when: decided on the CPU.
mod reload;
// Which methods are tested at the start is decided on the CPU; the checks are those of `verify`.
mod self_test;
// Geometry and light of panes, by kernels without wave operations; as layers `gpu::pictures` has them.
mod sheets;
// Which triangle is seen: kernels without wave operations.
mod solids;
// In what units light and fog are held: numbers of the CPU, and kernels without wave operations that store in them.
mod units;
// When a call returns: the same at every wave size.
mod waiting;
