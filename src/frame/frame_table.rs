//! The table of a frame's buffers and textures: names, names in shaders, usage and size. This table alone
//! determines how they are made, bound, reported and grown (`resources.rs`).

use std::borrow::Cow;

use crate::gpu::UNIFORM;
use crate::model::layout::{Particle, PointLight, SeenSheet, SplatPlace, TriangleMaterial, Vertex};
use crate::model::passes::Inputs;
use crate::model::scene::{MOST_SHEETS, MOST_SLICES, SHEET_LIGHT_EDGE};

use super::counters::{COUNTER_STRIDE, ELEMENT_BLOCK};
use super::input::FrameInput;
use super::macro_tiles::{
    ARGUMENT_SLOTS, CHUNK, MOST_MACRO_TILES, bytes_of_counters, macro_tile_room,
};
use super::shape::FrameShape;

/// Rows of the table of tile lists: `shaders/common/tile_list.wesl`.
pub const TILE_LIST_ROWS: u64 = 3;

/// Rows of the table of unsorted and coarse lists, which has no limits.
const UNSORTED_ROWS: u64 = 2;

/// Bytes of that table.
fn unsorted_table(shape: &FrameShape) -> u64 {
    UNSORTED_ROWS * 2 * WORD * u64::from(shape.tile_count())
}

/// Blocks of items for which `place_blocks` in `shaders/frame/unsorted_pairs.wesl` has room: whole turns.
fn block_room(shape: &FrameShape) -> u64 {
    let blocks = shape.unsorted_items().div_ceil(ELEMENT_BLOCK).max(1);
    u64::from(blocks.next_multiple_of(ELEMENT_BLOCK))
}

/// Format of the triangle seen at a pixel.
pub const TRIANGLE_IDS: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// Format of reversed depth.
pub const CAMERA_DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Format of depth from the sun: a step is under a millimetre in 60 m.
pub const SUN_DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth16Unorm;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferId {
    Frame,
    /// [`super::moment::Moment::order_axis`]: apart, as few kernels need it.
    OrderAxis,
    Emitters,
    Sheets,
    SeenSheets,
    Lights,
    /// Opaque triangles.
    Vertices,
    /// Their edges and planes as the camera sees them, where they are found by compute.
    Facets,
    /// Bounds of these on the screen.
    FacetBounds,
    /// What those of files are made of.
    TriangleMaterials,
    Materials,
    SliceBounds,
    Particles,
    Gaussians,
    SplatSets,
    Harmonics,
    /// Particles, cells and Gaussians as the camera sees them, each at its item's place.
    Splats,
    /// Where they are among others.
    SplatPlaces,
    /// Where the next entry of a macro tile goes, and in the end how far its entries go.
    MacroCursors,
    /// First entry of every macro tile, and how many chunks beyond the first those before it have; last, both of all.
    MacroLists,
    /// Entries of macro tiles: order key, splat and, where there is room, the bits of its tiles.
    MacroEntries,
    /// The entries of macro tiles of several chunks, in order: splat, bits of its tiles and slice.
    JoinedEntries,
    /// Per chunk of these and tile how many entries there are, then where they go.
    ChunkTiles,
    /// The splats of every tile, front to back.
    EntrySplats,
    /// What is known of every tile's list.
    TileLists,
    /// Lists merged with slices; without slices the splats of tiles are the lists.
    Layers,
    UnsortedTileLists,
    UnsortedItems,
    CoarseTileLists,
    CoarseItems,
    AnyTileLists,
    AnyItems,
    /// Pairs of items and macro tiles of every block of items.
    BlockPairs,
    /// Counters of the frame, and the entries of every macro tile.
    Counters,
    Arguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureId {
    /// Fog: source radiance and extinction.
    Froxels,
    /// Fog in front of each slice: radiance and mean extinction.
    FogBefore,
    /// Radiance over every sheet, one below another.
    SheetLight,
    TriangleIds,
    /// The tone-mapped picture before its edges are smoothed.
    Toned,
    OpaqueColor,
    /// Reversed depth of opaque surfaces.
    OpaqueDepth,
    ShadowMap,
}

/// What a buffer holds when it is made.
pub(super) enum Content {
    /// Nothing yet, with room for this many bytes; the GPU fills it.
    Room(fn(&FrameShape) -> u64),
    /// What the CPU writes.
    Given(fn(&FrameInput) -> Cow<'_, [u8]>),
    /// What the CPU makes while it writes: so many bytes, in pieces of at most [`LONGEST_WRITE`].
    Made {
        bytes: fn(&FrameInput) -> u64,
        pieces: fn(&FrameInput) -> Box<dyn Iterator<Item = Vec<u8>> + '_>,
    },
}

/// Most bytes that are sent to the GPU at once: a few milliseconds of copying.
pub(super) const LONGEST_WRITE: usize = 16 << 20;

pub(super) struct BufferRow {
    pub id: BufferId,
    /// What debuggers and the memory report call it. The report adds up rows of one label.
    pub label: &'static str,
    /// The names that shaders know it by.
    pub names: &'static [&'static str],
    pub usage: wgpu::BufferUsages,
    pub content: Content,
}

impl BufferRow {
    const fn new(
        id: BufferId,
        label: &'static str,
        names: &'static [&'static str],
        usage: wgpu::BufferUsages,
        content: Content,
    ) -> Self {
        Self {
            id,
            label,
            names,
            usage,
            content,
        }
    }

    /// Bytes; of what the CPU writes as many as there are now.
    pub fn bytes(&self, input: &FrameInput) -> u64 {
        match self.content {
            Content::Room(bytes) => bytes(&input.shape).max(16).next_multiple_of(4),
            Content::Given(bytes) => (bytes(input).len() as u64).max(256),
            Content::Made { bytes, .. } => bytes(input).max(256),
        }
    }
}

