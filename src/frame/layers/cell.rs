//! Cells of sheets. All cells of a sheet share one texture of light.

use crate::frame::buffer_row::{BufferRow, Content, whole_bytes_of};
use crate::gpu::UNIFORM;
use crate::gpu::shader::Variant;
use crate::model::scene::{MOST_SHEETS, SHEET_LIGHT_EDGE, seen_sheets};

use super::kind::LayerKind;

/// Number of workgroups for the light along a sheet's edge.
const LIGHT_GROUPS: u32 = SHEET_LIGHT_EDGE / 8;

#[rustfmt::skip]
static BUFFERS: [BufferRow; 2] = [
    BufferRow::new("sheets", &["sheets"], UNIFORM,
        Content::Given(|input| whole_bytes_of(&input.sheets, MOST_SHEETS))),
    // Sheets as seen by the frame's camera.
    BufferRow::new("sheets", &["seen_sheets"], UNIFORM,
        Content::Given(|input| {
            let (camera, shape) = (&input.moment.camera, &input.shape);
            whole_bytes_of(&seen_sheets(&input.sheets, camera, shape.near, shape.size), MOST_SHEETS)
        })).of_moment(),
];

pub static CELLS: LayerKind = LayerKind {
    buffers: &BUFFERS,
    project: ("frame/project/cell", "project_cells"),
    light: |_| Some((Variant::new("frame/sheet_light"), "light_sheets")),
    light_groups: |of| [LIGHT_GROUPS, LIGHT_GROUPS * of.sheets],
    lit_every: |of| of.sheets_lit_every,
};
