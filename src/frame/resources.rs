//! Creates, binds and grows a frame's buffers and textures, which `frame_table.rs` lists.

use std::sync::OnceLock;

use crate::error::{Error, Result};
use crate::gpu::{Bind, Binds, Gpu, buffer, sampler, texture};
use crate::model::Capabilities;
use crate::model::items::ItemKind;
use crate::model::layout::Splat;
use crate::model::methods::Stored;
use crate::model::passes::Inputs;
use crate::model::scene::PlacedSplats;

use super::bloom::Levels;
use super::buffer_row::{BufferRow, Content, LONGEST_WRITE};
use super::frame_table::{BUFFERS, BufferId, TEXTURES, TextureId, buffer_rows, triangles_bytes};
use super::input::FrameInput;
use super::pictures::Pictures;
use super::sprites;

pub struct Resources {
    /// One per row of the table.
    buffers: Vec<wgpu::Buffer>,
    /// One per row of the table.
    textures: Vec<wgpu::TextureView>,
    pub(super) sprites: wgpu::TextureView,
    /// `None` if no model has pictures.
    pictures: Option<Pictures>,
    froxel_sampler: wgpu::Sampler,
    shadow_sampler: wgpu::Sampler,
    pub bloom: Levels,
    pub vertex_count: u32,
    /// Triangles that are culled by winding and not masked come first and have this many vertices.
    pub plain_vertices: u32,
    listed_slices: u32,
    /// All resources, and the tone-mapped picture as an output. Created on first use, and again after a buffer has been
    /// replaced.
    binds: OnceLock<[Binds; 2]>,
}

/// Bytes per particle in the frame's largest buffer.
const LARGEST_PER_PARTICLE: u64 = size_of::<Splat>() as u64;

/// Maximum number of particles that fit the adapter's buffers.
pub fn most_particles(caps: &Capabilities) -> u64 {
    caps.max_binding_bytes / LARGEST_PER_PARTICLE
}

/// Maximum number of splats that fit the adapter's buffers, if they have harmonics of the same degrees as the given
/// splats.
fn most_splats(caps: &Capabilities, splats: &PlacedSplats) -> u64 {
    let harmonics = size_of_val(splats.harmonics.as_slice()) as u64;
    let each = harmonics.div_ceil((splats.gaussians.len() as u64).max(1));
    caps.max_binding_bytes / each.max(LARGEST_PER_PARTICLE)
}

impl Resources {
    /// Allocates all resources for `input`, with the entry capacity of its shape.
    ///
    /// # Errors
    /// A buffer or texture exceeds a limit of the adapter, which the error names, or memory runs out.
    pub fn new(gpu: &Gpu, input: &FrameInput) -> Result<Self> {
        check_sizes(&gpu.caps, input)?;
        let shape = &input.shape;
        let buffers = buffer_rows().map(|row| buffer_of(gpu, row, input));
        let textures = TEXTURES.iter().map(|row| {
            let extent = (row.extent)(shape);
            let (format, usage) = row.kind(shape);
            let texture = texture(gpu, row.label, extent, format, usage);
            texture.create_view(&Default::default())
        });
        let compare = Some(wgpu::CompareFunction::LessEqual);
        let resources = Self {
            buffers: buffers.collect(),
            textures: textures.collect(),
            sprites: sprites::atlas(gpu)?,
            pictures: (shape.model_triangles > 0)
                .then(|| Pictures::new(gpu, &input.meshes.pictures))
                .transpose()?,
            froxel_sampler: sampler(gpu, "froxel sampler", None),
            shadow_sampler: sampler(gpu, "shadow sampler", compare),
            bloom: Levels::new(gpu, shape.size, shape.glows),
            vertex_count: 3 * (shape.solids + shape.model_triangles),
            plain_vertices: 3 * (shape.solids + input.meshes.plain_count() as u32),
            listed_slices: shape.listed_slices(),
            binds: OnceLock::new(),
        };
        gpu.check()
            .map_err(|error| error.context("the frame's buffers"))?;
        Ok(resources)
    }

    /// Recreates the buffers that depend on the entry capacity, which is the only change in `input`. All other buffers
    /// keep their content. After an error the resources are unchanged.
    pub fn grow(&mut self, gpu: &Gpu, input: &FrameInput) -> Result<()> {
        check_sizes(&gpu.caps, input)?;
        let mut buffers = self.buffers.clone();
        for (row, buffer) in buffer_rows().zip(&mut buffers) {
            if buffer.size() != row.bytes(input) {
                *buffer = buffer_of(gpu, row, input);
            }
        }
        gpu.check()
            .map_err(|error| error.context("the frame's buffers"))?;
        self.buffers = buffers;
        self.binds = OnceLock::new();
        self.write_moment(gpu, input);
        Ok(())
    }

