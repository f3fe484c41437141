//! What a frame's lists hold: particles, cells of sheets and splats of files as the camera sees them.

use super::gpu_struct;

gpu_struct! {
    /// `Splat` of `shaders/common/splat.wesl`: a visible particle as the camera sees it.
    Splat {
        /// Centre in pixels.
        center: [f32; 2],
        /// View depth of the centre, metres.
        depth: f32,
        /// 1 / pixels; 0: a sheet's cell; below 0: an ellipse.
        inverse_radius: f32,
        /// Linear RGB radiance (albedo before the light pass).
        color: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Unit vector along the sprite's x in pixels, two snorm16 (written by the light pass). Of an ellipse,
        /// `axis`, `shade` and `look` hold its falloff: `shaders/common/splat.wesl`.
        axis: u32,
        /// Relative change of radiance per radius in x and y, two snorm16 (written by the light pass).
        shade: u32,
        /// Sprite, erosion, stretch, softening: `shaders/common/splat.wesl` (written by the light
        /// pass); 0 for a plain disc. Of a sheet's cell: which cell of which sheet.
        look: u32,
        /// 0 hard disc … 1 soft to the rim.
        softness: f32,
    }
}

gpu_struct! {
    /// `HalfSplat` of `shaders/common/half_splat.wesl`: a visible splat where splats are alone and composited in half floats.
    HalfSplat {
        /// Centre in pixels.
        center: [f32; 2],
        /// Four half floats: its falloff, and log2 of the opacity in its centre.
        shape: [u32; 2],
        /// Four half floats: linear RGB radiance, and the least log2 of an opacity that shows.
        color: [u32; 2],
    }
}

gpu_struct! {
    /// `SplatPlace` of `shaders/common/splat.wesl`: where a splat is among others.
    SplatPlace {
        /// By which splats are in order, from the nearest on; `u32::MAX` where the item is not visible.
        order_key: u32,
        /// In frames without splats of files the fog slice that the splat lies in. In others, of an ellipse, which tiles of
        /// its rectangle it touches, where frames ask for that; else 0.
        slice_or_mask: u32,
        /// Tile rectangle in x: min | max << 13, max exclusive, and in the highest 6 bits the lower 6 of the fog slice that it
        /// lies in; 0 of what is not visible.
        tiles_x: u32,
        /// The same in y, with the higher bits of the slice.
        tiles_y: u32,
    }
}
