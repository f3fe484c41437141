//! A picture on its way back from the GPU. Never waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::compare::canvas::Canvas;
use crate::error::{Error, Result};

const PENDING: u8 = 0;
const MAPPED: u8 = 1;
const LOST: u8 = 2;

/// A picture on its way back from the GPU.
pub struct Grab {
    buffer: wgpu::Buffer,
    size: [u32; 2],
    row: u32,
    blue_first: bool,
    state: Arc<AtomicU8>,
}

impl Grab {
    /// Records a copy of `texture` (4 bytes a pixel). Call [`Grab::start`] after submitting.
    pub fn record(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
    ) -> Self {
        let size = [texture.width(), texture.height()];
        let row = (size[0] * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("screenshot"),
            size: u64::from(row) * u64::from(size[1]),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row),
            rows_per_image: None,
        };
        let target = wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout,
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        Self {
            buffer,
            size,
            row,
            blue_first: matches!(
                texture.format(),
                wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb
            ),
            state: Arc::default(),
        }
    }

    /// Asks for the bytes once the commands are submitted.
    pub fn start(&self) {
        let state = Arc::clone(&self.state);
        self.buffer
            .map_async(wgpu::MapMode::Read, .., move |result| {
                let outcome = if result.is_ok() { MAPPED } else { LOST };
                state.store(outcome, Ordering::Release);
            });
    }

    /// The picture, once it is there.
    ///
    /// # Errors
    /// The device was lost meanwhile, or the bytes cannot be read.
    pub fn take(&self) -> Option<Result<Canvas>> {
        match self.state.load(Ordering::Acquire) {
            PENDING => None,
            MAPPED => Some(self.canvas()),
            _ => Some(Err(Error::failed(
                "the picture did not come back from the GPU",
            ))),
        }
    }

    fn canvas(&self) -> Result<Canvas> {
        let view = self
            .buffer
            .get_mapped_range(..)
            .map_err(|error| Error::failed(format!("screenshot read-back: {error}")))?;
        let width = self.size[0] as usize * 4;
        let rows = view.chunks_exact(self.row as usize);
        let mut bytes: Vec<u8> = rows.flat_map(|row| &row[..width]).copied().collect();
        for pixel in bytes.chunks_exact_mut(4) {
            if self.blue_first {
                pixel.swap(0, 2);
            }
            pixel[3] = 255;
        }
        Canvas::from_rgba8(self.size, &bytes)
            .ok_or_else(|| Error::failed("the picture read back has the wrong size"))
    }
}
