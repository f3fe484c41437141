//! The window: winit's loop, keys and mouse, the panel, and the frame behind them. Knows no pass of a
//! frame by name.

mod camera;
mod graphics;
mod input;
pub mod keys;
pub mod panel;
mod screenshot;
pub mod state;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::event::{MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{KeyCode, ModifiersState};
use winit::window::{Window, WindowId};

use crate::error::{Error, Result};
use crate::gpu::layout::PresentUniform;
use crate::gpu::{AdapterRequest, Gpu, Pipelines, read_texture};
use crate::methods::Method;
use crate::render::live::Live;
use crate::render::{FrameInput, frame_input, uniform_at};
use crate::settings::{Purpose, Request, Settings};
use crate::verify::self_test::{choose, self_test};

use camera::FreeCamera;
use graphics::{Graphics, Painting};
use state::{Clock, State, View};

/// Width of the panel in points.
const PANEL_WIDTH: f32 = 340.0;

/// What the command line asked for.
pub struct Start {
    /// Scene and settings.
    pub request: Request,
    /// Adapter.
    pub adapter: AdapterRequest,
    /// Shaders.
    pub pipelines: Pipelines,
    /// Whether the clock stands still at first.
    pub paused: bool,
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// No display or no adapter that can draw into it (exit code 3), or the device failed (1).
pub fn run(start: Start) -> Result<()> {
    // winit would go on to look for libraries; without a display there is nothing to find.
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
        return Err(no_window(&"DISPLAY and WAYLAND_DISPLAY are unset"));
    }
    let event_loop = EventLoop::new().map_err(|error| no_window(&error))?;
    event_loop.set_control_flow(winit::event_loop::ControlFlow::Poll);
    let mut app = App {
        start: Some(start),
        demo: None,
        failure: None,
    };
    event_loop
        .run_app(&mut app)
        .map_err(|error| no_window(&error))?;
    match app.failure {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// One line, whatever the window system had to say.
fn no_window(error: &dyn std::fmt::Display) -> Error {
    let reason = error.to_string();
    let reason = reason.lines().next().unwrap_or_default().trim();
    Error::unavailable(format!(
        "no window can be opened here ({reason}); wavelerp capture renders to files without one"
    ))
}

/// winit's view of the program: nothing until the window can be made, then the demo.
struct App {
    start: Option<Start>,
    demo: Option<Demo>,
    failure: Option<Error>,
}

/// Everything behind an open window.
struct Demo {
    window: Arc<Window>,
    gpu: Gpu,
    pipelines: Pipelines,
    graphics: Graphics,
    ui: egui_winit::State,
    state: State,
    live: Live,
    drawn: Settings,
    modifiers: ModifiersState,
    held: HashSet<KeyCode>,
    buttons: HashSet<MouseButton>,
    cursor: [f32; 2],
    dragging_split: bool,
    last_frame: Instant,
    cpu_ms: f64,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(start) = self.start.take() else {
            return;
        };
        match Demo::new(event_loop, start) {
            Ok(demo) => self.demo = Some(demo),
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(demo) = &mut self.demo else { return };
        let taken = demo.ui.on_window_event(&demo.window, &event).consumed;
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                demo.frame();
                if demo.state.quit {
                    event_loop.exit();
                }
            }
            event => demo.input(&event, taken),
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(demo) = &self.demo {
            demo.window.request_redraw();
        }
    }
}

impl Demo {
    fn new(event_loop: &ActiveEventLoop, start: Start) -> Result<Self> {
        let attributes = Window::default_attributes()
            .with_title("wavelerp")
            .with_inner_size(winit::dpi::LogicalSize::new(
                1280.0 + f64::from(PANEL_WIDTH),
                720.0,
            ));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| no_window(&error))?;
        let window = Arc::new(window);
        let (gpu, surface, capabilities) =
            Gpu::open_for_window(&start.adapter, Arc::clone(&window))?;
        let pipelines = start.pipelines;
        let (settings, notice) = start.request.settle(&gpu.caps, Purpose::Window)?;
        let statuses = self_test(&gpu, &pipelines)?;
        let methods = choose(start.request.methods(), &statuses)?;
        let graphics = Graphics::new(&gpu, &pipelines, surface, &capabilities, &window)?;
        let context = egui::Context::default();
        let ui = egui_winit::State::new(
            context,
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(gpu.caps.max_texture_edge as usize),
        );
        let mut state = State {
            clock: Clock {
                time: settings.time,
                running: !start.paused,
                speed: 1.0,
            },
            camera: FreeCamera::at(&start.request.camera),
            method: methods.last().copied().unwrap_or(Method::PixelLoop),
            other: Method::PixelLoop,
            reference: Method::PixelLoop,
            hold_reference: false,
            split_on: false,
            split: 0.5,
            view: View::Picture,
            amplify_log10: 5.0,
            vsync: true,
            panel_open: true,
            keys_open: false,
            statuses,
            caps: gpu.caps.clone(),
            log: Vec::new(),
            screenshot: false,
            quit: false,
            scene: start.request.scene,
            settings,
        };
        if let Some(notice) = notice {
            state.say(notice);
        }
        let live = Live::new(&gpu, &pipelines, input_of(&state))?;
        Ok(Self {
            window,
            graphics,
            ui,
            live,
            drawn: state.settings.clone(),
            state,
            modifiers: ModifiersState::default(),
            held: HashSet::new(),
            buttons: HashSet::new(),
            cursor: [0.0; 2],
            dragging_split: false,
            last_frame: Instant::now(),
            cpu_ms: 0.0,
            gpu,
            pipelines,
        })
    }

    /// The width of the panel, physical pixels.
    fn panel_width(&self) -> f32 {
        match self.state.panel_open {
            true => PANEL_WIDTH * self.ui.egui_ctx().pixels_per_point(),
            false => 0.0,
        }
    }

