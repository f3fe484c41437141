//! Bloom: what is brighter than a threshold, blurred through a chain of halved pictures
//! (`shaders/bloom.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Bind, ComputePipeline, Gpu, Pipelines};

/// Most levels of the chain: the widest glow is about 2^6 pixels.
const LEVELS: usize = 6;
/// No level is smaller than this, texels.
const LEAST_EDGE: u32 = 2;

/// Pipelines of the chain.
pub struct Bloom {
    bright: Arc<ComputePipeline>,
    down: Arc<ComputePipeline>,
    up: Arc<ComputePipeline>,
}

/// A level: its light on the way down, and with that of all coarser levels on the way up.
struct Level {
    size: [u32; 2],
    down: wgpu::TextureView,
    up: wgpu::TextureView,
}

/// The chain's textures, finest first, each half the size of the one before.
pub struct Levels(Vec<Level>);

impl Levels {
    /// Every texture of the chain.
    pub fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        self.0.iter().flat_map(|level| [&level.down, &level.up])
    }

    /// Half of `size` and on; one level of a single texel if nothing glows.
    pub fn new(gpu: &Gpu, size: [u32; 2], glows: bool) -> Self {
        let mut levels = Vec::new();
        let mut size = match glows {
            true => size.map(|edge| edge.div_ceil(2)),
            false => [1, 1],
        };
        loop {
            levels.push(Level {
                size,
                down: level(gpu, size),
                up: level(gpu, size),
            });
            size = size.map(|edge| edge.div_ceil(2));
            if levels.len() == LEVELS || size.into_iter().any(|edge| edge < LEAST_EDGE) {
                return Self(levels);
            }
        }
    }

    /// The glow, whole.
    pub fn result(&self) -> &wgpu::TextureView {
        match self.0.as_slice() {
            [only] => &only.down,
            levels => &levels[0].up,
        }
    }
}

fn level(gpu: &Gpu, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("bloom"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}

impl Bloom {
    /// Compiles the pipelines.
    ///
    /// # Errors
    /// A shader does not compile (exit code 1).
    pub fn new(gpu: &Gpu, pipelines: &Pipelines) -> Result<Self> {
        let variant = Variant::new("bloom");
        Ok(Self {
            bright: pipelines.compute(gpu, &variant, "bright")?,
            down: pipelines.compute(gpu, &variant, "down")?,
            up: pipelines.compute(gpu, &variant, "up")?,
        })
    }

    /// Fills `levels` from the composite among `binds`.
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass,
        levels: &Levels,
        binds: &[Bind],
    ) -> Result<()> {
        let levels = levels.0.as_slice();
        let view = wgpu::BindingResource::TextureView;
        let mut run = |pipeline: &ComputePipeline, size: [u32; 2], own: &[Bind]| {
            let binds: Vec<Bind> = own.iter().chain(binds).cloned().collect();
            pipeline.set(gpu, pass, &binds)?;
            pass.dispatch_workgroups(size[0].div_ceil(8), size[1].div_ceil(8), 1);
            Ok(())
        };
        let Some(first) = levels.first() else {
            return Ok(());
        };
        let out = ("bloom_out", view(&first.down));
        run(&self.bright, first.size, &[out])?;
        for pair in levels.windows(2) {
            let binds = [
                ("bloom_in", view(&pair[0].down)),
                ("bloom_out", view(&pair[1].down)),
            ];
            run(&self.down, pair[1].size, &binds)?;
        }
        for (index, pair) in levels.windows(2).enumerate().rev() {
            let coarsest = index + 2 == levels.len();
            let coarser = if coarsest { &pair[1].down } else { &pair[1].up };
            let binds = [
                ("bloom_in", view(coarser)),
                ("bloom_level", view(&pair[0].down)),
                ("bloom_out", view(&pair[0].up)),
            ];
            run(&self.up, pair[0].size, &binds)?;
        }
        Ok(())
    }
}
