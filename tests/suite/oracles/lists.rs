//! Tile lists, made in a different way from the GPU: each splat goes into the lists of all tiles that it covers, and
//! every list is then cut and sorted with the fog slices, exactly as defined. For macro tiles, only the set of splats
//! is computed.
//!
//! All work is on integers, so lists and macro tiles must equal the GPU's bit by bit. Depth keys are the f32 bits of
//! positive view depths, which sort like the depths. Tiles are numbered row by row.

use wavelerp::frame::FrameShape;
use wavelerp::model::items::ItemKind;

use super::Shown;

/// A particle after the project stage; a culled one covers no tile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Splat {
    /// The f32 bits of the positive view depth.
    pub depth_key: u32,
    /// Column and row of the first covered tile.
    pub tile_min: [u32; 2],
    /// Column and row one past the last covered tile; if not above `tile_min`, no tile is covered.
    pub tile_max: [u32; 2],
    /// Mask of the covered tiles in that rectangle, with one bit per cell of [`Splat::cells`]. Without a mask, all tiles
    /// are covered.
    pub mask: Option<u32>,
}

/// Columns and rows of tiles, excluding the ends.
pub type Rectangle = [std::ops::Range<u32>; 2];

impl Splat {
    /// The splat of an item as list passes read it; ellipses have masks.
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

    /// Square cells of tiles that divide the rectangle, row by row, each with true if it is covered. There are at most 32
    /// cells, as small as possible, with a power-of-two edge. Without a mask, the only cell is the rectangle.
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
            .expect("a cell of 32768 tiles a side is large enough");
        let cells = down.iter().flat_map(|rows| {
            let in_row = across.iter();
            in_row.map(|columns| [columns.clone(), rows.clone()])
        });
        let is_set = |(bit, cell)| (cell, mask >> bit & 1 == 1);
        cells.enumerate().map(is_set).collect()
    }

    /// Covered cells of the rectangle.
    pub fn covered(&self) -> impl Iterator<Item = Rectangle> {
        let covered = |(cell, is_covered): (Rectangle, bool)| is_covered.then_some(cell);
        self.cells().into_iter().filter_map(covered)
    }

    /// Column and row of each covered tile.
    fn tiles(&self) -> impl Iterator<Item = [u32; 2]> {
        let tiles = |[columns, rows]: Rectangle| {
            rows.flat_map(move |row| columns.clone().map(move |column| [column, row]))
        };
        self.covered().flat_map(tiles)
    }

    pub fn covers(&self, [column, row]: [u32; 2]) -> bool {
        self.covered()
            .any(|[columns, rows]| columns.contains(&column) && rows.contains(&row))
    }

    pub fn is_culled(&self) -> bool {
        self.tiles().next().is_none()
    }
}

/// Bit that marks a layer of a list as a fog slice; the other bits are the slice's index.
pub const FOG_BIT: u32 = 0x8000_0000;

/// Indices of the splats that cover any tile, nearest first, and by index at equal depths.
pub fn by_depth(splats: &[Splat]) -> Vec<u32> {
    let mut order: Vec<u32> = (0u32..).take(splats.len()).collect();
    order.retain(|&index| !splats[index as usize].is_culled());
    order.sort_by_key(|&index| splats[index as usize].depth_key);
    order
}

/// The splats that cover a tile of each square of `edge` by `edge` tiles. Squares go row by row, and splats keep the
/// order of `order`.
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

/// Limits at which lists end, because nothing is visible behind opaque surfaces.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// Per tile, the f32 bits of the depth beyond which nothing is visible.
    pub tiles: &'a [u32],
    /// The f32 bits of the slices' front depths, ascending.
    pub slice_fronts: &'a [u32],
}

/// Layers of every tile from front to back, each a splat index, or [`FOG_BIT`] with a slice index. At equal keys, fog
/// comes first, then the lower index.
///
/// `of_tiles` has the splats of each tile, and `slice_keys` the f32 bits of the slices' far depths. With `limits`,
/// splats at or behind the tile's limit are left out, and so are slices that begin there.
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