    /// Where the picture is: its top left corner, and picture pixels per window pixel. The picture
    /// keeps its shape and fits the window beside the panel.
    fn placement(&self) -> ([f32; 2], [f32; 2]) {
        let [width, height] = self.graphics.size().map(|edge| edge as f32);
        let [picture_width, picture_height] = self.drawn.size.map(|edge| edge as f32);
        let room = (width - self.panel_width()).max(1.0);
        let zoom = (room / picture_width).min(height / picture_height);
        let origin = [
            self.panel_width() + (room - picture_width * zoom) / 2.0,
            (height - picture_height * zoom) / 2.0,
        ];
        (origin.map(f32::floor), [1.0 / zoom; 2])
    }

    fn split_line(&self) -> f32 {
        let (origin, scale) = self.placement();
        origin[0] + self.state.split * self.drawn.size[0] as f32 / scale[0]
    }

    /// One frame: clock, panel, scene, presentation. Errors go to the log; the window stays.
    fn frame(&mut self) {
        let seconds = self.last_frame.elapsed().as_secs_f32().min(0.25);
        self.last_frame = Instant::now();
        self.state.clock.advance(seconds);
        self.fly(seconds);
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            // Minimised: nothing to draw into, and no reason to spin.
            std::thread::sleep(std::time::Duration::from_millis(50));
            return;
        }
        self.graphics
            .configure(&self.gpu, [size.width, size.height], self.state.vsync);
        let painting = self.panel();
        let began = Instant::now();
        if let Err(error) = self.draw(painting) {
            self.state.say(error.to_string());
        }
        self.cpu_ms = began.elapsed().as_secs_f64() * 1e3;
    }

    fn panel(&mut self) -> Painting {
        let input = self.ui.take_egui_input(&self.window);
        let context = self.ui.egui_ctx().clone();
        let readings = panel::Readings {
            times: &self.live.times,
            counters: self.live.counters,
            missing_layers: self.live.missing_layers(),
            cpu_ms: self.cpu_ms,
            tiles: self.live.frame.tiles(),
        };
        let state = &mut self.state;
        let output = context.run_ui(input, |ui| {
            if state.panel_open {
                egui::Panel::left("panel")
                    .exact_size(PANEL_WIDTH)
                    .resizable(false)
                    .show(ui, |ui| panel::panel(ui, state, &readings));
            }
            panel::keys(ui.ctx(), state);
        });
        self.ui
            .handle_platform_output(&self.window, output.platform_output);
        self.graphics
            .take_textures(&self.gpu, output.textures_delta);
        Painting {
            primitives: context.tessellate(output.shapes, output.pixels_per_point),
            pixels_per_point: output.pixels_per_point,
        }
    }

    fn draw(&mut self, painting: Painting) -> Result<()> {
        self.follow_settings()?;
        let state = &self.state;
        let settings = settings_now(state);
        let camera = state.camera.preset(&settings.camera);
        let uniform = uniform_at(self.live.frame.input(), &state.scene, &camera, &settings);
        let methods = [Some(state.left()), state.right()];
        let specializations =
            methods.map(|method| method.map(|method| state.settings.specialization(method)));
        self.live.draw(
            &self.gpu,
            &self.pipelines,
            uniform,
            specializations,
            state.settings.early_out,
        )?;
        let (origin, scale) = self.placement();
        let width = self.drawn.size[0] as f32;
        let split = state.split_on && !state.hold_reference;
        let uniform = PresentUniform {
            origin,
            scale,
            size: self.drawn.size,
            mode: View::ALL
                .iter()
                .position(|row| row.0 == state.view)
                .unwrap_or(0) as u32,
            split: if split {
                state.split * width
            } else {
                2.0 * width
            },
            amplify: 10f32.powf(state.amplify_log10),
            ..PresentUniform::default()
        };
        let targets = [&self.live.frame.target, &self.live.other];
        self.graphics
            .present(&self.gpu, &uniform, targets, painting)?;
        if std::mem::take(&mut self.state.screenshot) {
            self.screenshot()?;
        }
        self.gpu.check()
    }

    /// Makes a new frame where sizes or counts changed.
    fn follow_settings(&mut self) -> Result<()> {
        let (wanted, drawn) = (&self.state.settings, &self.drawn);
        let same = wanted.scene == drawn.scene
            && wanted.size == drawn.size
            && wanted.particles == drawn.particles
            && wanted.fog_slices == drawn.fog_slices
            && wanted.tile == drawn.tile;
        if !same {
            // Remembered first: a frame that cannot be made must not be tried again every frame.
            self.drawn = self.state.settings.clone();
            self.live = Live::new(&self.gpu, &self.pipelines, input_of(&self.state))?;
        }
        Ok(())
    }

    /// Saves the composite on screen, without the panel.
    fn screenshot(&mut self) -> Result<()> {
        let bytes = read_texture(&self.gpu, &self.live.frame.target.resolved)?;
        let settings = settings_now(&self.state);
        let path = screenshot::save(&settings, self.state.left(), &bytes)?;
        self.state.say(format!("saved {}", path.display()));
        Ok(())
    }
}

/// The settings with the clock's time and the camera's place.
fn settings_now(state: &State) -> Settings {
    let mut settings = Settings {
        time: state.clock.time,
        ..state.settings.clone()
    };
    let camera = state.camera.preset(&settings.camera);
    settings.look_from(&state.scene, &camera);
    settings
}

/// What a new frame draws.
fn input_of(state: &State) -> FrameInput {
    let settings = settings_now(state);
    let camera = state.camera.preset(&settings.camera);
    frame_input(&state.scene, &camera, &settings, &state.caps)
}
