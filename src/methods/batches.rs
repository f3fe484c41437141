//! Lists cut into batches across workgroups (`shaders/methods/split_batches.wesl`): the cut, the buffers for parts, and
//! the three kernels. The GPU plans the work, because only the GPU has the lists. The CPU sizes the buffers from the
//! last counters.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Recorder, storage_buffer};
use crate::model::options::{Dial, MethodOptions};
use crate::model::{Capabilities, Feature};

use crate::frame::Extent;
use crate::frame::counters::ELEMENT_BLOCK;

use super::kernel::ranges;
use super::kernel::{CompositePass, Kernel, Part, PassContext, Work};
use super::specialization::{Geometry, Specialization};
use super::staged::several;

/// Maximum bytes of all parts. Beyond it, batches get longer. There are still enough batches to fill any GPU.
const MOST_PART_BYTES: u64 = 64 << 20;
/// This many unused parts cost less than a plan that avoids them.
const FEW_PARTS: u32 = 4096;
/// Bytes of a part per pixel: (rgb, T).
const PIXEL_BYTES: u64 = 16;
const PAIR_BYTES: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    batch: u32,
    /// Capacity in batches, without the first batch of each list. 0 if every list has one batch.
    parts: u32,
    /// Capacity per tile if all tiles have the same. 0 if a plan distributes the capacity.
    of_tile: u32,
}

impl Cut {
    /// Cuts lists like `extent` into batches of `batch` layers, doubled until all parts of `pixels` pixels fit. The
    /// parts suffice if no list is longer than in `extent` and the total is no larger.
    fn new(caps: &Capabilities, extent: &Extent, batch: u32, pixels: u32) -> Self {
        let part_bytes = PIXEL_BYTES * u64::from(pixels);
        let bytes = MOST_PART_BYTES.min(caps.max_binding_bytes);
        let most = (bytes / part_bytes).max(1) as u32;
        let at = |batch: u32| {
            let of_longest = extent.longest_list.saturating_sub(1) / batch;
            let even = extent.tiles.saturating_mul(of_longest);
            let uneven = extent.listed_layers / batch;
            let (parts, of_tile) = if even <= FEW_PARTS.max(uneven.saturating_add(uneven / 4)) {
                (even, of_longest)
            } else {
                (uneven, 0)
            };
            Self {
                batch,
                parts,
                of_tile,
            }
        };
        let doubled = std::iter::successors(Some(batch), |batch| batch.checked_mul(2));
        let cut = doubled.map(at).find(|cut| cut.parts <= most);
        cut.unwrap_or(Self {
            batch,
            parts: 0,
            of_tile: 0,
        })
    }
}

pub(super) struct Batches;

impl Kernel for Batches {
    fn geometry(&self, spec: &Specialization, _caps: &Capabilities) -> Geometry {
        several(spec, 1)
    }

    fn constants(&self, spec: &Specialization, caps: &Capabilities, variant: Variant) -> Variant {
        variant
            .with("PIXELS_PER_THREAD", 1)
            .with("STAGED", spec.geometry(caps).staged)
            .feature(Feature::UniformTables, true)
    }

    fn dial(&self, options: &MethodOptions) -> Option<Dial> {
        Some(Dial::Batch(options.layers_per_batch))
    }

    fn has(&self, dial: Dial, _caps: &Capabilities) -> bool {
        matches!(dial, Dial::Batch(_))
    }

    /// Each batch takes a few more iterations: several per layer for the smallest batch.
    fn turns_per_layer(&self, _spec: &Specialization) -> Option<u32> {
        Some(4)
    }

    fn parts(&self, spec: &Specialization, caps: &Capabilities) -> Vec<Part> {
        let [plan, own, join] = variants(spec, caps);
        let runs = [
            "compute, once per pixel and batch of its list",
            "compute, before, once per tile",
            "compute, behind, once per pixel of a long list",
        ];
        vec![
            Part::alone(own, &["composite"], runs[0]),
            Part::alone(plan, &["plan_batches"], runs[1]),
            Part::alone(join, &["join_batches"], runs[2]),
        ]
    }

    fn make(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        Ok(Box::new(BatchesPass::new(context)?))
    }
}

struct BatchesPass {
    ranges: Vec<Binds>,
    /// `None` if all tiles have the same capacity.
    plan: Option<Arc<ComputePipeline>>,
    composite: Arc<ComputePipeline>,
    join: Arc<ComputePipeline>,
    tiles: u32,
    parts: u32,
    binds: Binds,
    bytes: u64,
}

