//! The window's surface, the pipeline that presents the picture, and the painter of the panel.

use std::sync::Arc;

use winit::window::Window;

use crate::error::{Error, Result};
use crate::gpu::draw::{Draw, DrawPipeline};
use crate::gpu::layout::PresentUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Gpu, Pipelines, texture, uniform_buffer};
use crate::render::passes;

use super::grab::Grab;

/// A window's surface and what draws into it.
pub struct Graphics {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    pipeline: Arc<DrawPipeline>,
    present: Present,
    painter: egui_wgpu::Renderer,
    unused_textures: Vec<egui::TextureId>,
}

/// What the picture area shows.
pub struct Shown<'a> {
    /// Where and how.
    pub uniform: PresentUniform,
    /// The results of A and B and the debug view's values, under the names that the shader knows them by.
    pub pictures: &'a Binds,
}

/// Where and how a picture is presented, on the GPU.
struct Present {
    uniform: wgpu::Buffer,
    binds: Binds,
}

impl Present {
    fn new(gpu: &Gpu, value: &PresentUniform) -> Self {
        let uniform = uniform_buffer(gpu, "present", value);
        Self {
            binds: Binds::new([("present", uniform.as_entire_binding())]),
            uniform,
        }
    }
}

/// Which picture is to be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The view at its own size, without the panel.
    View,
    /// The window with the panel.
    Window,
}

/// A frame that was shown.
pub struct Presented {
    /// The picture that is on its way back, if one was asked for.
    pub grab: Option<Grab>,
}

/// The panel, as triangles.
pub struct Painting {
    /// Triangles.
    pub primitives: Vec<egui::ClippedPrimitive>,
    /// Physical pixels per point.
    pub pixels_per_point: f32,
}

/// A format that does not convert what is written to it: the resolved picture is sRGB already.
fn format_of(capabilities: &wgpu::SurfaceCapabilities) -> Option<wgpu::TextureFormat> {
    let plain = [
        wgpu::TextureFormat::Bgra8Unorm,
        wgpu::TextureFormat::Rgba8Unorm,
    ];
    plain
        .into_iter()
        .find(|format| capabilities.formats.contains(format))
        .or_else(|| capabilities.formats.first().copied())
}

