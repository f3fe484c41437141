//! Emitters, and the particles that they send out.

use super::gpu_struct;

gpu_struct! {
    /// `Emitter` of `shaders/common/emitter.wesl`.
    Emitter {
        /// World-space centre of the spawn box, metres.
        origin: [f32; 3],
        /// Index of its first particle.
        first: u32,
        /// Half-size of the spawn box, metres.
        extent: [f32; 3],
        /// Number of particles.
        count: u32,
        /// World-space velocity, m/s.
        velocity: [f32; 3],
        /// Seconds; 0: particles stand still at the middle of their life.
        lifetime: f32,
        /// World-space acceleration, m/s².
        acceleration: [f32; 3],
        /// Random velocity per axis, ± m/s.
        spread: f32,
        /// Linear RGB albedo at birth.
        albedo_start: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Linear RGB albedo at the end of life.
        albedo_end: [f32; 3],
        /// 0 hard disc … 1 soft to the rim.
        softness: f32,
        /// Linear RGB radiance at birth, falling to 0.
        emission: [f32; 3],
        /// Part of life over which opacity rises at birth and falls at the end, 0…0.5.
        fade: f32,
        /// Metres.
        radius_start: f32,
        /// Metres.
        radius_end: f32,
        /// Swing sideways at the end of life, metres.
        turbulence: f32,
        /// Random part of the radius, 0…1.
        radius_variation: f32,
        /// 0: analytic disc, 1: puffs from the sprite atlas.
        puffs: f32,
        /// Turns per second at most.
        spin: f32,
        /// Part of a puff that has thinned away at the end of life, 0…1.
        erosion: f32,
        /// Optical depth of the whole cloud.
        self_shadow: f32,
        /// Distance to a surface over which a particle fades, metres.
        soften: f32,
        /// Seconds of its way that a particle is drawn out to.
        stretch: f32,
        pad0: f32,
        pad1: f32,
    }
}

gpu_struct! {
    /// `Particle` of `shaders/frame/simulate.wesl`.
    Particle {
        /// World space, metres.
        position: [f32; 3],
        /// Metres.
        radius: f32,
        /// Linear RGB albedo.
        albedo: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Linear RGB radiance.
        emission: [f32; 3],
        /// 0 hard disc … 1 soft to the rim.
        softness: f32,
    }
}
