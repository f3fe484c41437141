//! Paints the pictures, and the panes above them, into the window's texture or one that is read back.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::pipeline::draw::{Draw, DrawPipeline};
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Gpu, Pipelines, color_attachment, sampler, texture, uniform_buffer};
use crate::model::layout::{ENLARGED, PresentUniform};
use crate::model::passes::Pass;

use super::grab::Grab;
use super::placement::Room;
use super::repaint::{Area, Painted, Piece};

/// Background of panes and pictures: the same dark colour as in `shaders/inspect/present.wesl`.
const BEHIND: wgpu::Color = wgpu::Color {
    r: 0.055,
    g: 0.06,
    b: 0.07,
    a: 1.0,
};

pub struct ShownImage {
    /// Area of the window that the picture may cover.
    pub room: Room,
    pub cell: [u32; 2],
    pub uniform: PresentUniform,
}

pub struct ShownPictures<'a> {
    pub images: Vec<ShownImage>,
    /// Results of A and B, and values of the debug view, under the names that shaders use.
    pub pictures: &'a Binds,
    /// Version of the pictures: at least one of the two numbers changes when the pictures change.
    pub frame: [u64; 2],
}

struct PaintedWindow {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    painted: Painted,
}

struct Present {
    uniform: wgpu::Buffer,
    binds: Binds,
    mode: u32,
}

impl Present {
    fn new(gpu: &Gpu, value: &PresentUniform) -> Self {
        let uniform = uniform_buffer(gpu, "present", value);
        Self {
            binds: Binds::new([("present", uniform.as_entire_binding())]),
            uniform,
            mode: value.mode,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// The images at their own resolution, without panes and labels.
    View,
    Part(Room),
    Window,
}

pub struct Painting {
    pub primitives: Vec<egui::ClippedPrimitive>,
    pub pixels_per_point: f32,
}

pub struct ImagePipelines {
    pub format: wgpu::TextureFormat,
    picture: Arc<DrawPipeline>,
    enlarged: Arc<DrawPipeline>,
    /// Differences and debug views.
    other: Arc<DrawPipeline>,
    /// Sampler for enlarged pictures.
    blend: Binds,
}

pub struct Painter {
    pub images: ImagePipelines,
    /// Uniforms of the images on screen. The list never shrinks.
    presents: Vec<Present>,
    behind: Present,
    /// The last painting, kept on a CPU adapter if targets can be copied to.
    kept: Option<PaintedWindow>,
    is_cpu: bool,
    panes: egui_wgpu::Renderer,
    unused_textures: Vec<egui::TextureId>,
}

impl ImagePipelines {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, format: wgpu::TextureFormat) -> Result<Self> {
        let draw = |fragment| Draw {
            label: "present",
            vertex: "cover",
            fragment: Some(fragment),
            stages: wgpu::ShaderStages::FRAGMENT,
            primitive: Default::default(),
            vertices: None,
            depth: None,
            targets: vec![format.into()],
        };
        let variant = Variant::new("inspect/present");
        let pipeline = |fragment| pipelines.draw(gpu, &variant, &draw(fragment));
        let blend = sampler(gpu, "enlarged pictures", None);
        Ok(Self {
            format,
            picture: pipeline("show_picture")?,
            enlarged: pipeline("show_enlarged")?,
            other: pipeline("show")?,
            blend: Binds::new([("blend", wgpu::BindingResource::Sampler(&blend))]),
        })
    }

    /// Paints a pixel with each pipeline, to check that all of them can bind the `pictures`.
    pub fn try_out(&self, gpu: &Gpu, pictures: &Binds) -> Result<()> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let target = texture(gpu, "trial", [1; 3], self.format, usage);
        let present = Present::new(gpu, &PresentUniform::default());
        let mut encoder = gpu.encoder(Pass::Ui.label());
        let view = target.create_view(&Default::default());
        let mut pass = begin(&mut encoder, &view, wgpu::LoadOp::Clear(BEHIND));
        for pipeline in [&self.picture, &self.enlarged, &self.other] {
            pipeline.set(&mut pass, &[pictures, &present.binds, &self.blend])?;
            pass.draw(0..3, 0..1);
        }
        drop(pass);
        gpu.submit_and_wait(encoder.finish())
    }
}

