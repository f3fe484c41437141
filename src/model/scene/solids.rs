//! How visible solids are found: rasterised or ray-tested.

use crate::model::flag_value::written_as_in_flags;
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

written_as_in_flags!(Solids);
