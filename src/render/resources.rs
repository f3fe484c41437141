//! Buffers and textures of a frame, sized by its settings; every one under the name that shaders
//! know it by.

use crate::error::{Error, Result};
use crate::gpu::layout::{Emitter, FrameUniform, Particle, PointLight, Sheet, Splat, Vertex};
use crate::gpu::{Bind, Capabilities, Gpu, storage_buffer, uniform_buffer};

use super::bloom::Levels;
use super::counters;
use super::sort::{MOST_RADIX_BITS, depth_key_bits, histogram_words, tile_key_bits};
use super::sprites;

/// Froxels in x and y; z is the number of slices.
pub const FROXELS: [u32; 2] = [160, 90];
/// Format of the triangle seen at a pixel.
pub const TRIANGLE_IDS: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// Texels of a sheet's light along each edge.
pub const SHEET_LIGHT_EDGE: u32 = 128;
/// Format of reversed depth.
pub const CAMERA_DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Format of depth from the sun: a step is under a millimetre in 60 m.
pub const SUN_DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth16Unorm;

/// Everything a frame draws, as the GPU sees it.
#[derive(Clone, Debug, Default)]
pub struct FrameInput {
    /// Camera, light, fog and counts.
    pub uniform: FrameUniform,
    /// Sorted by first particle; at least one (may have no particles).
    pub emitters: Vec<Emitter>,
    /// Point lights at full intensity; see [`crate::scene::flickering`].
    pub lights: Vec<PointLight>,
    /// Sheets.
    pub sheets: Vec<Sheet>,
    /// Opaque triangles.
    pub vertices: Vec<Vertex>,
    /// F + 1 ascending view depths, metres.
    pub slice_bounds: Vec<f32>,
    /// Tile edge in pixels.
    pub tile: u32,
}

/// The buffers and textures of a frame.
pub struct Resources {
    /// Frame constants.
    pub frame: wgpu::Buffer,
    /// Emitters.
    pub emitters: wgpu::Buffer,
    /// Point lights.
    pub lights: wgpu::Buffer,
    /// Sheets.
    pub sheets: wgpu::Buffer,
    /// Radiance over every sheet, one below another.
    pub sheet_light: wgpu::TextureView,
    /// Opaque triangles.
    pub vertices: wgpu::Buffer,
    /// Number of vertices.
    pub vertex_count: u32,
    /// Slice bounds.
    pub slice_bounds: wgpu::Buffer,
    /// Particles, world space.
    pub particles: wgpu::Buffer,
    /// Visible items per block of 256 and then tiles per block of splats, scanned.
    pub block_sums: wgpu::Buffer,
    /// Visible particles.
    pub splats: wgpu::Buffer,
    /// Depth keys, and the sort's other side; not kept in order.
    pub depth_keys: [wgpu::Buffer; 2],
    /// Splat indices in depth order, and the sort's other side.
    pub order: [wgpu::Buffer; 2],
    /// First entry of each splat in depth order, counted from that of its block of 256.
    pub offsets: wgpu::Buffer,
    /// Tile of each entry, and the sort's other side.
    pub entry_tiles: [wgpu::Buffer; 2],
    /// Splat of each entry, and the sort's other side.
    pub entry_splats: [wgpu::Buffer; 2],
    /// Digit counts of the sort.
    pub histograms: wgpu::Buffer,
    /// Pairs per digit of the sort.
    pub digit_totals: wgpu::Buffer,
    /// Per tile the view depth from which on nothing shows; unused without solids.
    pub tile_limits: wgpu::Buffer,
    /// Per tile its first sorted entry and how many are listed.
    pub tile_entries: wgpu::Buffer,
    /// Per tile its list's first layer and number of layers.
    pub tile_lists: wgpu::Buffer,
    /// Lists merged with slices; without slices the sorted entries are the lists.
    pub layers: wgpu::Buffer,
    /// Counters, and what they start a frame with.
    pub counters: wgpu::Buffer,
    /// What the counters start a frame with.
    pub counters_start: wgpu::Buffer,
    /// Indirect dispatch arguments.
    pub arguments: wgpu::Buffer,
    /// Puffs of smoke.
    pub sprites: wgpu::TextureView,
    /// Fog: source radiance and extinction.
    pub froxels: wgpu::TextureView,
    /// Linear, clamped.
    pub froxel_sampler: wgpu::Sampler,
    /// The triangle seen at each pixel.
    pub triangle_ids: wgpu::TextureView,
    /// The tone-mapped picture before its edges are smoothed.
    pub toned: wgpu::TextureView,
    /// The glow's chain of pictures.
    pub bloom: Levels,
    /// Linear radiance of opaque surfaces.
    pub opaque_color: wgpu::TextureView,
    /// Reversed depth of opaque surfaces.
    pub opaque_depth: wgpu::TextureView,
    /// Depth from the sun.
    pub shadow_map: wgpu::TextureView,
    /// Comparing, linear.
    pub shadow_sampler: wgpu::Sampler,
    /// Which sides are sorted.
    pub sorted: Sorted,
    /// Fog slices in every list.
    pub(super) slices: u32,
}

