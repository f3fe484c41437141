//! The lists of tiles, made in another way than the GPU makes them: all splats are sorted by depth, each gives an entry to
//! every tile that it covers, entries are sorted by tile, and lists are cut and merged with the fog slices. Of macro tiles
//! it is only said which splats each must have.
//!
//! Integer work on slices, nothing else: lists and macro tiles are to be equal to the GPU's bit by bit. Depth keys are
//! the f32 bits of a positive view depth, which sort as the depths do. Tiles are numbered row by row.

use wavelerp::frame::FrameShape;

use super::Shown;

/// A particle as the project stage leaves it; what is culled covers no tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Splat {
    /// The f32 bits of the positive view depth.
    pub depth_key: u32,
    /// First tile covered, column and row.
    pub tile_min: [u32; 2],
    /// One past the last tile covered, column and row; no tile if not above `tile_min`.
    pub tile_max: [u32; 2],
    /// Which of these tiles are covered, in cells as [`Splat::cells`] has them; all of them without a mask.
    pub mask: Option<u32>,
}

/// Columns and rows of tiles, the last exclusive.
pub type Rectangle = [std::ops::Range<u32>; 2];

/// The number of tiles of a rectangle.
pub fn area([columns, rows]: &Rectangle) -> u64 {
    columns.len() as u64 * rows.len() as u64
}

impl Splat {
    /// The splat of an item as the passes that make lists read it; ellipses have masks where the frame lists them by masks.
    pub fn of(splat: &Shown, shape: &FrameShape) -> Self {
        let is_gaussian = splat.particle >= shape.particles + shape.cells;
        let has_mask = is_gaussian && shape.has_masks() && splat.tiles_x > 0;
        Self {
            depth_key: splat.depth.to_bits(),
            tile_min: [splat.tiles_x & 0xffff, splat.tiles_y & 0xffff],
            tile_max: [splat.tiles_x >> 16, splat.tiles_y >> 16],
            mask: has_mask.then_some(splat.slice_or_mask),
        }
    }

    /// Squares of tiles into which the rectangle is divided, row by row, each with whether it is covered: as small
    /// as possible, with an edge that is a power of two, and at most 32 of them. Without a mask the whole rectangle.
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

    /// The parts of the rectangle that are covered.
    pub fn covered(&self) -> impl Iterator<Item = Rectangle> {
        let covered = |(cell, is_covered): (Rectangle, bool)| is_covered.then_some(cell);
        self.cells().into_iter().filter_map(covered)
    }

    /// Whether a tile is covered.
    pub fn covers(&self, [column, row]: [u32; 2]) -> bool {
        self.covered()
            .any(|[columns, rows]| columns.contains(&column) && rows.contains(&row))
    }

    /// The number of tiles covered.
    pub fn tile_count(&self) -> u64 {
        self.covered().map(|cell| area(&cell)).sum()
    }
}

/// One splat in one tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Tile number: row times tiles per row, plus column.
    pub tile: u32,
    /// Index of the splat.
    pub splat: u32,
}

/// The bit that marks a layer of a merged list as a fog slice; the other bits are its index.
pub const FOG_BIT: u32 = 0x8000_0000;

/// Input that no GPU stage can have given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// A count or offset exceeds 32 bits.
    #[error("the lists have more entries than 32 bits can number")]
    TooManyEntries,
    /// An entry or an order names a splat that is not there.
    #[error("splat {0} is named but there is no such splat")]
    NoSuchSplat(u32),
    /// A splat or an entry lies outside the grid of tiles.
    #[error("tile {0} is outside the grid of tiles")]
    NoSuchTile(u32),
    /// The tile starts do not fit the entries or the grid.
    #[error("the tile starts do not fit the entries")]
    TileStarts,
}

fn find(splats: &[Splat], index: u32) -> Result<&Splat, ListError> {
    splats
        .get(index as usize)
        .ok_or(ListError::NoSuchSplat(index))
}

/// The splats' indices, nearest first; equal depths in index order.
pub fn sort_by_depth(splats: &[Splat]) -> Vec<u32> {
    let mut order: Vec<u32> = (0u32..).take(splats.len()).collect();
    order.sort_by_key(|&index| splats[index as usize].depth_key);
    order
}

/// The splats of every macro tile, row by row, in the order of `order`: those that cover one of its tiles.
///
/// `tiles` is the number of tiles in x and y; `edge` that of a macro tile in x, and in y.
///
/// # Errors
/// [`ListError::NoSuchSplat`].
pub fn macro_splats(
    order: &[u32],
    splats: &[Splat],
    tiles: [u32; 2],
    edge: u32,
) -> Result<Vec<Vec<u32>>, ListError> {
    let [columns, rows] = tiles.map(|along| along.div_ceil(edge));
    let mut all = vec![Vec::new(); (columns * rows) as usize];
    for &index in order {
        let splat = find(splats, index)?;
        let mut own = vec![false; all.len()];
        for [columns_of, rows_of] in splat.covered() {
            for (row, column) in
                rows_of.flat_map(|row| columns_of.clone().map(move |column| (row, column)))
            {
                own[(row / edge * columns + column / edge) as usize] = true;
            }
        }
        for (list, _) in all.iter_mut().zip(own).filter(|(_, own)| *own) {
            list.push(index);
        }
    }
    Ok(all)
}