pub(super) struct TextureRow {
    pub id: TextureId,
    pub label: &'static str,
    pub names: &'static [&'static str],
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
    /// Format and usage in frames whose solids are found by compute, if they are others there.
    computed: Option<(wgpu::TextureFormat, wgpu::TextureUsages)>,
    /// Width, height and depth.
    pub extent: fn(&FrameShape) -> [u32; 3],
}

impl TextureRow {
    const fn new(
        id: TextureId,
        label: &'static str,
        names: &'static [&'static str],
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
        extent: fn(&FrameShape) -> [u32; 3],
    ) -> Self {
        Self {
            id,
            label,
            names,
            format,
            usage,
            computed: None,
            extent,
        }
    }

    /// This row with another format for frames whose solids are found by compute, which write the texture there.
    const fn computed(self, format: wgpu::TextureFormat) -> Self {
        Self {
            computed: Some((format, SAMPLED)),
            ..self
        }
    }

    /// Format and usage in a frame of this shape.
    pub fn kind(&self, shape: &FrameShape) -> (wgpu::TextureFormat, wgpu::TextureUsages) {
        let computed = self.computed.filter(|_| shape.computes_solids);
        computed.unwrap_or((self.format, self.usage))
    }
}

/// What sorted lists are, and what they are sorted in.
pub(super) const SORTED_LISTS: [BufferId; 6] = [
    BufferId::MacroEntries,
    BufferId::JoinedEntries,
    BufferId::ChunkTiles,
    BufferId::EntrySplats,
    BufferId::TileLists,
    BufferId::Layers,
];

const WORD: u64 = size_of::<u32>() as u64;
/// Places for the bounds of slices: whole vectors of four (`shaders/layers/medium.wesl`).
const SLICE_BOUNDS: usize = 4 * (MOST_SLICES as usize / 4 + 1);

const WRITTEN: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_DST);
const STORAGE: wgpu::BufferUsages = WRITTEN.union(wgpu::BufferUsages::COPY_SRC);
pub const INDIRECT: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::INDIRECT);

