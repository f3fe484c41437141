//! Splats from files.

use super::gpu_struct;

gpu_struct! {
    /// `Gaussian` of `shaders/common/gaussian.wesl`: one splat of a splat file.
    Gaussian {
        position: [f32; 3],
        opacity: f32,
        rotation: [f32; 4],
        scales: [f32; 3],
        of_set: u32,
    }
}

gpu_struct! {
    /// `SplatSet` of `shaders/common/gaussian.wesl`: the splats of one file, placed in a scene.
    SplatSet {
        axis_x: [f32; 3],
        first: u32,
        axis_y: [f32; 3],
        vectors: u32,
        axis_z: [f32; 3],
        degree: u32,
        radiance: f32,
        encoded: u32,
        lit: u32,
        mip: u32,
    }
}
