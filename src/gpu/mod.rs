//! Everything that talks to wgpu and knows nothing of fog: adapter and device, shaders and their
//! variants, pipelines, buffers, read-back and timing.

mod adapter;
mod bindings;
mod binds;
mod bound;
mod buffer;
mod clock;
mod clock_check;
mod compilers;
mod context;
pub mod draw;
pub mod folder;
mod known_work;
pub mod layout;
mod made;
mod monitor;
pub mod origin;
pub mod pipeline;
pub mod provenance;
mod read_back;
mod recorder;
pub mod reload;
pub mod renderdoc;
pub mod shader;
mod slot;
mod sources;
pub mod spirv;
mod texture;
mod variant;
pub mod watch;

pub use adapter::Adapter;
pub use binds::{Bind, Binds};
pub use bound::{Bound, Built};
pub use buffer::{UNIFORM, storage_buffer, uniform_buffer};
pub use clock::{Clock, ClockChoice, ClockSource};
pub use clock_check::clock;
pub use compilers::finish as finish_compiling;
pub use context::{
    AdapterRequest, Capabilities, Gpu, Worked, adapters, capabilities, checks_shaders, describe,
};
pub use known_work::KnownWork;
pub use monitor::{Monitor, Reading};
pub use pipeline::{ComputePipeline, Pipelines};
pub use read_back::{ReadBack, TextureReadBack, read_buffer, read_texture};
pub use recorder::{Key, Label, Profiler, Recorder, Span, finish_frame, take_spans};
pub use texture::{sampler, sampler_of_pictures, texture};
