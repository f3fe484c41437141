//! Tile lists: splats are binned into macro tiles (`shaders/bins.wesl`), every macro tile's entries are sorted
//! (`shaders/chunk_sort.wesl`) and dealt out to its tiles (`shaders/lists.wesl`), cut at the opaque surface and merged
//! with the fog slices.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::FrameUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{Capabilities, ComputePipeline, Gpu, Pipelines};

use super::counters::ELEMENT_BLOCK;
use super::frame_table::{BufferId, items, tiles};
use super::input::FrameInput;
use super::particles::has_masks;
use super::resources::Resources;

/// Tiles of a macro tile in x and y; `shaders/common/macro_tile.wesl` has the same.
pub const MACRO: [u32; 2] = [8, 4];
/// Words from the counter of a macro tile to the next; `shaders/common/macro_tile.wesl` has the same.
pub const COUNTER_STRIDE: u64 = 32;
/// Entries of a macro tile that one workgroup sorts at most.
const MOST_CHUNK: u32 = 2048;

/// Slots of indirect dispatch arguments, which `scan_bins` in `shaders/bins.wesl` writes.
pub const ARGUMENT_SLOTS: u64 = 2;
/// Argument slot with a workgroup per chunk.
const CHUNKS: u64 = 0;
/// Argument slot with a workgroup per chunk, or none where no macro tile has several.
const JOINED_CHUNKS: u64 = 1;

/// Number of macro tiles.
pub fn macro_tiles(uniform: &FrameUniform) -> u32 {
    let [x, y] = [0, 1].map(|axis| uniform.tiles[axis].div_ceil(MACRO[axis]));
    x * y
}

/// Workgroup memory of the larger of the kernels that sort a chunk and deal it out, bytes: its keys and splats, each
/// eight with a word between; or a bit and a count for each of its entries, and counts.
pub fn workgroup_bytes(chunk: u32) -> u32 {
    let sort = 2 * (chunk + chunk / 8);
    let lists = 2 * chunk + 2 * 256 + 5 * 32;
    4 * sort.max(lists) + 64
}

/// Entries of a chunk: as many as workgroup memory allows.
pub fn chunk(caps: &Capabilities) -> u32 {
    let fits = |chunk: &u32| workgroup_bytes(*chunk) <= caps.max_workgroup_bytes;
    let sizes = [MOST_CHUNK, MOST_CHUNK / 2];
    sizes.into_iter().find(fits).unwrap_or(MOST_CHUNK / 4)
}

/// What the kernels that bin splats are specialised to.
pub fn bins_variant(caps: &Capabilities, uniform: &FrameUniform) -> Variant {
    Variant::new("bins")
        .with("CHUNK", chunk(caps))
        .feature("exact_tiles", has_masks(uniform))
        .feature("wave", caps.waves)
}

/// What the kernels that sort the entries of macro tiles are specialised to.
pub fn sort_variant(caps: &Capabilities) -> Variant {
    Variant::new("chunk_sort").with("CHUNK", chunk(caps))
}

/// What the kernels that make lists are specialised to.
pub fn variant(caps: &Capabilities, uniform: &FrameUniform, solids: bool) -> Variant {
    Variant::new("lists")
        .with("CHUNK", chunk(caps))
        .feature("slices", uniform.slices > 0)
        .feature("exact_tiles", has_masks(uniform))
        .feature("solids", solids)
        .feature("by_distance", solids && uniform.by_distance > 0)
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
        let (sort, lists) = (sort_variant(caps), variant(caps, uniform, solids));
        let limits = Variant::new("tile_limits").with("TILE", input.tile);
        let limit_tiles = || pipelines.compute(gpu, &limits, "limit_tiles");
        let merge_slices = || pipelines.compute(gpu, &lists, "merge_slices");
        Ok(Self {
            limit_tiles: solids.then(limit_tiles).transpose()?,
            scan_bins: pipelines.compute(gpu, &bins, "scan_bins")?,
            bin: pipelines.compute(gpu, &bins, "bin")?,
            sort_chunks: pipelines.compute(gpu, &sort, "sort_chunks")?,
            join: pipelines.compute(gpu, &sort, "join")?,
            list_tiles: pipelines.compute(gpu, &lists, "list_tiles")?,
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
    fn chunks_are_as_large_as_workgroup_memory_allows() {
        let of = |max_workgroup_bytes| {
            chunk(&Capabilities {
                max_workgroup_bytes,
                ..Capabilities::default()
            })
        };
        assert_eq!((of(49_152), of(32_768), of(16_384)), (2048, 2048, 1024));
        assert!(workgroup_bytes(of(16_384)) <= 16_384);
    }

    #[test]
    fn macro_tiles_cover_all_tiles() {
        let of = |tiles| {
            macro_tiles(&FrameUniform {
                tiles,
                ..FrameUniform::default()
            })
        };
        assert_eq!(
            (of([1, 1]), of([8, 4]), of([9, 4]), of([240, 135])),
            (1, 1, 2, 1020)
        );
    }
}
