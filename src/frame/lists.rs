//! Tile lists. `shaders/frame/bins.wesl` writes splats into bins of macro tiles. `shaders/frame/chunk_sort.wesl` sorts
//! the entries of each macro tile, with `shaders/frame/join.wesl` if there are many. `shaders/frame/lists.wesl` and
//! `shaders/frame/deal_chunks.wesl` distribute the entries to tiles, up to opaque surfaces.
//! `shaders/frame/merge_slices.wesl` adds fog slices.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};
use crate::model::items::ItemKind;
use crate::model::{Capabilities, Feature};

use super::counters::ELEMENT_BLOCK;
use super::frame_table::BufferId;
use super::macro_tiles::{CHUNKS, JOINED_CHUNKS, MOST_MACRO_TILES, macro_tiles};
use super::resources::Resources;
use super::shape::FrameShape;
use super::sort::order_key_bits;

pub fn bins_variant(caps: &Capabilities, shape: &FrameShape) -> Variant {
    Variant::new("frame/bins")
        .feature(Feature::Gaussians, shape.counts.has(ItemKind::Gaussian))
        .feature(Feature::EntryTiles, has_entry_tiles(shape))
        .feature(Feature::Wave, caps.waves)
}

/// True if entries of macro tiles contain their tiles (`shaders/common/macro_entry.wesl`). This needs a frame ordered
/// by depth without fog slices, and room in an entry for the splat's index, tiles and order key.
pub fn has_entry_tiles(shape: &FrameShape) -> bool {
    let needs_no_more = shape.listed_slices() == 0 && !shape.is_by_distance();
    // An entry has one bit per tile.
    let bits = u64::from(u64::BITS - order_key_bits(shape)) - MOST_MACRO_TILES;
    needs_no_more && u64::from(shape.items()) <= 1 << bits
}

pub fn sort_variant(caps: &Capabilities) -> Variant {
    Variant::new("frame/chunk_sort").feature(Feature::Wave, caps.waves)
}

pub fn join_variant(shape: &FrameShape) -> Variant {
    listing(Variant::new("frame/join"), shape)
}

/// Adds the features and constants that decide which tiles list a splat.
pub(super) fn listing(variant: Variant, shape: &FrameShape) -> Variant {
    let solids = shape.has_triangles();
    variant
        .feature(Feature::Gaussians, shape.counts.has(ItemKind::Gaussian))
        .feature(Feature::EntryTiles, has_entry_tiles(shape))
        .feature(Feature::Solids, solids)
        .feature(Feature::ByDistance, solids && shape.is_by_distance())
}

/// Variant of `frame/lists`, `frame/deal_chunks` or `frame/merge_slices`.
pub fn variant(module: &'static str, caps: &Capabilities, shape: &FrameShape) -> Variant {
    listing(Variant::new(module), shape)
        .feature(Feature::Slices, shape.listed_slices() > 0)
        .feature(Feature::Wave, caps.waves)
}

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
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, shape: &FrameShape) -> Result<Self> {
        let caps = &gpu.caps;
        let bins = bins_variant(caps, shape);
        let lists = |module| variant(module, caps, shape);
        let join = join_variant(shape);
        let limits = Variant::new("frame/tile_limits").with("TILE", shape.tile);
        let limit_tiles = || pipelines.compute(gpu, &limits, "limit_tiles");
        let merge_slices = || pipelines.compute(gpu, &lists("frame/merge_slices"), "merge_slices");
        Ok(Self {
            limit_tiles: shape.has_triangles().then(limit_tiles).transpose()?,
            scan_bins: pipelines.compute(gpu, &bins, "scan_bins")?,
            bin: pipelines.compute(gpu, &bins, "bin")?,
            sort_chunks: pipelines.compute(gpu, &sort_variant(caps), "sort_chunks")?,
            join: pipelines.compute(gpu, &join, "join")?,
            list_tiles: pipelines.compute(gpu, &lists("frame/lists"), "list_tiles")?,
            deal_chunks: pipelines.compute(gpu, &lists("frame/deal_chunks"), "deal_chunks")?,
            merge_slices: (shape.listed_slices() > 0).then(merge_slices).transpose()?,
        })
    }

    /// Computes each macro tile's first entry, and the capacity needed in total.
    pub fn scan(&self, pass: &mut wgpu::ComputePass, resources: &Resources) -> Result<()> {
        self.scan_bins.dispatch(pass, &[resources.binds()], 1)
    }

    /// Pipeline that finds the depth of solids, which limits the lists. `None` without solids.
    pub fn limits(&self) -> Option<&ComputePipeline> {
        self.limit_tiles.as_deref()
    }

    pub fn bin(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let binds = [resources.binds()];
        let blocks = shape.items().div_ceil(ELEMENT_BLOCK);
        self.bin.dispatch(pass, &binds, blocks)
    }

    pub fn record(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let binds = [resources.binds()];
        if let Some(limit_tiles) = &self.limit_tiles {
            limit_tiles.dispatch(pass, &binds, shape.tile_count())?;
        }
        let arguments = resources.buffer(BufferId::Arguments);
        for (pipeline, slot) in [(&self.sort_chunks, CHUNKS), (&self.join, JOINED_CHUNKS)] {
            pipeline.dispatch_indirect(pass, &binds, arguments, slot)?;
        }
        self.list_tiles.dispatch(pass, &binds, macro_tiles(shape))?;
        self.deal_chunks
            .dispatch_indirect(pass, &binds, arguments, JOINED_CHUNKS)?;
        let Some(merge_slices) = &self.merge_slices else {
            return Ok(());
        };
        let blocks = (shape.tile_count() * shape.listed_slices()).div_ceil(ELEMENT_BLOCK);
        merge_slices.dispatch(pass, &binds, blocks)
    }
}
