//! Sheets in the world, and as a frame's camera sees them.

use super::gpu_struct;

gpu_struct! {
    /// `Sheet` of `shaders/common/sheet.wesl`: a flat translucent pane, cut into cells.
    Sheet {
        /// World-space centre, metres.
        center: [f32; 3],
        /// Its first cell, counted over all sheets.
        first: u32,
        /// World-space vector from the centre to the middle of an edge, metres.
        half_u: [f32; 3],
        /// Cells along u.
        cells_u: u32,
        /// World-space vector from the centre to the middle of an edge, metres.
        half_v: [f32; 3],
        /// Cells along v.
        cells_v: u32,
        /// Linear RGB albedo.
        albedo: [f32; 3],
        /// 0…1.
        opacity: f32,
        /// Linear RGB radiance.
        emission: [f32; 3],
        /// Part of the scattered light that leaves on the far side, 0…1.
        transmission: f32,
        /// Width of the rim, metres.
        rim: f32,
        /// Opacity of the rim, 0…1.
        rim_opacity: f32,
        /// Width over which the opacity falls to 0 at the edges, metres.
        fade: f32,
        pad0: f32,
    }
}

gpu_struct! {
    /// `SeenSheet` of `shaders/layers/sheet_cell.wesl`: a sheet as the frame's camera sees it.
    ///
    /// A plane in perspective is a homography: at pixel p, with d = p - `pixel` and
    /// n = `facing` + `facing_step` · d, the ray meets the sheet at view depth `distance` / n and at
    /// (`place` + `place_across` d.x + `place_down` d.y) / n, in sheet coordinates from its centre: -0.5…0.5.
    SeenSheet {
        /// Pixel from which positions count: near where the sheet's centre is seen, so that numbers are small there.
        pixel: [f32; 2],
        /// How `facing` grows per pixel to the right and down.
        facing_step: [f32; 2],
        /// Cosine of the angle between the sheet's normal and the ray through `pixel`, times the ray's length per
        /// metre of view depth.
        facing: f32,
        /// Distance of the camera from the sheet's plane, metres; not below 0.
        distance: f32,
        /// Sheet coordinates from the centre, times `facing`, at `pixel`.
        place: [f32; 2],
        /// How they grow per pixel to the right.
        place_across: [f32; 2],
        /// How they grow per pixel down.
        place_down: [f32; 2],
        /// Cells along u and v.
        cells: [f32; 2],
        /// 0…1.
        opacity: f32,
        /// Opacity of the rim, 0…1.
        rim_opacity: f32,
        /// Width of the rim in sheet coordinates along u and v.
        rim: [f32; 2],
        /// 1 / the width over which the opacity falls to 0 at the edges, in sheet coordinates along u and v; the
        /// greatest number where that is 0.
        inverse_fade: [f32; 2],
        /// From sheet coordinates to those of the texture with the light of all sheets.
        light_scale: [f32; 2],
        /// Where the sheet's centre is in that texture.
        light_center: [f32; 2],
    }
}
