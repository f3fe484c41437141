//! Simulate, project and cull, sort by depth: from emitters to splats in depth order.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::FrameUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{ComputePipeline, Gpu, Pipelines};

use super::counters::{ELEMENT_BLOCK, VISIBLE};
use super::input::FrameInput;
use super::resources::Resources;
use super::sort::{Pairs, Sort, order_key_bits};

/// Whether splats of files have masks of the tiles that they touch.
pub fn has_masks(uniform: &FrameUniform) -> bool {
    uniform.ellipsoids > 0 && uniform.exact_tiles > 0
}

/// Argument slot with a workgroup per 256 splats.
pub const SPLATS: u64 = 0;
/// Argument slot with a workgroup per sort block of splats.
const SPLAT_BLOCKS: u64 = 1;

/// Pipelines of the particle passes.
pub struct Particles {
    simulate: Arc<ComputePipeline>,
    count: Arc<ComputePipeline>,
    scan: Arc<ComputePipeline>,
    scatter: Arc<ComputePipeline>,
    sort: Sort,
}

impl Particles {
    /// Compiles what the particle passes of `input` need.
    ///
    /// # Errors
    /// A shader does not compile.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, input: &FrameInput) -> Result<Self> {
        let project = Variant::new("project")
            .with("TILE", input.tile)
            .feature("ellipses", input.uniform.ellipsoids > 0)
            .feature("exact_tiles", has_masks(&input.uniform))
            .feature("by_distance", input.uniform.by_distance > 0)
            .feature("wave", gpu.caps.waves);
        let scan = Variant::new("scan").feature("wave", gpu.caps.waves);
        let pairs = Pairs {
            counter: VISIBLE,
            slot: SPLAT_BLOCKS,
            key_bits: order_key_bits(&input.uniform),
            keys: false,
            counted: false,
        };
        Ok(Self {
            simulate: pipelines.compute(gpu, &Variant::new("simulate"), "simulate")?,
            count: pipelines.compute(gpu, &project, "count")?,
            scan: pipelines.compute(gpu, &scan, "scan_visible")?,
            scatter: pipelines.compute(gpu, &project, "scatter")?,
            sort: Sort::new(gpu, pipelines, pairs)?,
        })
    }

    /// On which side of `order` the splats end in depth order.
    pub fn sorted_side(&self) -> usize {
        self.sort.sorted_side()
    }

    /// Every particle's state at the frame's time.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn simulate(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        particles: u32,
    ) -> Result<()> {
        let groups = particles.div_ceil(ELEMENT_BLOCK);
        self.simulate
            .dispatch(gpu, pass, &[resources.binds()], groups)
    }

    /// Visible particles, cells and splats of files become splats in their order: count, scan, scatter.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn project(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        items: u32,
    ) -> Result<()> {
        let binds = [resources.binds()];
        let blocks = items.div_ceil(ELEMENT_BLOCK);
        self.count.dispatch(gpu, pass, &binds, blocks)?;
        self.scan.dispatch(gpu, pass, &binds, 1)?;
        self.scatter
            .dispatch(gpu, pass, &[resources.first_binds()], blocks)
    }

    /// Splats by depth; equal depths stay in particle order.
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn sort(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
    ) -> Result<()> {
        self.sort.record(gpu, pass, resources.depth_sort())
    }
}
