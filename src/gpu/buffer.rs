//! Making buffers, and reading them back (never inside a frame).

use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt;

use super::Gpu;
use crate::error::{Error, Result};

/// A storage buffer of `bytes` (at least 16, rounded up to 4) that can be copied from and to.
pub fn storage_buffer(gpu: &Gpu, label: &str, bytes: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes.max(16).next_multiple_of(4),
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// A uniform buffer holding `value`.
pub fn uniform_buffer<T: Pod>(gpu: &Gpu, label: &str, value: &T) -> wgpu::Buffer {
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents: bytemuck::bytes_of(value),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        })
}

/// Copies the first `count` elements of `buffer` to the CPU; waits for the GPU.
///
/// # Errors
/// The device failed or the buffer is shorter than asked for (exit code 1).
pub fn read_buffer<T: Pod + Zeroable>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>> {
    let bytes = (count * size_of::<T>()) as u64;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    if bytes > buffer.size() {
        return Err(Error::failed(format!(
            "read-back of {bytes} bytes from a buffer of {}",
            buffer.size()
        )));
    }
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read-back"),
        size: bytes.next_multiple_of(4),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.encoder("read-back");
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, bytes.next_multiple_of(4));
    gpu.queue.submit([encoder.finish()]);
    let slice = staging.slice(..);
    slice.map_async(wgpu::MapMode::Read, |_| ());
    gpu.wait()?;
    let view = slice
        .get_mapped_range()
        .map_err(|error| Error::failed(format!("read-back failed: {error}")))?;
    let mut values = vec![T::zeroed(); count];
    bytemuck::cast_slice_mut::<T, u8>(&mut values).copy_from_slice(&view[..bytes as usize]);
    Ok(values)
}

/// Copies an rgba8 texture to the CPU, rows packed, top row first; waits for the GPU.
///
/// # Errors
/// The device failed (exit code 1).
pub fn read_texture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>> {
    let (width, height) = (texture.width(), texture.height());
    let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = storage_buffer(gpu, "texture read-back", u64::from(row) * u64::from(height));
    let mut encoder = gpu.encoder("texture read-back");
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    let padded = read_buffer::<u8>(gpu, &buffer, (row * height) as usize)?;
    Ok(padded
        .chunks_exact(row as usize)
        .flat_map(|line| &line[..width as usize * 4])
        .copied()
        .collect())
}
