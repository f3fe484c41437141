//! Tile lists: count, scan, emit, sort by tile, merge with the fog slices (`shaders/lists.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::ScanJob;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};

use super::counters::{ELEMENT_BLOCK, ENTRIES, ENTRIES_NEEDED, VISIBLE};
use super::particles::SPLAT_SLOTS;
use super::resources::Resources;
use super::scan::{Groups, Scan};
use super::sort::{Sides, Sort, radix_bits};

/// First argument slot of the tile entries.
const ENTRY_SLOTS: u64 = 4;

/// Pipelines of the list passes.
pub struct Lists {
    count_tiles: Arc<ComputePipeline>,
    scan: Scan,
    arguments: Arc<ComputePipeline>,
    emit: Arc<ComputePipeline>,
    sort: Sort,
    find_starts: Arc<ComputePipeline>,
    merge_splats: Arc<ComputePipeline>,
    merge_slices: Arc<ComputePipeline>,
}

impl Lists {
    /// Compiles what the lists need for `tiles` tiles.
    ///
    /// # Errors
    /// A shader does not compile (exit code 1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, tiles: u32) -> Result<Self> {
        let variant = Variant::new("lists");
        let arguments = Variant::new("arguments").with("RADIX_BITS", radix_bits(&gpu.caps));
        let scan = ScanJob {
            counter: VISIBLE,
            block: 1,
            multiplier: 1,
            total: ENTRIES_NEEDED,
        };
        let key_bits = 32 - (tiles - 1).leading_zeros().min(31);
        Ok(Self {
            count_tiles: pipelines.compute(gpu, &variant, "count_tiles")?,
            scan: Scan::new(gpu, pipelines, "tile count scan", scan)?,
            arguments: pipelines.compute(gpu, &arguments, "for_entries")?,
            emit: pipelines.compute(gpu, &variant, "emit")?,
            sort: Sort::new(gpu, pipelines, ENTRIES, key_bits, ENTRY_SLOTS)?,
            find_starts: pipelines.compute(gpu, &variant, "find_starts")?,
            merge_splats: pipelines.compute(gpu, &variant, "merge_splats")?,
            merge_slices: pipelines.compute(gpu, &variant, "merge_slices")?,
        })
    }

    /// On which side of the entry buffers the sorted entries end.
    pub fn sorted_side(&self) -> usize {
        self.sort.sorted_side()
    }

    /// Builds the lists of `tiles` tiles with `slices` fog slices each.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        tiles: u32,
        slices: u32,
    ) -> Result<()> {
        let binds = resources.binds();
        let unsorted = resources.unsorted_binds();
        let arguments = &resources.arguments;
        self.count_tiles
            .dispatch_indirect(gpu, pass, &binds, arguments, SPLAT_SLOTS)?;
        self.scan.record(
            gpu,
            pass,
            &resources.counters,
            &resources.offsets,
            &resources.partials,
            &Groups::Indirect(arguments, SPLAT_SLOTS + 3),
        )?;
        self.arguments.dispatch(gpu, pass, &binds, 1)?;
        self.emit
            .dispatch_indirect(gpu, pass, &unsorted, arguments, ENTRY_SLOTS)?;
        self.sort.record(
            gpu,
            pass,
            &Sides {
                keys: &resources.entry_tiles,
                values: &resources.entry_splats,
                histograms: &resources.histograms,
                partials: &resources.partials,
                counters: &resources.counters,
                arguments,
            },
        )?;
        let groups = |elements: u32| elements.div_ceil(ELEMENT_BLOCK);
        self.find_starts
            .dispatch(gpu, pass, &binds, groups(tiles + 1))?;
        self.merge_splats
            .dispatch_indirect(gpu, pass, &binds, arguments, ENTRY_SLOTS)?;
        self.merge_slices
            .dispatch(gpu, pass, &binds, groups(tiles * slices.max(1)))
    }
}
