//! The surface of a window, as a target that is presented on a display.

use std::sync::Arc;

use winit::window::Window;

use crate::error::{Error, Result};
use crate::gpu::device::renderdoc;
use crate::gpu::{AdapterRequest, Gpu};
use crate::workers::waited;

use super::frame::PaintTarget;

pub(super) struct Surface {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    /// The width is zero until the surface is configured, and when it must be reconfigured.
    config: wgpu::SurfaceConfiguration,
    texture: Option<wgpu::SurfaceTexture>,
}

impl Surface {
    /// Opens the requested adapter and the surface of `window`, without configuring it.
    pub async fn open(adapter: &AdapterRequest, window: &Arc<Window>) -> Result<(Gpu, Self)> {
        let (gpu, surface, capabilities) =
            Gpu::open_for_window(adapter, Arc::clone(window)).await?;
        renderdoc::leave_window_alone();
        let format = egui_wgpu::preferred_framebuffer_format(&capabilities.formats);
        let format = format.map_err(|_| {
            Error::unavailable(format!(
                "{} cannot draw into this window; choose another with --adapter",
                gpu.caps.name
            ))
        })?;
        let config = wgpu::SurfaceConfiguration {
            // If possible, a CPU adapter copies the painting that it keeps.
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | capabilities.usages & wgpu::TextureUsages::COPY_DST,
            format,
            color_space: Default::default(),
            width: 0,
            height: 0,
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        };
        let surface = Self {
            window: Arc::clone(window),
            surface,
            config,
            texture: None,
        };
        Ok((gpu, surface))
    }

    pub fn configure(&mut self, gpu: &Gpu, vsync: bool) {
        let present_mode = if vsync {
            wgpu::PresentMode::AutoVsync
        } else {
            wgpu::PresentMode::AutoNoVsync
        };
        let size = self.window.inner_size();
        let (width, height) = (size.width.max(1), size.height.max(1));
        let same = (self.config.width, self.config.height) == (width, height)
            && self.config.present_mode == present_mode;
        if !same {
            self.texture = None;
            self.config.width = width;
            self.config.height = height;
            self.config.present_mode = present_mode;
            self.surface.configure(&gpu.device, &self.config);
        }
    }
}

impl PaintTarget for Surface {
    fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Returns `None` if the surface is hidden, late or outdated.
    fn next(&mut self, _: &Gpu) -> Option<(wgpu::TextureView, [u32; 2])> {
        use wgpu::CurrentSurfaceTexture as Current;
        // A texture that was not presented must be dropped first.
        self.texture = None;
        self.texture = match self.surface.get_current_texture() {
            Current::Success(texture) | Current::Suboptimal(texture) => Some(texture),
            Current::Outdated | Current::Lost => {
                self.config.width = 0;
                None
            }
            Current::Timeout | Current::Occluded | Current::Validation => None,
        };
        let view = self
            .texture
            .as_ref()?
            .texture
            .create_view(&Default::default());
        Some((view, [self.config.width, self.config.height]))
    }

    fn present(&mut self, gpu: &Gpu) {
        if let Some(texture) = self.texture.take() {
            gpu.queue.present(texture);
        }
    }

    fn reopen(&self, adapter: &AdapterRequest) -> Result<(Gpu, Self)> {
        let opened = waited(Self::open(adapter, &self.window));
        opened.unwrap_or_else(|| Err(Error::unavailable("the page must be loaded again")))
    }
}
