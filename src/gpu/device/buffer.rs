//! Making buffers.

use bytemuck::Pod;
use wgpu::util::DeviceExt;

use crate::gpu::Gpu;

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

/// What buffers that shaders declare as uniform are used for. On Mesa's llvmpipe shaders read them as storage
/// (`pipeline/compile.rs`), and some shaders do so everywhere.
pub const UNIFORM: wgpu::BufferUsages = wgpu::BufferUsages::UNIFORM
    .union(wgpu::BufferUsages::STORAGE)
    .union(wgpu::BufferUsages::COPY_DST);

pub fn uniform_buffer<T: Pod>(gpu: &Gpu, label: &str, value: &T) -> wgpu::Buffer {
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents: bytemuck::bytes_of(value),
            usage: UNIFORM,
        })
}
