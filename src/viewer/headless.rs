//! A host of the viewer that draws into a texture, for documents, tests, and machines with a GPU but no display.

use web_time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::gpu::{AdapterRequest, Gpu, read_texture, texture};
use crate::report::canvas::Canvas;
use crate::runs::verify::self_test::choose;

use super::frame::{FrameOutput, PaintTarget, Viewer};
use super::start::Start;

/// The resolved picture is already sRGB.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub struct Headless {
    pub viewer: Viewer,
    texture: wgpu::Texture,
    scale: f32,
    begun: Instant,
    /// Elapsed time for the clock, blinking and the camera. Only [`Headless::frame_after`] advances it.
    elapsed: Duration,
}

impl Headless {
    /// Like [`Headless::starting`], with clock and methods already tested before the first frame.
    pub fn new(start: Start, size: [u32; 2], scale: f32) -> Result<Self> {
        let names = start.request.methods().to_vec();
        let mut started = Self::starting(start, size, scale)?;
        started.viewer.finish_tests()?;
        choose(&names, &started.viewer.state.machine.statuses)?;
        Ok(started)
    }

    /// Opens the adapter, and a window of `size` pixels with `scale` pixels per point.
    pub fn starting(start: Start, size: [u32; 2], scale: f32) -> Result<Self> {
        let gpu = Gpu::open(&start.adapter)?;
        let longest = gpu.caps.max_texture_edge;
        if size.iter().any(|edge| *edge > longest) {
            return Err(Error::usage(format!(
                "a window of {}x{} pixels is too large: this adapter allows at most {longest} pixels per edge",
                size[0], size[1]
            )));
        }
        Ok(Self {
            texture: texture_of(&gpu, size),
            viewer: Viewer::new(start, gpu, FORMAT)?,
            scale,
            begun: Instant::now(),
            elapsed: Duration::ZERO,
        })
    }

    /// Draws one frame, and waits until all read-backs have arrived. The input's `time` drives the panes' animations.
    pub fn frame(&mut self, input: egui::RawInput) -> Result<FrameOutput> {
        self.frame_after(Duration::ZERO, input)
    }

    /// Like [`Headless::frame`], but lets `time` pass after the previous frame.
    pub fn frame_after(&mut self, time: Duration, input: egui::RawInput) -> Result<FrameOutput> {
        self.elapsed += time;
        let size = [self.texture.width(), self.texture.height()];
        let points = size.map(|edge| edge as f32 / self.scale);
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, points.into())),
            time: input.time.or(Some(self.begun.elapsed().as_secs_f64())),
            max_texture_side: Some(self.viewer.gpu().caps.max_texture_edge as usize),
            ..input
        };
        let window = input.viewports.entry(input.viewport_id).or_default();
        window.native_pixels_per_point = Some(self.scale);
        // A headless window never pauses.
        self.viewer.wake();
        let now = self.begun + self.elapsed;
        let output = self.viewer.frame(input, now, &mut self.texture)?;
        self.viewer.gpu().wait()?;
        Ok(FrameOutput {
            shown: Ok(output.shown?),
            ..output
        })
    }

    pub fn picture(&self) -> Result<Canvas> {
        let bytes = read_texture(self.viewer.gpu(), &self.texture)?;
        let size = [self.texture.width(), self.texture.height()];
        Canvas::from_rgba8(size, &bytes)
    }

    pub fn resize(&mut self, size: [u32; 2]) {
        self.texture = texture_of(self.viewer.gpu(), size);
    }
}

fn texture_of(gpu: &Gpu, [width, height]: [u32; 2]) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT
        | wgpu::TextureUsages::COPY_SRC
        | wgpu::TextureUsages::COPY_DST;
    texture(gpu, "window", [width, height, 1], FORMAT, usage)
}

impl PaintTarget for wgpu::Texture {
    fn format(&self) -> wgpu::TextureFormat {
        wgpu::Texture::format(self)
    }

    fn next(&mut self, _: &Gpu) -> Option<(wgpu::TextureView, [u32; 2])> {
        let view = self.create_view(&Default::default());
        Some((view, [self.width(), self.height()]))
    }

    fn present(&mut self, _: &Gpu) {}

    fn reopen(&self, adapter: &AdapterRequest) -> Result<(Gpu, Self)> {
        let gpu = Gpu::open(adapter)?;
        let texture = texture_of(&gpu, [self.width(), self.height()]);
        Ok((gpu, texture))
    }
}
