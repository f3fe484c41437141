//! Number, best size and table layout of macro tiles, computed from the frame's shape and counters. `lists.rs` fills
//! the tables.

use super::counters::{COUNTER_STRIDE, Counters};
use super::shape::FrameShape;

/// Number of macro tiles per loop iteration of `scan_bins`, as in `shaders/frame/bins.wesl`. Buffers have room for
/// whole iterations.
pub const SCAN_TURN: u32 = 1024;
/// Maximum number of a macro tile's entries that one workgroup sorts, as in `shaders/common/macro_chunk.wesl`.
pub const CHUNK: u32 = 1024;
/// Maximum number of tiles per macro tile, as in `shaders/common/macro_tile.wesl`.
pub const MOST_MACRO_TILES: u64 = 16;

/// log2 of a macro tile's edge in tiles: for most frames, and for frames with overfull macro tiles.
pub const MACRO_SHIFTS: [u32; 2] = [2, 1];

/// Smaller macro tiles are faster if they increase the number of entries by less than about this factor.
const MOST_MORE_ENTRIES: f64 = 1.6;

/// `scan_bins` in `shaders/frame/bins.wesl` writes this many slots of indirect dispatch arguments.
pub const ARGUMENT_SLOTS: u64 = 2;
/// Argument slot for a dispatch with a workgroup per chunk.
pub(super) const CHUNKS: u64 = 0;
/// Argument slot for a dispatch with a workgroup per chunk, or with no workgroup if every macro tile has one chunk.
pub(super) const JOINED_CHUNKS: u64 = 1;

pub fn macro_tiles(shape: &FrameShape) -> u32 {
    macro_tiles_at(shape, shape.macro_shift)
}

/// Capacity of tables in macro tiles: their number at the smallest size that the frame may switch to, rounded up to
/// whole iterations of `scan_bins`.
pub fn macro_tile_room(shape: &FrameShape) -> u64 {
    whole_turns(macro_tiles_at(shape, MACRO_SHIFTS[1]))
}

/// Bytes of the frame's counters and of all macro-tile counters that `scan_bins` reads.
pub fn counter_bytes(shape: &FrameShape) -> u64 {
    bytes_of_counters(whole_turns(macro_tiles(shape)))
}

/// Bytes of the frame's counters and of the given number of macro-tile counters.
pub fn bytes_of_counters(macro_tiles: u64) -> u64 {
    (1 + macro_tiles) * COUNTER_STRIDE * size_of::<u32>() as u64
}

fn whole_turns(macro_tiles: u32) -> u64 {
    u64::from(macro_tiles.next_multiple_of(SCAN_TURN))
}

fn macro_tiles_at(shape: &FrameShape, shift: u32) -> u32 {
    let [x, y] = shape.tiles().map(|along| along.div_ceil(1 << shift));
    x * y
}

/// Fastest `macro_shift` for frames like the one that left `counters`. Large macro tiles have fewer entries in total.
/// Small ones have fewer entries each, so that one workgroup can sort them.
///
/// The estimate assumes that a splat in n tiles is √n tiles wide and high. It is then in ((√n - 1) / edge + 1)² macro
/// tiles of the given edge.
pub fn macro_shift(counters: &Counters, shape: &FrameShape) -> u32 {
    let [large, small] = MACRO_SHIFTS;
    let splats = f64::from(counters.visible.max(1));
    let wide = (f64::from(counters.entries) / splats).max(1.0).sqrt();
    let entries = |shift: u32| splats * ((wide - 1.0) / f64::from(1u32 << shift) + 1.0).powi(2);
    let in_each = entries(large) / f64::from(macro_tiles_at(shape, large).max(1));
    if in_each > f64::from(CHUNK) && entries(small) < MOST_MORE_ENTRIES * entries(large) {
        small
    } else {
        large
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macro_tiles_are_small_where_large_ones_would_hold_more_than_a_chunk_of_small_splats() {
        let of = |visible, entries| {
            let counters = Counters {
                visible,
                entries,
                ..Counters::default()
            };
            let shape = FrameShape {
                size: [240, 135],
                tile: 1,
                ..FrameShape::default()
            };
            macro_shift(&counters, &shape)
        };
        assert_eq!(of(0, 0), 2);
        assert_eq!(of(1_000_000, 3_500_000), 2, "a chunk holds them");
        assert_eq!(of(4_000_000, 13_000_000), 1);
        assert_eq!(of(1_000_000, 21_000_000), 2, "large splats");
    }
}
