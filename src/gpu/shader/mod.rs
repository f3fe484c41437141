//! Shaders as text: source, variants, error locations and SPIR-V. No module here needs a device.

pub(in crate::gpu) mod compilers;
pub mod error_location;
pub mod folder;
pub mod provenance;
pub(in crate::gpu) mod source;
pub mod spirv;
pub(in crate::gpu) mod variant;
pub mod watch;

pub use source::{Edit, ShaderSource, embedded, hash_of, plain_lines};
pub use variant::{Hashes, Texts, Variant};