/// Every buffer, in the order of [`BufferId`].
#[rustfmt::skip]
pub(super) const BUFFERS: [BufferRow; 35] = {
    use BufferId as Id;
    use Content::{Given, Made, Room};
    [
        BufferRow::new(Id::Frame, "frame constants", &["frame"], UNIFORM,
            Given(|input| Cow::Owned(bytemuck::bytes_of(&input.uniform()).to_vec()))),
        BufferRow::new(Id::OrderAxis, "frame constants", &["order_axis"], UNIFORM,
            Given(|input| Cow::Owned(bytemuck::bytes_of(&input.moment.order_axis()).to_vec()))),
        BufferRow::new(Id::Emitters, "emitters", &["emitters"], WRITTEN,
            Given(|input| bytes_of(&input.emitters))),
        BufferRow::new(Id::Sheets, "sheets", &["sheets"], UNIFORM,
            Given(|input| whole_bytes_of(&input.sheets, MOST_SHEETS))),
        BufferRow::new(Id::SeenSheets, "sheets", &["seen_sheets"], UNIFORM,
            Given(|input| whole_bytes_of(&sheets_now(input), MOST_SHEETS))),
        BufferRow::new(Id::Lights, "point lights", &["point_lights"], WRITTEN,
            Given(|input| Cow::Owned(bytemuck::cast_slice(&lights_now(input)).to_vec()))),
        BufferRow::new(Id::Vertices, "vertices", &["triangles"], WRITTEN.union(wgpu::BufferUsages::VERTEX),
            Made { bytes: triangles_bytes, pieces: |input| Box::new(triangles_of(input)) }),
        BufferRow::new(Id::Facets, "facets", &["facets"], STORAGE,
            Room(|of| 48 * of.facets())),
        BufferRow::new(Id::FacetBounds, "facets", &["facet_bounds"], STORAGE,
            Room(|of| 2 * WORD * of.facets())),
        BufferRow::new(Id::TriangleMaterials, "materials of triangles", &["triangle_materials"], WRITTEN,
            Made { bytes: |input| u64::from(input.shape.model_triangles) * size_of::<TriangleMaterial>() as u64,
                pieces: |input| Box::new(in_pieces(input.meshes.triangle_materials())) }),
        BufferRow::new(Id::Materials, "materials", &["materials"], WRITTEN,
            Given(|input| bytes_of(&input.meshes.materials))),
        BufferRow::new(Id::SliceBounds, "slice bounds", &["slice_bounds"], UNIFORM,
            Given(|input| whole_bytes_of(&input.slice_bounds, SLICE_BOUNDS))),
        BufferRow::new(Id::Particles, "particles", &["particles", "lit_particles"], STORAGE,
            Room(|of| u64::from(of.particles.max(1)) * size_of::<Particle>() as u64)),
        BufferRow::new(Id::Gaussians, "splats of files", &["gaussians"], WRITTEN,
            Given(|input| bytes_of(&input.splats.gaussians))),
        BufferRow::new(Id::SplatSets, "splat files", &["splat_sets"], WRITTEN,
            Given(|input| bytes_of(&input.splats.sets))),
        BufferRow::new(Id::Harmonics, "harmonics", &["harmonics"], WRITTEN,
            Given(|input| bytes_of(&input.splats.harmonics))),
        BufferRow::new(Id::Splats, "splats", &["splats"], STORAGE,
            Room(FrameShape::splat_bytes)),
        BufferRow::new(Id::SplatPlaces, "splats", &["splat_places"], STORAGE,
            Room(|of| u64::from(of.items().max(1)) * size_of::<SplatPlace>() as u64)),
        BufferRow::new(Id::MacroCursors, "macro tiles", &["macro_cursors"], STORAGE,
            Room(|of| COUNTER_STRIDE * WORD * macro_tile_room(of))),
        BufferRow::new(Id::MacroLists, "macro tiles", &["macro_lists"], STORAGE,
            Room(|of| 2 * WORD * (macro_tile_room(of) + 1))),
        BufferRow::new(Id::MacroEntries, "macro entries", &["macro_entries"], STORAGE,
            Room(|of| 2 * WORD * of.macro_entries())),
        BufferRow::new(Id::JoinedEntries, "macro entries", &["joined_entries"], STORAGE,
            Room(|of| 2 * WORD * of.macro_entries())),
        BufferRow::new(Id::ChunkTiles, "macro entries", &["chunk_tiles"], STORAGE,
            Room(|of| MOST_MACRO_TILES * WORD * (2 * of.macro_entries()).div_ceil(u64::from(CHUNK)))),
        BufferRow::new(Id::EntrySplats, "entry splats", &["entry_splats"], STORAGE,
            Room(|of| WORD * u64::from(of.entry_capacity))),
        BufferRow::new(Id::TileLists, "tile lists", &["tile_lists"], STORAGE,
            Room(|of| TILE_LIST_ROWS * 2 * WORD * u64::from(of.tile_count().max(1)))),
        BufferRow::new(Id::Layers, "layers", &["layers"], STORAGE,
            Room(|of| WORD * of.merged_layers())),
        BufferRow::new(Id::UnsortedTileLists, "unsorted lists", &["unsorted_tile_lists"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::UNSORTED_LISTS], unsorted_table(of)))),
        BufferRow::new(Id::UnsortedItems, "unsorted lists", &["unsorted_items"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::UNSORTED_LISTS], WORD * of.unsorted_words()))),
        BufferRow::new(Id::CoarseTileLists, "coarse lists", &["coarse_tile_lists"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::COARSE_LISTS], unsorted_table(of)))),
        BufferRow::new(Id::CoarseItems, "coarse lists", &["coarse_items"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::COARSE_LISTS], WORD * of.unsorted_words()))),
        BufferRow::new(Id::AnyTileLists, "lists in any order", &["any_tile_lists"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::ANY_LISTS], unsorted_table(of)))),
        BufferRow::new(Id::AnyItems, "lists in any order", &["any_items"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::ANY_LISTS], WORD * of.unsorted_words()))),
        BufferRow::new(Id::BlockPairs, "unsorted lists", &["block_pairs"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::UNSORTED_LISTS, Inputs::COARSE_LISTS], WORD * block_room(of)))),
        BufferRow::new(Id::Counters, "counters", &["counters"], STORAGE,
            Room(|of| bytes_of_counters(macro_tile_room(of)))),
        BufferRow::new(Id::Arguments, "indirect arguments", &["arguments"], INDIRECT,
            Room(|_| ARGUMENT_SLOTS * 3 * WORD)),
    ]
};

