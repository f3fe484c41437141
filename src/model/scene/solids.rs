//! How visible solids are found: rasterised or ray-tested.

use serde::{Deserialize, Serialize};

/// How the visible opaque triangle of a pixel is found. Pictures differ only in pixels at edges.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Solids {
    /// Whichever is known to be faster on the adapter.
    #[default]
    Auto,
    /// By the rasteriser.
    Draw,
    /// By compute, in scenes without model files and with at most some ten thousand triangles.
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
