//! What lights a scene: sun, sky and point lights.

use serde::Deserialize;

use super::ranges::{ANY, Fault, PART, PLACE, RADIANCE, from, ranges};

/// Every froxel and splat sees all point lights.
pub(super) const MOST_LIGHTS: usize = 64;

/// A light at infinity.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sun {
    /// World space, any length but 0.
    pub direction_to_sun: [f32; 3],
    /// On a surface that faces the sun, W/m² up to the exposure.
    pub irradiance: [f32; 3],
    /// Angular radius, degrees: how soft shadows are.
    #[serde(default = "sun_radius")]
    pub radius: f32,
    /// Whether anything casts shadows.
    #[serde(default = "yes")]
    pub shadows: bool,
}

impl Default for Sun {
    /// None.
    fn default() -> Self {
        Self {
            direction_to_sun: [0.0, 1.0, 0.0],
            irradiance: [0.0; 3],
            radius: 0.0,
            shadows: false,
        }
    }
}

ranges!(Sun: Self {
    direction_to_sun: (from(-1e3, 1e3, ""), has_length),
    irradiance: RADIANCE,
    radius: from(0.0, 10.0, "°"),
    shadows: ANY,
});

fn has_length(direction: &[f32; 3]) -> Result<(), Fault> {
    if direction.iter().any(|part| part.abs() >= 1e-3) {
        return Ok(());
    }
    Err(Fault::of(
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

/// Radiance of the sky, horizon to zenith.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sky {
    /// Straight up.
    pub zenith: [f32; 3],
    /// At and below the horizon.
    pub horizon: [f32; 3],
}

ranges!(Sky: Self {
    zenith: RADIANCE,
    horizon: RADIANCE,
});

/// A light that shines alike in all directions and casts no shadow.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointLight {
    /// World space, metres.
    pub position: [f32; 3],
    /// Size of the light, metres; keeps its irradiance finite close by.
    pub radius: f32,
    /// Radiant intensity, W/sr up to the exposure.
    pub intensity: [f32; 3],
    /// Variation in time, as of a fire, 0…1.
    #[serde(default)]
    pub flicker: f32,
    /// Part of its light that fog and particles scatter, 0…1.
    #[serde(default = "super::one")]
    pub glow: f32,
}

ranges!(PointLight: Self {
    position: PLACE,
    radius: from(1e-3, 1e4, " m"),
    intensity: RADIANCE,
    flicker: PART,
    glow: PART,
});
