//! Read-back of buffers and textures. Only [`read_buffer`] and [`read_texture`] wait for the GPU.

use std::sync::{Arc, Mutex, OnceLock};

use bytemuck::{Pod, Zeroable};

use crate::error::{Error, Result, one_line};
use crate::gpu::{Gpu, buffer, until};
use crate::workers::lock;

/// A buffer for reading back. Commands copy into it, and its bytes arrive after the submission. It can be reused once
/// the bytes have been taken.
pub struct ReadBack {
    label: &'static str,
    buffer: wgpu::Buffer,
    /// Contains true or false once success or failure is known.
    asked: Mutex<Option<Arc<OnceLock<bool>>>>,
}

impl ReadBack {
    pub fn new(gpu: &Gpu, label: &'static str, bytes: u64) -> Self {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self {
            label,
            buffer: buffer(gpu, label, bytes.max(16).next_multiple_of(4), usage),
            asked: Mutex::default(),
        }
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Requests the bytes. Call it after the submission. Repeated calls have no effect.
    pub fn start(&self) {
        let mut asked = lock(&self.asked);
        if asked.is_some() {
            return;
        }
        let came = Arc::clone(asked.insert(Arc::default()));
        drop(asked);
        let slice = self.buffer.slice(..);
        slice.map_async(wgpu::MapMode::Read, move |result| {
            came.get_or_init(|| result.is_ok());
        });
    }

    /// Calls `read` on the bytes if they have arrived.
    pub fn take<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Option<Result<R>> {
        let failed = |why: &str| Error::failed(format!("{}: reading back failed{why}", self.label));
        let mut asked = lock(&self.asked);
        if !*asked.as_ref()?.get()? {
            return Some(Err(failed("")));
        }
        let view = match self.buffer.get_mapped_range(..) {
            Ok(view) => view,
            Err(error) => return Some(Err(failed(&format!(": {}", one_line(&error))))),
        };
        let taken = read(&view);
        drop(view);
        self.buffer.unmap();
        *asked = None;
        Some(Ok(taken))
    }

    async fn arrived<R>(&self, gpu: &Gpu, read: impl Fn(&[u8]) -> R) -> Result<R> {
        self.start();
        let lost = || gpu.is_lost().then(|| gpu.check()).and_then(Result::err);
        until(|| self.take(&read).or_else(|| lost().map(Err))).await
    }
}

/// Read-back of a texture with four bytes per pixel.
pub struct TextureReadBack {
    read_back: ReadBack,
    /// Bytes per row of pixels, without and with the padding that copies need.
    row: usize,
    padded: usize,
}

impl TextureReadBack {
    /// Records the copy of `texture`. Call [`TextureReadBack::start`] after submitting.
    pub fn record(
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        label: &'static str,
    ) -> Self {
        let (width, height) = (texture.width(), texture.height());
        let padded = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let read_back = ReadBack::new(gpu, label, u64::from(padded) * u64::from(height));
        let target = wgpu::TexelCopyBufferInfo {
            buffer: read_back.buffer(),
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded),
                rows_per_image: None,
            },
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        Self {
            read_back,
            row: width as usize * 4,
            padded: padded as usize,
        }
    }

    pub fn start(&self) {
        self.read_back.start();
    }

    /// Pixels in packed rows, top row first, if they have arrived.
    pub fn take(&self) -> Option<Result<Vec<u8>>> {
        self.read_back.take(|bytes| self.packed(bytes))
    }

    fn packed(&self, bytes: &[u8]) -> Vec<u8> {
        let rows = bytes.chunks_exact(self.padded);
        rows.flat_map(|row| &row[..self.row]).copied().collect()
    }
}

/// Copies the first `count` elements of `buffer` to the CPU. Waits for the GPU.
pub fn read_buffer<T: Pod + Zeroable>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>> {
    gpu.finish(arriving(gpu, buffer, count))
}

pub async fn arriving<T: Pod + Zeroable>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>> {
    let bytes = count * size_of::<T>();
    if bytes == 0 {
        return Ok(Vec::new());
    }
    if bytes as u64 > buffer.size() {
        return Err(Error::failed(format!(
            "read-back of {bytes} bytes from a buffer of {}",
            buffer.size()
        )));
    }
    let read_back = ReadBack::new(gpu, "read-back", bytes as u64);
    let mut encoder = gpu.encoder("read-back");
    let copied = (bytes as u64).next_multiple_of(4);
    encoder.copy_buffer_to_buffer(buffer, 0, read_back.buffer(), 0, copied);
    gpu.queue.submit([encoder.finish()]);
    let copied = |arrived: &[u8]| {
        let mut values = vec![T::zeroed(); count];
        bytemuck::cast_slice_mut::<T, u8>(&mut values).copy_from_slice(&arrived[..bytes]);
        values
    };
    read_back.arrived(gpu, copied).await
}

/// Copies a texture with four bytes per pixel to the CPU, and waits for the GPU. Rows are packed, top row first.
pub fn read_texture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>> {
    let mut encoder = gpu.encoder("texture read-back");
    let copy = TextureReadBack::record(gpu, &mut encoder, texture, "texture read-back");
    gpu.queue.submit([encoder.finish()]);
    gpu.finish(copy.read_back.arrived(gpu, |bytes| copy.packed(bytes)))
}
