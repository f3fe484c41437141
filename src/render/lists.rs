//! Tile lists: splats are binned into macro tiles (`shaders/bins.wesl`), every macro tile's entries are sorted
//! (`shaders/chunk_sort.wesl`, and `shaders/join.wesl` where there are many) and dealt out to its tiles
//! (`shaders/lists.wesl`), cut at the opaque surface and merged with the fog slices.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::FrameUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{Capabilities, ComputePipeline, Gpu, Pipelines};
use crate::scene::MacroTile;

use super::counters::{Counters, ELEMENT_BLOCK};
use super::frame_table::{BufferId, items, tiles};
use super::input::FrameInput;
use super::particles::has_masks;
use super::resources::Resources;

/// Words from the counter of a macro tile to the next; `shaders/common/macro_tile.wesl` has the same.
pub const COUNTER_STRIDE: u64 = 32;
/// Entries of a macro tile that one workgroup sorts at most; `shaders/common/macro_chunk.wesl` has the same.
pub const CHUNK: u32 = 1024;
/// Most tiles of a macro tile; `shaders/common/macro_tile.wesl` has the same.
pub const MOST_MACRO_TILES: u64 = 16;

/// How many times as many entries smaller macro tiles may have and still be faster, about.
const MOST_MORE_ENTRIES: f64 = 1.6;

/// Slots of indirect dispatch arguments, which `scan_bins` in `shaders/bins.wesl` writes.
pub const ARGUMENT_SLOTS: u64 = 2;
/// Argument slot with a workgroup per chunk.
const CHUNKS: u64 = 0;
/// Argument slot with a workgroup per chunk, or none where no macro tile has several.
const JOINED_CHUNKS: u64 = 1;

/// Number of macro tiles.
pub fn macro_tiles(uniform: &FrameUniform) -> u32 {
    macro_tiles_at(uniform, uniform.macro_shift)
}

/// Number of macro tiles of the smallest size that the frame may come to have.
pub fn most_macro_tiles(uniform: &FrameUniform) -> u32 {
    macro_tiles_at(uniform, uniform.macro_shift.min(MacroTile::SHIFTS[1]))
}

fn macro_tiles_at(uniform: &FrameUniform, shift: u32) -> u32 {
    let [x, y] = uniform.tiles.map(|along| along.div_ceil(1 << shift));
    x * y
}

/// The size of macro tiles by which frames as the one that left `counters` are listed fastest: `macro_shift` of their
/// uniform. Large macro tiles have fewer entries; small ones have fewer each, so that one workgroup can sort them.
///
/// Taken from two numbers that do not depend on the size: a splat in n tiles is taken to be √n tiles wide and high, and is
/// then in ((√n - 1) / edge + 1)² macro tiles of this edge.
pub fn macro_shift(counters: &Counters, uniform: &FrameUniform) -> u32 {
    let [large, small] = MacroTile::SHIFTS;
    let splats = f64::from(counters.visible.max(1));
    let wide = (f64::from(counters.entries) / splats).max(1.0).sqrt();
    let entries = |shift: u32| splats * ((wide - 1.0) / f64::from(1u32 << shift) + 1.0).powi(2);
    let in_each = entries(large) / f64::from(macro_tiles_at(uniform, large).max(1));
    if in_each > f64::from(CHUNK) && entries(small) < MOST_MORE_ENTRIES * entries(large) {
        small
    } else {
        large
    }
}

/// What the kernels that bin splats are specialised to.
pub fn bins_variant(caps: &Capabilities, uniform: &FrameUniform) -> Variant {
    Variant::new("bins")
        .feature("exact_tiles", has_masks(uniform))
        .feature("wave", caps.waves)
}

/// What the kernels that sort the entries of macro tiles are specialised to.
pub fn sort_variant(caps: &Capabilities) -> Variant {
    Variant::new("chunk_sort").feature("wave", caps.waves)
}

/// What the kernel that joins sorted entries of macro tiles is specialised to.
pub fn join_variant(uniform: &FrameUniform, solids: bool) -> Variant {
    listing(Variant::new("join"), uniform, solids)
}

/// Adds what decides in which tiles a splat is listed.
fn listing(variant: Variant, uniform: &FrameUniform, solids: bool) -> Variant {
    variant
        .feature("exact_tiles", has_masks(uniform))
        .feature("solids", solids)
        .feature("by_distance", solids && uniform.by_distance > 0)
}

