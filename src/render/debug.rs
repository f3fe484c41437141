//! Debug views: one f32 per pixel that the window colours.

use serde::{Deserialize, Serialize};

/// What can be seen of a frame besides its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DebugView {
    /// Layers in the list of the pixel's tile.
    ListLength,
    /// Groups of that list at the wave size that method A ran at.
    Groups,
    /// Transmittance of method A.
    Transmittance,
    /// View depth of the opaque surface, metres; the far plane where there is none.
    OpaqueDepth,
    /// The group in which the pixel's transmittance falls below the early-out threshold (1/256
    /// where that is 0); the number of groups where it never does.
    EarlyOutGroup,
    /// 1 where method A is NaN or infinite in any channel, else 0.
    NotFinite,
}

impl DebugView {
    /// All views in the order of the shaders' numbers.
    pub const ALL: [DebugView; 6] = [
        DebugView::ListLength,
        DebugView::Groups,
        DebugView::Transmittance,
        DebugView::OpaqueDepth,
        DebugView::EarlyOutGroup,
        DebugView::NotFinite,
    ];

    /// Its mode in `present.wesl`.
    pub fn present_mode(self) -> u32 {
        6 + self as u32
    }
}
