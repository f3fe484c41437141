//! Draws the panel into a picture on the test adapter, as the window does.

use egui::TexturesDelta;
use egui_kittest::TestRenderer;
use image::RgbaImage;

use wavelerp::gpu::{AdapterRequest, Gpu, read_texture};

/// The window's painter on a separate device.
pub struct Painter {
    gpu: Gpu,
    painter: egui_wgpu::Renderer,
}

impl Painter {
    /// Opens the adapter that WAVELERP_ADAPTER names.
    pub fn new() -> Self {
        let gpu = Gpu::open(&AdapterRequest {
            adapter: std::env::var("WAVELERP_ADAPTER").ok(),
            ..AdapterRequest::default()
        })
        .expect("tests need an adapter: cargo xtask test installs one");
        let format = wgpu::TextureFormat::Rgba8Unorm;
        // Without dither, the bytes are nearly equal on every adapter.
        let options = egui_wgpu::RendererOptions::PREDICTABLE;
        let painter = egui_wgpu::Renderer::new(&gpu.device, format, options);
        Self { gpu, painter }
    }
}

impl TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        for (id, deltas) in std::mem::take(&mut delta.set) {
            for delta in deltas {
                self.painter.update_texture(device, queue, id, &delta);
            }
        }
        for id in std::mem::take(&mut delta.free) {
            self.painter.free_texture(&id);
        }
    }

    fn render(
        &mut self,
        ctx: &egui::Context,
        output: &egui::FullOutput,
    ) -> Result<RgbaImage, String> {
        let scale = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * scale;
        let [width, height] = [size.x.round() as u32, size.y.round() as u32];
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [width, height],
            pixels_per_point: scale,
        };
        let primitives = ctx.tessellate(output.shapes.clone(), scale);
        let texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("panel"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        let mut encoder = self.gpu.encoder("panel");
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let uploads =
            self.painter
                .update_buffers(device, queue, &mut encoder, &primitives, &screen);
        let target = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panel"),
            color_attachments: &[Some(target)],
            ..Default::default()
        });
        let mut pass = pass.forget_lifetime();
        self.painter.render(&mut pass, &primitives, &screen);
        drop(pass);
        queue.submit(uploads.into_iter().chain([encoder.finish()]));
        let mut bytes = read_texture(&self.gpu, &texture).map_err(|error| error.to_string())?;
        bytes.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        RgbaImage::from_raw(width, height, bytes).ok_or_else(|| "wrong size".to_owned())
    }
}
