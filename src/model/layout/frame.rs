//! Constants of a frame, and the frame's point lights.

use super::gpu_struct;
use crate::model::items::MOST_STARTS;

gpu_struct! {
    /// `Frame` of `shaders/common/frame.wesl`: the frame's constants.
    FrameUniform {
        /// World-space camera position, metres.
        eye: [f32; 3],
        /// Seconds.
        time: f32,
        /// World-space unit vector.
        right: [f32; 3],
        /// Tangent of half the horizontal field of view.
        tan_x: f32,
        /// World-space unit vector.
        up: [f32; 3],
        /// Tangent of half the vertical field of view.
        tan_y: f32,
        /// World-space unit vector.
        forward: [f32; 3],
        /// View depth of the near plane, metres.
        near: f32,
        /// Column-major; x and y in -1…1, z in 0…1 away from the sun.
        sun_clip_from_world: [[f32; 4]; 4],
        /// World-space unit vector towards the sun.
        to_sun: [f32; 3],
        /// Henyey–Greenstein g, -1…1.
        anisotropy: f32,
        /// Linear RGB, W/m² before exposure.
        sun_irradiance: [f32; 3],
        /// Fog extinction at and below `fog_height`, 1/m.
        fog_extinction: f32,
        /// Linear RGB radiance from everywhere.
        ambient: [f32; 3],
        /// World-space y below which fog has its full density, metres.
        fog_height: f32,
        /// Linear RGB single-scattering albedo.
        fog_albedo: [f32; 3],
        /// Exponential falloff above `fog_height`, 1/m.
        fog_falloff: f32,
        /// World-space velocity of the noise, m/s.
        fog_drift: [f32; 3],
        /// Strength of the noise, 0…1.
        fog_noise: f32,
        /// Linear RGB radiance of the sky straight up.
        sky_zenith: [f32; 3],
        /// Noise cells per metre.
        fog_noise_scale: f32,
        /// Linear RGB radiance of the sky at the horizon.
        sky_horizon: [f32; 3],
        /// Factor from radiance to the tone curve's input.
        exposure: f32,
        size: [u32; 2],
        /// Tiles in x and y.
        tiles: [u32; 2],
        emitters: u32,
        lights: u32,
        /// Number of fog slices, F.
        slices: u32,
        seed: u32,
        /// Tile entries that fit the buffers.
        entry_capacity: u32,
        /// 1 / edge of the shadow map, 1 / texels.
        shadow_texel: f32,
        /// View depth of the last slice's far side, metres.
        far: f32,
        sheets: u32,
        /// Linear RGB radiance from below; `ambient` comes from above.
        ground: [f32; 3],
        /// Fraction of the light above `bloom_threshold` that spreads as glow.
        bloom: f32,
        /// Exposed radiance above which light glows.
        bloom_threshold: f32,
        /// Tangent of the sun's angular radius.
        sun_radius: f32,
        /// Bits of [`flags`].
        flags: u32,
        /// Variation of surfaces' albedo, 0…1.
        stains: f32,
        /// Roughness of surfaces' normals, 0…1.
        bump: f32,
        /// Height of masonry courses, metres; 0 for none.
        courses: f32,
        /// Darkening of ambient light in corners, 0…1.
        occlusion: f32,
        /// Maximum distance that a cell of a sheet reaches in front of its centre, metres.
        cell_depth: f32,
        splat_sets: u32,
        /// Added to the screen-space variances of splats from files, square pixels.
        dilation: f32,
        /// 1 if splats are sorted by distance, 0 if by depth.
        by_distance: u32,
        first_model_triangle: u32,
        /// log2 of the number of tiles in a macro tile, in x and y: 0 to 2.
        macro_shift: u32,
        /// Radiance stored as 1 in splats and textures of half floats: a power of two.
        radiance_unit: f32,
        inverse_radiance_unit: f32,
        /// Extinction stored as 1 in froxels, 1/m: a power of two.
        extinction_unit: f32,
        inverse_extinction_unit: f32,
        listed_slices: u32,
        /// Number of cells in a froxel column at which light is sampled.
        light_cells: u32,
        pad: u32,
        /// [`super::super::items::ItemCounts::starts`].
        first_items: [u32; MOST_STARTS],
    }
}

impl FrameUniform {
    /// All zero except for the units, which are 1.
    pub fn plain() -> Self {
        Self {
            radiance_unit: 1.0,
            inverse_radiance_unit: 1.0,
            extinction_unit: 1.0,
            inverse_extinction_unit: 1.0,
            ..Self::default()
        }
    }
}

/// Bits of `flags` in [`FrameUniform`], as in `shaders/common/frame.wesl`.
pub mod flags {
    /// The sun casts shadows; otherwise it shines through everything.
    pub const SUN_SHADOWS: u32 = 1;
    /// Filmic tone curve; otherwise linear up to white.
    pub const FILMIC: u32 = 2;
    /// Composites layers and background in display encoding; otherwise as radiance.
    pub const ENCODED: u32 = 4;
}

gpu_struct! {
    /// `PointLight` of `shaders/common/light.wesl`.
    PointLight {
        /// World space, metres.
        position: [f32; 3],
        /// Metres.
        radius: f32,
        /// Linear RGB, W/sr before exposure.
        intensity: [f32; 3],
        /// Variation of the intensity over time, 0…1 (applied on the CPU).
        flicker: f32,
        /// Fraction of the light that fog and particles scatter.
        glow: f32,
        pad0: f32,
        pad1: f32,
        pad2: f32,
    }
}