impl Painter {
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, format: wgpu::TextureFormat) -> Result<Self> {
        Ok(Self {
            images: ImagePipelines::new(gpu, pipelines, format)?,
            presents: Vec::new(),
            behind: Present::new(gpu, &PresentUniform::default()),
            kept: None,
            is_cpu: gpu.caps.is_cpu,
            panes: egui_wgpu::Renderer::new(&gpu.device, format, Default::default()),
            unused_textures: Vec::new(),
        })
    }

    pub fn change(&mut self, images: ImagePipelines) {
        (self.images, self.kept) = (images, None);
    }

    /// Records the painting of `shown` and the panes. Returns commands to submit, and the picture that `grab` selects.
    pub fn record(
        &mut self,
        gpu: &Gpu,
        (view, size): (&wgpu::TextureView, [u32; 2]),
        shown: &ShownPictures,
        painting: &mut Painting,
        grab: Option<What>,
    ) -> Result<(Vec<wgpu::CommandBuffer>, Option<Grab>)> {
        let mut encoder = gpu.encoder(Pass::Ui.label());
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: size,
            pixels_per_point: painting.pixels_per_point,
        };
        let mut commands = self.panes.update_buffers(
            &gpu.device,
            &gpu.queue,
            &mut encoder,
            &painting.primitives,
            &screen,
        );
        self.fit_presents(gpu, &shown.images);
        let can_copy = view
            .texture()
            .usage()
            .contains(wgpu::TextureUsages::COPY_DST);
        if self.is_cpu && can_copy {
            self.repaint(gpu, &mut encoder, (view, size), shown, painting)?;
        } else {
            let over = Some((&*painting, &screen));
            self.paint(&mut encoder, (view, size), shown, &self.presents, over)?;
        }
        let grab = grab
            .map(|what| self.grab(gpu, &mut encoder, shown, what, (&*painting, &screen)))
            .transpose()?;
        commands.push(encoder.finish());
        Ok((commands, grab))
    }

    /// Repaints the areas that changed since the last painting, and copies the whole painting into the target.
    fn repaint(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (view, size): (&wgpu::TextureView, [u32; 2]),
        shown: &ShownPictures,
        painting: &mut Painting,
    ) -> Result<()> {
        let (extent, format) = ([size[0], size[1], 1], self.images.format);
        let fits = |kept: &PaintedWindow| kept.texture.size() == view.texture().size();
        let mut kept = self.kept.take().filter(fits).unwrap_or_else(|| {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
            let texture = texture(gpu, "window", extent, format, usage);
            PaintedWindow {
                view: texture.create_view(&Default::default()),
                texture,
                painted: Painted::default(),
            }
        });
        let scale = painting.pixels_per_point;
        let images = shown.images.iter().map(|image| {
            let look = (bytemuck::bytes_of(&image.uniform), shown.frame);
            Piece::of(image.area(size), look)
        });
        let panes = painting.primitives.iter();
        let panes = panes.flat_map(|of| Piece::of_panes(of, scale, size));
        let areas = kept.painted.follow(images.chain(panes).collect(), size);
        let clips: Vec<_> = painting.primitives.iter().map(|of| of.clip_rect).collect();
        for area in areas {
            let points = |[x, y]: [u32; 2]| egui::pos2(x as f32, y as f32) / scale;
            let part = egui::Rect::from_min_max(points(area.low), points(area.high));
            for (of, clip) in painting.primitives.iter_mut().zip(&clips) {
                of.clip_rect = clip.intersect(part);
            }
            let screen = egui_wgpu::ScreenDescriptor {
                size_in_pixels: size,
                pixels_per_point: scale,
            };
            let is_whole = area == Area::whole(size);
            let load = match is_whole {
                true => wgpu::LoadOp::Clear(BEHIND),
                false => wgpu::LoadOp::Load,
            };
            let mut pass = begin(encoder, &kept.view, load);
            if !is_whole {
                self.present(&mut pass, (&self.behind, area), shown.pictures)?;
            }
            for (image, present) in shown.images.iter().zip(&self.presents) {
                let seen = (present, image.area(size).within(&area));
                self.present(&mut pass, seen, shown.pictures)?;
            }
            pass.set_scissor_rect(0, 0, size[0], size[1]);
            self.panes.render(&mut pass, &painting.primitives, &screen);
        }
        for (of, clip) in painting.primitives.iter_mut().zip(clips) {
            of.clip_rect = clip;
        }
        let target = view.texture();
        let whole = target.size();
        let [from, to] = [kept.texture.as_image_copy(), target.as_image_copy()];
        encoder.copy_texture_to_texture(from, to, whole);
        self.kept = Some(kept);
        Ok(())
    }

    fn present(
        &self,
        pass: &mut wgpu::RenderPass,
        (present, area): (&Present, Area),
        pictures: &Binds,
    ) -> Result<()> {
        if area.is_empty() {
            return Ok(());
        }
        let [width, height] = [0, 1].map(|axis| area.high[axis] - area.low[axis]);
        pass.set_scissor_rect(area.low[0], area.low[1], width, height);
        let pipeline = match present.mode {
            0 => &self.images.picture,
            ENLARGED => &self.images.enlarged,
            _ => &self.images.other,
        };
        pipeline.set(pass, &[pictures, &present.binds, &self.images.blend])?;
        pass.draw(0..3, 0..1);
        Ok(())
    }

    /// Frees textures of panes that no submitted frame uses any more.
    pub fn free_unused(&mut self) {
        for id in self.unused_textures.drain(..) {
            self.panes.free_texture(&id);
        }
    }

    fn fit_presents(&mut self, gpu: &Gpu, images: &[ShownImage]) {
        for (index, image) in images.iter().enumerate() {
            match self.presents.get_mut(index) {
                Some(present) => {
                    present.mode = image.uniform.mode;
                    let bytes = bytemuck::bytes_of(&image.uniform);
                    gpu.queue.write_buffer(&present.uniform, 0, bytes);
                }
                None => self.presents.push(Present::new(gpu, &image.uniform)),
            }
        }
    }

    /// Paints images at their own resolution, without panes, and reads the picture back.
    pub fn grab_alone(&self, gpu: &Gpu, shown: &ShownPictures) -> Result<Grab> {
        let mut encoder = gpu.encoder(Pass::Ui.label());
        let (shown, size) = unscaled(shown);
        let grab = self.paint_apart(gpu, &mut encoder, (&shown, size), None, None)?;
        gpu.queue.submit([encoder.finish()]);
        grab.start();
        Ok(grab)
    }

    fn grab(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        shown: &ShownPictures,
        what: What,
        panes: (&Painting, &egui_wgpu::ScreenDescriptor),
    ) -> Result<Grab> {
        let on_screen = (shown, panes.1.size_in_pixels);
        match what {
            What::View => {
                let (shown, size) = unscaled(shown);
                self.paint_apart(gpu, encoder, (&shown, size), None, None)
            }
            What::Part(room) => self.paint_apart(gpu, encoder, on_screen, Some(panes), Some(room)),
            What::Window => self.paint_apart(gpu, encoder, on_screen, Some(panes), None),
        }
    }

    /// Paints into another texture, because the surface's cannot be copied from. Reads back `part` of it.
    fn paint_apart(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (shown, size): (&ShownPictures, [u32; 2]),
        panes: Option<(&Painting, &egui_wgpu::ScreenDescriptor)>,
        part: Option<Room>,
    ) -> Result<Grab> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let extent = [size[0], size[1], 1];
        let texture = texture(gpu, "screenshot", extent, self.images.format, usage);
        let view = texture.create_view(&Default::default());
        // This painting needs separate uniforms, because the window may be painted in the same submission. A submission
        // uses only the last write to a buffer.
        let images = shown.images.iter();
        let presents: Vec<Present> = images
            .map(|image| Present::new(gpu, &image.uniform))
            .collect();
        self.paint(encoder, (&view, size), shown, &presents, panes)?;
        Ok(Grab::record(gpu, encoder, &texture, part))
    }

    fn paint(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (view, size): (&wgpu::TextureView, [u32; 2]),
        shown: &ShownPictures,
        presents: &[Present],
        panes: Option<(&Painting, &egui_wgpu::ScreenDescriptor)>,
    ) -> Result<()> {
        let mut pass = begin(encoder, view, wgpu::LoadOp::Clear(BEHIND));
        for (image, present) in shown.images.iter().zip(presents) {
            self.present(&mut pass, (present, image.area(size)), shown.pictures)?;
        }
        pass.set_scissor_rect(0, 0, size[0], size[1]);
        if let Some((painting, screen)) = panes {
            self.panes.render(&mut pass, &painting.primitives, screen);
        }
        Ok(())
    }

    /// Updates the panes' textures. Textures that are no longer needed are freed after the next presentation.
    pub fn take_textures(&mut self, gpu: &Gpu, mut textures: egui::TexturesDelta) {
        // A replaced texture may change the areas painted with it. Added glyphs change nothing.
        if textures
            .set
            .values()
            .flatten()
            .any(|delta| delta.is_whole())
        {
            self.kept = None;
        }
        for (id, deltas) in std::mem::take(&mut textures.set) {
            for delta in deltas {
                self.panes
                    .update_texture(&gpu.device, &gpu.queue, id, &delta);
            }
        }
        self.unused_textures
            .extend(std::mem::take(&mut textures.free));
    }
}

/// The images at their own resolution, in rows and columns as on screen, and their total size.
fn unscaled<'a>(shown: &ShownPictures<'a>) -> (ShownPictures<'a>, [u32; 2]) {
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
    let whole = ShownPictures { images, ..*shown };
    (whole, size)
}

impl ShownImage {
    fn area(&self, size: [u32; 2]) -> Area {
        let Room {
            origin,
            size: edges,
        } = self.room;
        let place = |along: f32, axis: usize| (along.max(0.0) as u32).min(size[axis]);
        Area {
            low: [0, 1].map(|axis| place(origin[axis], axis)),
            high: [0, 1].map(|axis| place(origin[axis] + edges[axis], axis)),
        }
    }
}

fn begin(
    encoder: &mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'static> {
    let descriptor = wgpu::RenderPassDescriptor {
        label: Some(Pass::Ui.label()),
        color_attachments: &[Some(color_attachment(view, load))],
        ..Default::default()
    };
    encoder.begin_render_pass(&descriptor).forget_lifetime()
}
