//! Opaque triangles, and the materials of triangles from files.

use super::gpu_struct;

gpu_struct! {
    /// `Vertex` of `shaders/frame/opaque.wesl`, three per triangle; `shaders/frame/surface.wesl` reads it as floats.
    Vertex {
        /// World space, metres.
        position: [f32; 3],
        /// World-space unit vector.
        normal: [f32; 3],
        /// Linear RGB.
        albedo: [f32; 3],
        /// Factor from the albedo to emitted light.
        emission: f32,
    }
}

gpu_struct! {
    /// `TriangleMaterial` of `shaders/common/material.wesl`: the material of a triangle from a file.
    TriangleMaterial {
        place_a: [f32; 2],
        place_b: [f32; 2],
        place_c: [f32; 2],
        material: u32,
        pad: u32,
    }
}

gpu_struct! {
    /// `Material` of `shaders/common/material.wesl`.
    Material {
        emission: [f32; 3],
        cutoff: f32,
        alpha: f32,
        picture: u32,
        glow: u32,
        flags: u32,
    }
}
