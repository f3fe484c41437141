//! By what means it is found which solid the camera sees.

use serde::{Deserialize, Serialize};

/// How it is found which opaque triangle the camera sees at a pixel. The picture is the same but for pixels at edges.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Solids {
    /// What is known to be faster on the adapter.
    #[default]
    Auto,
    /// By the rasteriser.
    Draw,
    /// By compute, in scenes without models of files and with no more than some ten thousand triangles.
    Compute,
}

impl Solids {
    /// Its name in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Solids::Auto => "auto",
            Solids::Draw => "draw",
            Solids::Compute => "compute",
        }
    }

    /// Whether it is the default.
    pub fn is_auto(&self) -> bool {
        *self == Solids::Auto
    }
}
