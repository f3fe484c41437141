//! The passes of a frame in order: one label each for debug groups, timers and reports.

/// Where every particle is now.
pub const SIMULATE: &str = "simulate";
/// Visible particles become splats.
pub const PROJECT: &str = "project";
/// Splats by depth.
pub const SORT: &str = "sort";
/// Tile lists, fog slices merged in.
pub const LISTS: &str = "lists";
/// Depth from the sun.
pub const SHADOW: &str = "shadow";
/// Which triangle is seen, and its depth.
pub const OPAQUE: &str = "opaque";
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

/// All passes in frame order.
pub const ALL: [&str; 11] = [
    SIMULATE, PROJECT, SORT, LISTS, SHADOW, OPAQUE, SURFACE, FOG, COMPOSITE, BLOOM, RESOLVE,
];
