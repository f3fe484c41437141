//! The shape of a frame determines its buffers, dispatches and pipelines. It consists of plain numbers, independent of
//! scene and GPU. The host reads sizes, counts and switches only from it.

use crate::model::items::{ItemCounts, ItemKind};
use crate::model::layout::{HalfSplat, Splat};
use crate::model::methods::{Kinds, Source, Stored};
use crate::model::options::SplatOrder;
use crate::model::passes::Inputs;

/// Sizes, counts and switches of a frame. Only the capacity of lists and the size of macro tiles may change during a
/// frame's life.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameShape {
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Edge of a tile in pixels.
    pub tile: u32,
    /// View depth of the near plane in metres.
    pub near: f32,
    /// View depth of the last slice's far side in metres.
    pub far: f32,
    pub counts: ItemCounts,
    pub emitters: u32,
    pub lights: u32,
    pub slices: u32,
    /// True if fog is integrated along froxel columns. False if the lists contain it.
    pub integrates_fog: bool,
    /// Number of froxel columns in x and y.
    pub columns: [u32; 2],
    /// Number of cells per column over all slices. Light is sampled once in each cell.
    pub light_cells: u32,
    pub sheets: u32,
    /// Number of frames per update of the light on sheets.
    pub sheets_lit_every: u32,
    pub splat_sets: u32,
    pub solids: u32,
    /// Number of triangles from files, stored after the triangles of solids.
    pub model_triangles: u32,
    /// Number of tile entries that fit the buffers.
    pub entry_capacity: u32,
    /// log2 of a macro tile's edge in tiles: 1 or 2.
    pub macro_shift: u32,
    /// Edge of the shadow map in texels.
    pub shadow_edge: u32,
    pub splat_order: SplatOrder,
    /// True if some files reduce the opacity of small Gaussians.
    pub mip: bool,
    /// Storage of splats. Half floats require that the frame contains nothing else.
    pub stored: Stored,
    /// True if compute finds the triangles visible to the camera (`shaders/frame/solids.wesl`).
    pub computes_solids: bool,
    /// Lists that have buffers. Buffers of unsorted kinds are allocated on first request.
    pub lists: Inputs,
    /// True if unsorted lists are shuffled.
    pub shuffled: bool,
    /// Bits of the depth keys that order coarse lists.
    pub key_bits: u32,
    /// True if the depth keys are depths from [`super::moment::Moment::order_camera`].
    pub by_order_camera: bool,
    pub glows: bool,
    pub smooths: bool,
}

impl FrameShape {
    pub fn tiles(&self) -> [u32; 2] {
        self.size.map(|pixels| pixels.div_ceil(self.tile.max(1)))
    }

    pub fn tile_count(&self) -> u32 {
        let [x, y] = self.tiles();
        x * y
    }

    pub fn items(&self) -> u32 {
        self.counts.total()
    }

    /// True if all items are of one kind that half floats can store.
    pub(super) fn fits_halves(&self) -> bool {
        self.counts.kinds().count() <= 1 && self.counts.kinds().all(ItemKind::fits_halves)
    }

    pub fn listed_slices(&self) -> u32 {
        if self.integrates_fog { 0 } else { self.slices }
    }

    pub fn has_triangles(&self) -> bool {
        self.solids > 0 || self.model_triangles > 0
    }

    pub fn is_by_distance(&self) -> bool {
        self.splat_order == SplatOrder::Distance
    }

    /// Kind of layers in the frame's lists. Methods are compiled for it.
    pub fn layers(&self) -> Source {
        // 64 bits cannot overflow. Excessive sizes are rejected later.
        let tiles = self.tiles().map(u64::from).iter().product::<u64>().max(1);
        let are_gaussians = self.counts.are_all(ItemKind::Gaussian);
        if are_gaussians && self.slices == 0 && !self.has_triangles() {
            return Source::Gaussians(self.stored);
        }
        Source::Frame(Kinds {
            integrated: self.integrates_fog,
            crowd: u64::from(self.counts.of(ItemKind::Particle)) / tiles
                > self.listed_slices().into(),
            ..Kinds::of(&self.counts)
        })
    }

    /// Capacity, in layers, of lists merged with slices. 0 without slices.
    pub(super) fn merged_layers(&self) -> u64 {
        match u64::from(self.listed_slices()) {
            0 => 0,
            slices => u64::from(self.entry_capacity) + u64::from(self.tile_count()) * slices,
        }
    }

    /// `bytes` if any of the given kinds of lists is allocated, otherwise 0.
    pub(super) fn if_listed(&self, kinds: &[Inputs], bytes: u64) -> u64 {
        u64::from(kinds.iter().any(|kind| self.lists.have(*kind))) * bytes
    }

    /// Number of entries with a position in unsorted and coarse lists: items and, if shuffled, fog slices.
    pub(super) fn unsorted_items(&self) -> u32 {
        let slices = if self.shuffled {
            self.listed_slices()
        } else {
            0
        };
        self.items().saturating_add(slices)
    }

    /// Capacity in words of unsorted lists, and of coarse lists.
    pub(super) fn unsorted_words(&self) -> u64 {
        let slices = u64::from(self.shuffled) * u64::from(self.listed_slices());
        u64::from(self.entry_capacity) + u64::from(self.tile_count()) * slices
    }

    /// Capacity of macro tiles in entries, as `macro_room` in `shaders/common/macro_tile.wesl`.
    pub(super) fn macro_entries(&self) -> u64 {
        u64::from(self.entry_capacity) / 2
    }

    /// Size in bytes of all splats. Without items, the buffers contain one struct, the minimum for a binding.
    pub(super) fn splat_bytes(&self) -> u64 {
        let each = match self.stored {
            Stored::Whole => size_of::<Splat>(),
            Stored::Halves => size_of::<HalfSplat>(),
        };
        u64::from(self.items().max(1)) * each as u64
    }

    pub(super) fn facets(&self) -> u64 {
        u64::from(self.computes_solids) * u64::from(self.solids)
    }
}

const MOST_FROXELS: [u32; 2] = [160, 90];

/// Minimum number of froxels in x and y, if the frame has enough pixels.
const LEAST_FROXELS: [u32; 2] = [40, 23];

/// Number of pixels per froxel in x and y, within the limits above.
const FROXEL_EDGE: u32 = 4;

/// Number of froxels in x and y for a frame of the given size in pixels.
pub fn froxels(size: [u32; 2]) -> [u32; 2] {
    std::array::from_fn(|axis| {
        let least = LEAST_FROXELS[axis].min(size[axis]);
        let wanted = size[axis].div_ceil(FROXEL_EDGE);
        wanted.max(least).min(MOST_FROXELS[axis])
    })
}