    pub fn write_moment(&self, gpu: &Gpu, input: &FrameInput) {
        self.write(gpu, input, |row| row.is_of_moment);
    }

    /// Writes the content of the rows for which `is_meant` returns true.
    pub(super) fn write(
        &self,
        gpu: &Gpu,
        input: &FrameInput,
        is_meant: impl Fn(&BufferRow) -> bool,
    ) {
        for (row, buffer) in buffer_rows().zip(&self.buffers) {
            if let (true, Content::Given(bytes)) = (is_meant(row), &row.content) {
                gpu.queue.write_buffer(buffer, 0, &bytes(input));
            }
        }
    }

    /// The buffer named `name` in shaders.
    ///
    /// # Errors
    /// There is no such buffer.
    pub fn named(&self, name: &str) -> Result<&wgpu::Buffer> {
        let mut rows = buffer_rows().zip(&self.buffers);
        let found = rows.find(|(row, _)| row.names.contains(&name));
        let missing = || Error::failed(format!("no buffer is called \"{name}\" (a bug)"));
        found.map(|(_, buffer)| buffer).ok_or_else(missing)
    }

    /// Index of a buffer. Buffers of item kinds come first.
    fn place(&self, id: BufferId) -> usize {
        self.buffers.len() - BUFFERS.len() + id as usize
    }

    pub fn buffer(&self, id: BufferId) -> &wgpu::Buffer {
        &self.buffers[self.place(id)]
    }

    pub fn view(&self, id: TextureId) -> &wgpu::TextureView {
        &self.textures[id as usize]
    }

    /// Layers of the lists, merged with slices. Without slices, the splats of tiles.
    pub fn listed(&self) -> &wgpu::Buffer {
        if self.listed_slices == 0 {
            self.buffer(BufferId::EntrySplats)
        } else {
            self.buffer(BufferId::Layers)
        }
    }

    fn made_binds(&self) -> &[Binds; 2] {
        self.binds.get_or_init(|| {
            let toned = wgpu::BindingResource::TextureView(self.view(TextureId::Toned));
            [self.all_binds(), Binds::new([("toned_out", toned)])]
        })
    }

    pub fn binds(&self) -> &Binds {
        &self.made_binds()[0]
    }

    pub fn toned_out(&self) -> &Binds {
        &self.made_binds()[1]
    }

    fn all_binds(&self) -> Binds {
        use wgpu::BindingResource::{Sampler, TextureView};
        let mut binds: Vec<Bind> = vec![
            ("sprites", TextureView(&self.sprites)),
            ("bloom", TextureView(self.bloom.result())),
            ("froxel_sampler", Sampler(&self.froxel_sampler)),
            ("shadow_sampler", Sampler(&self.shadow_sampler)),
        ];
        if let Some(pictures) = &self.pictures {
            binds.push(("pictures", TextureView(&pictures.view)));
            binds.push(("picture_sampler", Sampler(&pictures.sampler)));
        }
        let layers = self.place(BufferId::Layers);
        for (index, row) in buffer_rows().enumerate() {
            let buffer = match index == layers {
                true => self.listed(),
                false => &self.buffers[index],
            };
            let names = row.names.iter();
            binds.extend(names.map(|name| (*name, buffer.as_entire_binding())));
        }
        for row in &TEXTURES {
            let view = self.view(row.id);
            binds.extend(row.names.iter().map(|name| (*name, TextureView(view))));
        }
        Binds::new(binds)
    }

    /// Label and size in bytes of every buffer and texture, without the small constants of passes.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut all: Vec<(&'static str, u64)> = Vec::new();
        for (row, buffer) in buffer_rows().zip(&self.buffers) {
            let bytes = buffer.size();
            match all.last_mut() {
                Some((label, sum)) if *label == row.label => *sum += bytes,
                _ => all.push((row.label, bytes)),
            }
        }
        let textures = TEXTURES.iter().zip(&self.textures);
        all.extend(textures.map(|(row, view)| (row.label, texture_bytes(view.texture()))));
        all.push(("sprites", texture_bytes(self.sprites.texture())));
        if let Some(pictures) = &self.pictures {
            all.push(("pictures", texture_bytes(pictures.view.texture())));
        }
        let bloom = self.bloom.views();
        let bloom = bloom.map(|view| texture_bytes(view.texture())).sum();
        all.push(("bloom", bloom));
        all
    }
}

