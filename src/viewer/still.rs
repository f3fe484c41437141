//! The window as a picture, without a window: the same state, frame, panes and painter, drawn into a texture. For
//! pictures in documents, and for machines with a GPU and no display.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::gpu::{Gpu, texture};
use crate::report::canvas::Canvas;

use super::demo::first_state;
use super::grab::Grab;
use super::pace::Pace;
use super::painter::{Painter, Painting, What};
use super::panes::Readings;
use super::reload::Reloading;
use super::session::Session;
use super::state::State;
use super::{Start, panes};

/// The painted texture's format: the resolved picture is sRGB already.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Frames before the picture: as many as make medians of times and bring all readings back.
const FRAMES: u32 = 150;
/// Frames before the picture on a CPU adapter, where each of them takes long.
const FRAMES_ON_A_CPU: u32 = 12;
/// The longest that frames are drawn and methods are measured.
const PATIENCE: Duration = Duration::from_secs(120);

/// A picture of the window.
pub struct Still {
    /// What a window would open with.
    pub start: Start,
    /// Width and height, physical pixels.
    pub size: [u32; 2],
    /// Physical pixels per point.
    pub scale: f32,
    /// Whether all methods are measured first.
    pub measure: bool,
    /// Whether the panes are bright.
    pub is_light: bool,
}

/// Draws frames as the window does, and returns the last one.
///
/// # Errors
/// No adapter, settings that cannot be used on it, or the device failed.
pub fn still(wanted: Still) -> Result<Canvas> {
    let start = wanted.start;
    let gpu = Gpu::open(&start.adapter)?;
    let longest = gpu.caps.max_texture_edge;
    if wanted.size.iter().any(|edge| *edge > longest) {
        return Err(Error::usage(format!(
            "a window of {}x{} pixels is too large: this adapter's pictures have edges of at most {longest}",
            wanted.size[0], wanted.size[1]
        )));
    }
    let mut state = first_state(&start, &gpu)?;
    state.is_light = wanted.is_light;
    let shaders = Reloading::start(start.shaders.clone());
    let painter = Painter::new(&gpu, shaders.pipelines(), FORMAT)?;
    let [width, height] = wanted.size;
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
    let target = texture(&gpu, "still", [width, height, 1], FORMAT, usage);
    let session = Session::new(start.adapter.clone(), gpu, shaders, &mut state)?;
    let context = egui::Context::default();
    panes::apply_style(&context);
    context.set_pixels_per_point(wanted.scale);
    let frames = if state.caps.is_cpu {
        FRAMES_ON_A_CPU
    } else {
        FRAMES
    };
    let mut stage = Stage {
        size: wanted.size,
        scale: wanted.scale,
        context,
        painter,
        target: target.create_view(&Default::default()),
        session,
        state,
        pace: Pace::default(),
        cpu_time: Duration::ZERO,
        begun: Instant::now(),
    };
    stage.frames(frames)?;
    if wanted.measure {
        stage.session.start_measuring(&stage.state)?;
        while stage.session.is_measuring() && stage.has_patience() {
            stage.frame(None)?;
        }
        // The methods on screen again.
        stage.frames(frames / 2)?;
    }
    stage.picture()
}

/// Everything that a window has, but for the window.
struct Stage {
    size: [u32; 2],
    scale: f32,
    context: egui::Context,
    painter: Painter,
    target: wgpu::TextureView,
    session: Session,
    state: State,
    pace: Pace,
    cpu_time: Duration,
    begun: Instant,
}

impl Stage {
    fn has_patience(&self) -> bool {
        self.begun.elapsed() < PATIENCE
    }

    /// As many frames, or fewer where they take long.
    fn frames(&mut self, count: u32) -> Result<()> {
        for frame in 0..count {
            // Without a few there is nothing to see.
            if frame > 6 && !self.has_patience() {
                break;
            }
            self.frame(None)?;
        }
        Ok(())
    }

    /// The next frame as a picture.
    fn picture(&mut self) -> Result<Canvas> {
        let grab = self.frame(Some(What::Window))?;
        let canvas = grab.and_then(|grab| grab.take());
        canvas.unwrap_or_else(|| Err(Error::failed("the picture was not read back")))
    }

    /// One frame; the picture that is `wanted` of it has come back by then.
    fn frame(&mut self, wanted: Option<What>) -> Result<Option<Grab>> {
        let start = Instant::now();
        self.session.keep_times(&mut self.state);
        let painting = self.panes();
        let drawn = self.session.draw(&mut self.state, None);
        let images = self.state.images(self.session.size());
        let shown = self.session.shown(&self.state, &images);
        let gpu = self.session.gpu();
        let target = (&self.target, self.size);
        let (commands, grab) = self
            .painter
            .record(gpu, target, &shown, &painting, wanted)?;
        gpu.queue.submit(commands);
        if let Some(grab) = &grab {
            grab.start();
        }
        self.painter.free_unused();
        self.cpu_time = start.elapsed();
        gpu.wait()?;
        drawn?;
        self.session.gpu().check()?;
        self.session.end_frame(Ok(()), &mut self.state);
        self.pace.after_frame(start, true);
        Ok(grab)
    }

    fn panes(&mut self) -> Painting {
        let readings = Readings {
            cpu_ms: self.cpu_time.as_secs_f64() * 1e3,
            frame_seconds: self.pace.seconds(),
            ..self.session.readings()
        };
        let [width, height] = self.size.map(|edge| edge as f32 / self.scale);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                egui::vec2(width, height),
            )),
            time: Some(self.begun.elapsed().as_secs_f64()),
            max_texture_side: Some(self.state.caps.max_texture_edge as usize),
            ..egui::RawInput::default()
        };
        let state = &mut self.state;
        let output = self
            .context
            .run_ui(input, |ui| panes::window(ui, state, &readings));
        let gpu = self.session.gpu();
        self.painter.take_textures(gpu, output.textures_delta);
        Painting {
            primitives: self
                .context
                .tessellate(output.shapes, output.pixels_per_point),
            pixels_per_point: output.pixels_per_point,
        }
    }
}
