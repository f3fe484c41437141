//! What frames are painted into: the surface of a window, or a texture.

use crate::error::Result;
use crate::gpu::{AdapterRequest, Gpu};

pub trait Target: Sized {
    /// The format of the textures. It does not convert what is written: the resolved picture is sRGB already.
    fn format(&self) -> wgpu::TextureFormat;

    /// The next texture and its size in pixels, if there is one now.
    fn next(&mut self, gpu: &Gpu) -> Option<(wgpu::TextureView, [u32; 2])>;

    fn present(&mut self, gpu: &Gpu);

    /// Opens another device, with a target on it that takes the place of this one.
    fn reopen(&self, adapter: &AdapterRequest) -> Result<(Gpu, Self)>;
}
