//! Items of a frame's lists: particles, cells of sheets and splats from files, as the camera sees them.

use super::gpu_struct;

gpu_struct! {
    /// `Splat` of `shaders/common/splat.wesl`: a visible particle as the camera sees it.
    Splat {
        center: [f32; 2],
        depth: f32,
        inverse_radius: f32,
        color: [f32; 3],
        opacity: f32,
        axis: u32,
        shade: u32,
        look: u32,
        softness: f32,
    }
}

gpu_struct! {
    /// `HalfSplat` of `shaders/common/half_splat.wesl`: a visible splat in frames of only splats, composited in halves.
    HalfSplat {
        center: [f32; 2],
        shape: [u32; 2],
        color: [u32; 2],
    }
}

gpu_struct! {
    /// `SplatPlace` of `shaders/common/splat.wesl`: the position of a splat among the other splats.
    SplatPlace {
        order_key: u32,
        slice_or_mask: u32,
        tiles_x: u32,
        tiles_y: u32,
    }
}
