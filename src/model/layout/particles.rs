//! Emitters and their particles.

use super::gpu_struct;

gpu_struct! {
    /// `Emitter` of `shaders/common/emitter.wesl`: a scene's `EmitterSpec` with the index of its first particle.
    Emitter {
        origin: [f32; 3],
        first: u32,
        extent: [f32; 3],
        count: u32,
        velocity: [f32; 3],
        lifetime: f32,
        acceleration: [f32; 3],
        spread: f32,
        albedo_start: [f32; 3],
        opacity: f32,
        albedo_end: [f32; 3],
        softness: f32,
        emission: [f32; 3],
        fade: f32,
        radius_start: f32,
        radius_end: f32,
        turbulence: f32,
        radius_variation: f32,
        puffs: f32,
        spin: f32,
        erosion: f32,
        self_shadow: f32,
        soften: f32,
        stretch: f32,
        pad0: f32,
        pad1: f32,
    }
}

gpu_struct! {
    /// `Particle` of `shaders/common/particle.wesl`.
    Particle {
        position: [f32; 3],
        radius: f32,
        albedo: [f32; 3],
        opacity: f32,
        emission: [f32; 3],
        softness: f32,
    }
}
