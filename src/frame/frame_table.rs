//! The table of a frame's buffers and textures: labels, names in shaders, usage and size. `resources.rs` creates,
//! binds, reports and grows them by this table alone.

use std::borrow::Cow;

use crate::gpu::UNIFORM;
use crate::model::items::ItemKind;
use crate::model::layout::{PointLight, SplatPlace, TriangleMaterial, Vertex};
use crate::model::passes::Inputs;
use crate::model::scene::{MOST_SLICES, SHEET_LIGHT_EDGE};

use super::buffer_row::{
    BufferRow, Content, LONGEST_WRITE, STORAGE, WRITTEN, bytes_of, whole_bytes_of,
};
use super::counters::{COUNTER_STRIDE, ELEMENT_BLOCK};
use super::input::FrameInput;
use super::layers::layer_kind;
use super::macro_tiles::{
    ARGUMENT_SLOTS, CHUNK, MOST_MACRO_TILES, bytes_of_counters, macro_tile_room,
};
use super::shape::FrameShape;

/// As in `shaders/common/tile_list.wesl`.
pub const TILE_LIST_ROWS: u64 = 3;

/// Unsorted and coarse lists have no row for limits.
const UNSORTED_ROWS: u64 = 2;

fn unsorted_table(shape: &FrameShape) -> u64 {
    UNSORTED_ROWS * 2 * WORD * u64::from(shape.tile_count())
}

/// Capacity of `place_blocks` in `shaders/frame/unsorted_pairs.wesl`: item blocks of whole loop iterations.
fn block_room(shape: &FrameShape) -> u64 {
    let blocks = shape.unsorted_items().div_ceil(ELEMENT_BLOCK).max(1);
    u64::from(blocks.next_multiple_of(ELEMENT_BLOCK))
}

/// Format of the index of each pixel's visible triangle.
pub const TRIANGLE_IDS: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
pub const CAMERA_DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Format of depth from the sun. A step is less than a millimetre in 60 m.
pub const SUN_DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth16Unorm;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferId {
    Frame,
    /// [`super::moment::Moment::order_axis`]. A separate buffer, because few kernels need it.
    OrderAxis,
    Lights,
    Vertices,
    /// Edges and planes of opaque triangles as seen by the camera, in frames that find visible triangles in compute.
    Facets,
    FacetBounds,
    TriangleMaterials,
    Materials,
    SliceBounds,
    /// Particles, cells and Gaussians as seen by the camera, each at the index of its item.
    Splats,
    /// Order, fog slice and tiles of each item.
    SplatPlaces,
    /// Next free entry of each macro tile. After binning, the end of the tile's entries.
    MacroCursors,
    /// For each macro tile, its first entry and the number of further chunks in the preceding macro tiles. The totals
    /// of both come last.
    MacroLists,
    /// Entries of macro tiles: order key, splat and, if there is room, the splat's tiles as bits.
    MacroEntries,
    /// Sorted entries of macro tiles with several chunks: splat, its tiles as bits, and slice.
    JoinedEntries,
    /// Number of joined entries per chunk and tile, later replaced by the positions of the entries.
    ChunkTiles,
    /// Splats of each tile, front to back.
    EntrySplats,
    TileLists,
    /// Each tile's list, with fog slices merged in. Without slices, `EntrySplats` contains the lists.
    Layers,
    UnsortedTileLists,
    UnsortedItems,
    CoarseTileLists,
    CoarseItems,
    AnyTileLists,
    AnyItems,
    /// Number of pairs (item, macro tile) in each block of items.
    BlockPairs,
    /// Counters of the frame, followed by the entry counts of all macro tiles.
    Counters,
    Arguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureId {
    Froxels,
    /// Fog in front of each slice: radiance and mean extinction.
    FogBefore,
    /// Radiance on every sheet. The sheets are stacked vertically.
    SheetLight,
    TriangleIds,
    /// The tone-mapped picture before antialiasing.
    Toned,
    OpaqueColor,
    /// Reversed depth of opaque surfaces.
    OpaqueDepth,
    ShadowMap,
}

pub(super) struct TextureRow {
    pub id: TextureId,
    pub label: &'static str,
    pub names: &'static [&'static str],
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
    /// Format and usage in frames that find solids in compute, if they differ.
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

    /// A copy with another format, for frames that find solids in compute and write the texture.
    const fn computed(self, format: wgpu::TextureFormat) -> Self {
        Self {
            computed: Some((format, SAMPLED)),
            ..self
        }
    }

    pub fn kind(&self, shape: &FrameShape) -> (wgpu::TextureFormat, wgpu::TextureUsages) {
        let computed = self.computed.filter(|_| shape.computes_solids);
        computed.unwrap_or((self.format, self.usage))
    }
}

