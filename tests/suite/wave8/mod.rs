//! Tests on an adapter that need only one wave size: `cargo xtask test` runs them at wave 8. A comment at each module
//! explains why one wave size suffices.

// Choices of `auto` depend on measured times and facts about the lists; `gpu::pictures` tests the methods at every
// size.
mod auto;
// Draws use no wave operations, and neither do the kernels that arrange the layers for them.
mod fixed_function;
// Splitting fog at a particle is arithmetic on a single layer, in code that all methods share.
mod fog;
// A kernel without wave operations composites in half floats; scenes in half floats are under `gpu::gaussians`.
mod half;
// Fog in front of a layer is arithmetic on that layer alone; the other passes use no wave operations.
mod integrated_fog;
// The CPU decides which passes of a frame are skipped.
mod kept;
// The module tests buffers, counters, timers and errors of a live frame; captures test the passes.
mod live;
// No kernel for light or surfaces uses wave operations.
mod look;
// The CPU decides the order and number of measured frames.
mod measure;
// Triangles of files are drawn and shaded without wave operations.
mod meshes;
// The plain loop, which uses no wave operations, draws all pictures; `gpu::lists` tests the lists.
mod metamorphic;
// The kernel that compares pictures uses no wave operations.
mod metrics;
// A fragment stage without wave operations displays a difference in the window.
pub mod present;
// The CPU keeps and drops results of a probe while frames go on; evaluating a layer uses no wave operations.
mod probe;
// The CPU decides which passes a frame has.
mod needed_lists;
// The CPU decides which pipelines are compiled again.
mod reload;
// The CPU decides which methods are tested at the start; the checks are those of `verify`.
mod self_test;
// Kernels without wave operations compute geometry and light of panes; `gpu::pictures` tests panes as layers.
mod sheets;
// Kernels without wave operations find the visible triangles.
mod solids;
// The CPU computes the units of light and fog, and the kernels that store values in these units use no wave operations.
mod units;
// The duration of calls does not depend on the wave size.
mod waiting;
