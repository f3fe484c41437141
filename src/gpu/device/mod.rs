//! An adapter and its device: what it can do, its memory, its clocks. Knows no shader.

pub(in crate::gpu) mod buffer;
pub(in crate::gpu) mod context;
pub(in crate::gpu) mod pending;
pub mod renderdoc;
pub(in crate::gpu) mod texture;