const SAMPLED: wgpu::TextureUsages =
    wgpu::TextureUsages::STORAGE_BINDING.union(wgpu::TextureUsages::TEXTURE_BINDING);
const DRAWN: wgpu::TextureUsages =
    wgpu::TextureUsages::RENDER_ATTACHMENT.union(wgpu::TextureUsages::TEXTURE_BINDING);

/// Every texture, in the order of [`TextureId`].
#[rustfmt::skip]
pub(super) const TEXTURES: [TextureRow; 8] = {
    use TextureId as Id;
    use wgpu::TextureFormat::{R32Float, Rgba8Unorm, Rgba16Float};
    [
        // At least two layers: views of a texture with one are of no array.
        TextureRow::new(Id::Froxels, "froxels", &["froxels", "froxels_out"], Rgba16Float, SAMPLED,
            |of| [of.columns[0].max(1), of.columns[1].max(1), of.slices.max(2)]),
        TextureRow::new(Id::FogBefore, "integrated fog", &["fog_before", "fog_before_out"], Rgba16Float, SAMPLED,
            |of| if of.integrates_fog { [of.columns[0], of.columns[1], of.slices + 1] } else { [1, 1, 2] }),
        TextureRow::new(Id::SheetLight, "sheet light", &["sheet_light", "sheet_light_out"], Rgba16Float, SAMPLED,
            |of| [SHEET_LIGHT_EDGE, SHEET_LIGHT_EDGE * of.sheets.max(1), 1]),
        TextureRow::new(Id::TriangleIds, "triangle ids", &["triangle_ids", "triangle_ids_out"], TRIANGLE_IDS, DRAWN,
            |of| [of.size[0], of.size[1], 1]).computed(TRIANGLE_IDS),
        TextureRow::new(Id::Toned, "toned picture", &["toned"], Rgba8Unorm, SAMPLED,
            |of| if of.smooths { [of.size[0], of.size[1], 1] } else { [1, 1, 1] }),
        TextureRow::new(Id::OpaqueColor, "opaque color", &["opaque_color", "opaque_color_out"], Rgba16Float, SAMPLED,
            |of| [of.size[0], of.size[1], 1]),
        TextureRow::new(Id::OpaqueDepth, "opaque depth", &["opaque_depth", "opaque_depth_out"], CAMERA_DEPTH, DRAWN,
            |of| [of.size[0], of.size[1], 1]).computed(R32Float),
        TextureRow::new(Id::ShadowMap, "shadow map", &["shadow_map"], SUN_DEPTH, DRAWN,
            |of| [of.shadow_edge, of.shadow_edge, 1]),
    ]
};

