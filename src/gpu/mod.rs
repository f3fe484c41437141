//! Everything that talks to wgpu and knows nothing of fog: adapter and device, shaders and their
//! variants, pipelines, buffers, read-back and timing.

mod buffer;
mod context;
pub mod draw;
mod half;
pub mod layout;
pub mod pipeline;
pub mod renderdoc;
pub mod shader;
pub mod spirv;
mod timing;

pub use buffer::{read_buffer, read_texture, storage_buffer, uniform_buffer};
pub use context::{AdapterRequest, Capabilities, Gpu, adapters, capabilities, describe};
pub use half::{half_bits, half_value};
pub use pipeline::{Bind, ComputePipeline, Pipelines};
pub use timing::{Label, Recorder, Span, finish_frame, finish_spans, profiler, take_times};
