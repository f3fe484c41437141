//! Tile lists ordered by item or by short depth keys. `shaders/frame/unsorted_pairs.wesl` makes pairs of a macro tile
//! and an item. `sort.rs` sorts them by macro tile, or by macro tile and key. `shaders/frame/append_tiles.wesl`
//! distributes them to the tiles. Lists in any order skip the sort: the bins of macro tiles are distributed directly.
//! Frames have these lists only if a method requests them.

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

/// Order of lists that are not fully sorted by depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsortedKind {
    /// By item.
    Unsorted,
    /// By depth key, then by item.
    Coarse,
    /// Arbitrary, and different in each frame.
    Any,
}

impl UnsortedKind {
    pub const ALL: [Self; 3] = [Self::Unsorted, Self::Coarse, Self::Any];

    pub fn inputs(self) -> Inputs {
        match self {
            UnsortedKind::Unsorted => Inputs::UNSORTED_LISTS,
            UnsortedKind::Coarse => Inputs::COARSE_LISTS,
            UnsortedKind::Any => Inputs::ANY_LISTS,
        }
    }

    fn pass(self) -> Pass {
        match self {
            UnsortedKind::Unsorted | UnsortedKind::Any => Pass::UnsortedLists,
            UnsortedKind::Coarse => Pass::CoarseLists,
        }
    }

    /// Buffers for the lists' properties and contents.
    pub fn buffers(self) -> [BufferId; 2] {
        match self {
            UnsortedKind::Unsorted => [BufferId::UnsortedTileLists, BufferId::UnsortedItems],
            UnsortedKind::Coarse => [BufferId::CoarseTileLists, BufferId::CoarseItems],
            UnsortedKind::Any => [BufferId::AnyTileLists, BufferId::AnyItems],
        }
    }

    /// Number of bits in a pair's key below the macro tile.
    fn key_bits(self, shape: &FrameShape) -> u32 {
        match self {
            UnsortedKind::Unsorted | UnsortedKind::Any => 0,
            UnsortedKind::Coarse => shape.key_bits,
        }
    }
}

/// Variant of `frame/unsorted_pairs` or `frame/append_tiles` for lists of this kind.
pub fn variant(
    module: &'static str,
    caps: &Capabilities,
    shape: &FrameShape,
    kind: UnsortedKind,
) -> Variant {
    let variant = listing(Variant::new(module), shape).feature(Feature::Wave, caps.waves);
    let variant = variant
        .feature(
            Feature::Shuffled,
            shape.shuffled && kind != UnsortedKind::Any,
        )
        .with("KEY_BITS", kind.key_bits(shape));
    match kind {
        UnsortedKind::Unsorted => variant,
        UnsortedKind::Any => variant.feature(Feature::AnyLists, true),
        UnsortedKind::Coarse => shape
            .stored
            .features(variant)
            .feature(Feature::Coarse, true)
            .feature(Feature::ByDistance, shape.is_by_distance())
            .feature(Feature::OrderCamera, shape.by_order_camera),
    }
}

pub struct Unsorted {
    pub kind: UnsortedKind,
    pairs: Option<Pairs>,
    append_tiles: Arc<ComputePipeline>,
    binds: Binds,
}

/// The pairs that lists are made from.
struct Pairs {
    count_pairs: Arc<ComputePipeline>,
    place_blocks: Arc<ComputePipeline>,
    put_pairs: Arc<ComputePipeline>,
    sort: Sort,
}