/// The point lights as bright as they are at the frame's time.
pub(super) fn lights_now(input: &FrameInput) -> Vec<PointLight> {
    crate::model::scene::flickering(&input.lights, input.moment.time)
}

/// The sheets as the frame's camera sees them.
pub(super) fn sheets_now(input: &FrameInput) -> Vec<SeenSheet> {
    let (camera, shape) = (&input.moment.camera, &input.shape);
    crate::model::scene::seen_sheets(&input.sheets, camera, shape.near, shape.size)
}

pub(super) fn triangles_bytes(input: &FrameInput) -> u64 {
    let triangles = u64::from(input.shape.solids) + u64::from(input.shape.model_triangles);
    3 * size_of::<Vertex>() as u64 * triangles
}

/// All opaque triangles: the solids', and behind them those of files.
fn triangles_of(input: &FrameInput) -> impl Iterator<Item = Vec<u8>> {
    let solids = input.vertices.iter().copied();
    in_pieces(solids.chain(input.meshes.vertices()))
}

/// The bytes of these values, made piece by piece.
fn in_pieces<T: bytemuck::Pod>(
    mut values: impl Iterator<Item = T>,
) -> impl Iterator<Item = Vec<u8>> {
    std::iter::from_fn(move || {
        let mut piece = Vec::new();
        for value in values.by_ref().take(LONGEST_WRITE / size_of::<T>()) {
            piece.extend_from_slice(bytemuck::bytes_of(&value));
        }
        (!piece.is_empty()).then_some(piece)
    })
}

fn bytes_of<T: bytemuck::Pod>(values: &[T]) -> Cow<'_, [u8]> {
    Cow::Borrowed(bytemuck::cast_slice(values))
}

/// As many values as the array of a uniform has; a shader uses only the first ones.
fn whole_bytes_of<T: bytemuck::Pod>(values: &[T], length: usize) -> Cow<'static, [u8]> {
    let mut whole = values.to_vec();
    whole.resize(length, T::zeroed());
    Cow::Owned(bytemuck::cast_slice(&whole).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_ids_and_no_name_twice() {
        let buffers = BUFFERS.iter().map(|row| row.id as usize);
        assert!(buffers.eq(0..BUFFERS.len()));
        let textures = TEXTURES.iter().map(|row| row.id as usize);
        assert!(textures.eq(0..TEXTURES.len()));
        let of_buffers = BUFFERS.iter().flat_map(|row| row.names);
        let of_textures = TEXTURES.iter().flat_map(|row| row.names);
        let mut names: Vec<&str> = of_buffers.chain(of_textures).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
