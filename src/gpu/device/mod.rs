//! An adapter and its device: capabilities, memory and clocks. Nothing here depends on shaders.

pub(in crate::gpu) mod buffer;
pub(in crate::gpu) mod context;
pub(in crate::gpu) mod pending;
pub mod renderdoc;
pub(in crate::gpu) mod texture;
