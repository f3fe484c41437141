//! A picture that is being read back from the GPU. Never waits for the GPU.

use crate::error::Result;
use crate::gpu::{Gpu, TextureReadBack};
use crate::report::canvas::Canvas;

use super::placement::Room;

pub struct Grab {
    read_back: TextureReadBack,
    size: [u32; 2],
    blue_first: bool,
    part: Option<Room>,
}

impl Grab {
    /// Records a copy of `texture` (4 bytes per pixel). Call [`Grab::start`] after submitting.
    pub fn record(
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        part: Option<Room>,
    ) -> Self {
        Self {
            read_back: TextureReadBack::record(gpu, encoder, texture, "screenshot"),
            size: [texture.width(), texture.height()],
            part,
            blue_first: matches!(
                texture.format(),
                wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb
            ),
        }
    }

    pub fn start(&self) {
        self.read_back.start();
    }

    pub fn take(&self) -> Option<Result<Canvas>> {
        let bytes = self.read_back.take()?;
        Some(bytes.and_then(|bytes| self.canvas(bytes)))
    }

    fn canvas(&self, mut bytes: Vec<u8>) -> Result<Canvas> {
        for pixel in bytes.chunks_exact_mut(4) {
            if self.blue_first {
                pixel.swap(0, 2);
            }
            pixel[3] = 255;
        }
        let whole = Canvas::from_rgba8(self.size, &bytes)?;
        let Some(part) = self.part else {
            return Ok(whole);
        };
        let size = [0, 1].map(|axis| (part.size[axis] as u32).clamp(1, self.size[axis]));
        Ok(whole.part(part.origin.map(|place| place as i32), size))
    }
}
