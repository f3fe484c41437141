//! How methods run: the shader and dispatch that follow from a method and its options ([`specialization`]), the pass that
//! runs them ([`composite`], with [`batches`] and [`fixed_function`] for those that need more than one dispatch), and how
//! `auto` chooses ([`auto`]). Knows frames, but neither window nor files.

pub mod auto;
mod batches;
pub mod composite;
mod fixed_function;
mod in_frame;
mod specialization;

pub use composite::Composite;
pub use specialization::{Geometry, Specialization};
