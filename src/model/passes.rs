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
