//! How methods run. A [`family`] has a file each: constants of its shaders, dispatch, and what it has of its own.
//! [`specialization`] is a method with its options, [`composite`] the pass that runs it, [`frame_range`] one before it,
//! [`own_buffer`] a kernel with a buffer, [`auto`] how `auto` chooses. Knows frames, but neither window nor files.

mod any_order;
pub mod auto;
mod batches;
mod blended;
mod coarse;
pub mod composite;
pub mod family;
mod frame_range;
mod histogram;
mod in_frame;
mod k_buffer;
mod linked_list;
mod moment;
mod multi_layer;
mod own_buffer;
mod peeling;
mod per_wave;
mod specialization;
mod split_depth;
mod staged;
mod stochastic;
mod weighted;
mod weighted_sum;

pub use composite::Composite;
pub use family::{Family, Part, Varied};
pub use specialization::{Geometry, Specialization};
