//! The medium of a scene.

use serde::Deserialize;

use super::ranges::{OWN, PART, PLACE, VELOCITY, above, from, ranges};

/// The medium: density falls exponentially with height, times drifting noise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fog {
    /// Extinction at and below `height`, 1/m.
    pub extinction: f32,
    /// Single-scattering albedo, 0…1.
    pub albedo: [f32; 3],
    /// Henyey–Greenstein g; above 0 light goes on forwards.
    #[serde(default)]
    pub anisotropy: f32,
    /// World-space y below which fog is at its densest, metres.
    #[serde(default)]
    pub height: f32,
    /// Exponential falloff above `height`, 1/m; 0: none.
    #[serde(default)]
    pub falloff: f32,
    #[serde(default)]
    pub noise: Noise,
}

impl Default for Fog {
    /// None.
    fn default() -> Self {
        Self {
            extinction: 0.0,
            albedo: [1.0; 3],
            anisotropy: 0.0,
            height: 0.0,
            falloff: 0.0,
            noise: Noise::default(),
        }
    }
}

ranges!(Fog: Self {
    extinction: from(0.0, 1e3, " 1/m"),
    albedo: PART,
    anisotropy: from(-0.95, 0.95, ""),
    height: PLACE,
    falloff: from(0.0, 1e3, " 1/m"),
    noise: OWN,
});

/// Variation of the fog's density.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// 0: none, 1: from nothing to twice the density.
    pub strength: f32,
    /// Noise cells per metre.
    pub scale: f32,
    /// World-space velocity of the pattern, m/s.
    #[serde(default)]
    pub drift: [f32; 3],
}

ranges!(Noise: Self {
    strength: PART,
    scale: above(0.0, 1e2, " 1/m"),
    drift: VELOCITY,
});

impl Default for Noise {
    fn default() -> Self {
        Self {
            strength: 0.0,
            scale: 1.0,
            drift: [0.0; 3],
        }
    }
}
