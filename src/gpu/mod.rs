//! Everything that talks to wgpu and knows nothing of fog: adapter and device, shaders and their
//! variants, pipelines, buffers, read-back and timing.

mod adapter;
mod bound;
mod buffer;
mod clock;
mod clock_check;
mod context;
pub mod draw;
pub mod folder;
mod half;
mod known_work;
pub mod layout;
mod monitor;
pub mod origin;
pub mod pipeline;
mod recorder;
pub mod reload;
pub mod renderdoc;
pub mod shader;
mod slot;
pub mod spirv;
pub mod watch;

pub use adapter::Adapter;
pub use bound::{Bound, Built};
pub use buffer::{read_buffer, read_texture, storage_buffer, uniform_buffer};
pub use clock::{Clock, ClockChoice, ClockSource};
pub use clock_check::clock;
pub use context::{
    AdapterRequest, Capabilities, Gpu, adapters, capabilities, checks_shaders, describe,
};
pub use half::{half_bits, half_value};
pub use known_work::KnownWork;
pub use monitor::{Monitor, Reading};
pub use pipeline::{Bind, ComputePipeline, Pipelines};
pub use recorder::{Key, Label, Profiler, Recorder, Span, finish_frame, take_spans};