impl BatchesPass {
    fn new(context: PassContext) -> Result<Self> {
        let (gpu, spec, extent) = (context.gpu, context.spec, context.extent);
        let [plan, composite, join] = variants(spec, &gpu.caps);
        let kernel = |variant, entry| context.pipelines.compute(gpu, &variant, entry);
        let pixels = spec.options.frame.pixels_of_tile();
        let batch = spec.options.method.layers_per_batch;
        let cut = Cut::new(&gpu.caps, extent, batch, pixels);
        let is_planned = cut.parts > 0 && cut.of_tile == 0;
        // A binding must not be empty.
        let parts = u64::from(cut.parts.max(1));
        let pixels = u64::from(pixels);
        // Zeros mean that no tile has parts and no parts are reserved.
        let buffers = [
            storage_buffer(gpu, "parts reserved", 4),
            storage_buffer(gpu, "parts", PAIR_BYTES * (u64::from(extent.tiles) + parts)),
            storage_buffer(gpu, "part pixels", PIXEL_BYTES * pixels * parts),
        ];
        gpu.check()
            .map_err(|error| error.context("the parts of batches"))?;
        let [reserved, parts, pixels] = &buffers;
        if cut.of_tile > 0 {
            let even = even_parts(extent.tiles, cut.of_tile);
            gpu.queue
                .write_buffer(parts, 0, bytemuck::cast_slice(&even));
        }
        Ok(Self {
            ranges: ranges(gpu, spec, extent, cut.batch),
            plan: is_planned
                .then(|| kernel(plan, "plan_batches"))
                .transpose()?,
            composite: kernel(composite, "composite")?,
            join: kernel(join, "join_batches")?,
            tiles: extent.tiles,
            parts: cut.parts,
            binds: Binds::new([
                ("reserved", reserved.as_entire_binding()),
                ("parts", parts.as_entire_binding()),
                ("parts_out", parts.as_entire_binding()),
                ("part_pixels", pixels.as_entire_binding()),
            ]),
            bytes: buffers.iter().map(wgpu::Buffer::size).sum(),
        })
    }

    /// Composites one range of list entries. If every list has one batch, it plans and joins nothing.
    fn record_range(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &[&Binds],
        range: &Binds,
    ) -> Result<()> {
        let sets = [resources, &[range, &self.binds]].concat();
        if self.parts == 0 {
            return self.composite.dispatch(pass, &sets, self.tiles);
        }
        if let Some(plan) = &self.plan {
            let groups = self.tiles.div_ceil(ELEMENT_BLOCK);
            plan.dispatch(pass, &sets, groups)?;
        }
        let groups = self.tiles + self.parts;
        self.composite.dispatch(pass, &sets, groups)?;
        self.join.dispatch(pass, &sets, self.parts)
    }
}

impl CompositePass for BatchesPass {
    fn record(&self, recorder: &mut Recorder, work: Work) -> Result<()> {
        recorder.compute(work.label, |pass| {
            let mut all = (0..work.times).flat_map(|_| &self.ranges);
            all.try_for_each(|range| self.record_range(pass, work.resources, range))
        })
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Distributes parts evenly over `tiles` tiles, `of_tile` each. Returns the first part and number of parts of each
/// tile, then the tile and batch of each part.
fn even_parts(tiles: u32, of_tile: u32) -> Vec<[u32; 2]> {
    let of_tiles = (0..tiles).map(|tile| [tile * of_tile, of_tile]);
    let of_parts = (0..tiles).flat_map(|tile| (1..=of_tile).map(move |batch| [tile, batch]));
    of_tiles.chain(of_parts).collect()
}

fn variants(spec: &Specialization, caps: &Capabilities) -> [Variant; 3] {
    let frame = spec.options.frame;
    let plan = Variant::new("methods/plan_batches").feature(Feature::Wave, caps.waves);
    let join = Variant::new("methods/join_batches")
        .with("TILE", frame.tile)
        .with_bool("EARLY_OUT", frame.early_out > 0.0);
    [plan, spec.variant(caps), join]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(tiles: u32, longest_list: u32, listed_layers: u32, batch: u32, pixels: u32) -> Cut {
        let caps = Capabilities {
            max_binding_bytes: 1 << 30,
            ..Capabilities::default()
        };
        let extent = Extent {
            tiles,
            longest_list,
            listed_layers,
            ..Extent::default()
        };
        Cut::new(&caps, &extent, batch, pixels)
    }

    fn needed(lists: &[u32], batch: u32) -> u32 {
        let further = |list: &u32| list.div_ceil(batch).saturating_sub(1);
        lists.iter().map(further).sum()
    }

    #[test]
    fn there_is_room_for_every_part_of_lists_as_long_as_the_extent_says() {
        for lists in [
            &[0, 0, 0][..],
            &[64, 64, 64],
            &[65, 1, 0],
            &[3064, 70, 12, 0, 64, 65],
            &[1000; 16],
            &[u32::MAX],
        ] {
            let [tiles, longest] = [lists.len() as u32, lists.iter().copied().max().unwrap_or(0)];
            let of = cut(tiles, longest, lists.iter().sum(), 64, 64);
            assert!(of.parts >= needed(lists, of.batch), "{lists:?}: {of:?}");
        }
        assert_eq!(cut(16, 64, 1024, 64, 64).parts, 0);
    }

    #[test]
    fn batches_get_longer_until_their_parts_fit() {
        let of = cut(32_400, 4000, 20_000_000, 64, 64);
        assert_eq!(of.batch, 512);
        assert!(u64::from(of.parts) * 64 * PIXEL_BYTES <= MOST_PART_BYTES);
        assert!(cut(32_400, 4000, 20_000_000, 256, 64).batch == 512);
        assert!(cut(8100, 4000, 20_000_000, 256, 256).batch > 512);
    }
}
