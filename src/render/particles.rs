//! Simulate, project and cull, sort by depth: from emitters to splats in depth order.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::ScanJob;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};

use super::counters::{ELEMENT_BLOCK, ITEMS, SCAN_BLOCK, VISIBLE};
use super::resources::Resources;
use super::scan::{Groups, Scan};
use super::sort::{Sides, Sort, radix_bits};

/// First argument slot of the splats: elements, sort blocks, histogram scan, element scan.
pub const SPLAT_SLOTS: u64 = 0;

/// Pipelines of the particle passes.
pub struct Particles {
    simulate: Arc<ComputePipeline>,
    count: Arc<ComputePipeline>,
    scan: Scan,
    scatter: Arc<ComputePipeline>,
    arguments: Arc<ComputePipeline>,
    sort: Sort,
}

impl Particles {
    /// Compiles what the particle passes need for tiles of `tile` pixels.
    ///
    /// # Errors
    /// A shader does not compile (exit code 1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, tile: u32) -> Result<Self> {
        let project = Variant::new("project")
            .with("TILE", tile)
            .feature("wave", gpu.caps.waves);
        let arguments = Variant::new("arguments").with("RADIX_BITS", radix_bits(&gpu.caps));
        let scan = ScanJob {
            counter: ITEMS,
            block: ELEMENT_BLOCK,
            multiplier: 1,
            total: VISIBLE,
        };
        Ok(Self {
            simulate: pipelines.compute(gpu, &Variant::new("simulate"), "simulate")?,
            count: pipelines.compute(gpu, &project, "count")?,
            scan: Scan::new(gpu, pipelines, "compaction scan", scan)?,
            scatter: pipelines.compute(gpu, &project, "scatter")?,
            arguments: pipelines.compute(gpu, &arguments, "for_splats")?,
            sort: Sort::new(gpu, pipelines, VISIBLE, 32, SPLAT_SLOTS)?,
        })
    }

    /// Every particle's state at the frame's time.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn simulate(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        particles: u32,
    ) -> Result<()> {
        let groups = particles.div_ceil(ELEMENT_BLOCK);
        self.simulate
            .dispatch(gpu, pass, &resources.binds(), groups)
    }

    /// Visible particles and cells become splats in their order: count, scan, scatter.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn project(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        items: u32,
    ) -> Result<()> {
        let binds = resources.binds();
        let blocks = items.div_ceil(ELEMENT_BLOCK);
        self.count.dispatch(gpu, pass, &binds, blocks)?;
        self.scan.record(
            gpu,
            pass,
            &resources.counters,
            &resources.block_sums,
            &resources.partials,
            &Groups::Direct(blocks.div_ceil(SCAN_BLOCK)),
        )?;
        self.scatter.dispatch(gpu, pass, &binds, blocks)?;
        self.arguments.dispatch(gpu, pass, &binds, 1)
    }

    /// Splats by depth; equal depths stay in particle order.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn sort(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
    ) -> Result<()> {
        self.sort.record(
            gpu,
            pass,
            &Sides {
                keys: &resources.depth_keys,
                values: &resources.order,
                histograms: &resources.histograms,
                partials: &resources.partials,
                counters: &resources.counters,
                arguments: &resources.arguments,
            },
        )
    }
}