/// Which sides of what is sorted end in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sorted {
    /// Of `order`.
    pub order: usize,
    /// Of `entry_tiles` and `entry_splats`.
    pub entries: usize,
}

/// Where a method's result goes: a frame has one, a comparison on screen two.
pub struct Target {
    /// Result: (rgb, T) per pixel, row-major.
    pub composites: wgpu::Buffer,
    /// Wave size the composite ran at.
    pub ran_at: wgpu::Buffer,
    /// The final picture, sRGB bytes.
    pub resolved: wgpu::Texture,
    /// View of `resolved`.
    pub resolved_view: wgpu::TextureView,
}

impl Target {
    /// A target for a frame of `size` pixels, which [`Resources::new`] found to fit the adapter.
    pub fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Self {
        let resolved = texture(
            gpu,
            "resolved",
            [width, height, 1],
            wgpu::TextureFormat::Rgba8Unorm,
            wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
        );
        let pixels = u64::from(width) * u64::from(height);
        Self {
            composites: storage_buffer(gpu, "composites", pixels * 16),
            ran_at: storage_buffer(gpu, "wave size", 4),
            resolved_view: resolved.create_view(&Default::default()),
            resolved,
        }
    }

    /// Its resources under the names that shaders know them by.
    pub fn binds(&self) -> [Bind<'_>; 3] {
        [
            ("composites", self.composites.as_entire_binding()),
            ("ran_at", self.ran_at.as_entire_binding()),
            (
                "resolved",
                wgpu::BindingResource::TextureView(&self.resolved_view),
            ),
        ]
    }
}

/// Everything that may become a splat: particles and cells of sheets.
pub fn items(uniform: &FrameUniform) -> u32 {
    uniform.particles.saturating_add(uniform.cells)
}

/// Number of tiles.
pub fn tiles(uniform: &FrameUniform) -> u32 {
    uniform.tiles[0] * uniform.tiles[1]
}

/// Edge of the shadow map, texels.
pub fn shadow_edge(caps: &Capabilities) -> u32 {
    if caps.is_cpu { 1024 } else { 2048 }
}

/// Bytes per particle that a frame needs in its largest single buffer.
const LARGEST_PER_PARTICLE: u64 = size_of::<Splat>() as u64;

/// Most particles this adapter's buffers can hold.
pub fn most_particles(caps: &Capabilities) -> u64 {
    caps.max_binding_bytes / LARGEST_PER_PARTICLE
}

/// A texture with one level: two-dimensional where `size` is one deep, else three-dimensional.
pub(crate) fn texture(
    gpu: &Gpu,
    label: &str,
    size: [u32; 3],
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width: size[0],
            height: size[1],
            depth_or_array_layers: size[2],
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: match size[2] {
            1 => wgpu::TextureDimension::D2,
            _ => wgpu::TextureDimension::D3,
        },
        format,
        usage,
        view_formats: &[],
    })
}

