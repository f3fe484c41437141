//! Structs shared by CPU and GPU, byte for byte; a struct for one folder of `src` is declared in that folder. Fields are
//! explained in the shader, or else in this folder. A test compares all sizes and member offsets with naga's.

mod frame;
mod gaussians;
mod lists;
mod particles;
mod present;
mod sheets;
mod solids;
mod splats;

pub use frame::{FrameUniform, PointLight, flags};
pub use gaussians::{Gaussian, SplatSet};
pub use lists::Range;
pub use particles::{Emitter, Particle};
pub use present::{ENLARGED, PresentUniform};
pub use sheets::{SeenSheet, Sheet};
pub use solids::{Material, TriangleMaterial, Vertex};
pub use splats::{HalfSplat, Splat, SplatPlace};

/// Declares a `repr(C)` struct together with a list of its fields and offsets under the shader's names.
macro_rules! gpu_struct {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident : $ty:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        impl $name {
            /// Name and byte offset of every field, in order.
            pub fn fields() -> Vec<(&'static str, usize)> {
                vec![$((stringify!($field), std::mem::offset_of!($name, $field)),)*]
            }
        }
    };
}

pub(crate) use gpu_struct;