/// What the kernels that make lists are specialised to.
pub fn variant(caps: &Capabilities, uniform: &FrameUniform, solids: bool) -> Variant {
    listing(Variant::new("lists"), uniform, solids)
        .feature("slices", uniform.slices > 0)
        .feature("wave", caps.waves)
}

/// Pipelines that bin splats and make lists.
pub struct Lists {
    limit_tiles: Option<Arc<ComputePipeline>>,
    scan_bins: Arc<ComputePipeline>,
    bin: Arc<ComputePipeline>,
    sort_chunks: Arc<ComputePipeline>,
    join: Arc<ComputePipeline>,
    list_tiles: Arc<ComputePipeline>,
    deal_chunks: Arc<ComputePipeline>,
    merge_slices: Option<Arc<ComputePipeline>>,
}

impl Lists {
    /// Compiles what the lists of `input` need.
    ///
    /// # Errors
    /// A shader does not compile.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let (caps, uniform) = (&gpu.caps, &input.uniform);
        let solids = !input.vertices.is_empty();
        let has_slices = uniform.slices > 0;
        let bins = bins_variant(caps, uniform);
        let lists = variant(caps, uniform, solids);
        let join = join_variant(uniform, solids);
        let limits = Variant::new("tile_limits").with("TILE", input.tile);
        let limit_tiles = || pipelines.compute(gpu, &limits, "limit_tiles");
        let merge_slices = || pipelines.compute(gpu, &lists, "merge_slices");
        Ok(Self {
            limit_tiles: solids.then(limit_tiles).transpose()?,
            scan_bins: pipelines.compute(gpu, &bins, "scan_bins")?,
            bin: pipelines.compute(gpu, &bins, "bin")?,
            sort_chunks: pipelines.compute(gpu, &sort_variant(caps), "sort_chunks")?,
            join: pipelines.compute(gpu, &join, "join")?,
            list_tiles: pipelines.compute(gpu, &lists, "list_tiles")?,
            deal_chunks: pipelines.compute(gpu, &lists, "deal_chunks")?,
            merge_slices: has_slices.then(merge_slices).transpose()?,
        })
    }

    /// Bins splats into macro tiles.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn bin(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        uniform: &FrameUniform,
    ) -> Result<()> {
        let binds = [resources.binds()];
        self.scan_bins.dispatch(gpu, pass, &binds, 1)?;
        let blocks = items(uniform).div_ceil(ELEMENT_BLOCK);
        self.bin.dispatch(gpu, pass, &binds, blocks)
    }

    /// Makes the lists of all tiles.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        uniform: &FrameUniform,
    ) -> Result<()> {
        let binds = [resources.binds()];
        if let Some(limit_tiles) = &self.limit_tiles {
            limit_tiles.dispatch(gpu, pass, &binds, tiles(uniform))?;
        }
        let arguments = resources.buffer(BufferId::Arguments);
        for (pipeline, slot) in [(&self.sort_chunks, CHUNKS), (&self.join, JOINED_CHUNKS)] {
            pipeline.dispatch_indirect(gpu, pass, &binds, arguments, slot)?;
        }
        self.list_tiles
            .dispatch(gpu, pass, &binds, macro_tiles(uniform))?;
        self.deal_chunks
            .dispatch_indirect(gpu, pass, &binds, arguments, JOINED_CHUNKS)?;
        let Some(merge_slices) = &self.merge_slices else {
            return Ok(());
        };
        let blocks = (tiles(uniform) * uniform.slices).div_ceil(ELEMENT_BLOCK);
        merge_slices.dispatch(gpu, pass, &binds, blocks)
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
            let uniform = FrameUniform {
                tiles: [240, 135],
                ..FrameUniform::default()
            };
            macro_shift(&counters, &uniform)
        };
        assert_eq!(of(0, 0), 2);
        assert_eq!(of(1_000_000, 3_500_000), 2, "a chunk holds them");
        assert_eq!(of(4_000_000, 13_000_000), 1);
        assert_eq!(of(1_000_000, 21_000_000), 2, "large splats");
    }

    #[test]
    fn macro_tiles_cover_all_tiles() {
        let of = |tiles, macro_shift| {
            macro_tiles(&FrameUniform {
                tiles,
                macro_shift,
                ..FrameUniform::default()
            })
        };
        assert_eq!((of([1, 1], 2), of([4, 4], 2), of([5, 4], 2)), (1, 1, 2));
        assert_eq!((of([240, 135], 2), of([240, 135], 1)), (2040, 8160));
    }
}
