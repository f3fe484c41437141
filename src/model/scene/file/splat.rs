//! Files of Gaussian splats.

use serde::{Deserialize, Serialize};

use crate::model::splats::{Axes, SplatFilter};

use super::ranges::{EVERY, List, PART, PLACE, RADIANCE, SCALE, SENTENCE, TURN, any, one, part};

pub(in crate::model::scene) const SPLAT_FILES: List = List {
    most: 256,
    of: "files",
};

part! {
    /// A file of Gaussian splats, and its placement in the scene. Splats are unlit by default.
    #[derive(Serialize)]
    pub struct SplatSpec {
        /// Path, relative to the folder of the scene file.
        pub file: String = String::new() => SENTENCE;
        /// World-space position of the file's origin, metres.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub position: [f32; 3] = [0.0; 3] => PLACE;
        /// Rotation in degrees about x, then y, then z of the world. Without rotation, the file's y, which points down,
        /// becomes the world's -y, and the file's z becomes the world's -z.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub rotation: [f32; 3] = [0.0; 3] => TURN;
        /// Metres per unit of the file.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub scale: f32 = 1.0 => SCALE;
        /// Factor on every splat's opacity, 0…1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub opacity: f32 = 1.0 => PART;
        /// Radiance for a value of 1 in the file.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub radiance: f32 = 1.0 => RADIANCE;
        #[serde(default, skip_serializing_if = "SplatColors::is_srgb")]
        pub colors: SplatColors = SplatColors::default() => any;
        /// True if the colours are albedos, lit like particles, instead of emitted light.
        #[serde(default)]
        pub lit: bool = false => any;
        /// Directions of the file's axes; by default as the file declares, or as usual for its format.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub axes: Option<Axes> = None => any;
        /// Treatment of small Gaussians; by default as the file declares.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub filter: Option<SplatFilter> = None => any;
        /// Shows one splat out of this many.
        #[serde(default = "all", skip_serializing_if = "is_all")]
        pub keep_every: u32 = 1 => EVERY;
    }
}

impl SplatSpec {
    pub fn new(file: &str, colors: SplatColors) -> Self {
        Self {
            file: file.to_owned(),
            colors,
            ..Self::default()
        }
    }
}

fn all() -> u32 {
    1
}

fn is_all(every: &u32) -> bool {
    *every == 1
}

fn is_one(value: &f32) -> bool {
    *value == 1.0
}

fn is_zero(values: &[f32; 3]) -> bool {
    *values == [0.0; 3]
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplatColors {
    /// As in the photographs used for training.
    #[default]
    Srgb,
    /// Used unchanged.
    Linear,
}

impl SplatColors {
    fn is_srgb(&self) -> bool {
        *self == Self::Srgb
    }
}
