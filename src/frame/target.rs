use crate::gpu::{Binds, Gpu, storage_buffer, texture, uniform_buffer};

use super::resources::texture_bytes;

/// Destination of a method's result. A frame has one, and a comparison on screen has two.
pub struct Target {
    /// Result: (rgb, T) per pixel, row-major.
    pub composites: wgpu::Buffer,
    /// Wave size of the composite, and number of pixels with sums beyond half floats.
    pub ran_at: wgpu::Buffer,
    /// The final picture as sRGB bytes.
    pub resolved: wgpu::Texture,
    pub resolved_view: wgpu::TextureView,
    /// On a CPU adapter, methods composite only this section and leave other pixels unchanged.
    section: wgpu::Buffer,
    binds: Binds,
    toned_out: Binds,
}

impl Target {
    /// A target for a frame of `size` pixels. [`Resources::new`](super::Resources::new) has already checked the size.
    pub fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Self {
        use wgpu::BindingResource::TextureView;
        let resolved = texture(
            gpu,
            "resolved",
            [width, height, 1],
            wgpu::TextureFormat::Rgba8Unorm,
            wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
        );
        let pixels = u64::from(width) * u64::from(height);
        let composites = storage_buffer(gpu, "composites", pixels * 16);
        let ran_at = storage_buffer(gpu, "wave size", 8);
        let section = uniform_buffer(gpu, "section", &[0, 0, width, height]);
        let resolved_view = resolved.create_view(&Default::default());
        Self {
            binds: Binds::new([
                ("composites", composites.as_entire_binding()),
                ("ran_at", ran_at.as_entire_binding()),
                ("section", section.as_entire_binding()),
                ("resolved", TextureView(&resolved_view)),
            ]),
            toned_out: Binds::new([("toned_out", TextureView(&resolved_view))]),
            composites,
            ran_at,
            section,
            resolved,
            resolved_view,
        }
    }

    pub fn binds(&self) -> &Binds {
        &self.binds
    }

    /// Restricts methods to the tiles between the given pixels: left, top, and the exclusive right and bottom.
    pub fn set_section(&self, gpu: &Gpu, section: [u32; 4]) {
        let bytes = bytemuck::bytes_of(&section);
        gpu.queue.write_buffer(&self.section, 0, bytes);
    }

    pub(crate) fn section(&self) -> &wgpu::Buffer {
        &self.section
    }

    /// The final picture as output `toned_out`, for frames without antialiasing.
    pub fn toned_out(&self) -> &Binds {
        &self.toned_out
    }

    pub fn bytes(&self) -> u64 {
        let buffers = self.composites.size() + self.ran_at.size();
        buffers + texture_bytes(&self.resolved)
    }
}
