//! Tile lists in the order of items, or of depth keys of few bits: pairs of a macro tile and an item
//! (`shaders/frame/unsorted_pairs.wesl`), sorted by macro tile, or by that and the key (`sort.rs`), are dealt out to the tiles
//! (`shaders/frame/append_tiles.wesl`). Frames have them only where a method asks for them.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, Recorder};
use crate::model::passes::{Inputs, Pass};
use crate::model::{Capabilities, Feature};

use super::counters::{ELEMENT_BLOCK, PAIRS};
use super::frame_table::BufferId;
use super::lists::listing;
use super::macro_tiles::{macro_tile_room, macro_tiles};
use super::resources::Resources;
use super::shape::FrameShape;
use super::sort::{Sort, bits_of};

/// What lists that are made of pairs are in order of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Items.
    Unsorted,
    /// Depth keys, and where these are equal items.
    Coarse,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Unsorted, Self::Coarse];

    /// What asks for them.
    pub fn inputs(self) -> Inputs {
        match self {
            Kind::Unsorted => Inputs::UNSORTED_LISTS,
            Kind::Coarse => Inputs::COARSE_LISTS,
        }
    }

    fn pass(self) -> Pass {
        match self {
            Kind::Unsorted => Pass::UnsortedLists,
            Kind::Coarse => Pass::CoarseLists,
        }
    }

    /// What is known of every tile's list, and what the lists hold.
    pub fn buffers(self) -> [BufferId; 2] {
        match self {
            Kind::Unsorted => [BufferId::UnsortedTileLists, BufferId::UnsortedItems],
            Kind::Coarse => [BufferId::CoarseTileLists, BufferId::CoarseItems],
        }
    }

    /// Bits of a pair's key below its macro tile.
    fn key_bits(self, shape: &FrameShape) -> u32 {
        match self {
            Kind::Unsorted => 0,
            Kind::Coarse => shape.key_bits,
        }
    }
}

/// What the kernels of these lists are specialised to: those of `frame/unsorted_pairs` and `frame/append_tiles`.
pub fn variant(
    module: &'static str,
    caps: &Capabilities,
    shape: &FrameShape,
    kind: Kind,
) -> Variant {
    let variant = listing(Variant::new(module), shape).feature(Feature::Wave, caps.waves);
    let variant = variant
        .feature(Feature::Shuffled, shape.shuffled)
        .with("KEY_BITS", kind.key_bits(shape));
    match kind {
        Kind::Unsorted => variant,
        Kind::Coarse => shape
            .stored
            .features(variant)
            .feature(Feature::Coarse, true)
            .feature(Feature::ByDistance, shape.is_by_distance())
            .feature(Feature::OrderCamera, shape.by_order_camera),
    }
}

/// Pipelines that make lists of a kind, and the pairs that they are made of.
pub struct Unsorted {
    pub kind: Kind,
    count_pairs: Arc<ComputePipeline>,
    place_blocks: Arc<ComputePipeline>,
    put_pairs: Arc<ComputePipeline>,
    append_tiles: Arc<ComputePipeline>,
    sort: Sort,
    pairs: Binds,
}

impl Unsorted {
    /// Compiles what such lists of a frame of this shape need, and makes room for their pairs.
    ///
    /// # Errors
    /// Macro tile and depth key do not fit a word together, a shader does not compile, or memory is out.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        resources: &Resources,
        shape: &FrameShape,
        kind: Kind,
    ) -> Result<Self> {
        let made = |module, entry, kind| {
            pipelines.compute(gpu, &variant(module, &gpu.caps, shape, kind), entry)
        };
        let as_word = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let macro_bits = bits_of(as_word(macro_tile_room(shape)));
        let most = u32::BITS - macro_bits;
        if kind.key_bits(shape) > most {
            return Err(Error::usage(format!(
                "--key-bits {}: must be {most} or less in a frame of so many macro tiles; the nearest is {most}",
                shape.key_bits
            )));
        }
        let key_bits = macro_bits + kind.key_bits(shape);
        let room = as_word(shape.macro_entries());
        let sort = Sort::new(gpu, pipelines, room, key_bits, true)?;
        let ([keys, values], [sorted_keys, sorted_values]) = (sort.unsorted(), sort.sorted());
        let [tile_lists, items] = kind.buffers().map(|id| resources.buffer(id));
        let pairs = Binds::new([
            // These come before what the frame has under these names: `shaders/frame/append_tiles.wesl` and
            // `shaders/frame/lists/write.wesl` write to them.
            ("unsorted_tile_lists", tile_lists.as_entire_binding()),
            ("entry_splats", items.as_entire_binding()),
            ("pair_keys", keys.as_entire_binding()),
            ("pair_values", values.as_entire_binding()),
            ("sorted_pair_keys", sorted_keys.as_entire_binding()),
            ("sorted_pair_values", sorted_values.as_entire_binding()),
        ]);
        Ok(Self {
            kind,
            // All kinds have the same pairs.
            count_pairs: made("frame/unsorted_pairs", "count_pairs", Kind::Unsorted)?,
            place_blocks: made("frame/unsorted_pairs", "place_blocks", Kind::Unsorted)?,
            put_pairs: made("frame/unsorted_pairs", "put_pairs", kind)?,
            append_tiles: made("frame/append_tiles", "append_tiles", kind)?,
            sort,
            pairs,
        })
    }

    pub fn memory(&self) -> (&'static str, u64) {
        let label = match self.kind {
            Kind::Unsorted => "pairs of unsorted lists",
            Kind::Coarse => "pairs of coarse lists",
        };
        (label, self.sort.bytes())
    }

    /// Counts the pairs, which are the same of all kinds.
    pub fn count(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let binds = [&self.pairs, resources.binds()];
        self.count_pairs.dispatch(pass, &binds, blocks_of(shape))?;
        self.place_blocks.dispatch(pass, &binds, 1)
    }

    /// Makes the lists of all tiles. `limit_tiles` says where solids end them.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        resources: &Resources,
        shape: &FrameShape,
        limit_tiles: Option<&ComputePipeline>,
    ) -> Result<()> {
        let binds = [&self.pairs, resources.binds()];
        let counters = resources.buffer(BufferId::Counters);
        self.sort.take_count(&mut recorder.encoder, counters, PAIRS);
        recorder.compute(self.kind.pass(), |pass| {
            self.put_pairs.dispatch(pass, &binds, blocks_of(shape))?;
            self.sort.record(pass)?;
            if let Some(limit_tiles) = limit_tiles {
                limit_tiles.dispatch(pass, &binds, shape.tile_count())?;
            }
            self.append_tiles.dispatch(pass, &binds, macro_tiles(shape))
        })
    }
}

fn blocks_of(shape: &FrameShape) -> u32 {
    shape.unsorted_items().div_ceil(ELEMENT_BLOCK)
}