/// Every splat of `order` in every tile it covers: splats in that order, each one's cells row by row, and the tiles
/// of each row by row.
///
/// `tiles` is the number of tiles in x and y.
///
/// # Errors
/// [`ListError::NoSuchSplat`]; [`ListError::NoSuchTile`] if a splat reaches out of the grid.
pub fn entries(order: &[u32], splats: &[Splat], tiles: [u32; 2]) -> Result<Vec<Entry>, ListError> {
    let mut entries = Vec::new();
    for &index in order {
        let splat = find(splats, index)?;
        for [columns, rows] in splat.covered() {
            for (row, column) in
                rows.flat_map(|row| columns.clone().map(move |column| (row, column)))
            {
                let tile = row.saturating_mul(tiles[0]).saturating_add(column);
                if column >= tiles[0] || row >= tiles[1] {
                    return Err(ListError::NoSuchTile(tile));
                }
                entries.push(Entry { tile, splat: index });
            }
        }
    }
    Ok(entries)
}

/// The entries by tile; within a tile in the order in which they came, nearest first.
pub fn sort_by_tile(entries: &[Entry]) -> Vec<Entry> {
    let mut sorted = entries.to_vec();
    sorted.sort_by_key(|entry| entry.tile);
    sorted
}

/// Where each tile's entries start in `sorted`; one more element than tiles, the total.
///
/// # Errors
/// [`ListError::NoSuchTile`] for an entry at or above `tile_count`; [`ListError::TooManyEntries`].
pub fn tile_starts(sorted: &[Entry], tile_count: u32) -> Result<Vec<u32>, ListError> {
    let mut counts = vec![0usize; tile_count as usize];
    for entry in sorted {
        let count = counts.get_mut(entry.tile as usize);
        *count.ok_or(ListError::NoSuchTile(entry.tile))? += 1;
    }
    let mut starts = vec![0];
    let mut total = 0;
    for count in counts {
        total += count;
        starts.push(u32::try_from(total).map_err(|_| ListError::TooManyEntries)?);
    }
    Ok(starts)
}

/// The lists of layers of all tiles, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedLists {
    /// Where each tile's list starts; one more element than tiles, the total.
    pub list_starts: Vec<u32>,
    /// The layers, front to back in each tile: a splat's index, or [`FOG_BIT`] with a slice's index.
    pub layers: Vec<u32>,
}

/// Where lists end: behind what is opaque nothing shows.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// Per tile the f32 bits of the depth from which on nothing shows.
    pub tiles: &'a [u32],
    /// The f32 bits of the slices' front depths, ascending.
    pub slice_fronts: &'a [u32],
}

/// Merges every tile's splats with all fog slices, front to back; on equal keys fog comes first.
///
/// `sorted` holds each tile's splats nearest first, from `starts[tile]` on; `slice_keys` are the f32
/// bits of the slices' far depths, ascending. With `limits` splats at or behind the tile's limit and
/// slices whose front is there are left out.
///
/// # Errors
/// [`ListError::TileStarts`] unless `starts` has one more element than there are `tiles` and cuts
/// the whole of `sorted` into ascending runs, and there is a limit per tile and a front per slice;
/// [`ListError::NoSuchSplat`]; [`ListError::TooManyEntries`].
pub fn merge(
    starts: &[u32],
    sorted: &[Entry],
    splats: &[Splat],
    slice_keys: &[u32],
    tiles: [u32; 2],
    limits: Option<Limits>,
) -> Result<MergedLists, ListError> {
    let tile_count = u64::from(tiles[0]) * u64::from(tiles[1]);
    let ends = (starts.first().copied(), starts.last().copied());
    let fits = ends.0 == Some(0) && ends.1.map(|end| end as usize) == Some(sorted.len());
    let limited = limits.is_none_or(|limits| {
        let fronts = limits.slice_fronts.len() == slice_keys.len();
        fronts && limits.tiles.len() as u64 == tile_count
    });
    if starts.len() as u64 != tile_count + 1 || !fits || !limited {
        return Err(ListError::TileStarts);
    }
    let mut merged = MergedLists {
        list_starts: vec![0],
        layers: Vec::new(),
    };
    for (tile, run) in starts.windows(2).enumerate() {
        let mut entries = sorted
            .get(run[0] as usize..run[1] as usize)
            .ok_or(ListError::TileStarts)?;
        let mut slice_keys = slice_keys;
        if let Some(limits) = limits {
            let limit = limits.tiles[tile];
            entries = entries_before(limit, entries, splats)?;
            let shown = limits.slice_fronts.iter().filter(|front| **front < limit);
            slice_keys = &slice_keys[..shown.count()];
        }
        merge_tile(entries, splats, slice_keys, &mut merged.layers)?;
        let end = u32::try_from(merged.layers.len());
        merged
            .list_starts
            .push(end.map_err(|_| ListError::TooManyEntries)?);
    }
    Ok(merged)
}

/// The entries whose splats are in front of `limit`, of entries nearest first.
fn entries_before<'a>(
    limit: u32,
    entries: &'a [Entry],
    splats: &[Splat],
) -> Result<&'a [Entry], ListError> {
    for (place, entry) in entries.iter().enumerate() {
        if find(splats, entry.splat)?.depth_key >= limit {
            return Ok(&entries[..place]);
        }
    }
    Ok(entries)
}

fn merge_tile(
    entries: &[Entry],
    splats: &[Splat],
    slice_keys: &[u32],
    layers: &mut Vec<u32>,
) -> Result<(), ListError> {
    let mut slices = (FOG_BIT..).zip(slice_keys).peekable();
    for entry in entries {
        let depth_key = find(splats, entry.splat)?.depth_key;
        while let Some((slice, _)) = slices.next_if(|(_, key)| **key <= depth_key) {
            layers.push(slice);
        }
        layers.push(entry.splat);
    }
    layers.extend(slices.map(|(slice, _)| slice));
    Ok(())
}

#[path = "lists_tests.rs"]
mod tests;
