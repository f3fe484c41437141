//! A sheet's cell as seen by the camera, in f64: the twin of `shaders/frame/project/cell.wesl`.
//!
//! Bounds are as in [`super::project`]: either side of an edge is accepted only where f32 may be on either side. Only
//! the struct layouts are shared with the GPU code.

use wavelerp::model::items::ItemKind;
use wavelerp::model::layout::{FrameUniform, Sheet};

use super::Shown;
use super::project::{
    Bounded, ProjectedParticle, ROUNDING, TileEdge, Visible, first_wrong, not_nothing, pixel,
    same_bits, sign, tile_edge,
};

/// A cell: index of the sheet, and the cell's column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub sheet: u32,
    pub place: [u32; 2],
}

impl Cell {
    /// Word `look` of the cell's splat.
    pub fn packed(self) -> u32 {
        self.place[0] | self.place[1] << 8 | self.sheet << 16
    }
}

/// All cells of all sheets, in numerical order.
pub fn cells(sheets: &[Sheet]) -> impl Iterator<Item = Cell> + '_ {
    (0..).zip(sheets).flat_map(|(index, sheet)| {
        (0..sheet.cells_u * sheet.cells_v).map(move |number| Cell {
            sheet: index,
            place: [number % sheet.cells_u, number / sheet.cells_u],
        })
    })
}

/// Projects a cell of `sheet` for tiles of `tile` x `tile` pixels; its radius is 0.
///
/// The error of a position along an edge, -1…1, is at most 10 roundings, and that of a point's coordinate at most
/// `4 |centre| + 14 (|half_u| + |half_v|)` roundings; the rest is as for a particle. A cell with a corner nearer than
/// `near` covers every tile.
pub fn project_cell(
    sheet: &Sheet,
    place: [u32; 2],
    frame: &FrameUniform,
    tile: u32,
) -> ProjectedParticle {
    let counts = [sheet.cells_u, sheet.cells_v];
    let along = |axis: usize, part: f64| {
        2.0 * (f64::from(place[axis]) + part) / f64::from(counts[axis]) - 1.0
    };
    let middle = seen(sheet, [along(0, 0.5), along(1, 0.5)], frame);
    let [near, far] = [frame.near, frame.far].map(f64::from);
    let mut result = ProjectedParticle {
        depth: middle.depth,
        ..Default::default()
    };
    let inside = sign(middle.depth.value - near, middle.depth.error)
        .min(sign(far - middle.depth.value, middle.depth.error))
        .min(not_nothing(sheet.opacity));
    if inside == Visible::No {
        return result;
    }
    result.center = middle.pixel;
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        .map(|[u, v]| seen(sheet, [along(0, u), along(1, v)], frame));
    let beyond_near = corners.map(|corner| sign(corner.depth.value - near, corner.depth.error));
    let beyond_near = beyond_near.into_iter().min().unwrap_or_default();
    result.tiles = [0, 1].map(|axis| {
        let count = frame.tiles[axis];
        let [first, last] = [-1.0, 1.0].map(|side| {
            let corner = outermost(&corners, axis, side);
            tile_edge(corner, Bounded::default(), side, tile, count)
        });
        // A corner that is too near makes the cell cover all tiles.
        let all = |edge: TileEdge, end: u32| match beyond_near {
            Visible::Yes => edge,
            Visible::No => TileEdge {
                least: end,
                most: end,
            },
            Visible::Either => TileEdge {
                least: edge.least.min(end),
                most: edge.most.max(end),
            },
        };
        [all(first, 0), all(last, count)]
    });
    result.seen(inside)
}

/// A point of a sheet as seen by the camera.
#[derive(Clone, Copy)]
struct Seen {
    pixel: [Bounded; 2],
    depth: Bounded,
}

fn seen(sheet: &Sheet, along: [f64; 2], frame: &FrameUniform) -> Seen {
    let coordinate = |direction: [f32; 3]| {
        let mut sum = Bounded::default();
        for (axis, part) in direction.into_iter().map(f64::from).enumerate() {
            let [center, half_u, half_v, eye] =
                [sheet.center, sheet.half_u, sheet.half_v, frame.eye].map(|v| f64::from(v[axis]));
            let place = center + half_u * along[0] + half_v * along[1];
            let off = 4.0 * center.abs() + 14.0 * (half_u.abs() + half_v.abs());
            let term = (place - eye) * part;
            sum.value += term;
            sum.error += ROUNDING * (5.0 * term.abs() + off * part.abs());
        }
        sum
    };
    let depth = coordinate(frame.forward);
    Seen {
        pixel: pixel([frame.right, frame.up].map(coordinate), depth, frame),
        depth,
    }
}

/// The corners' lowest (`side` -1) or highest (1) pixel along `axis`.
fn outermost(corners: &[Seen; 4], axis: usize, side: f64) -> Bounded {
    let pixels = corners.map(|corner| corner.pixel[axis]);
    let most = pixels.iter().map(|pixel| pixel.value * side);
    Bounded {
        value: side * most.fold(f64::NEG_INFINITY, f64::max),
        error: pixels.iter().map(|pixel| pixel.error).fold(0.0, f64::max),
    }
}

/// Describes a difference beyond the bounds between the GPU's splat of a cell and the twin.
fn differs(
    splat: &Shown,
    (cell, sheet): (Cell, &Sheet),
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let twin = project_cell(sheet, cell.place, frame, tile);
    let wrong = twin.wrong(splat, slice_bounds).or_else(|| {
        first_wrong([
            (splat.look == cell.packed(), "its cell"),
            (same_bits(&splat.color, &sheet.albedo), "its albedo"),
            (same_bits(&[splat.opacity], &[sheet.opacity]), "its opacity"),
            (
                splat.inverse_radius == super::tag_of(ItemKind::Cell),
                "its kind",
            ),
            (same_bits(&[splat.softness], &[0.0]), "its softness"),
            ((splat.axis, splat.shade) == (0, 0), "its axis or shade"),
        ])
    });
    wrong.map(|wrong| format!("{cell:?}: {wrong} is wrong: {splat:?} for {twin:?}"))
}

/// Describes the first difference between the GPU's `splats` of cells and the twin.
pub fn first_difference(
    splats: &[Shown],
    sheets: &[Sheet],
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let twins = cells(sheets).map(|cell| (cell, &sheets[cell.sheet as usize]));
    let differs =
        |splat: &Shown, of: &(Cell, &Sheet)| differs(splat, *of, frame, slice_bounds, tile);
    let is_needed = |(cell, sheet): &(Cell, &Sheet)| {
        project_cell(sheet, cell.place, frame, tile).visible == Visible::Yes
    };
    let first = frame.first_items[ItemKind::Cell as usize];
    super::first_difference(splats, first, twins, differs, is_needed)
}
