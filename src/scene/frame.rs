//! The frame's constants from scene, camera and settings.

use super::camera::Camera;
use super::file::{Scene, ToneCurve};
use super::splats::{Cull, SplatOrder};
use crate::gpu::layout::FrameUniform;
use glam::DVec3;

/// What a frame's constants depend on besides scene and camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformInputs {
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Edge of a tile in pixels.
    pub tile: u32,
    /// Seconds.
    pub time: f32,
    /// Seed of all randomness.
    pub seed: u32,
    /// Number of particles simulated: the total of [`super::emitters`].
    pub particles: u32,
    /// Number of fog slices.
    pub slices: u32,
    /// Tile entries that fit the buffers.
    pub entry_capacity: u32,
    /// Sort key of items.
    pub splat_order: SplatOrder,
    /// In which tiles Gaussians are listed.
    pub cull: Cull,
    /// log2 of the tiles of a macro tile in x, and in y.
    pub macro_shift: u32,
    /// 1 / edge of the shadow map, 1 / texels.
    pub shadow_texel: f32,
    /// From [`super::sun_clip_from_world`], column-major.
    pub sun_clip_from_world: [[f32; 4]; 4],
}

/// The frame's constants, complete.
#[must_use]
pub fn frame_uniform(scene: &Scene, camera: &Camera, inputs: &UniformInputs) -> FrameUniform {
    let to_sun = DVec3::from_array(scene.sun.direction_to_sun.map(f64::from)).normalize();
    let (sheets, cells) = super::sheets(scene);
    let solids: u64 = scene.meshes.iter().map(super::mesh::triangles).sum();
    FrameUniform {
        eye: camera.eye,
        time: inputs.time,
        right: camera.right,
        tan_x: camera.tan_x,
        up: camera.up,
        tan_y: camera.tan_y,
        forward: camera.forward,
        near: scene.near,
        sun_clip_from_world: inputs.sun_clip_from_world,
        to_sun: to_sun.as_vec3().to_array(),
        anisotropy: scene.fog.anisotropy,
        sun_irradiance: scene.sun.irradiance,
        fog_extinction: scene.fog.extinction,
        ambient: scene.ambient,
        fog_height: scene.fog.height,
        fog_albedo: scene.fog.albedo,
        fog_falloff: scene.fog.falloff,
        fog_drift: scene.fog.noise.drift,
        fog_noise: scene.fog.noise.strength,
        sky_zenith: scene.sky.zenith,
        fog_noise_scale: scene.fog.noise.scale,
        sky_horizon: scene.sky.horizon,
        exposure: scene.exposure,
        size: inputs.size,
        tiles: inputs.size.map(|pixels| pixels.div_ceil(inputs.tile)),
        particles: inputs.particles,
        emitters: u32::try_from(scene.emitters.len()).unwrap_or(u32::MAX),
        lights: u32::try_from(scene.lights.len()).unwrap_or(u32::MAX),
        slices: inputs.slices,
        seed: inputs.seed,
        entry_capacity: inputs.entry_capacity,
        shadow_texel: inputs.shadow_texel,
        far: scene.far,
        ground: scene.ground.unwrap_or(scene.ambient),
        bloom: scene.bloom.strength,
        bloom_threshold: scene.bloom.threshold,
        sun_radius: f64::from(scene.sun.radius).to_radians().tan() as f32,
        sun_shadows: f32::from(u8::from(scene.sun.shadows)),
        filmic: f32::from(u8::from(scene.tone_curve == ToneCurve::Filmic)),
        stains: scene.surface.stains,
        bump: scene.surface.bump,
        courses: scene.surface.courses,
        occlusion: scene.surface.occlusion,
        antialias: f32::from(u8::from(scene.antialias)),
        cells,
        sheets: u32::try_from(sheets.len()).unwrap_or(u32::MAX),
        cell_depth: super::cell_reach(scene),
        ellipsoids: scene.placed_splats.count(),
        splat_sets: u32::try_from(scene.placed_splats.sets.len()).unwrap_or(u32::MAX),
        dilation: scene.splat_dilation,
        encoded: f32::from(u8::from(scene.tone_curve == ToneCurve::Encoded)),
        first_coat: u32::try_from(solids).unwrap_or(u32::MAX),
        by_distance: u32::from(inputs.splat_order == SplatOrder::Distance),
        exact_tiles: u32::from(inputs.cull == Cull::Ellipse),
        macro_shift: inputs.macro_shift,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_is_no_multiple_of_the_tile_has_a_tile_for_the_rest() {
        let scene = crate::scene::load("two").unwrap();
        let inputs = |size, tile| UniformInputs {
            size,
            tile,
            time: 1.5,
            seed: 7,
            particles: 2,
            slices: 4,
            entry_capacity: 99,
            splat_order: SplatOrder::Depth,
            cull: Cull::default(),
            macro_shift: 2,
            shadow_texel: 0.25,
            sun_clip_from_world: [[0.0; 4]; 4],
        };
        let frame = |size, tile| {
            let camera = Camera::new(&scene.cameras[0], size);
            frame_uniform(&scene, &camera, &inputs(size, tile))
        };
        assert_eq!(frame([161, 91], 8).tiles, [21, 12]);
        assert_eq!(frame([160, 96], 16).tiles, [10, 6]);
        let uniform = frame([160, 90], 8);
        assert_eq!((uniform.near, uniform.far), (scene.near, scene.far));
        assert_eq!(
            (uniform.emitters, uniform.lights, uniform.particles),
            (2, 0, 2)
        );
        assert_eq!(
            (uniform.seed, uniform.entry_capacity, uniform.shadow_texel),
            (7, 99, 0.25)
        );
        let length: f32 = uniform.to_sun.iter().map(|c| c * c).sum();
        assert!((length - 1.0).abs() < 1e-6);
    }
}
