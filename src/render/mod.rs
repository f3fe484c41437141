//! The frame: from emitters, meshes and fog to a picture. One file per pass; `frame.rs` reads in the
//! order in which a frame runs. Knows wgpu, but neither window nor files.

mod batches;
mod bloom;
pub mod composite;
pub mod counters;
mod debug;
mod extent;
mod fixed_function;
mod fog;
mod frame;
pub mod frame_table;
mod input;
pub mod inspect;
pub mod integrate;
mod kept;
pub mod lists;
pub mod live;
pub mod macro_tiles;
mod measure;
pub mod memory;
pub mod metrics;
pub mod opaque;
pub mod particles;
pub mod passes;
mod pictures;
mod probe;
mod readback;
pub mod resources;
pub mod sort;
pub(crate) mod sprites;
pub mod target;
mod times;

pub use composite::Composite;
pub use counters::Counters;
pub use extent::Extent;
pub use frame::Frame;
pub use frame_table::{BufferId, TextureId};
pub use input::{FrameInput, at_moment, frame_input};
pub use resources::Resources;
pub use target::Target;
