//! Pipelines of shader variants: what they bind, how they are compiled, and how they are replaced while they are in use.

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