impl Pairs {
    fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        shape: &FrameShape,
        kind: UnsortedKind,
    ) -> Result<Self> {
        let made = |entry, kind| {
            let variant = variant("frame/unsorted_pairs", &gpu.caps, shape, kind);
            pipelines.compute(gpu, &variant, entry)
        };
        let as_word = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let macro_bits = bits_of(as_word(macro_tile_room(shape)));
        let most = u32::BITS - macro_bits;
        if kind.key_bits(shape) > most {
            return Err(Error::usage(format!(
                "--key-bits {}: must be {most} or less in a frame with this many macro tiles; the nearest is {most}",
                shape.key_bits
            )));
        }
        let key_bits = macro_bits + kind.key_bits(shape);
        let room = as_word(shape.macro_entries());
        Ok(Self {
            // All kinds have the same pairs.
            count_pairs: made("count_pairs", UnsortedKind::Unsorted)?,
            place_blocks: made("place_blocks", UnsortedKind::Unsorted)?,
            put_pairs: made("put_pairs", kind)?,
            sort: Sort::new(gpu, pipelines, room, key_bits, true)?,
        })
    }
}

impl Unsorted {
    /// Compiles the pipelines for lists of one kind, and allocates the pairs.
    ///
    /// # Errors
    /// Macro tile and depth key together do not fit a word, a shader does not compile, or memory runs out.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        resources: &Resources,
        shape: &FrameShape,
        kind: UnsortedKind,
    ) -> Result<Self> {
        let has_pairs = kind != UnsortedKind::Any;
        let pairs = has_pairs.then(|| Pairs::new(gpu, pipelines, shape, kind));
        let pairs = pairs.transpose()?;
        let [tile_lists, items] = kind.buffers().map(|id| resources.buffer(id));
        // These override the frame's resources of the same names, because `shaders/frame/append_tiles.wesl` and
        // `shaders/frame/lists/write.wesl` write to them.
        let mut binds = vec![("unsorted_tile_lists", tile_lists), ("entry_splats", items)];
        if let Some(Pairs { sort, .. }) = &pairs {
            let ([keys, values], [sorted_keys, sorted_values]) = (sort.unsorted(), sort.sorted());
            binds.extend([("pair_keys", keys), ("pair_values", values)]);
            binds.push(("sorted_pair_keys", sorted_keys));
            binds.push(("sorted_pair_values", sorted_values));
        }
        let append_tiles = variant("frame/append_tiles", &gpu.caps, shape, kind);
        let binds = binds.into_iter();
        Ok(Self {
            kind,
            append_tiles: pipelines.compute(gpu, &append_tiles, "append_tiles")?,
            binds: Binds::new(binds.map(|(name, buffer)| (name, buffer.as_entire_binding()))),
            pairs,
        })
    }

    pub fn has_pairs(&self) -> bool {
        self.pairs.is_some()
    }

    /// Label and size in bytes of the pairs.
    pub fn memory(&self) -> Option<(&'static str, u64)> {
        let label = match self.kind {
            UnsortedKind::Coarse => "pairs of coarse lists",
            _ => "pairs of unsorted lists",
        };
        self.pairs.as_ref().map(|pairs| (label, pairs.sort.bytes()))
    }

    /// Counts the pairs. All kinds with pairs have the same number.
    pub fn count(
        &self,
        pass: &mut wgpu::ComputePass,
        resources: &Resources,
        shape: &FrameShape,
    ) -> Result<()> {
        let Some(pairs) = &self.pairs else {
            return Ok(());
        };
        let binds = [&self.binds, resources.binds()];
        pairs.count_pairs.dispatch(pass, &binds, blocks_of(shape))?;
        pairs.place_blocks.dispatch(pass, &binds, 1)
    }

    /// Makes the lists of all tiles. `limit_tiles` contains the depth at which solids end the lists.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        resources: &Resources,
        shape: &FrameShape,
        limit_tiles: Option<&ComputePipeline>,
    ) -> Result<()> {
        let binds = [&self.binds, resources.binds()];
        let counters = resources.buffer(BufferId::Counters);
        if let Some(Pairs { sort, .. }) = &self.pairs {
            sort.take_count(&mut recorder.encoder, counters, PAIRS);
        }
        recorder.compute(self.kind.pass(), |pass| {
            if let Some(pairs) = &self.pairs {
                pairs.put_pairs.dispatch(pass, &binds, blocks_of(shape))?;
                pairs.sort.record(pass)?;
            }
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