pub(super) const SORTED_LISTS: [BufferId; 6] = [
    BufferId::MacroEntries,
    BufferId::JoinedEntries,
    BufferId::ChunkTiles,
    BufferId::EntrySplats,
    BufferId::TileLists,
    BufferId::Layers,
];

const WORD: u64 = size_of::<u32>() as u64;
/// In whole vectors of four values (`shaders/layers/medium.wesl`).
const SLICE_BOUNDS: usize = 4 * (MOST_SLICES as usize / 4 + 1);

pub const INDIRECT: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::INDIRECT);

/// Every buffer except those of item kinds (`layers`), in the order of [`BufferId`].
#[rustfmt::skip]
pub(super) static BUFFERS: [(BufferId, BufferRow); 28] = {
    use BufferId as Id;
    use Content::{Given, Made, Room};
    [
        (Id::Frame, BufferRow::new("frame constants", &["frame"], UNIFORM,
            Given(|input| Cow::Owned(bytemuck::bytes_of(&input.uniform()).to_vec()))).of_moment()),
        (Id::OrderAxis, BufferRow::new("frame constants", &["order_axis"], UNIFORM,
            Given(|input| Cow::Owned(bytemuck::bytes_of(&input.moment.order_axis()).to_vec()))).of_moment()),
        (Id::Lights, BufferRow::new("point lights", &["point_lights"], WRITTEN,
            Given(|input| Cow::Owned(bytemuck::cast_slice(&lights_now(input)).to_vec()))).of_moment()),
        (Id::Vertices, BufferRow::new("vertices", &["triangles"], WRITTEN.union(wgpu::BufferUsages::VERTEX),
            Made { bytes: triangles_bytes, pieces: |input| Box::new(triangles_of(input)) })),
        (Id::Facets, BufferRow::new("facets", &["facets"], STORAGE,
            Room(|of| 48 * of.facets()))),
        (Id::FacetBounds, BufferRow::new("facets", &["facet_bounds"], STORAGE,
            Room(|of| 2 * WORD * of.facets()))),
        (Id::TriangleMaterials, BufferRow::new("materials of triangles", &["triangle_materials"], WRITTEN,
            Made { bytes: |input| u64::from(input.shape.model_triangles) * size_of::<TriangleMaterial>() as u64,
                pieces: |input| Box::new(in_pieces(input.meshes.triangle_materials())) })),
        (Id::Materials, BufferRow::new("materials", &["materials"], WRITTEN,
            Given(|input| bytes_of(&input.meshes.materials)))),
        (Id::SliceBounds, BufferRow::new("slice bounds", &["slice_bounds"], UNIFORM,
            Given(|input| whole_bytes_of(&input.slice_bounds, SLICE_BOUNDS)))),
        (Id::Splats, BufferRow::new("splats", &["splats"], STORAGE,
            Room(FrameShape::splat_bytes))),
        (Id::SplatPlaces, BufferRow::new("splats", &["splat_places"], STORAGE,
            Room(|of| u64::from(of.items().max(1)) * size_of::<SplatPlace>() as u64))),
        (Id::MacroCursors, BufferRow::new("macro tiles", &["macro_cursors"], STORAGE,
            Room(|of| COUNTER_STRIDE * WORD * macro_tile_room(of)))),
        (Id::MacroLists, BufferRow::new("macro tiles", &["macro_lists"], STORAGE,
            Room(|of| 2 * WORD * (macro_tile_room(of) + 1)))),
        (Id::MacroEntries, BufferRow::new("macro entries", &["macro_entries"], STORAGE,
            Room(|of| 2 * WORD * of.macro_entries()))),
        (Id::JoinedEntries, BufferRow::new("macro entries", &["joined_entries"], STORAGE,
            Room(|of| 2 * WORD * of.macro_entries()))),
        (Id::ChunkTiles, BufferRow::new("macro entries", &["chunk_tiles"], STORAGE,
            Room(|of| MOST_MACRO_TILES * WORD * (2 * of.macro_entries()).div_ceil(u64::from(CHUNK))))),
        (Id::EntrySplats, BufferRow::new("entry splats", &["entry_splats"], STORAGE,
            Room(|of| WORD * u64::from(of.entry_capacity)))),
        (Id::TileLists, BufferRow::new("tile lists", &["tile_lists"], STORAGE,
            Room(|of| TILE_LIST_ROWS * 2 * WORD * u64::from(of.tile_count().max(1))))),
        (Id::Layers, BufferRow::new("layers", &["layers"], STORAGE,
            Room(|of| WORD * of.merged_layers()))),
        (Id::UnsortedTileLists, BufferRow::new("unsorted lists", &["unsorted_tile_lists"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::UNSORTED_LISTS], unsorted_table(of))))),
        (Id::UnsortedItems, BufferRow::new("unsorted lists", &["unsorted_items"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::UNSORTED_LISTS], WORD * of.unsorted_words())))),
        (Id::CoarseTileLists, BufferRow::new("coarse lists", &["coarse_tile_lists"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::COARSE_LISTS], unsorted_table(of))))),
        (Id::CoarseItems, BufferRow::new("coarse lists", &["coarse_items"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::COARSE_LISTS], WORD * of.unsorted_words())))),
        (Id::AnyTileLists, BufferRow::new("lists in any order", &["any_tile_lists"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::ANY_LISTS], unsorted_table(of))))),
        (Id::AnyItems, BufferRow::new("lists in any order", &["any_items"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::ANY_LISTS], WORD * of.unsorted_words())))),
        (Id::BlockPairs, BufferRow::new("unsorted lists", &["block_pairs"], STORAGE,
            Room(|of| of.if_listed(&[Inputs::UNSORTED_LISTS, Inputs::COARSE_LISTS], WORD * block_room(of))))),
        (Id::Counters, BufferRow::new("counters", &["counters"], STORAGE,
            Room(|of| bytes_of_counters(macro_tile_room(of))))),
        (Id::Arguments, BufferRow::new("indirect arguments", &["arguments"], INDIRECT,
            Room(|_| ARGUMENT_SLOTS * 3 * WORD))),
    ]
};

