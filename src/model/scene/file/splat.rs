//! Files of Gaussian splats.

use serde::{Deserialize, Serialize};

use crate::model::splats::{Axes, SplatFilter};

use super::ranges::{EVERY, List, PART, PLACE, RADIANCE, SCALE, SENTENCE, TURN, any, one, part};

/// Those of a scene.
pub(in crate::model::scene) const SPLAT_FILES: List = List {
    most: 256,
    of: "files",
};

part! {
    /// A file of Gaussian splats, and where it stands in the scene. Unlit: its splats have their own colours.
    #[derive(Serialize)]
    pub struct SplatSpec {
        /// Path, relative to the folder of the scene file.
        pub file: String = String::new() => SENTENCE;
        /// Where the file's origin is, world space, metres.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub position: [f32; 3] = [0.0; 3] => PLACE;
        /// Degrees about x, then y, then z of the world; without any turn the file's y, which points down, is the
        /// world's -y, and its z is the world's -z.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub rotation: [f32; 3] = [0.0; 3] => TURN;
        /// Metres per unit of the file.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub scale: f32 = 1.0 => SCALE;
        /// Factor on every splat's opacity, 0…1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub opacity: f32 = 1.0 => PART;
        /// Radiance of what the file calls 1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub radiance: f32 = 1.0 => RADIANCE;
        #[serde(default, skip_serializing_if = "SplatColors::is_srgb")]
        pub colors: SplatColors = SplatColors::default() => any;
        /// Whether the colours are albedos, lit as particles are, and not light of their own.
        #[serde(default)]
        pub lit: bool = false => any;
        /// Where the file's axes point, if not where it says or where those of its kind do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub axes: Option<Axes> = None => any;
        /// How small Gaussians are shown, if not as the file says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub filter: Option<SplatFilter> = None => any;
        /// One of so many splats is shown.
        #[serde(default = "all", skip_serializing_if = "is_all")]
        pub keep_every: u32 = 1 => EVERY;
    }
}

impl SplatSpec {
    /// A file where it stands by itself.
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

/// What the colours of a splat file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplatColors {
    /// As in the photographs that the splats were trained on.
    #[default]
    Srgb,
    /// Taken as they are.
    Linear,
}

impl SplatColors {
    fn is_srgb(&self) -> bool {
        *self == Self::Srgb
    }
}