fn buffer_of(gpu: &Gpu, row: &BufferRow, input: &FrameInput) -> wgpu::Buffer {
    let buffer = buffer(gpu, row.label, row.bytes(input), row.usage);
    match row.content {
        Content::Room(_) => {}
        Content::Given(bytes) => {
            write_in_pieces(gpu, &buffer, bytes(input).chunks(LONGEST_WRITE));
        }
        Content::Made { pieces, .. } => write_in_pieces(gpu, &buffer, pieces(input)),
    }
    buffer
}

/// Fills a buffer. Large data is sent in pieces, so that another thread's frames can run in between and no second copy
/// of all data exists.
fn write_in_pieces(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    pieces: impl Iterator<Item = impl AsRef<[u8]>>,
) {
    let mut offset = 0;
    for piece in pieces {
        if offset > 0 {
            gpu.queue.submit([]);
        }
        gpu.queue.write_buffer(buffer, offset, piece.as_ref());
        offset += piece.as_ref().len() as u64;
    }
}

/// Size of a texture in bytes, without the driver's overhead.
pub fn texture_bytes(texture: &wgpu::Texture) -> u64 {
    let format = texture.format();
    format.theoretical_memory_footprint(texture.size())
}

/// Checks all sizes that may exceed the adapter's limits, before allocating.
fn check_sizes(caps: &Capabilities, input: &FrameInput) -> Result<()> {
    let shape = &input.shape;
    let (name, limit) = (&caps.name, caps.max_binding_bytes);
    let refused = |why: String| Err(Error::usage(why));
    if !caps.draws_with_depth && shape.has_triangles() {
        return Err(Error::unavailable(format!(
            "{name} crashes when it draws solids with vectors this wide; set LP_NATIVE_VECTOR_WIDTH to \
             256 or less, or choose a scene without solids"
        )));
    }
    let [width, height] = shape.size;
    let edge = caps.max_texture_edge;
    if width == 0 || height == 0 || width > edge || height > edge {
        return refused(format!(
            "size {width}x{height}: each edge must be 1 to {edge} pixels on {name}"
        ));
    }
    if shape.stored == Stored::Halves && !shape.fits_halves() {
        return Err(Error::failed(
            "half floats store items only in frames with one kind of them (a bug)",
        ));
    }
    // Integrated fog has one more layer for the space behind the last slice.
    let most_slices = caps.max_texture_layers - u32::from(shape.integrates_fog);
    if shape.slices > most_slices {
        return refused(format!(
            "{} fog slices are more than {name} can hold: its textures have room for {most_slices}",
            shape.slices
        ));
    }
    let most = most_particles(caps);
    let splats = &input.splats;
    if !splats.gaussians.is_empty() {
        let gaussians = shape.counts.of(ItemKind::Gaussian);
        let others = shape.items() - gaussians;
        let fit = most_splats(caps, splats).min(most.saturating_sub(u64::from(others)));
        if u64::from(gaussians) > fit {
            return refused(format!(
                "{gaussians} Gaussians are more than {name} can hold: its buffer limit of {limit} bytes allows {fit} of these"
            ));
        }
    }
    if u64::from(shape.items()) > most {
        return refused(format!(
            "{} particles are more than {name} can hold: its buffer limit of {limit} bytes allows {most}",
            shape.counts.of(ItemKind::Particle)
        ));
    }
    let kinds = [
        Inputs::UNSORTED_LISTS,
        Inputs::COARSE_LISTS,
        Inputs::ANY_LISTS,
    ];
    let unsorted = shape.if_listed(&kinds, shape.unsorted_words());
    let layers = 4 * shape
        .merged_layers()
        .max(u64::from(shape.entry_capacity))
        .max(unsorted);
    let pixels = 16 * u64::from(width) * u64::from(height);
    let solids = triangles_bytes(input);
    let fewer = "fewer particles or fog slices, or a smaller size";
    for (what, bytes, remedy) in [
        ("solids' triangles", solids, "a scene with fewer solids"),
        ("tile lists", layers, fewer),
        ("composited pixels", pixels, "a smaller size"),
    ] {
        if bytes > limit {
            return refused(format!(
                "the {what} need {bytes} bytes, more than the buffer limit of {limit} bytes of {name}; use {remedy}"
            ));
        }
    }
    Ok(())
}
