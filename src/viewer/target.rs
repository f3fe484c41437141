//! Destination of painted frames: the surface of a window, or a texture.

use crate::error::Result;
use crate::gpu::{AdapterRequest, Gpu};

pub trait PaintTarget: Sized {
    /// Format of the textures. It does not convert written values, because the resolved picture is already sRGB.
    fn format(&self) -> wgpu::TextureFormat;

    fn next(&mut self, gpu: &Gpu) -> Option<(wgpu::TextureView, [u32; 2])>;

    fn present(&mut self, gpu: &Gpu);

    /// Opens another device, with a target on it that replaces this one.
    fn reopen(&self, adapter: &AdapterRequest) -> Result<(Gpu, Self)>;
}