pub(crate) fn sampler(
    gpu: &Gpu,
    label: &str,
    compare: Option<wgpu::CompareFunction>,
) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some(label),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare,
        ..Default::default()
    })
}

fn filled<T: bytemuck::Pod>(
    gpu: &Gpu,
    label: &str,
    values: &[T],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: (bytes.len() as u64).max(256),
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, bytes);
    buffer
}

impl Resources {
    /// Allocates everything for `input` with room for `input.uniform.entry_capacity` entries.
    ///
    /// # Errors
    /// A buffer or texture would be larger than the adapter allows (exit code 2, names the limit),
    /// or the device is out of memory (exit code 1).
    pub fn new(gpu: &Gpu, input: &FrameInput) -> Result<Self> {
        check_sizes(&gpu.caps, input)?;
        let uniform = &input.uniform;
        let [width, height] = uniform.size;
        // Without particles, buffers of structs still hold one: a binding may not be smaller.
        let particles = u64::from(uniform.particles).max(1);
        let items = u64::from(items(uniform)).max(1);
        let entries = u64::from(uniform.entry_capacity);
        let tiles = u64::from(self::tiles(uniform)).max(1);
        let depth_bits = depth_key_bits(uniform.near, uniform.far);
        let tile_bits = tile_key_bits(self::tiles(uniform));
        let histogram = histogram_words(&gpu.caps, depth_bits, items)
            .max(histogram_words(&gpu.caps, tile_bits, entries));
        let words = |label: &str, count: u64| storage_buffer(gpu, label, 4 * count);
        let pair = |label: &str, count: u64| [words(label, count), words(label, count)];
        let storage = wgpu::BufferUsages::STORAGE;
        let mut counters_start = [0u32; counters::COUNT];
        counters_start[counters::ITEMS as usize] = self::items(uniform);
        let (attachment, sampled) = (
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING,
        );
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let shadow = shadow_edge(&gpu.caps);
        let froxels = texture(
            gpu,
            "froxels",
            // At least 2 deep: a texture of depth 1 is two-dimensional.
            [FROXELS[0], FROXELS[1], uniform.slices.max(2)],
            wgpu::TextureFormat::Rgba16Float,
            sampled,
        );
        let resources = Self {
            frame: uniform_buffer(gpu, "frame", uniform),
            emitters: filled(gpu, "emitters", &input.emitters, storage),
            lights: filled(gpu, "point lights", &lights_now(input), storage),
            sheets: filled(gpu, "sheets", &input.sheets, storage),
            sheet_light: view(&texture(
                gpu,
                "sheet light",
                [
                    SHEET_LIGHT_EDGE,
                    SHEET_LIGHT_EDGE * uniform.sheets.max(1),
                    1,
                ],
                wgpu::TextureFormat::Rgba16Float,
                sampled,
            )),
            vertices: filled(
                gpu,
                "vertices",
                &input.vertices,
                wgpu::BufferUsages::VERTEX | storage,
            ),
            vertex_count: input.vertices.len() as u32,
            slice_bounds: filled(gpu, "slice bounds", &input.slice_bounds, storage),
            particles: storage_buffer(gpu, "particles", particles * size_of::<Particle>() as u64),
            block_sums: words(
                "block sums",
                items.div_ceil(u64::from(counters::ELEMENT_BLOCK)),
            ),
            splats: storage_buffer(gpu, "splats", items * size_of::<Splat>() as u64),
            depth_keys: pair("depth keys", items),
            order: pair("order", items),
            offsets: words("offsets", items),
            entry_tiles: pair("entry tiles", entries),
            entry_splats: pair("entry splats", entries),
            histograms: words("histograms", histogram),
            digit_totals: words("digit totals", 1 << MOST_RADIX_BITS),
            tile_limits: words("tile limits", tiles),
            tile_entries: words("tile entries", 2 * tiles),
            tile_lists: words("tile lists", 2 * tiles),
            layers: words("layers", merged_layers(uniform)),
            counters: words("counters", counters::COUNT as u64),
            counters_start: filled(
                gpu,
                "counters at start",
                &counters_start,
                wgpu::BufferUsages::COPY_SRC,
            ),
            arguments: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("indirect arguments"),
                size: 4 * 12,
                usage: storage | wgpu::BufferUsages::INDIRECT,
                mapped_at_creation: false,
            }),
            sprites: sprites::upload(gpu)?,
            froxels: view(&froxels),
            froxel_sampler: sampler(gpu, "froxel sampler", None),
            opaque_color: view(&texture(
                gpu,
                "opaque color",
                [width, height, 1],
                wgpu::TextureFormat::Rgba16Float,
                sampled,
            )),
            triangle_ids: view(&texture(
                gpu,
                "triangle ids",
                [width, height, 1],
                TRIANGLE_IDS,
                attachment,
            )),
            toned: view(&texture(
                gpu,
                "toned",
                match uniform.antialias > 0.0 {
                    true => [width, height, 1],
                    false => [1, 1, 1],
                },
                wgpu::TextureFormat::Rgba8Unorm,
                sampled,
            )),
            bloom: Levels::new(gpu, uniform.size, uniform.bloom > 0.0),
            opaque_depth: view(&texture(
                gpu,
                "opaque depth",
                [width, height, 1],
                CAMERA_DEPTH,
                attachment,
            )),
            shadow_map: view(&texture(
                gpu,
                "shadow map",
                [shadow, shadow, 1],
                SUN_DEPTH,
                attachment,
            )),
            shadow_sampler: sampler(
                gpu,
                "shadow sampler",
                Some(wgpu::CompareFunction::LessEqual),
            ),
            sorted: Sorted::default(),
            slices: uniform.slices,
        };
        gpu.check()
            .map_err(|error| error.context("the frame's buffers"))?;
        Ok(resources)
    }

    /// Writes what changes from moment to moment: constants and lights.
    pub fn write_moment(&self, gpu: &Gpu, input: &FrameInput) {
        let lights = lights_now(input);
        gpu.queue
            .write_buffer(&self.frame, 0, bytemuck::bytes_of(&input.uniform));
        gpu.queue
            .write_buffer(&self.lights, 0, bytemuck::cast_slice(&lights));
    }

    /// Every resource under the name that shaders know it by; what is sorted on its sorted side.
    pub fn binds(&self) -> Vec<Bind<'_>> {
        self.binds_on(self.sorted)
    }

    /// The same for what writes splats: nothing is sorted yet.
    pub fn first_binds(&self) -> Vec<Bind<'_>> {
        self.binds_on(Sorted::default())
    }

    /// The same for what writes entries: splats are sorted, entries are not yet.
    pub fn unsorted_binds(&self) -> Vec<Bind<'_>> {
        let entries = 0;
        self.binds_on(Sorted {
            entries,
            ..self.sorted
        })
    }

    /// The lists' layers: merged with slices, or the sorted entries where there are none.
    pub fn listed(&self) -> &wgpu::Buffer {
        match self.slices {
            0 => &self.entry_splats[self.sorted.entries],
            _ => &self.layers,
        }
    }

    fn binds_on(&self, sides: Sorted) -> Vec<Bind<'_>> {
        let side = sides.entries;
        let view = wgpu::BindingResource::TextureView;
        vec![
            ("frame", self.frame.as_entire_binding()),
            ("emitters", self.emitters.as_entire_binding()),
            ("point_lights", self.lights.as_entire_binding()),
            ("slice_bounds", self.slice_bounds.as_entire_binding()),
            ("particles", self.particles.as_entire_binding()),
            ("sheets", self.sheets.as_entire_binding()),
            ("sheet_light", view(&self.sheet_light)),
            ("sheet_light_out", view(&self.sheet_light)),
            ("lit_particles", self.particles.as_entire_binding()),
            ("sprites", view(&self.sprites)),
            ("block_sums", self.block_sums.as_entire_binding()),
            ("splats", self.splats.as_entire_binding()),
            ("depth_keys", self.depth_keys[0].as_entire_binding()),
            ("order", self.order[sides.order].as_entire_binding()),
            ("offsets", self.offsets.as_entire_binding()),
            ("entry_tiles", self.entry_tiles[side].as_entire_binding()),
            ("entry_splats", self.entry_splats[side].as_entire_binding()),
            ("histograms", self.histograms.as_entire_binding()),
            ("tile_limits", self.tile_limits.as_entire_binding()),
            ("tile_entries", self.tile_entries.as_entire_binding()),
            ("tile_lists", self.tile_lists.as_entire_binding()),
            ("layers", self.listed().as_entire_binding()),
            ("counters", self.counters.as_entire_binding()),
            ("arguments", self.arguments.as_entire_binding()),
            ("froxels", view(&self.froxels)),
            ("froxels_out", view(&self.froxels)),
            (
                "froxel_sampler",
                wgpu::BindingResource::Sampler(&self.froxel_sampler),
            ),
            ("triangles", self.vertices.as_entire_binding()),
            ("triangle_ids", view(&self.triangle_ids)),
            ("bloom", view(self.bloom.result())),
            ("toned", view(&self.toned)),
            ("opaque_color", view(&self.opaque_color)),
            ("opaque_color_out", view(&self.opaque_color)),
            ("opaque_depth", view(&self.opaque_depth)),
            ("shadow_map", view(&self.shadow_map)),
            (
                "shadow_sampler",
                wgpu::BindingResource::Sampler(&self.shadow_sampler),
            ),
        ]
    }
}

