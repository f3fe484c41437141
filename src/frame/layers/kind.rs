//! The parts of a frame that depend on the kind of an item.

use crate::frame::buffer_row::BufferRow;
use crate::frame::input::FrameInput;
use crate::frame::shape::FrameShape;
use crate::gpu::shader::Variant;

pub struct LayerKind {
    pub buffers: &'static [BufferRow],
    /// Module and entry point that project items of this kind.
    pub project: (&'static str, &'static str),
    /// Variant and entry point that light items of this kind. `None` if nothing is lit.
    pub light: fn(&FrameInput) -> Option<(Variant, &'static str)>,
    /// Numbers of workgroups for the light in x and y.
    pub light_groups: fn(&FrameShape) -> [u32; 2],
    /// Number of frames per update of the light.
    pub lit_every: fn(&FrameShape) -> u32,
}
