//! What a frame asks of a kind of items.

use crate::error::Result;
use crate::frame::buffer_row::BufferRow;
use crate::frame::input::FrameInput;
use crate::frame::shape::FrameShape;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline};

pub trait LayerKind: Sync {
    /// Rows of the frame's table for its own buffers.
    fn buffers(&self) -> &'static [BufferRow];

    /// Module and entry point of its projection.
    fn project(&self) -> (&'static str, &'static str);

    /// Variant and entry point of its light; `None` if nothing is lit.
    fn light(&self, input: &FrameInput) -> Option<(Variant, &'static str)>;

    fn dispatch_light(
        &self,
        light: &ComputePipeline,
        pass: &mut wgpu::ComputePass,
        binds: &[&Binds],
        shape: &FrameShape,
    ) -> Result<()>;

    /// It is lit once per this many frames.
    fn lit_every(&self, _shape: &FrameShape) -> u32 {
        1
    }
}
