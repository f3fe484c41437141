//! Tile lists made differently from the GPU: each splat goes into the lists of all tiles that it covers, and every
//! list is cut and sorted with the fog slices by definition. For macro tiles, only the set of splats is given.
//!
//! Integer work on slices: lists and macro tiles must equal the GPU's bit by bit. Depth keys are the f32 bits of a
//! positive view depth, which sort like the depths. Tiles are numbered row by row.

use wavelerp::frame::FrameShape;
use wavelerp::model::items::ItemKind;

use super::Shown;

/// A particle after the project stage; a culled one covers no tile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Splat {
    /// The f32 bits of the positive view depth.
    pub depth_key: u32,
    /// First tile covered, column and row.
    pub tile_min: [u32; 2],
    /// One past the last tile covered, column and row; no tile unless above `tile_min`.
    pub tile_max: [u32; 2],
    /// Covered tiles among these, as cells in [`Splat::cells`]; all without a mask.
    pub mask: Option<u32>,
}

/// Columns and rows of tiles, exclusive of the last.
pub type Rectangle = [std::ops::Range<u32>; 2];

impl Splat {
    /// The splat of an item as read by list passes; ellipses have masks.
    pub fn of(splat: &Shown, shape: &FrameShape) -> Self {
        let is_gaussian = splat.particle >= shape.counts.first(ItemKind::Gaussian);
        let has_mask = is_gaussian && splat.tiles_x > 0;
        Self {
            depth_key: splat.depth.to_bits(),
            tile_min: [splat.tiles_x & 0xffff, splat.tiles_y & 0xffff],
            tile_max: [splat.tiles_x >> 16, splat.tiles_y >> 16],
            mask: has_mask.then_some(splat.slice_or_mask),
        }
    }

    /// Squares of tiles that divide the rectangle, row by row, with true if covered: as small as possible, with a
    /// power-of-two edge, and at most 32 of them. Without a mask the whole rectangle.
    pub fn cells(&self) -> Vec<(Rectangle, bool)> {
        let [columns, rows] = [0, 1].map(|axis| self.tile_min[axis]..self.tile_max[axis]);
        let Some(mask) = self.mask else {
            return vec![([columns, rows], true)];
        };
        let pieces = |range: &std::ops::Range<u32>, edge: u32| {
            let (end, starts) = (range.end, range.clone().step_by(edge as usize));
            starts
                .map(|start| start..end.min(start + edge))
                .collect::<Vec<_>>()
        };
        let divided = (0..16).map(|power| [&columns, &rows].map(|range| pieces(range, 1 << power)));
        let [across, down] = divided
            .into_iter()
            .find(|[across, down]| across.len() * down.len() <= 32)
            .expect("one cell holds 32768 tiles a side");
        let cells = down.iter().flat_map(|rows| {
            let in_row = across.iter();
            in_row.map(|columns| [columns.clone(), rows.clone()])
        });
        let is_set = |(bit, cell)| (cell, mask >> bit & 1 == 1);
        cells.enumerate().map(is_set).collect()
    }

    /// Covered parts of the rectangle.
    pub fn covered(&self) -> impl Iterator<Item = Rectangle> {
        let covered = |(cell, is_covered): (Rectangle, bool)| is_covered.then_some(cell);
        self.cells().into_iter().filter_map(covered)
    }

    /// Covered tiles: column and row.
    fn tiles(&self) -> impl Iterator<Item = [u32; 2]> {
        let tiles = |[columns, rows]: Rectangle| {
            rows.flat_map(move |row| columns.clone().map(move |column| [column, row]))
        };
        self.covered().flat_map(tiles)
    }

    /// True if a tile is covered.
    pub fn covers(&self, [column, row]: [u32; 2]) -> bool {
        self.covered()
            .any(|[columns, rows]| columns.contains(&column) && rows.contains(&row))
    }

    /// True if no tile is covered.
    pub fn is_culled(&self) -> bool {
        self.tiles().next().is_none()
    }
}

/// Bit of a list layer that is a fog slice; the other bits are its index.
pub const FOG_BIT: u32 = 0x8000_0000;

/// Indices of splats that cover any tile, nearest first; equal depths in index order.
pub fn by_depth(splats: &[Splat]) -> Vec<u32> {
    let mut order: Vec<u32> = (0u32..).take(splats.len()).collect();
    order.retain(|&index| !splats[index as usize].is_culled());
    order.sort_by_key(|&index| splats[index as usize].depth_key);
    order
}

/// Splats of every square of `edge` by `edge` tiles, row by row, in the order of `order`: those that cover one of its
/// tiles.
///
/// `tiles` is the number of tiles in x and y, which no splat may exceed.
pub fn splats_of(order: &[u32], splats: &[Splat], tiles: [u32; 2], edge: u32) -> Vec<Vec<u32>> {
    let [columns, rows] = tiles.map(|along| along.div_ceil(edge));
    let mut all: Vec<Vec<u32>> = vec![Vec::new(); (columns * rows) as usize];
    for &index in order {
        for [column, row] in splats[index as usize].tiles() {
            assert!(column < tiles[0] && row < tiles[1], "{column} {row}");
            let own = &mut all[(row / edge * columns + column / edge) as usize];
            if own.last() != Some(&index) {
                own.push(index);
            }
        }
    }
    all
}

/// Ends of lists: nothing is visible behind opaque surfaces.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// Per tile, the f32 bits of the depth from which nothing is visible.
    pub tiles: &'a [u32],
    /// The f32 bits of the slices' front depths, ascending.
    pub slice_fronts: &'a [u32],
}

/// Layers of every tile, front to back: a splat index, or [`FOG_BIT`] with a slice index. At equal keys, fog comes
/// first, and then the lower index.
///
/// `of_tiles` are the splats of each tile; `slice_keys` the f32 bits of the slices' far depths. With `limits`, splats at or
/// behind the tile's limit and slices with their front there are left out.
pub fn lists(
    of_tiles: &[Vec<u32>],
    splats: &[Splat],
    slice_keys: &[u32],
    limits: Option<Limits>,
) -> Vec<Vec<u32>> {
    let list = |(tile, own): (usize, &Vec<u32>)| {
        let is_shown = |depth: u32| limits.is_none_or(|limits| depth < limits.tiles[tile]);
        let slices = (0..).zip(slice_keys).filter(|(slice, _)| {
            limits.is_none_or(|limits| is_shown(limits.slice_fronts[*slice as usize]))
        });
        let slices = slices.map(|(slice, &key)| (key, 0, FOG_BIT | slice));
        let splats = own
            .iter()
            .map(|&index| (splats[index as usize].depth_key, 1, index));
        let splats = splats.filter(|(depth, ..)| is_shown(*depth));
        let mut keyed: Vec<(u32, u32, u32)> = slices.chain(splats).collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(.., layer)| layer).collect()
    };
    of_tiles.iter().enumerate().map(list).collect()
}