/// Every buffer. The buffers of item kinds come first.
pub(super) fn buffer_rows() -> impl Iterator<Item = &'static BufferRow> {
    let kinds = ItemKind::ALL.into_iter();
    let of_kinds = kinds.flat_map(|kind| layer_kind(kind).buffers);
    of_kinds.chain(BUFFERS.iter().map(|(_, row)| row))
}

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
        // A view of a one-layer texture is not an array, so the texture has at least two layers.
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

/// Point lights with their intensities at the frame's time.
pub(super) fn lights_now(input: &FrameInput) -> Vec<PointLight> {
    crate::model::scene::flickering(&input.lights, input.moment.time)
}

pub(super) fn triangles_bytes(input: &FrameInput) -> u64 {
    let triangles = u64::from(input.shape.solids) + u64::from(input.shape.model_triangles);
    3 * size_of::<Vertex>() as u64 * triangles
}

/// All opaque triangles. Those of solids come before those of files.
fn triangles_of(input: &FrameInput) -> impl Iterator<Item = Vec<u8>> {
    let solids = input.vertices.iter().copied();
    in_pieces(solids.chain(input.meshes.vertices()))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_ids_and_no_name_twice() {
        let buffers = BUFFERS.iter().map(|(id, _)| *id as usize);
        assert!(buffers.eq(0..BUFFERS.len()));
        let textures = TEXTURES.iter().map(|row| row.id as usize);
        assert!(textures.eq(0..TEXTURES.len()));
        let of_buffers = buffer_rows().flat_map(|row| row.names);
        let of_textures = TEXTURES.iter().flat_map(|row| row.names);
        let mut names: Vec<&str> = of_buffers.chain(of_textures).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
