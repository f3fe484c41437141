//! The window's surface, and the frames that are presented on it.

use std::sync::Arc;

use winit::window::Window;

use crate::error::{Error, Result};
use crate::gpu::{Gpu, Pipelines};

use super::grab::Grab;
use super::painter::{Painter, Painting, Shown, What};

/// A window's surface and what draws into it.
pub struct Graphics {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    painter: Painter,
}

/// A frame that was shown.
pub struct Presented {
    /// The picture that is on its way back, if one was asked for.
    pub grab: Option<Grab>,
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
        Ok(Self {
            surface,
            config,
            painter: Painter::new(gpu, pipelines, format)?,
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

    /// Presents `shown` with the panes over it; `grab` says which picture of that is read back to the CPU.
    /// Returns nothing if the surface has no texture for this frame: it is hidden, late or outdated.
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
        let view = texture.texture.create_view(&Default::default());
        let target = (&view, self.size());
        let (commands, grab) = self.painter.record(gpu, target, shown, painting, grab)?;
        gpu.queue.submit(commands);
        if let Some(grab) = &grab {
            grab.start();
        }
        gpu.queue.present(texture);
        self.painter.free_unused();
        Ok(Some(Presented { grab }))
    }

    /// Has images at their own size read back, as [`Painter::grab_alone`] does.
    pub fn grab(&self, gpu: &Gpu, shown: &Shown) -> Result<Grab> {
        self.painter.grab_alone(gpu, shown)
    }

    /// Takes over the panes' textures; those it gives up are freed after the next presentation.
    pub fn take_textures(&mut self, gpu: &Gpu, textures: egui::TexturesDelta) {
        self.painter.take_textures(gpu, textures);
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
