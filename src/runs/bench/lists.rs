//! Synthetic lists on the GPU. Every tile has a list with the same number of random layers.
//! `shaders/layers/sources/synthetic.wesl` evaluates them, and the frame's own kernels composite them.

use crate::error::{Error, Result};
use crate::frame::{Extent, sprites};
use crate::gpu::shader::Variant;
use crate::gpu::{
    Binds, Gpu, Pipelines, read_buffer, sampler, storage_buffer, texture, uniform_buffer,
};
use crate::model::layout::{FrameUniform, gpu_struct};
use crate::model::methods::{ListKind, Source};

/// Maximum bytes of all list records together. Beyond it, tiles share lists.
const MOST_BYTES: u64 = 512 << 20;
const FOG_OPTICAL_DEPTH: f32 = 2.0;

gpu_struct! {
    SyntheticLayer {
        place: [f32; 4],
        /// Linear RGB, and log2 of a particle's opacity or a slice's optical depth.
        light: [f32; 4],
    }
}

gpu_struct! {
    FillJob {
        tiles: u32,
        distinct: u32,
        layers: u32,
        /// 0 for particles, 1 for fog slices, 2 for both, alternating.
        kind: u32,
        /// Edge of a tile in pixels.
        tile: u32,
        /// Total optical depth of all fog slices of a list.
        fog: f32,
        pad0: u32,
        pad1: u32,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListSpec {
    pub outputs: [u32; 2],
    pub layers: u32,
    pub kind: ListKind,
    pub tile: u32,
    pub shared: bool,
}

pub struct Lists {
    pub spec: ListSpec,
    /// Number of distinct lists. Tile t uses list t modulo this number.
    pub distinct: u32,
    frame: wgpu::Buffer,
    records: wgpu::Buffer,
    tile_lists: wgpu::Buffer,
    layers: wgpu::Buffer,
    composites: wgpu::Buffer,
    ran_at: wgpu::Buffer,
    sprites: wgpu::TextureView,
    froxels: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl ListSpec {
    pub fn tiles(&self) -> [u32; 2] {
        self.outputs.map(|edge| edge.div_ceil(self.tile))
    }

    pub fn tile_count(&self) -> u32 {
        let [x, y] = self.tiles();
        x * y
    }

    pub fn extent(&self) -> Extent {
        Extent {
            size: self.outputs,
            items: 0,
            key_bits: 0,
            layers: Source::default(),
            slices: 0,
            tiles: self.tile_count(),
            longest_list: self.layers,
            listed_layers: self.tile_count().saturating_mul(self.layers),
        }
    }

    pub fn pixel_layers(&self) -> f64 {
        let [width, height] = self.outputs.map(f64::from);
        width * height * f64::from(self.layers)
    }

    fn distinct(&self, gpu: &Gpu) -> u32 {
        if self.shared {
            return 1;
        }
        let bytes = u64::from(self.layers.max(1)) * size_of::<SyntheticLayer>() as u64;
        let most = MOST_BYTES.min(gpu.caps.max_binding_bytes) / bytes;
        self.tile_count().min(most.max(1) as u32)
    }
}

impl Lists {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, spec: ListSpec) -> Result<Self> {
        let pixels = spec.outputs.map(u64::from).iter().product::<u64>();
        if pixels * 16 > gpu.caps.max_binding_bytes {
            let [width, height] = spec.outputs;
            return Err(Error::usage(format!(
                "{width}x{height} outputs are more than {} can hold in a buffer of {} bytes",
                gpu.caps.name, gpu.caps.max_binding_bytes
            )));
        }
        let distinct = spec.distinct(gpu);
        let records = u64::from(distinct) * u64::from(spec.layers);
        let uniform = FrameUniform {
            size: spec.outputs,
            tiles: spec.tiles(),
            ..FrameUniform::plain()
        };
        let tiles = u64::from(spec.tile_count());
        let bytes_per_record = size_of::<SyntheticLayer>() as u64;
        let lists = Self {
            frame: uniform_buffer(gpu, "frame", &uniform),
            records: storage_buffer(gpu, "synthetic layers", records * bytes_per_record),
            tile_lists: storage_buffer(gpu, "tile lists", 8 * tiles),
            layers: storage_buffer(gpu, "layers", 4 * records),
            composites: storage_buffer(gpu, "composites", 16 * pixels),
            ran_at: storage_buffer(gpu, "wave size", 8),
            sprites: sprites::atlas(gpu)?,
            froxels: random_froxels(gpu),
            sampler: sampler(gpu, "froxel sampler", None),
            spec,
            distinct,
        };
        lists.fill(gpu, pipelines)?;
        Ok(lists)
    }

    fn fill(&self, gpu: &Gpu, pipelines: &Pipelines) -> Result<()> {
        let job = FillJob {
            tiles: self.spec.tile_count(),
            distinct: self.distinct,
            layers: self.spec.layers,
            kind: self.spec.kind as u32,
            tile: self.spec.tile,
            fog: FOG_OPTICAL_DEPTH,
            ..FillJob::default()
        };
        let job_buffer = uniform_buffer(gpu, "fill job", &job);
        let binds = Binds::new([
            ("job", job_buffer.as_entire_binding()),
            ("records", self.records.as_entire_binding()),
            ("layers", self.layers.as_entire_binding()),
            ("tile_lists", self.tile_lists.as_entire_binding()),
        ]);
        let variant = Variant::new("bench/fill_synthetic");
        let pipeline = pipelines.compute(gpu, &variant, "fill_synthetic")?;
        let elements = job.tiles.max(job.distinct * job.layers);
        gpu.compute_and_wait("fill lists", |pass| {
            pipeline.dispatch(pass, &[&binds], elements.div_ceil(64))
        })
    }

    pub fn binds(&self) -> Binds {
        let view = wgpu::BindingResource::TextureView;
        let sampler = wgpu::BindingResource::Sampler;
        Binds::new([
            ("frame", self.frame.as_entire_binding()),
            ("synthetic_layers", self.records.as_entire_binding()),
            ("tile_lists", self.tile_lists.as_entire_binding()),
            ("layers", self.layers.as_entire_binding()),
            ("composites", self.composites.as_entire_binding()),
            ("ran_at", self.ran_at.as_entire_binding()),
            ("sprites", view(&self.sprites)),
            ("froxels", view(&self.froxels)),
            ("froxel_sampler", sampler(&self.sampler)),
        ])
    }

    pub fn clear_wave_size(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.ran_at, 0, None);
    }

    /// Wave size that composites have reported since it was last cleared. `None` if the kernel could not determine it.
    pub fn wave_size(&self, gpu: &Gpu) -> Result<Option<u32>> {
        let size = read_buffer::<u32>(gpu, &self.ran_at, 1)?[0];
        Ok((size > 0).then_some(size))
    }
}

/// A small texture in the format of the frame's froxels. Every channel is between 0.5 and 1.
fn random_froxels(gpu: &Gpu) -> wgpu::TextureView {
    // As FROXEL_SLICES in shaders/layers/sources/synthetic.wesl.
    const EDGE: u32 = 16;
    // Half floats from 0.5 up to 1 have exponent 0x38 and any mantissa.
    let half = |index: u32| 0x3800 | (index.wrapping_mul(0x9e37_79b9) >> 22) as u16;
    let texels: Vec<u16> = (0..4 * EDGE.pow(3)).map(half).collect();
    halves(gpu, "froxels", [EDGE; 3], &texels).create_view(&Default::default())
}

/// A texture of half floats, four per texel, with a layer per slice. A view of a one-layer texture is not an array, so
/// the texture has at least two layers.
pub(super) fn halves(gpu: &Gpu, label: &str, size: [u32; 3], texels: &[u16]) -> wgpu::Texture {
    let [width, height, slices] = size;
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    let format = wgpu::TextureFormat::Rgba16Float;
    let texture = texture(gpu, label, [width, height, slices.max(2)], format, usage);
    gpu.queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(texels),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(8 * width),
            rows_per_image: Some(height),
        },
        wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: slices,
        },
    );
    texture
}
