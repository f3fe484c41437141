//! The atlas of puffs (`assets/sprites.png`, made by `cargo xtask assets`) as a texture.

use crate::error::{Error, Result};
use crate::gpu::Gpu;

static ATLAS: &[u8] = include_bytes!("../../assets/sprites.png");

/// Uploads the atlas: one channel, 0 to 1.
///
/// # Errors
/// The embedded file is broken (exit code 1; a bug).
pub fn upload(gpu: &Gpu) -> Result<wgpu::TextureView> {
    let atlas = image::load_from_memory_with_format(ATLAS, image::ImageFormat::Png)
        .map_err(|error| Error::failed(format!("assets/sprites.png: {error}")))?
        .into_luma8();
    let size = wgpu::Extent3d {
        width: atlas.width(),
        height: atlas.height(),
        depth_or_array_layers: 1,
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("sprites"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    gpu.queue.write_texture(
        texture.as_image_copy(),
        &atlas,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(size.width),
            rows_per_image: None,
        },
        size,
    );
    Ok(texture.create_view(&Default::default()))
}
