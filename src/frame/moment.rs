//! A frame's content at a moment, and the frame constants for the GPU, which are derived from the moment and the
//! frame's shape. Independent of the GPU.

use glam::DVec3;

use crate::model::layout::{FrameUniform, flags};
use crate::model::scene::{self, Camera, Scene, ToneCurve};

use super::shape::FrameShape;

/// Content of a frame at a moment. It may change while the frame's shape stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    pub camera: Camera,
    /// Coarse lists are ordered by view depth from this camera, if the frame uses it.
    pub order_camera: Camera,
    pub time: f32,
    /// Matrix from [`scene::sun_clip_from_world`], column-major.
    pub sun_clip_from_world: [[f32; 4]; 4],
    /// Light, fog and tone of the scene, and the seed. [`frame_uniform`] fills in the other constants.
    pub look: FrameUniform,
}

impl Moment {
    /// Axis that orders coarse lists ([`Camera::axis_of`]).
    pub(super) fn order_axis(&self) -> [f32; 4] {
        self.camera.axis_of(&self.order_camera)
    }
}

/// The appearance of a scene as frame constants, independent of camera and time.
pub(super) fn look_of(scene: &Scene, seed: u32) -> FrameUniform {
    let to_sun = DVec3::from_array(scene.sun.direction_to_sun.map(f64::from)).normalize();
    let flags = [
        (scene.sun.shadows, flags::SUN_SHADOWS),
        (scene.tone_curve == ToneCurve::Filmic, flags::FILMIC),
        (scene.tone_curve == ToneCurve::Encoded, flags::ENCODED),
    ];
    let (radiance_unit, extinction_unit) =
        (scene::radiance_unit(scene), scene::extinction_unit(scene));
    FrameUniform {
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
        seed,
        ground: scene.ground.unwrap_or(scene.ambient),
        bloom: scene.bloom.strength,
        bloom_threshold: scene.bloom.threshold,
        sun_radius: f64::from(scene.sun.radius).to_radians().tan() as f32,
        stains: scene.surface.stains,
        bump: scene.surface.bump,
        courses: scene.surface.courses,
        occlusion: scene.surface.occlusion,
        cell_depth: scene::cell_reach(scene),
        dilation: scene.splat_dilation,
        radiance_unit,
        inverse_radiance_unit: 1.0 / radiance_unit,
        extinction_unit,
        inverse_extinction_unit: 1.0 / extinction_unit,
        flags: flags
            .iter()
            .map(|(is_on, bit)| u32::from(*is_on) * bit)
            .sum(),
        ..FrameUniform::default()
    }
}

pub fn frame_uniform(moment: &Moment, shape: &FrameShape) -> FrameUniform {
    let camera = &moment.camera;
    FrameUniform {
        eye: camera.eye,
        right: camera.right,
        up: camera.up,
        forward: camera.forward,
        tan_x: camera.tan_x,
        tan_y: camera.tan_y,
        time: moment.time,
        sun_clip_from_world: moment.sun_clip_from_world,
        near: shape.near,
        far: shape.far,
        size: shape.size,
        tiles: shape.tiles(),
        emitters: shape.emitters,
        lights: shape.lights,
        slices: shape.slices,
        listed_slices: shape.listed_slices(),
        light_cells: shape.light_cells,
        entry_capacity: shape.entry_capacity,
        shadow_texel: 1.0 / shape.shadow_edge as f32,
        sheets: shape.sheets,
        first_items: shape.counts.starts(),
        splat_sets: shape.splat_sets,
        by_distance: shape.is_by_distance().into(),
        first_model_triangle: shape.solids,
        macro_shift: shape.macro_shift,
        ..moment.look
    }
}
