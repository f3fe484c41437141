//! The window's surface, the pipeline that presents the picture, and the painter of the panes.

use std::sync::Arc;

use winit::window::Window;

use crate::error::{Error, Result};
use crate::gpu::draw::{Draw, DrawPipeline};
use crate::gpu::layout::PresentUniform;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Gpu, Pipelines, texture, uniform_buffer};
use crate::render::passes;

use super::grab::Grab;
use super::placement::Room;

/// What is seen where neither a pane nor a picture is: the dark that `shaders/present.wesl` puts around a picture.
const BEHIND: wgpu::Color = wgpu::Color {
    r: 0.055,
    g: 0.06,
    b: 0.07,
    a: 1.0,
};

/// A window's surface and what draws into it.
pub struct Graphics {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    pipeline: Arc<DrawPipeline>,
    /// Uniforms of the images on screen: as many as there ever were.
    presents: Vec<Present>,
    painter: egui_wgpu::Renderer,
    unused_textures: Vec<egui::TextureId>,
}

/// An image on screen.
pub struct ShownImage {
    /// The part of the window that it may cover.
    pub room: Room,
    /// Column and row among the images.
    pub cell: [u32; 2],
    /// Where and how.
    pub uniform: PresentUniform,
}

/// What the picture pane shows.
pub struct Shown<'a> {
    /// The images; none while the pane is hidden.
    pub images: Vec<ShownImage>,
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// The images at their own size, without panes and labels.
    View,
    /// A part of the window, as it is on screen.
    Part(Room),
    /// The window with its panes.
    Window,
}

/// A frame that was shown.
pub struct Presented {
    /// The picture that is on its way back, if one was asked for.
    pub grab: Option<Grab>,
}

/// The panes, as triangles.
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
            presents: Vec::new(),
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

    /// Presents `shown` with the panes over it; `grab` says which picture of that is read back to the CPU.
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
        self.fit_presents(gpu, &shown.images);
        let target = (&view, self.size());
        self.paint(gpu, &mut encoder, target, shown, &self.presents, over)?;
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

    /// Writes the images' uniforms.
    fn fit_presents(&mut self, gpu: &Gpu, images: &[ShownImage]) {
        for (index, image) in images.iter().enumerate() {
            match self.presents.get(index) {
                Some(present) => {
                    let bytes = bytemuck::bytes_of(&image.uniform);
                    gpu.queue.write_buffer(&present.uniform, 0, bytes);
                }
                None => self.presents.push(Present::new(gpu, &image.uniform)),
            }
        }
    }

    /// Paints what is shown a second time, into a texture that can be copied: the surface's own may not.
    fn grab(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        shown: &Shown,
        what: What,
        panes: (&Painting, &egui_wgpu::ScreenDescriptor),
    ) -> Result<Grab> {
        let unscaled = match what {
            What::View => Some(unscaled(shown)),
            What::Part(_) | What::Window => None,
        };
        let (size, panes) = match &unscaled {
            Some((_, size)) => (*size, None),
            None => (self.size(), Some(panes)),
        };
        let shown = unscaled.as_ref().map_or(shown, |(shown, _)| shown);
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let extent = [size[0], size[1], 1];
        let texture = texture(gpu, "screenshot", extent, self.config.format, usage);
        let view = texture.create_view(&Default::default());
        // Both are painted in one submission, which sees only what was written last into a buffer.
        let images = shown.images.iter();
        let presents: Vec<Present> = images
            .map(|image| Present::new(gpu, &image.uniform))
            .collect();
        self.paint(gpu, encoder, (&view, size), shown, &presents, panes)?;
        let part = match what {
            What::Part(room) => Some(room),
            What::View | What::Window => None,
        };
        Ok(Grab::record(gpu, encoder, &texture, part))
    }

    /// Paints the images, and the panes if they are wanted, into a `target` of so many pixels.
    fn paint(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (view, size): (&wgpu::TextureView, [u32; 2]),
        shown: &Shown,
        presents: &[Present],
        panes: Option<(&Painting, &egui_wgpu::ScreenDescriptor)>,
    ) -> Result<()> {
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(passes::UI),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(BEHIND),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        for (image, present) in shown.images.iter().zip(presents) {
            let Some([x, y, width, height]) = scissors(image.room, size) else {
                continue;
            };
            pass.set_scissor_rect(x, y, width, height);
            let sets = [shown.pictures, &present.binds];
            self.pipeline.set(gpu, &mut pass, &sets)?;
            pass.draw(0..3, 0..1);
        }
        pass.set_scissor_rect(0, 0, size[0], size[1]);
        if let Some((painting, screen)) = panes {
            self.painter.render(&mut pass, &painting.primitives, screen);
        }
        Ok(())
    }

    /// Takes over the panes' textures; those it gives up are freed after the next presentation.
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

/// The images at their own size, in rows and columns as on screen, and the size of them together.
fn unscaled<'a>(shown: &Shown<'a>) -> (Shown<'a>, [u32; 2]) {
    let mut size = [1; 2];
    let mut image = |image: &ShownImage| {
        let own = image.uniform.size;
        let corner = [0, 1].map(|axis| image.cell[axis] * own[axis]);
        size = [0, 1].map(|axis| size[axis].max(corner[axis] + own[axis]));
        let origin = corner.map(|place| place as f32);
        ShownImage {
            room: Room {
                origin,
                size: own.map(|edge| edge as f32),
            },
            cell: image.cell,
            uniform: PresentUniform {
                origin,
                scale: [1.0; 2],
                ..image.uniform
            },
        }
    };
    let images = shown.images.iter().map(&mut image).collect();
    let pictures = shown.pictures;
    (Shown { images, pictures }, size)
}

/// The pixels of a target that a room covers: left, top, width, height; nothing where it covers none.
fn scissors(room: Room, size: [u32; 2]) -> Option<[u32; 4]> {
    let [left, top] = [0, 1].map(|axis| (room.origin[axis].max(0.0) as u32).min(size[axis]));
    let [right, bottom] = [0, 1].map(|axis| {
        let end = (room.origin[axis] + room.size[axis]).max(0.0) as u32;
        end.min(size[axis])
    });
    (right > left && bottom > top).then(|| [left, top, right - left, bottom - top])
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
