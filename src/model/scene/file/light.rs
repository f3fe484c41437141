//! Lights of a scene: sun, sky and point lights.

use super::ranges::{OutOfRange, PART, PLACE, RADIANCE, any, from, part};

/// Maximum number of point lights, since each froxel and splat evaluates all of them.
pub(super) const MOST_LIGHTS: usize = 64;

part! {
    /// A light at infinity. There is none by default.
    pub struct Sun {
        /// World space, any length but 0.
        pub direction_to_sun: [f32; 3] = [0.0, 1.0, 0.0] => (from(-1e3, 1e3, ""), has_length);
        /// Irradiance of a surface facing the sun, W/m² before exposure.
        pub irradiance: [f32; 3] = [0.0; 3] => RADIANCE;
        /// Angular radius, degrees: determines the softness of shadows.
        #[serde(default = "sun_radius")]
        pub radius: f32 = 0.0 => from(0.0, 10.0, "°");
        #[serde(default = "yes")]
        pub shadows: bool = false => any;
    }
}

fn has_length(direction: &[f32; 3]) -> Result<(), OutOfRange> {
    if direction.iter().any(|part| part.abs() >= 1e-3) {
        return Ok(());
    }
    Err(OutOfRange::of(
        format!("{direction:?}"),
        "a vector that is not zero",
    ))
}

fn sun_radius() -> f32 {
    0.27
}

fn yes() -> bool {
    true
}

part! {
    /// Radiance of the sky, from horizon to zenith.
    pub struct Sky {
        /// Radiance straight up.
        pub zenith: [f32; 3] = [0.0; 3] => RADIANCE;
        /// Radiance at and below the horizon.
        pub horizon: [f32; 3] = [0.0; 3] => RADIANCE;
    }
}

part! {
    /// A light that shines equally in all directions and casts no shadow.
    pub struct PointLight {
        /// World space, metres.
        pub position: [f32; 3] => PLACE;
        /// Size of the light, metres; keeps the irradiance finite close to the light.
        pub radius: f32 => from(1e-3, 1e4, " m");
        /// Radiant intensity, W/sr before exposure.
        pub intensity: [f32; 3] => RADIANCE;
        /// Variation of the intensity over time, like fire, 0…1.
        #[serde(default)]
        pub flicker: f32 => PART;
        /// Fraction of the light that fog and particles scatter, 0…1.
        #[serde(default = "super::ranges::one")]
        pub glow: f32 => PART;
    }
}
