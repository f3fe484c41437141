//! The pictures of models in one texture: a layer per picture, with mip levels.

use crate::error::{Error, Result};
use crate::gpu::{Gpu, sampler_of_pictures};
use crate::model::meshes::Stack;

pub struct Pictures {
    pub view: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
}

impl Pictures {
    /// Creates the texture. Without pictures it has one texel.
    ///
    /// # Errors
    /// Usage: there are more pictures than layers in the adapter's textures.
    pub fn new(gpu: &Gpu, stack: &Stack) -> Result<Self> {
        let most = gpu.caps.max_texture_layers;
        if stack.layers > most {
            return Err(Error::usage(format!(
                "the models have {} pictures, more than the {most} layers of a texture of {}; use fewer models",
                stack.layers, gpu.caps.name
            )));
        }
        let (edge, layers) = (stack.edge.max(1), stack.layers.max(1));
        let size = |edge| wgpu::Extent3d {
            width: edge,
            height: edge,
            depth_or_array_layers: layers,
        };
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("pictures"),
            size: size(edge),
            mip_level_count: (stack.levels.len() as u32).max(1),
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8UnormSrgb,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, texels) in stack.levels.iter().enumerate() {
            let edge = edge >> level;
            let place = wgpu::TexelCopyTextureInfo {
                mip_level: level as u32,
                ..texture.as_image_copy()
            };
            let rows = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * edge),
                rows_per_image: Some(edge),
            };
            gpu.queue.write_texture(place, texels, rows, size(edge));
        }
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        Ok(Self {
            view,
            sampler: sampler_of_pictures(gpu),
        })
    }
}
