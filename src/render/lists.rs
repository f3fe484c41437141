//! Tile lists: entries of splats in tiles (`shaders/tile_entries.wesl`), sorted by tile, cut at the
//! opaque surface and merged with the fog slices (`shaders/lists.wesl`).

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gpu::layout::FrameUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{Capabilities, ComputePipeline, Gpu, Pipelines};

use super::counters::{ELEMENT_BLOCK, ENTRIES};
use super::frame_table::{BufferId, tiles};
use super::input::FrameInput;
use super::particles::{SPLATS, has_masks};
use super::resources::Resources;
use super::sort::{Pairs, Sort, radix_bits, tile_key_bits};

/// Argument slot with a workgroup per 256 tile entries.
const ENTRIES_BY_256: u64 = 2;
/// Argument slot with a workgroup per sort block of tile entries.
const ENTRY_BLOCKS: u64 = 3;

/// Pipelines of the list passes.
pub struct Lists {
    count_tiles: Arc<ComputePipeline>,
    scan: Arc<ComputePipeline>,
    emit: Arc<ComputePipeline>,
    sort: Sort,
    limit_tiles: Option<Arc<ComputePipeline>>,
    find_lists: Arc<ComputePipeline>,
    merge: Option<Merge>,
}

/// Pipelines that merge fog slices into the lists.
struct Merge {
    splats: Arc<ComputePipeline>,
    slices: Arc<ComputePipeline>,
}

/// What the kernels that make tile entries are specialised to.
pub fn entries_variant(caps: &Capabilities, uniform: &FrameUniform) -> Variant {
    Variant::new("tile_entries")
        .with(
            "RADIX_BITS",
            radix_bits(caps, tile_key_bits(tiles(uniform))),
        )
        .feature("exact_tiles", has_masks(uniform))
        .feature("wave", caps.waves)
}

/// What the list kernels are specialised to.
pub fn variant(tile: u32, solids: bool, by_distance: bool) -> Variant {
    Variant::new("lists")
        .with("TILE", tile)
        .feature("solids", solids)
        .feature("by_distance", solids && by_distance)
}

impl Lists {
    /// Compiles what the lists of `input` need.
    ///
    /// # Errors
    /// A shader does not compile.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let solids = !input.vertices.is_empty();
        let scan = Variant::new("scan").feature("wave", gpu.caps.waves);
        let entries = entries_variant(&gpu.caps, &input.uniform);
        let list_variant = variant(input.tile, solids, input.uniform.by_distance > 0);
        let list = |entry| pipelines.compute(gpu, &list_variant, entry);
        let merge = || {
            let (splats, slices) = (list("merge_splats")?, list("merge_slices")?);
            Ok::<_, Error>(Merge { splats, slices })
        };
        let pairs = Pairs {
            counter: ENTRIES,
            slot: ENTRY_BLOCKS,
            key_bits: tile_key_bits(tiles(&input.uniform)),
            keys: true,
            counted: true,
        };
        Ok(Self {
            count_tiles: pipelines.compute(gpu, &entries, "count_tiles")?,
            scan: pipelines.compute(gpu, &scan, "scan_entries")?,
            emit: pipelines.compute(gpu, &entries, "emit")?,
            sort: Sort::new(gpu, pipelines, pairs)?,
            limit_tiles: solids.then(|| list("limit_tiles")).transpose()?,
            find_lists: list("find_lists")?,
            merge: (input.uniform.slices > 0).then(merge).transpose()?,
        })
    }

    /// On which side of the entry buffers the sorted entries end.
    pub fn sorted_side(&self) -> usize {
        self.sort.sorted_side()
    }

    /// Builds the lists of `tiles` tiles with `slices` fog slices each.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        tiles: u32,
        slices: u32,
    ) -> Result<()> {
        let binds = [resources.binds()];
        let unsorted = [resources.unsorted_binds()];
        let arguments = resources.buffer(BufferId::Arguments);
        self.count_tiles
            .dispatch_indirect(gpu, pass, &binds, arguments, SPLATS)?;
        self.scan.dispatch(gpu, pass, &binds, 1)?;
        self.emit
            .dispatch_indirect(gpu, pass, &unsorted, arguments, ENTRY_BLOCKS)?;
        self.sort.record(gpu, pass, resources.entry_sort())?;
        if let Some(limit_tiles) = &self.limit_tiles {
            limit_tiles.dispatch(gpu, pass, &binds, tiles)?;
        }
        let groups = |elements: u32| elements.div_ceil(ELEMENT_BLOCK);
        self.find_lists.dispatch(gpu, pass, &binds, groups(tiles))?;
        let Some(merge) = &self.merge else {
            return Ok(());
        };
        merge
            .splats
            .dispatch_indirect(gpu, pass, &binds, arguments, ENTRIES_BY_256)?;
        merge
            .slices
            .dispatch(gpu, pass, &binds, groups(tiles * slices))
    }
}
