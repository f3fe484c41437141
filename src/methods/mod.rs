//! Runs methods. [`kernel`] contains the trait, and one file per group of methods implements it: shader constants,
//! dispatch and own resources. [`specialization`] is a method with its options. [`composite`] is a method that is ready
//! to record. [`frame_range`] is a pass before the method's own, [`own_buffer`] is a kernel with a buffer, and [`auto`]
//! makes the choice of `auto`. Nothing here depends on the window or on files.

mod any_order;
pub mod auto;
mod batches;
mod blended;
pub mod composite;
mod frame_range;
pub mod kernel;
mod own_buffer;
mod per_wave;
mod specialization;
mod split_depth;
mod staged;

pub use composite::Composite;
pub use kernel::{BenchAxes, Kernel, Part};
pub use specialization::{Geometry, Specialization};

use crate::model::Capabilities;
use crate::model::methods::{Group, Method};
use crate::model::options::Dial;
use crate::model::passes::Inputs;

/// One thread per pixel (`shaders/methods/pixel_loop.wesl`).
struct PerPixel;

impl Kernel for PerPixel {}

/// The kernel of a method. `auto` has a kernel too, which runs until a rule has chosen.
pub fn kernel_of(method: Method) -> &'static dyn Kernel {
    match method.entry().group {
        Group::PerPixel | Group::Auto => &PerPixel,
        Group::PerWave => &per_wave::PerWave,
        Group::Staged => &staged::Staged,
        Group::SplitDepth => &split_depth::SplitDepth,
        Group::Batches => &batches::Batches,
        Group::Blended => &blended::Blended,
        Group::AnyOrder => &any_order::AnyOrder,
    }
}

impl Specialization {
    pub fn kernel(&self) -> &'static dyn Kernel {
        kernel_of(self.runs)
    }

    pub fn inputs(&self) -> Inputs {
        self.kernel().inputs(self)
    }

    pub fn dial(&self) -> Dial {
        self.kernel().dial(&self.options.method).unwrap_or_default()
    }

    pub fn parts(&self, caps: &Capabilities) -> Vec<Part> {
        self.kernel().parts(self, caps)
    }

    pub fn geometry(&self, caps: &Capabilities) -> Geometry {
        self.kernel().geometry(self, caps)
    }

    /// Position of the dial as text: "8", "4p", "128b", "P=32", "P=32 padded".
    pub fn place(&self) -> Option<String> {
        self.kernel().place(self)
    }
}
