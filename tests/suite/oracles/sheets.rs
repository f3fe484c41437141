//! What the camera sees of a sheet's cell, in f64: the cells' part of `shaders/frame/project.wesl`.
//!
//! Bounds as in [`super::project`]: either side of an edge is accepted where f32 straddles it, and
//! nowhere else. Only the struct layouts are shared with the GPU code.

use glam::DVec3;

use super::project::{
    Bounded, ProjectedParticle, ROUNDING, TileEdge, Visible, centre, covers, least_of, not_nothing,
    sign, slice_of, tile_edge,
};
use wavelerp::model::layout::{FrameUniform, Sheet};

use super::Shown;

/// A cell: which sheet, and the cell's column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Index of the sheet.
    pub sheet: u32,
    /// Column and row.
    pub place: [u32; 2],
}

impl Cell {
    /// The word `look` of its splat.
    pub fn packed(self) -> u32 {
        self.place[0] | self.place[1] << 8 | self.sheet << 16
    }
}

/// Every cell of every sheet in the order of their numbers.
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
/// A place along an edge, -1…1, is bounded by 10 roundings, a coordinate of a point by
/// `4 |centre| + 14 (|half_u| + |half_v|)` of them; from there as for a particle. A cell with a corner
/// nearer than `near` covers every tile.
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
    let inside = least_of([
        sign(middle.depth.value - near, middle.depth.error),
        sign(far - middle.depth.value, middle.depth.error),
        not_nothing(sheet.opacity),
        Visible::Yes,
    ]);
    let mut result = ProjectedParticle {
        depth: middle.depth,
        ..Default::default()
    };
    if inside == Visible::No {
        return result;
    }
    result.center = middle.pixel;
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        .map(|[u, v]| seen(sheet, [along(0, u), along(1, v)], frame));
    let beyond_near = corners.map(|corner| sign(corner.depth.value - near, corner.depth.error));
    for axis in 0..2 {
        let all = [0, frame.tiles[axis]].map(|edge| TileEdge {
            least: edge,
            most: edge,
        });
        let edges = [-1.0, 1.0].map(|side| {
            tile_edge(
                outermost(&corners, axis, side),
                Bounded::default(),
                side,
                tile,
                frame.tiles[axis],
            )
        });
        [result.tile_min[axis], result.tile_max[axis]] = match least_of(beyond_near) {
            Visible::Yes => edges,
            Visible::No => all,
            Visible::Either => [
                TileEdge {
                    least: 0,
                    ..edges[0]
                },
                TileEdge {
                    most: frame.tiles[axis],
                    ..edges[1]
                },
            ],
        };
    }
    result.visible = least_of([inside, covers(&result, 0), covers(&result, 1), Visible::Yes]);
    result
}

/// A point of a sheet as the camera sees it.
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
        pixel: [
            centre(
                coordinate(frame.right),
                depth,
                frame.tan_x,
                1.0,
                frame.size[0],
            ),
            centre(
                coordinate(frame.up),
                depth,
                frame.tan_y,
                -1.0,
                frame.size[1],
            ),
        ],
        depth,
    }
}

/// View depth at which the ray through a pixel's centre meets the plane of a sheet.
pub fn depth_at(sheet: &Sheet, pixel: [u32; 2], frame: &FrameUniform) -> f64 {
    let vector = |of: [f32; 3]| DVec3::from_array(of.map(f64::from));
    let along =
        |axis: usize| (2.0 * f64::from(pixel[axis]) + 1.0) / f64::from(frame.size[axis]) - 1.0;
    let ray = vector(frame.forward) + vector(frame.right) * (along(0) * f64::from(frame.tan_x))
        - vector(frame.up) * (along(1) * f64::from(frame.tan_y));
    let normal = vector(sheet.half_u).cross(vector(sheet.half_v));
    normal.dot(vector(sheet.center) - vector(frame.eye)) / normal.dot(ray)
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

/// Says how the GPU's splat of item `index` differs from the cell's twin by more than the bounds.
pub fn differs(
    splat: &Shown,
    index: u32,
    (cell, sheet): (Cell, &Sheet),
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let twin = project_cell(sheet, cell.place, frame, tile);
    let admits = |edges: [TileEdge; 2], packed: u32| {
        let [min, max] = [packed & 0xffff, packed >> 16];
        edges[0].admits(min) && edges[1].admits(max) && min < max
    };
    let slice = slice_of(splat.depth, slice_bounds);
    let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    let claims = [
        (splat.particle == index, "its number"),
        (twin.visible != Visible::No, "that it is visible"),
        (twin.depth.admits(splat.depth), "its depth"),
        (
            twin.center[0].admits(splat.center[0]) && twin.center[1].admits(splat.center[1]),
            "its centre",
        ),
        (
            admits([twin.tile_min[0], twin.tile_max[0]], splat.tiles_x),
            "its columns",
        ),
        (
            admits([twin.tile_min[1], twin.tile_max[1]], splat.tiles_y),
            "its rows",
        ),
        (splat.slice == slice, "its slice"),
        (splat.look == cell.packed(), "its cell"),
        (bits(&splat.color) == bits(&sheet.albedo), "its albedo"),
        (
            splat.opacity.to_bits() == sheet.opacity.to_bits(),
            "its opacity",
        ),
        (
            bits(&[splat.inverse_radius, splat.softness]) == [0, 0],
            "that it has no radius",
        ),
        (
            (splat.axis, splat.shade) == (0, 0),
            "that it has no axis and no shade",
        ),
    ];
    let wrong = claims.into_iter().find(|claim| !claim.0)?.1;
    Some(format!(
        "{cell:?}: {wrong} is wrong: {splat:?} for {twin:?}"
    ))
}

/// Says how the GPU's `splats` of cells differ from the twin: one that [`differs`], one too many, one
/// missing, or one out of order.
pub fn first_difference(
    splats: &[Shown],
    sheets: &[Sheet],
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let mut rest = splats.iter().peekable();
    for (index, cell) in (frame.particles..).zip(cells(sheets)) {
        let sheet = &sheets[cell.sheet as usize];
        match rest.next_if(|splat| splat.particle == index) {
            Some(splat) => {
                let found = differs(splat, index, (cell, sheet), frame, slice_bounds, tile);
                if found.is_some() {
                    return found;
                }
            }
            None if project_cell(sheet, cell.place, frame, tile).visible == Visible::Yes => {
                return Some(format!("{cell:?} has no splat"));
            }
            None => {}
        }
    }
    let splat = rest.next()?;
    Some(format!(
        "the splat of item {} is out of order or of no cell",
        splat.particle
    ))
}
