//! Sheets in the world, and sheets as a frame's camera sees them.

use super::gpu_struct;

gpu_struct! {
    /// `Sheet` of `shaders/common/sheet.wesl`: a flat translucent pane, cut into cells.
    Sheet {
        center: [f32; 3],
        first: u32,
        half_u: [f32; 3],
        cells_u: u32,
        half_v: [f32; 3],
        cells_v: u32,
        albedo: [f32; 3],
        opacity: f32,
        emission: [f32; 3],
        transmission: f32,
        rim: f32,
        rim_opacity: f32,
        fade: f32,
        pad0: f32,
    }
}

gpu_struct! {
    /// `SeenSheet` of `shaders/layers/sheet_cell.wesl`: a sheet as the frame's camera sees it.
    ///
    /// A plane in perspective is a homography: at pixel p, with d = p - `pixel` and n = `facing` + `facing_step` · d,
    /// the ray meets the sheet at view depth `distance` / n and at (`place` + `place_across` d.x + `place_down` d.y)
    /// / n, in sheet coordinates from its centre: -0.5…0.5.
    SeenSheet {
        pixel: [f32; 2],
        facing_step: [f32; 2],
        facing: f32,
        distance: f32,
        place: [f32; 2],
        place_across: [f32; 2],
        place_down: [f32; 2],
        cells: [f32; 2],
        opacity: f32,
        rim_opacity: f32,
        rim: [f32; 2],
        inverse_fade: [f32; 2],
        light_scale: [f32; 2],
        light_center: [f32; 2],
    }
}
