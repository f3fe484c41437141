//! Buffer creation.

use bytemuck::{NoUninit, Pod};

use super::context::Gpu;

/// A buffer of `size` bytes. Mapping it at creation would panic on a lost device.
pub fn buffer(gpu: &Gpu, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// A storage buffer of `bytes` (at least 16, rounded up to 4) that can be copied from and to.
pub fn storage_buffer(gpu: &Gpu, label: &str, bytes: u64) -> wgpu::Buffer {
    use wgpu::BufferUsages as Usages;
    let usage = Usages::STORAGE | Usages::COPY_SRC | Usages::COPY_DST;
    buffer(gpu, label, bytes.max(16).next_multiple_of(4), usage)
}

pub fn filled_buffer<T: NoUninit>(gpu: &Gpu, label: &str, numbers: &[T]) -> wgpu::Buffer {
    let buffer = storage_buffer(gpu, label, size_of_val(numbers) as u64);
    let bytes = bytemuck::cast_slice(numbers);
    gpu.queue.write_buffer(&buffer, 0, bytes);
    buffer
}

/// Usage of buffers that shaders declare as uniform. STORAGE is needed because Mesa's llvmpipe and some shaders read
/// these buffers as storage (`pipeline/compile.rs`).
pub const UNIFORM: wgpu::BufferUsages = wgpu::BufferUsages::UNIFORM
    .union(wgpu::BufferUsages::STORAGE)
    .union(wgpu::BufferUsages::COPY_DST);

pub fn uniform_buffer<T: Pod>(gpu: &Gpu, label: &str, value: &T) -> wgpu::Buffer {
    let buffer = buffer(gpu, label, size_of::<T>() as u64, UNIFORM);
    let bytes = bytemuck::bytes_of(value);
    gpu.queue.write_buffer(&buffer, 0, bytes);
    buffer
}
