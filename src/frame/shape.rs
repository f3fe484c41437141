//! A frame's shape: what its buffers, dispatches and pipelines depend on. The host reads sizes, counts and switches here and
//! nowhere else. Plain numbers; touches neither scene nor GPU.

use crate::model::layout::{HalfSplat, Splat};
use crate::model::methods::{Kinds, Source, Stored};
use crate::model::options::SplatOrder;
use crate::model::passes::Inputs;

/// What a frame's buffers, dispatches and pipelines depend on. The lists' capacity and the size of macro tiles may change
/// while a frame lives; all else stays.
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
    pub particles: u32,
    pub emitters: u32,
    /// Number of point lights.
    pub lights: u32,
    /// Fog slices.
    pub slices: u32,
    /// Whether they are integrated along columns of froxels, and not in lists.
    pub integrates_fog: bool,
    /// Columns of froxels in x and y.
    pub columns: [u32; 2],
    /// Cells of a column that light is taken in, in all slices together.
    pub light_cells: u32,
    pub sheets: u32,
    /// Sheets are lit in one frame out of this many.
    pub sheets_lit_every: u32,
    /// Number of cells of all sheets.
    pub cells: u32,
    /// Number of splats of all splat files.
    pub gaussians: u32,
    /// Number of splat files.
    pub splat_sets: u32,
    /// Number of triangles of solids.
    pub solids: u32,
    /// Number of triangles of files, behind those of solids.
    pub model_triangles: u32,
    /// Tile entries that fit the buffers.
    pub entry_capacity: u32,
    /// log2 of the tiles of a macro tile in x, and in y: 1 or 2.
    pub macro_shift: u32,
    /// Edge of the shadow map, texels.
    pub shadow_edge: u32,
    /// By what splats are in order: by depth or by distance.
    pub splat_order: SplatOrder,
    /// Whether the opacities of small Gaussians are lower in some files.
    pub mip: bool,
    /// How splats are stored; in half floats only of a frame that has nothing else.
    pub stored: Stored,
    /// Whether it is found by compute which triangle the camera sees (`shaders/frame/solids.wesl`).
    pub computes_solids: bool,
    /// What lists there is room for; for those that are not sorted from when they are first asked for.
    pub lists: Inputs,
    /// Whether unsorted lists are shuffled.
    pub shuffled: bool,
    /// Bits of the depth keys by whose order coarse lists are.
    pub key_bits: u32,
    /// Whether these are depths from another camera: [`super::moment::Moment`] has it.
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

    /// Everything that may become a splat: particles, cells of sheets and splats of files.
    pub fn items(&self) -> u32 {
        let others = self.cells.saturating_add(self.gaussians);
        self.particles.saturating_add(others)
    }

    /// Fog slices that lists hold.
    pub fn listed_slices(&self) -> u32 {
        if self.integrates_fog { 0 } else { self.slices }
    }

    pub fn has_triangles(&self) -> bool {
        self.solids > 0 || self.model_triangles > 0
    }

    pub fn is_by_distance(&self) -> bool {
        self.splat_order == SplatOrder::Distance
    }

    /// What the frame's lists hold, which methods are compiled for.
    pub fn layers(&self) -> Source {
        // In 64 bits: sizes beyond the adapter are refused later.
        let tiles = self.tiles().map(u64::from).iter().product::<u64>().max(1);
        let has_others = self.particles > 0 || self.cells > 0 || self.slices > 0;
        let gaussians = self.gaussians > 0;
        if gaussians && !has_others && !self.has_triangles() {
            return Source::Gaussians(self.stored);
        }
        Source::Frame(Kinds {
            sheets: self.cells > 0,
            gaussians,
            integrated: self.integrates_fog,
            crowd: u64::from(self.particles) / tiles > self.listed_slices().into(),
        })
    }

    /// Layers that lists merged with slices have room for; none without slices.
    pub(super) fn merged_layers(&self) -> u64 {
        match u64::from(self.listed_slices()) {
            0 => 0,
            slices => u64::from(self.entry_capacity) + u64::from(self.tile_count()) * slices,
        }
    }

    /// These bytes where there is room for any of these kinds of lists.
    pub(super) fn if_listed(&self, kinds: &[Inputs], bytes: u64) -> u64 {
        u64::from(kinds.iter().any(|kind| self.lists.have(*kind))) * bytes
    }

    /// What has a place of its own in the order of unsorted and coarse lists: items, and where they are shuffled fog slices.
    pub(super) fn unsorted_items(&self) -> u32 {
        let slices = if self.shuffled {
            self.listed_slices()
        } else {
            0
        };
        self.items().saturating_add(slices)
    }

    /// Words that unsorted lists have room for, and coarse lists, too.
    pub(super) fn unsorted_words(&self) -> u64 {
        let slices = u64::from(self.shuffled) * u64::from(self.listed_slices());
        u64::from(self.entry_capacity) + u64::from(self.tile_count()) * slices
    }

    /// Entries of macro tiles that there is room for: `macro_room` in `shaders/common/macro_tile.wesl`.
    pub(super) fn macro_entries(&self) -> u64 {
        u64::from(self.entry_capacity) / 2
    }

    /// Bytes of all splats as the camera sees them. Without items, buffers of structs still hold one: a binding may not be
    /// smaller.
    pub(super) fn splat_bytes(&self) -> u64 {
        let each = match self.stored {
            Stored::Whole => size_of::<Splat>(),
            Stored::Halves => size_of::<HalfSplat>(),
        };
        u64::from(self.items().max(1)) * each as u64
    }

    /// Triangles that are found by compute.
    pub(super) fn facets(&self) -> u64 {
        u64::from(self.computes_solids) * u64::from(self.solids)
    }
}

/// Most froxels in x and y.
const MOST_FROXELS: [u32; 2] = [160, 90];

/// Fewest froxels in x and y, in a frame that has as many pixels.
const LEAST_FROXELS: [u32; 2] = [40, 23];

/// Pixels of a froxel in x and y, where their numbers are between these two.
const FROXEL_EDGE: u32 = 4;

/// Froxels in x and y of a frame of this size in pixels; in z there is one for each slice.
pub fn froxels(size: [u32; 2]) -> [u32; 2] {
    std::array::from_fn(|axis| {
        let least = LEAST_FROXELS[axis].min(size[axis]);
        let wanted = size[axis].div_ceil(FROXEL_EDGE);
        wanted.max(least).min(MOST_FROXELS[axis])
    })
}
