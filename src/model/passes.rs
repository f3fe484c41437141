//! The passes of a frame in order: one label each for debug groups, timers, tables and traces.

/// Where every particle is now.
pub const SIMULATE: &str = "simulate";
/// Which triangle is seen, and its depth.
pub const OPAQUE: &str = "opaque";
/// Visible particles become splats.
pub const PROJECT: &str = "project";
/// Splats by macro tile.
pub const BIN: &str = "bin";
/// Tile lists, cut at opaque surfaces, fog slices merged in.
pub const LISTS: &str = "lists";
/// Depth from the sun.
pub const SHADOW: &str = "shadow";
/// The light of opaque surfaces.
pub const SURFACE: &str = "surface";
/// Froxels and splats lit.
pub const FOG: &str = "fog";
/// The method at work.
pub const COMPOSITE: &str = "composite";
/// The glow around what is bright.
pub const BLOOM: &str = "bloom";
/// Tone map, dither, antialiasing.
pub const RESOLVE: &str = "resolve";
/// In a window: the pictures on screen, and the panes over them.
pub const UI: &str = "ui";

// Behind the window's frames, where they are wanted.

/// A debug view's values.
pub const DEBUG_VIEW: &str = "debug view";
/// Method A measured against B.
pub const METRICS: &str = "metrics";
/// A pixel's layers.
pub const PROBE: &str = "probe";
/// One method for its value at the probed pixel.
pub const PROBE_COMPOSITE: &str = "probe composite";

/// All passes in frame order, but for [`UI`], which only a window has.
pub const ALL: [&str; 11] = [
    SIMULATE, OPAQUE, PROJECT, BIN, LISTS, SHADOW, SURFACE, FOG, COMPOSITE, BLOOM, RESOLVE,
];

/// What a method needs of the frame before its own pass. Each includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inputs {
    /// Opaque surfaces, lit.
    Opaque,
    /// Items projected and lit, those dropped that are not seen.
    VisibleItems,
    /// Tile lists in order of depth, fog slices merged in.
    #[default]
    Lists,
}

impl Inputs {
    /// The passes that make them.
    pub fn passes(self) -> impl Iterator<Item = &'static str> {
        let from = |pass: &str| match pass {
            OPAQUE | SHADOW | SURFACE => Some(Self::Opaque),
            SIMULATE | PROJECT | FOG => Some(Self::VisibleItems),
            BIN | LISTS => Some(Self::Lists),
            _ => None,
        };
        let needed = move |pass: &&'static str| from(pass).is_some_and(|least| least <= self);
        ALL.into_iter().filter(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_lists_is_not_charged_for_them() {
        let of = |inputs: Inputs| inputs.passes().collect::<Vec<_>>();
        assert_eq!(of(Inputs::Lists), ALL[..8]);
        assert!(
            !of(Inputs::VisibleItems).contains(&BIN) && !of(Inputs::VisibleItems).contains(&LISTS)
        );
        assert_eq!(of(Inputs::Opaque), [OPAQUE, SHADOW, SURFACE]);
    }
}
