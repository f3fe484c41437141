//! The medium of a scene.

use super::ranges::{PART, PLACE, VELOCITY, above, from, own, part};

part! {
    /// The medium; none by default. Density falls exponentially with height and is multiplied by drifting noise.
    pub struct Fog {
        /// Extinction at and below `height`, 1/m.
        pub extinction: f32 = 0.0 => from(0.0, 1e3, " 1/m");
        /// Single-scattering albedo, 0…1.
        pub albedo: [f32; 3] = [1.0; 3] => PART;
        /// Henyey–Greenstein g; values above 0 scatter light forwards.
        #[serde(default)]
        pub anisotropy: f32 = 0.0 => from(-0.95, 0.95, "");
        /// World-space y below which fog has its full density, metres.
        #[serde(default)]
        pub height: f32 = 0.0 => PLACE;
        /// Exponential falloff above `height`, 1/m; 0 for none.
        #[serde(default)]
        pub falloff: f32 = 0.0 => from(0.0, 1e3, " 1/m");
        #[serde(default)]
        pub noise: Noise = Noise::default() => own;
    }
}

part! {
    /// Variation of the fog's density.
    pub struct Noise {
        /// Strength of the noise: at 0 there is none, at 1 the density varies from zero to double.
        pub strength: f32 = 0.0 => PART;
        /// Noise cells per metre.
        pub scale: f32 = 1.0 => above(0.0, 1e2, " 1/m");
        /// World-space velocity of the pattern, m/s.
        #[serde(default)]
        pub drift: [f32; 3] = [0.0; 3] => VELOCITY;
    }
}
