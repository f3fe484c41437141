//! The wgpu layer, independent of fog.
//! `device` contains the adapter, device, memory and clock. `shader` contains texts, variants and their translation,
//! without a device. `pipeline` makes pipelines from shaders. `record` contains passes, times and read-back. Each
//! module imports only modules listed before it.

pub mod device;
pub mod pipeline;
pub mod record;
pub mod shader;

pub use device::buffer::{UNIFORM, buffer, filled_buffer, storage_buffer, uniform_buffer};
pub use device::context::{
    AdapterRequest, Gpu, Worked, adapters, capabilities, checks_shaders, describe,
};
pub use device::pending::{Pending, until};
pub use device::texture::{sampler, sampler_of_pictures, texture};
pub use pipeline::bound::Bound;
pub use pipeline::compile::Built;
pub use pipeline::pipelines::{ComputePipeline, Pipelines, Precompile};
pub use pipeline::resource_set::{Bind, Binds};
pub use record::clock_check::{clock, known_clock, tested_clock};
pub use record::known_work::KnownWork;
pub use record::pieces::Pieces;
pub use record::profiler::Profiler;
pub use record::read_back::{ReadBack, TextureReadBack, arriving, read_buffer, read_texture};
pub use record::recorder::{Recorder, color_attachment};
pub use record::span::{Key, Recorded, Span};
pub use record::waited::Done;
pub use shader::compilers::finish as finish_compiling;
