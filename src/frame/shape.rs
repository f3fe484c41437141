//! Shape of a frame: determines its buffers, dispatches and pipelines. The host reads sizes, counts and switches only
//! here. Plain numbers, independent of scene and GPU.

use crate::model::items::{ItemCounts, ItemKind};
use crate::model::layout::{HalfSplat, Splat};
use crate::model::methods::{Kinds, Source, Stored};
use crate::model::options::SplatOrder;
use crate::model::passes::Inputs;

/// Parameters of a frame's buffers, dispatches and pipelines. Only the capacity of lists and the size of macro tiles
/// may change during a frame's life.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameShape {
    /// Frame size in pixels.
    pub size: [u32; 2],
    /// Edge of a tile in pixels.
    pub tile: u32,
    /// View depth of the near plane, metres.
    pub near: f32,
    /// View depth of the last slice's far side, metres.
    pub far: f32,
    pub counts: ItemCounts,
    pub emitters: u32,
    pub lights: u32,
    pub slices: u32,
    /// True if fog is integrated along froxel columns instead of listed.
    pub integrates_fog: bool,
    /// Columns of froxels in x and y.
    pub columns: [u32; 2],
    /// Cells of a column at which light is sampled, over all slices.
    pub light_cells: u32,
    pub sheets: u32,
    /// Sheets are lit once per this many frames.
    pub sheets_lit_every: u32,
    pub splat_sets: u32,
    pub solids: u32,
    /// Number of triangles of files, which follow those of solids.
    pub model_triangles: u32,
    /// Tile entries that fit the buffers.
    pub entry_capacity: u32,
    /// log2 of the number of tiles in a macro tile, in x and y: 1 or 2.
    pub macro_shift: u32,
    /// Edge of the shadow map, texels.
    pub shadow_edge: u32,
    pub splat_order: SplatOrder,
    /// True if the opacities of small Gaussians are reduced in some files.
    pub mip: bool,
    /// Storage of splats; in half floats only if the frame has nothing else.
    pub stored: Stored,
    /// True if compute finds the triangles visible to the camera (`shaders/frame/solids.wesl`).
    pub computes_solids: bool,
    /// Lists with allocated buffers; unsorted kinds are allocated on first request.
    pub lists: Inputs,
    /// True if unsorted lists are shuffled.
    pub shuffled: bool,
    /// Bits of the depth keys that order coarse lists.
    pub key_bits: u32,
    /// True if these are depths from another camera, given in [`super::moment::Moment`].
    pub by_order_camera: bool,
    pub glows: bool,
    pub smooths: bool,
}

impl FrameShape {
    /// Tiles in x and y.
    pub fn tiles(&self) -> [u32; 2] {
        self.size.map(|pixels| pixels.div_ceil(self.tile.max(1)))
    }

    pub fn tile_count(&self) -> u32 {
        let [x, y] = self.tiles();
        x * y
    }

    /// Everything that may become a splat.
    pub fn items(&self) -> u32 {
        self.counts.total()
    }

    /// True if half floats can store all of its items: they are of one kind that fits.
    pub(super) fn fits_halves(&self) -> bool {
        self.counts.kinds().count() <= 1 && self.counts.kinds().all(ItemKind::fits_halves)
    }

    /// Fog slices in lists.
    pub fn listed_slices(&self) -> u32 {
        if self.integrates_fog { 0 } else { self.slices }
    }

    pub fn has_triangles(&self) -> bool {
        self.solids > 0 || self.model_triangles > 0
    }

    pub fn is_by_distance(&self) -> bool {
        self.splat_order == SplatOrder::Distance
    }

    /// Kind of layers in the frame's lists, for which methods are compiled.
    pub fn layers(&self) -> Source {
        // In 64 bits, because excessive sizes are rejected later.
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

    /// Capacity of lists merged with slices, in layers; 0 without slices.
    pub(super) fn merged_layers(&self) -> u64 {
        match u64::from(self.listed_slices()) {
            0 => 0,
            slices => u64::from(self.entry_capacity) + u64::from(self.tile_count()) * slices,
        }
    }

    /// `bytes` if any of these kinds of lists are allocated, otherwise 0.
    pub(super) fn if_listed(&self, kinds: &[Inputs], bytes: u64) -> u64 {
        u64::from(kinds.iter().any(|kind| self.lists.have(*kind))) * bytes
    }

    /// Entries of unsorted and coarse lists with their own position: items and, if shuffled, fog slices.
    pub(super) fn unsorted_items(&self) -> u32 {
        let slices = if self.shuffled {
            self.listed_slices()
        } else {
            0
        };
        self.items().saturating_add(slices)
    }

    /// Capacity of unsorted lists in words; the same for coarse lists.
    pub(super) fn unsorted_words(&self) -> u64 {
        let slices = u64::from(self.shuffled) * u64::from(self.listed_slices());
        u64::from(self.entry_capacity) + u64::from(self.tile_count()) * slices
    }

    /// Capacity in entries of macro tiles: `macro_room` in `shaders/common/macro_tile.wesl`.
    pub(super) fn macro_entries(&self) -> u64 {
        u64::from(self.entry_capacity) / 2
    }

    /// Bytes of all splats as seen by the camera. Without items, struct buffers still hold one, the minimum for a
    /// binding.
    pub(super) fn splat_bytes(&self) -> u64 {
        let each = match self.stored {
            Stored::Whole => size_of::<Splat>(),
            Stored::Halves => size_of::<HalfSplat>(),
        };
        u64::from(self.items().max(1)) * each as u64
    }

    /// Number of triangles found by compute.
    pub(super) fn facets(&self) -> u64 {
        u64::from(self.computes_solids) * u64::from(self.solids)
    }
}

/// Maximum froxels in x and y.
const MOST_FROXELS: [u32; 2] = [160, 90];

/// Minimum froxels in x and y, if the frame has as many pixels.
const LEAST_FROXELS: [u32; 2] = [40, 23];

/// Pixels per froxel in x and y, within these limits.
const FROXEL_EDGE: u32 = 4;

/// Froxels in x and y for a frame of this size in pixels; in z there is one per slice.
pub fn froxels(size: [u32; 2]) -> [u32; 2] {
    std::array::from_fn(|axis| {
        let least = LEAST_FROXELS[axis].min(size[axis]);
        let wanted = size[axis].div_ceil(FROXEL_EDGE);
        wanted.max(least).min(MOST_FROXELS[axis])
    })
}
