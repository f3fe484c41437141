//! Bloom: light above a threshold, blurred through a chain of halved pictures (`shaders/frame/bloom.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, texture};

/// Maximum number of levels. The widest glow is about 2^6 pixels.
const LEVELS: usize = 6;
/// Minimum edge of a level in texels.
const LEAST_EDGE: u32 = 2;

pub struct Bloom {
    bright: Arc<ComputePipeline>,
    down: Arc<ComputePipeline>,
    up: Arc<ComputePipeline>,
}

/// The downsampled light, and its sum with all coarser levels.
struct Level {
    size: [u32; 2],
    down: wgpu::TextureView,
    up: wgpu::TextureView,
}

/// Textures of the chain, finest first, each half the size of the previous one, and the bindings of the steps.
pub struct Levels {
    levels: Vec<Level>,
    /// From the picture to the finest level.
    bright: Binds,
    /// From each level to the next coarser level.
    down: Vec<Binds>,
    /// From a level and the sum of the next coarser level to the level's own sum.
    up: Vec<Binds>,
}

impl Levels {
    /// Levels starting at half of `size`. If nothing glows, one texel.
    pub fn new(gpu: &Gpu, size: [u32; 2], glows: bool) -> Self {
        let mut levels = Vec::new();
        let mut size = if glows {
            size.map(|edge| edge.div_ceil(2))
        } else {
            [1, 1]
        };
        loop {
            levels.push(Level {
                size,
                down: level(gpu, size),
                up: level(gpu, size),
            });
            size = size.map(|edge| edge.div_ceil(2));
            if levels.len() == LEVELS || size.into_iter().any(|edge| edge < LEAST_EDGE) {
                return Self::of(levels);
            }
        }
    }

    fn of(levels: Vec<Level>) -> Self {
        fn view(view: &wgpu::TextureView) -> wgpu::BindingResource<'_> {
            wgpu::BindingResource::TextureView(view)
        }
        let down = |pair: &[Level]| {
            Binds::new([
                ("bloom_in", view(&pair[0].down)),
                ("bloom_out", view(&pair[1].down)),
            ])
        };
        let up = |(index, pair): (usize, &[Level])| {
            let coarsest = index + 2 == levels.len();
            let coarser = if coarsest { &pair[1].down } else { &pair[1].up };
            Binds::new([
                ("bloom_in", view(coarser)),
                ("bloom_level", view(&pair[0].down)),
                ("bloom_out", view(&pair[0].up)),
            ])
        };
        Self {
            bright: Binds::new([("bloom_out", view(&levels[0].down))]),
            down: levels.windows(2).map(down).collect(),
            up: levels.windows(2).enumerate().map(up).collect(),
            levels,
        }
    }

    pub fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        self.levels
            .iter()
            .flat_map(|level| [&level.down, &level.up])
    }

    pub fn result(&self) -> &wgpu::TextureView {
        match self.levels.as_slice() {
            [only] => &only.down,
            levels => &levels[0].up,
        }
    }
}

fn level(gpu: &Gpu, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let format = wgpu::TextureFormat::Rgba16Float;
    let usage = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = texture(gpu, "bloom", [width, height, 1], format, usage);
    texture.create_view(&Default::default())
}

impl Bloom {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines) -> Result<Self> {
        let variant = Variant::new("frame/bloom");
        Ok(Self {
            bright: pipelines.compute(gpu, &variant, "bright")?,
            down: pipelines.compute(gpu, &variant, "down")?,
            up: pipelines.compute(gpu, &variant, "up")?,
        })
    }

    pub fn record(
        &self,
        pass: &mut wgpu::ComputePass,
        levels: &Levels,
        [frame, target]: [&Binds; 2],
    ) -> Result<()> {
        let mut run = |pipeline: &ComputePipeline, level: &Level, step: &Binds| {
            pipeline.dispatch_squares(pass, &[frame, target, step], level.size, 8)
        };
        run(&self.bright, &levels.levels[0], &levels.bright)?;
        for (level, step) in levels.levels[1..].iter().zip(&levels.down) {
            run(&self.down, level, step)?;
        }
        for (level, step) in levels.levels.iter().zip(&levels.up).rev() {
            run(&self.up, level, step)?;
        }
        Ok(())
    }
}