impl Graphics {
    /// Configures `surface` for `window` and compiles what presents into it.
    ///
    /// # Errors
    /// The adapter cannot draw into the surface, or a shader does not compile.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        surface: wgpu::Surface<'static>,
        capabilities: &wgpu::SurfaceCapabilities,
        window: &Arc<Window>,
    ) -> Result<Self> {
        let format = format_of(capabilities).ok_or_else(|| {
            Error::unavailable(format!(
                "{} cannot draw into this window; choose another with --adapter",
                gpu.caps.name
            ))
        })?;
        let size = window.inner_size();
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            color_space: Default::default(),
            width: size.width.max(1),
            height: size.height.max(1),
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        };
        surface.configure(&gpu.device, &config);
        let pipeline = present_pipeline(gpu, pipelines, format)?;
        Ok(Self {
            surface,
            config,
            pipeline,
            present: Present::new(gpu, &PresentUniform::default()),
            painter: egui_wgpu::Renderer::new(&gpu.device, format, Default::default()),
            unused_textures: Vec::new(),
        })
    }

    /// Follows the window's size and the v-sync switch.
    pub fn configure(&mut self, gpu: &Gpu, size: [u32; 2], vsync: bool) {
        let present_mode = if vsync {
            wgpu::PresentMode::AutoVsync
        } else {
            wgpu::PresentMode::AutoNoVsync
        };
        let [width, height] = size.map(|edge| edge.max(1));
        let same = (self.config.width, self.config.height) == (width, height)
            && self.config.present_mode == present_mode;
        if !same {
            self.config.width = width;
            self.config.height = height;
            self.config.present_mode = present_mode;
            self.surface.configure(&gpu.device, &self.config);
        }
    }

    /// The surface's size, physical pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Presents `shown` with the panel over it; `grab` says which picture of that is read back to the CPU.
    /// Returns nothing if the surface has no texture for this frame: it is hidden, late or outdated.
    ///
    /// # Errors
    /// The device failed, or a resource is missing, which is a bug.
    pub fn present(
        &mut self,
        gpu: &Gpu,
        shown: &Shown,
        painting: &Painting,
        grab: Option<What>,
    ) -> Result<Option<Presented>> {
        // egui's painter does not expect to be without a device.
        gpu.check()?;
        let Some(texture) = self.next_texture(gpu) else {
            return Ok(None);
        };
        let mut encoder = gpu.encoder(passes::UI);
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: self.size(),
            pixels_per_point: painting.pixels_per_point,
        };
        let uploads = self.painter.update_buffers(
            &gpu.device,
            &gpu.queue,
            &mut encoder,
            &painting.primitives,
            &screen,
        );
        let view = texture.texture.create_view(&Default::default());
        let over = Some((painting, &screen));
        gpu.queue
            .write_buffer(&self.present.uniform, 0, bytemuck::bytes_of(&shown.uniform));
        self.paint(gpu, &mut encoder, &view, shown, &self.present, over)?;
        let grab = grab
            .map(|what| self.grab(gpu, &mut encoder, shown, what, (painting, &screen)))
            .transpose()?;
        gpu.queue
            .submit(uploads.into_iter().chain([encoder.finish()]));
        if let Some(grab) = &grab {
            grab.start();
        }
        gpu.queue.present(texture);
        for id in self.unused_textures.drain(..) {
            self.painter.free_texture(&id);
        }
        Ok(Some(Presented { grab }))
    }

    /// Paints what is shown a second time, into a texture that can be copied: the surface's own may not.
    fn grab(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        shown: &Shown,
        what: What,
        panel: (&Painting, &egui_wgpu::ScreenDescriptor),
    ) -> Result<Grab> {
        let (size, uniform, panel) = match what {
            What::View => (shown.uniform.size, unscaled(shown.uniform), None),
            What::Window => (self.size(), shown.uniform, Some(panel)),
        };
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let extent = [size[0], size[1], 1];
        let texture = texture(gpu, "screenshot", extent, self.config.format, usage);
        let view = texture.create_view(&Default::default());
        // Both are painted in one submission, which sees only what was written last into a buffer.
        let present = Present::new(gpu, &uniform);
        self.paint(gpu, encoder, &view, shown, &present, panel)?;
        Ok(Grab::record(gpu, encoder, &texture))
    }

    /// Paints the picture, and the panel if there is one, into `view`.
    fn paint(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        shown: &Shown,
        present: &Present,
        panel: Option<(&Painting, &egui_wgpu::ScreenDescriptor)>,
    ) -> Result<()> {
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(passes::UI),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        let sets = [shown.pictures, &present.binds];
        self.pipeline.set(gpu, &mut pass, &sets)?;
        pass.draw(0..3, 0..1);
        if let Some((painting, screen)) = panel {
            self.painter.render(&mut pass, &painting.primitives, screen);
        }
        Ok(())
    }

    /// Takes over the panel's textures; those it gives up are freed after the next presentation.
    pub fn take_textures(&mut self, gpu: &Gpu, mut textures: egui::TexturesDelta) {
        for (id, deltas) in std::mem::take(&mut textures.set) {
            for delta in deltas {
                self.painter
                    .update_texture(&gpu.device, &gpu.queue, id, &delta);
            }
        }
        self.unused_textures
            .extend(std::mem::take(&mut textures.free));
    }

    /// The next texture to draw into, if there is one now.
    fn next_texture(&mut self, gpu: &Gpu) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture as Current;
        match self.surface.get_current_texture() {
            Current::Success(texture) | Current::Suboptimal(texture) => Some(texture),
            Current::Outdated | Current::Lost => {
                self.surface.configure(&gpu.device, &self.config);
                None
            }
            Current::Timeout | Current::Occluded | Current::Validation => None,
        }
    }
}

/// Presents the picture in its own size, from the top left corner.
fn unscaled(shown: PresentUniform) -> PresentUniform {
    PresentUniform {
        origin: [0.0; 2],
        scale: [1.0; 2],
        ..shown
    }
}

fn present_pipeline(
    gpu: &Gpu,
    pipelines: &Pipelines,
    format: wgpu::TextureFormat,
) -> Result<Arc<DrawPipeline>> {
    let draw = Draw {
        label: "present",
        vertex: "cover",
        fragment: Some("show"),
        stages: wgpu::ShaderStages::FRAGMENT,
        primitive: Default::default(),
        vertices: None,
        depth: None,
        target: Some(format.into()),
    };
    pipelines.draw(gpu, &Variant::new("present"), &draw)
}
