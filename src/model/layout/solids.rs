//! Opaque triangles, and what those of files are made of.

use super::gpu_struct;

gpu_struct! {
    /// `Vertex` of `shaders/frame/opaque.wesl`, three to a triangle; `shaders/frame/surface.wesl` reads it as floats.
    Vertex {
        /// World space, metres.
        position: [f32; 3],
        /// World-space unit vector.
        normal: [f32; 3],
        /// Linear RGB.
        albedo: [f32; 3],
        /// Factor on the albedo that glows by itself.
        emission: f32,
    }
}

gpu_struct! {
    /// `TriangleMaterial` of `shaders/common/material.wesl`: what a triangle of a file is made of.
    TriangleMaterial {
        /// Where its first corner is on the pictures of its material.
        place_a: [f32; 2],
        /// Where its second corner is.
        place_b: [f32; 2],
        /// Where its third corner is.
        place_c: [f32; 2],
        material: u32,
        pad: u32,
    }
}

gpu_struct! {
    /// `Material` of `shaders/common/material.wesl`.
    Material {
        /// Own light: linear RGB radiance, or the factor on that of its picture.
        emission: [f32; 3],
        /// Where the alpha is below this, nothing is seen; 0: it is seen everywhere.
        cutoff: f32,
        /// Factor on the alpha of its picture.
        alpha: f32,
        /// Which picture is the factor on its colour; `u32::MAX`: none.
        picture: u32,
        /// Which picture is the factor on its own light; `u32::MAX`: none.
        glow: u32,
        /// Bits: 1: seen from behind, too. 2: its colour is its light. From bit 2 on, how the pictures go on beyond
        /// their edges, two bits each for x and y of the first and of the second: 0 again, 1 with the edge, 2 back.
        flags: u32,
    }
}
