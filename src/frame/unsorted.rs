//! Tile lists in the order of items: pairs of a macro tile and an item (`shaders/frame/unsorted_pairs.wesl`), sorted by macro
//! tile alone (`sort.rs`), are dealt out to the tiles (`shaders/frame/append_tiles.wesl`). Frames have them only where a method
//! asks for them.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, Recorder};
use crate::model::passes::Pass;
use crate::model::{Capabilities, Feature};

use super::counters::{ELEMENT_BLOCK, PAIRS};
use super::frame_table::BufferId;
use super::lists::listing;
use super::macro_tiles::{macro_tile_room, macro_tiles};
use super::resources::Resources;
use super::shape::FrameShape;
use super::sort::{Sort, bits_of};

/// What the kernels of unsorted lists are specialised to: those of `frame/unsorted_pairs` and `frame/append_tiles`.
pub fn variant(module: &'static str, caps: &Capabilities, shape: &FrameShape) -> Variant {
    let variant = listing(Variant::new(module), shape).feature(Feature::Wave, caps.waves);
    match shape.shuffle {
        Some(seed) => variant
            .feature(Feature::Shuffled, true)
            .with("ORDER_SEED", seed),
        None => variant,
    }
}

/// Pipelines that make unsorted lists, and the pairs that they are made of.
pub struct Unsorted {
    count_pairs: Arc<ComputePipeline>,
    place_blocks: Arc<ComputePipeline>,
    put_pairs: Arc<ComputePipeline>,
    append_tiles: Arc<ComputePipeline>,
    sort: Sort,
    pairs: Binds,
}

impl Unsorted {
    /// Compiles what the unsorted lists of a frame of this shape need, and makes room for their pairs.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<Self> {
        let made =
            |module, entry| pipelines.compute(gpu, &variant(module, &gpu.caps, shape), entry);
        let as_word = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let key_bits = bits_of(as_word(macro_tile_room(shape)));
        let room = as_word(shape.macro_entries());
        let sort = Sort::new(gpu, pipelines, room, key_bits, true)?;
        let ([keys, values], [sorted_keys, sorted_values]) = (sort.unsorted(), sort.sorted());
        let items = resources.buffer(BufferId::UnsortedItems);
        let pairs = Binds::new([
            // What `shaders/frame/lists/write.wesl` writes to.
            ("entry_splats", items.as_entire_binding()),
            ("pair_keys", keys.as_entire_binding()),
            ("pair_values", values.as_entire_binding()),
            ("sorted_pair_keys", sorted_keys.as_entire_binding()),
            ("sorted_pair_values", sorted_values.as_entire_binding()),
        ]);
        Ok(Self {
            count_pairs: made("frame/unsorted_pairs", "count_pairs")?,
            place_blocks: made("frame/unsorted_pairs", "place_blocks")?,
            put_pairs: made("frame/unsorted_pairs", "put_pairs")?,
            append_tiles: made("frame/append_tiles", "append_tiles")?,
            sort,
            pairs,
        })
    }

    /// Bytes of the pairs.
    pub fn bytes(&self) -> u64 {
        self.sort.bytes()
    }

    /// Counts the pairs.
    pub fn count(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let binds = [&self.pairs, resources.binds()];
        self.count_pairs
            .dispatch(gpu, pass, &binds, blocks_of(shape))?;
        self.place_blocks.dispatch(gpu, pass, &binds, 1)
    }

    /// Makes the lists of all tiles. `limit_tiles` says where solids end them.
    pub fn record(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        resources: &Resources,
        shape: &FrameShape,
        limit_tiles: Option<&ComputePipeline>,
    ) -> Result<()> {
        let binds = [&self.pairs, resources.binds()];
        let counters = resources.buffer(BufferId::Counters);
        self.sort.take_count(&mut recorder.encoder, counters, PAIRS);
        recorder.compute(Pass::UnsortedLists, |pass| {
            self.put_pairs
                .dispatch(gpu, pass, &binds, blocks_of(shape))?;
            self.sort.record(gpu, pass)?;
            if let Some(limit_tiles) = limit_tiles {
                limit_tiles.dispatch(gpu, pass, &binds, shape.tile_count())?;
            }
            self.append_tiles
                .dispatch(gpu, pass, &binds, macro_tiles(shape))
        })
    }
}

fn blocks_of(shape: &FrameShape) -> u32 {
    shape.unsorted_items().div_ceil(ELEMENT_BLOCK)
}
