//! The atlas of puffs (`assets/sprites.png`) as a texture.

use crate::error::{Error, Result};
use crate::gpu::{Gpu, texture};

static ATLAS: &[u8] = include_bytes!("../../assets/sprites.png");

/// One channel, 0 to 1. Decoded and uploaded once per device.
pub fn atlas(gpu: &Gpu) -> Result<wgpu::TextureView> {
    gpu.constant_texture(|| upload(gpu))
}

fn upload(gpu: &Gpu) -> Result<wgpu::Texture> {
    let atlas = image::load_from_memory_with_format(ATLAS, image::ImageFormat::Png)
        .map_err(|error| Error::failed(format!("assets/sprites.png: {error}")))?
        .into_luma8();
    let texture = texture(
        gpu,
        "sprites",
        [atlas.width(), atlas.height(), 1],
        wgpu::TextureFormat::R8Unorm,
        wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
    );
    gpu.queue.write_texture(
        texture.as_image_copy(),
        &atlas,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(atlas.width()),
            rows_per_image: None,
        },
        texture.size(),
    );
    Ok(texture)
}
