//! The frame: from emitters, meshes and fog to a picture. One file per pass; `frame.rs` reads in the
//! order in which a frame runs. Knows wgpu, but neither window nor files.

mod bloom;
pub mod composite;
pub mod counters;
mod debug;
mod fixed_function;
mod fog;
mod frame;
mod input;
pub mod inspect;
pub mod integrate;
pub mod lists;
pub mod live;
mod measure;
pub mod memory;
pub mod metrics;
pub mod opaque;
mod particles;
pub mod passes;
mod probe;
mod readback;
pub mod resources;
pub mod sort;
pub(crate) mod sprites;
mod times;

pub use composite::{Composite, Extent};
pub use counters::Counters;
pub use frame::Frame;
pub use input::{emitters_at, frame_input, uniform_at};
pub use resources::{FrameInput, Resources};
