//! Translucent panes.

use glam::DVec3;

use super::ranges::{LENGTH, OutOfRange, PART, PLACE, RADIANCE, Range, from, part};
use crate::model::meshes::MOST_PANES;

/// Maximum number of cells along an edge.
const MOST_CELLS: u32 = 64;

/// Maximum number of sheets: each sheet's light takes a part of one texture. As in `shaders/common/sheet.wesl`.
pub const MOST_SHEETS: usize = MOST_PANES;

part! {
    /// A translucent parallelogram without a shadow. Intersecting sheets are sorted by the centres of their cells.
    pub struct SheetSpec {
        /// World space, metres.
        pub center: [f32; 3] = [0.0; 3] => PLACE;
        /// From the centre to the middle of an edge, metres.
        pub half_u: [f32; 3] = [0.0; 3] => (EDGE, is_long);
        /// From the centre to the middle of the adjacent edge, metres.
        pub half_v: [f32; 3] = [0.0; 3] => ((EDGE, is_long), |half_v: &_| spans(half_u, half_v));
        /// Number of cells along `half_u` and `half_v`, each a layer at the depth of its centre.
        #[serde(default = "default_cells")]
        pub cells: [u32; 2] = default_cells() => 1..=MOST_CELLS;
        /// 0…1.
        pub albedo: [f32; 3] = [0.0; 3] => PART;
        /// Emitted radiance.
        #[serde(default)]
        pub emission: [f32; 3] = [0.0; 3] => RADIANCE;
        /// 0…1.
        pub opacity: f32 = 0.0 => PART;
        /// Fraction of scattered light that leaves on the far side, 0…1.
        #[serde(default = "half")]
        pub transmission: f32 = half() => PART;
        /// Width over which opacity falls to 0 at the edges, metres; 0 for sharp edges.
        #[serde(default)]
        pub fade: f32 = 0.0 => LENGTH;
        /// Width of a rim along the edges, metres; 0 for none.
        #[serde(default)]
        pub rim: f32 = 0.0 => LENGTH;
        /// Opacity of the rim, 0…1.
        #[serde(default = "super::ranges::one")]
        pub rim_opacity: f32 = 1.0 => PART;
    }
}

const EDGE: Range = from(-1e4, 1e4, " m");

fn is_long(half: &[f32; 3]) -> Result<(), OutOfRange> {
    let length = wide(half).length();
    if length >= 1e-3 {
        return Ok(());
    }
    Err(OutOfRange::of(
        format!("{length} m long"),
        "1 mm long or more",
    ))
}

/// The edges must span an area, not lie on one line.
fn spans(half_u: &[f32; 3], half_v: &[f32; 3]) -> Result<(), OutOfRange> {
    let [u, v] = [half_u, half_v].map(wide);
    if u.cross(v).length() >= 0.01 * u.length() * v.length() {
        return Ok(());
    }
    let allowed = "half a degree or more from the line of `half_u`";
    Err(OutOfRange::of(format!("{half_v:?}"), allowed))
}

fn wide(half: &[f32; 3]) -> DVec3 {
    DVec3::from_array(half.map(f64::from))
}

fn default_cells() -> [u32; 2] {
    [8, 8]
}

fn half() -> f32 {
    0.5
}
