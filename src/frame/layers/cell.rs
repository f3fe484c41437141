//! Cells of sheets. The light of a sheet is a texture that its cells share.

use crate::error::Result;
use crate::frame::buffer_row::{BufferRow, Content, whole_bytes_of};
use crate::frame::input::FrameInput;
use crate::frame::shape::FrameShape;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, UNIFORM};
use crate::model::scene::{MOST_SHEETS, SHEET_LIGHT_EDGE, seen_sheets};

use super::kind::LayerKind;

pub(super) struct Cells;

/// Texels per workgroup edge of the light.
const GROUP_EDGE: u32 = 8;

#[rustfmt::skip]
static BUFFERS: [BufferRow; 2] = [
    BufferRow::new("sheets", &["sheets"], UNIFORM,
        Content::Given(|input| whole_bytes_of(&input.sheets, MOST_SHEETS))),
    // As seen by the frame's camera.
    BufferRow::new("sheets", &["seen_sheets"], UNIFORM,
        Content::Given(|input| {
            let (camera, shape) = (&input.moment.camera, &input.shape);
            whole_bytes_of(&seen_sheets(&input.sheets, camera, shape.near, shape.size), MOST_SHEETS)
        })).of_moment(),
];

impl LayerKind for Cells {
    fn buffers(&self) -> &'static [BufferRow] {
        &BUFFERS
    }

    fn project(&self) -> (&'static str, &'static str) {
        ("frame/project/cell", "project_cells")
    }

    fn light(&self, _input: &FrameInput) -> Option<(Variant, &'static str)> {
        Some((Variant::new("frame/sheet_light"), "light_sheets"))
    }

    fn dispatch_light(
        &self,
        light: &ComputePipeline,
        pass: &mut wgpu::ComputePass,
        binds: &[&Binds],
        shape: &FrameShape,
    ) -> Result<()> {
        let texels = [SHEET_LIGHT_EDGE, SHEET_LIGHT_EDGE * shape.sheets];
        light.dispatch_squares(pass, binds, texels, GROUP_EDGE)
    }

    fn lit_every(&self, shape: &FrameShape) -> u32 {
        shape.sheets_lit_every
    }
}
