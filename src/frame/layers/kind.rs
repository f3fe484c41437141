//! What a frame asks of a kind of items.

use crate::frame::buffer_row::BufferRow;
use crate::frame::input::FrameInput;
use crate::frame::shape::FrameShape;
use crate::gpu::shader::Variant;

pub struct LayerKind {
    /// Rows of the frame's table for its own buffers.
    pub buffers: &'static [BufferRow],
    /// Module and entry point of its projection.
    pub project: (&'static str, &'static str),
    /// Variant and entry point of its light; `None` if nothing is lit.
    pub light: fn(&FrameInput) -> Option<(Variant, &'static str)>,
    /// Workgroups of its light in x and y.
    pub light_groups: fn(&FrameShape) -> [u32; 2],
    /// It is lit once per this many frames.
    pub lit_every: fn(&FrameShape) -> u32,
}
