//! Pipelines of shader variants: bindings, compilation, and reuse after an edit of their files.

pub(in crate::gpu) mod bindings;
pub(in crate::gpu) mod bound;
pub(in crate::gpu) mod compile;
pub mod draw;
pub mod edited;
pub mod pipelines;
pub(in crate::gpu) mod resource_set;
pub(in crate::gpu) mod sources;
