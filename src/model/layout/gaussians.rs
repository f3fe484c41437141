//! Splats of files.

use super::gpu_struct;

gpu_struct! {
    /// `Gaussian` of `shaders/common/gaussian.wesl`: a splat of a splat file.
    Gaussian {
        /// World space, metres.
        position: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Unit quaternion (x, y, z, w) from its own axes to world space.
        rotation: [f32; 4],
        /// Standard deviations along its own axes, metres.
        scales: [f32; 3],
        of_set: u32,
    }
}

gpu_struct! {
    /// `SplatSet` of `shaders/common/gaussian.wesl`: the splats of one file, as they are placed in a scene.
    SplatSet {
        /// The file's x axis in world space, unit length.
        axis_x: [f32; 3],
        /// Its first splat, counted over all sets.
        first: u32,
        /// The file's y axis in world space, unit length.
        axis_y: [f32; 3],
        /// Where its harmonics begin, vectors of four words.
        vectors: u32,
        /// The file's z axis in world space, unit length.
        axis_z: [f32; 3],
        /// Degree of its harmonics, 0 to 3.
        degree: u32,
        /// Radiance of what the file calls 1.
        radiance: f32,
        /// 1: the file's colours are sRGB, 0: they are linear.
        encoded: u32,
        /// 1: its colours are albedos, lit as particles are, 0: they are light of their own.
        lit: u32,
        /// 1: opacities of small ones are lower, as in Mip-Splatting.
        mip: u32,
    }
}
