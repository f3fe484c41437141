//! Pipelines of shader variants: bindings, compilation, and replacement while in use.

pub(in crate::gpu) mod bindings;
pub(in crate::gpu) mod compile;
pub mod draw;
pub mod pipelines;
pub mod reload;
pub(in crate::gpu) mod reloadable;
pub(in crate::gpu) mod resource_set;
pub(in crate::gpu) mod rollback;
pub(in crate::gpu) mod sources;
pub mod watch;
