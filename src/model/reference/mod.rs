//! The program's own oracles: composites and their error bounds in f64, and lists of layers that reveal mistakes.
//! `verify` compares every method with the oracles, and a probe of a pixel shows the result of an oracle next to the
//! results of methods. CPU twins of the frame's other stages exist only in tests (`tests/suite/oracles`). Nothing here
//! may use wgpu or a GPU, or share code with the checked methods, and only checks and the probe may use it.

pub mod composite;
pub mod half;
pub mod order;
pub mod stress;
