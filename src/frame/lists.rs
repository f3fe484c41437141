//! Tile lists: splats are binned into macro tiles (`shaders/frame/bins.wesl`), every macro tile's entries are sorted
//! (`shaders/frame/chunk_sort.wesl`, and `shaders/frame/join.wesl` where there are many) and dealt out to its tiles
//! (`shaders/frame/lists.wesl`, `shaders/frame/deal_chunks.wesl`), cut at the opaque surface and merged with the fog slices
//! (`shaders/frame/merge_slices.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::layout::FrameUniform;

use super::counters::ELEMENT_BLOCK;
use super::frame_table::{BufferId, items, tiles};
use super::input::FrameInput;
use super::macro_tiles::{CHUNKS, JOINED_CHUNKS, MOST_MACRO_TILES, macro_tiles};
use super::particles::has_masks;
use super::resources::Resources;
use super::sort::order_key_bits;

/// What the kernels that bin splats are specialised to.
pub fn bins_variant(caps: &Capabilities, uniform: &FrameUniform) -> Variant {
    Variant::new("frame/bins")
        .feature("exact_tiles", has_masks(uniform))
        .feature("entry_tiles", has_entry_tiles(uniform))
        .feature("wave", caps.waves)
}

/// Whether entries of macro tiles know their tiles (`shaders/common/macro_entry.wesl`): the frame has no fog slices and is
/// ordered by depth, and the splat's number has room beside the tiles and the order key.
pub fn has_entry_tiles(uniform: &FrameUniform) -> bool {
    let needs_no_more = uniform.slices == 0 && uniform.by_distance == 0;
    // Of an entry's bits one is there for each tile.
    let bits = u64::from(u64::BITS - order_key_bits(uniform)) - MOST_MACRO_TILES;
    needs_no_more && u64::from(items(uniform)) <= 1 << bits
}

/// What the kernels that sort the entries of macro tiles are specialised to.
pub fn sort_variant(caps: &Capabilities) -> Variant {
    Variant::new("frame/chunk_sort").feature("wave", caps.waves)
}

/// What the kernel that joins sorted entries of macro tiles is specialised to.
pub fn join_variant(uniform: &FrameUniform, solids: bool) -> Variant {
    listing(Variant::new("frame/join"), uniform, solids)
}

/// Adds what decides in which tiles a splat is listed.
fn listing(variant: Variant, uniform: &FrameUniform, solids: bool) -> Variant {
    variant
        .feature("exact_tiles", has_masks(uniform))
        .feature("entry_tiles", has_entry_tiles(uniform))
        .feature("solids", solids)
        .feature("by_distance", solids && uniform.by_distance > 0)
}

/// What the kernels that make lists are specialised to: those of `frame/lists`, `frame/deal_chunks` and `frame/merge_slices`.
pub fn variant(
    module: &'static str,
    caps: &Capabilities,
    uniform: &FrameUniform,
    solids: bool,
) -> Variant {
    listing(Variant::new(module), uniform, solids)
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
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let (caps, uniform) = (&gpu.caps, &input.uniform);
        let solids = !input.vertices.is_empty();
        let has_slices = uniform.slices > 0;
        let bins = bins_variant(caps, uniform);
        let lists = |module| variant(module, caps, uniform, solids);
        let join = join_variant(uniform, solids);
        let limits = Variant::new("frame/tile_limits").with("TILE", input.tile);
        let limit_tiles = || pipelines.compute(gpu, &limits, "limit_tiles");
        let merge_slices = || pipelines.compute(gpu, &lists("frame/merge_slices"), "merge_slices");
        Ok(Self {
            limit_tiles: solids.then(limit_tiles).transpose()?,
            scan_bins: pipelines.compute(gpu, &bins, "scan_bins")?,
            bin: pipelines.compute(gpu, &bins, "bin")?,
            sort_chunks: pipelines.compute(gpu, &sort_variant(caps), "sort_chunks")?,
            join: pipelines.compute(gpu, &join, "join")?,
            list_tiles: pipelines.compute(gpu, &lists("frame/lists"), "list_tiles")?,
            deal_chunks: pipelines.compute(gpu, &lists("frame/deal_chunks"), "deal_chunks")?,
            merge_slices: has_slices.then(merge_slices).transpose()?,
        })
    }

    /// Bins splats into macro tiles.
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