/// Layers that lists merged with slices have room for; none without slices.
fn merged_layers(uniform: &FrameUniform) -> u64 {
    match u64::from(uniform.slices) {
        0 => 0,
        slices => u64::from(uniform.entry_capacity) + u64::from(tiles(uniform)) * slices,
    }
}

fn lights_now(input: &FrameInput) -> Vec<PointLight> {
    crate::scene::flickering(&input.lights, input.uniform.time)
}

/// Everything that could be too large for the adapter, before anything is allocated.
fn check_sizes(caps: &Capabilities, input: &FrameInput) -> Result<()> {
    if !caps.draws_with_depth && !input.vertices.is_empty() {
        return Err(Error::unavailable(format!(
            "{} crashes when it draws solids with vectors this wide; set LP_NATIVE_VECTOR_WIDTH to \
             256 or less, or choose a scene without solids",
            caps.name
        )));
    }
    let uniform = &input.uniform;
    let [width, height] = uniform.size;
    let edge = caps.max_texture_edge;
    if width == 0 || height == 0 || width > edge || height > edge {
        return Err(Error::usage(format!(
            "size {width}x{height}: each edge must be 1 to {edge} pixels on {}",
            caps.name
        )));
    }
    let most = most_particles(caps);
    if u64::from(items(uniform)) > most {
        return Err(Error::usage(format!(
            "{} particles are more than {} can hold: its buffer limit of {} bytes allows {most}",
            uniform.particles, caps.name, caps.max_binding_bytes
        )));
    }
    let layers = 4 * merged_layers(uniform).max(u64::from(uniform.entry_capacity));
    let pixels = 16 * u64::from(width) * u64::from(height);
    for (what, bytes, remedy) in [
        (
            "tile lists",
            layers,
            "fewer particles or fog slices, or a smaller size",
        ),
        ("composited pixels", pixels, "a smaller size"),
    ] {
        if bytes > caps.max_binding_bytes {
            return Err(Error::usage(format!(
                "the {what} need {bytes} bytes, more than the buffer limit of {} bytes of {}; use {remedy}",
                caps.max_binding_bytes, caps.name
            )));
        }
    }
    Ok(())
}
