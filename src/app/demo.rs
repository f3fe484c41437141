//! Everything behind an open window: one frame of it, from clock to presentation. What the panel asks
//! for besides is in `tasks.rs`.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::event::MouseButton;
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, ModifiersState};
use winit::window::Window;

use crate::auto::Rule;
use crate::error::Result;
use crate::gpu::layout::PresentUniform;
use crate::gpu::shader::ShaderSource;
use crate::gpu::{AdapterRequest, Gpu, Pipelines, renderdoc};
use crate::methods::Method;
use crate::render::live::{Live, ProbeWanted, Wanted};
use crate::render::{FrameInput, emitters_at, frame_input, uniform_at};
use crate::settings::{Purpose, Settings};
use crate::verify::self_test::{choose, self_test};

use super::background::Background;
use super::benchmarks::first_rule;
use super::graphics::{Graphics, Painting, Shown, What};
use super::panel::{self, PANEL_WIDTH, Readings};
use super::reload::Reloading;
use super::screenshot::Shot;
use super::state::State;
use super::{Start, no_window};

/// Results of the metrics kept for the history plot.
const METRICS_HISTORY: usize = 240;
/// Seconds that blinking shows each method.
const BLINK: f32 = 0.5;
/// Pause between looks at a window that nobody sees.
const UNSEEN_PAUSE: Duration = Duration::from_millis(50);
/// Attempts to open a device again after one was lost.
const MOST_REVIVALS: u32 = 3;

/// Everything behind an open window.
pub(super) struct Demo {
    pub(super) window: Arc<Window>,
    pub(super) gpu: Gpu,
    pub(super) pipelines: Arc<Pipelines>,
    pub(super) reloading: Reloading,
    pub(super) graphics: Graphics,
    pub(super) ui: egui_winit::State,
    pub(super) state: State,
    pub(super) live: Live,
    /// The settings that `live` was made for.
    pub(super) drawn: Settings,
    pub(super) adapter: AdapterRequest,
    pub(super) background: Background,
    /// What `auto` chooses by.
    pub(super) rule: Arc<Rule>,
    /// A picture asked for of the next frame, with what it shows.
    pub(super) wanted_grab: Option<What>,
    pub(super) shots: Vec<Shot>,
    /// Frames to record for RenderDoc.
    pub(super) wanted_recordings: VecDeque<Method>,
    pub(super) presets: Vec<String>,
    pub(super) modifiers: ModifiersState,
    pub(super) held: HashSet<KeyCode>,
    pub(super) buttons: HashSet<MouseButton>,
    pub(super) cursor: [f32; 2],
    pub(super) dragging_split: bool,
    pub(super) occluded: bool,
    pub(super) remember: bool,
    metrics_history: VecDeque<[f64; 2]>,
    metrics_seen: u64,
    started: Instant,
    last_frame: Instant,
    cpu_ms: f64,
    revivals: u32,
}

impl Demo {
    pub(super) fn new(event_loop: &ActiveEventLoop, start: Start) -> Result<Self> {
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
        renderdoc::leave_window_alone();
        let (reloading, pipelines) = Reloading::start(start.shaders);
        let (settings, notice) = start.request.settle(&gpu.caps, Purpose::Window)?;
        // It is about the driver, not about shaders that somebody is at work on.
        let statuses = self_test(&gpu, &Pipelines::new(ShaderSource::default()))?;
        let methods = choose(start.request.methods(), &statuses)?;
        let graphics = Graphics::new(&gpu, &pipelines, surface, &capabilities, &window)?;
        let mut state = State::new(start.request.scene, settings, statuses, gpu.caps.clone())?;
        // The last that is a kernel, if there is one.
        let computed = methods.iter().rfind(|method| !method.is_drawn());
        let shown = computed.or(methods.last());
        state.compare.a = shown.copied().unwrap_or(Method::PixelLoop);
        for line in notice.into_iter().chain(start.notices) {
            state.say(line);
        }
        if let Some(preset) = start.preset
            && let Err(error) = state.apply(preset)
        {
            state.announce(format!(
                "the settings of the last run were not used: {error}"
            ));
        }
        state.clock.running &= !start.paused;
        if let Some(other) = start.against {
            choose(&[other.name().to_owned()], &state.statuses)?;
            state.compare.b = other;
        }
        state.compare.view = start.view.unwrap_or(state.compare.view);
        if let Some(split) = start.split {
            (state.compare.split_on, state.compare.split) = (true, split);
        }
        let live = Live::new(&gpu, &pipelines, input_of(&state))?;
        let mut demo = Self {
            ui: new_ui(&window, &gpu),
            window,
            graphics,
            live,
            drawn: state.settings.clone(),
            state,
            reloading,
            adapter: start.adapter,
            background: Background::default(),
            rule: first_rule(&gpu.caps),
            wanted_grab: None,
            shots: Vec::new(),
            wanted_recordings: VecDeque::new(),
            presets: Vec::new(),
            modifiers: ModifiersState::default(),
            held: HashSet::new(),
            buttons: HashSet::new(),
            cursor: [0.0; 2],
            dragging_split: false,
            occluded: false,
            remember: start.remember,
            metrics_history: VecDeque::new(),
            metrics_seen: 0,
            started: Instant::now(),
            last_frame: Instant::now(),
            cpu_ms: 0.0,
            revivals: 0,
            gpu,
            pipelines,
        };
        demo.list_presets();
        demo.watch_shaders();
        Ok(demo)
    }

    /// The width of the panel, physical pixels.
    pub(super) fn panel_width(&self) -> f32 {
        match self.state.panel_open {
            true => PANEL_WIDTH * self.ui.egui_ctx().pixels_per_point(),
            false => 0.0,
        }
    }

    /// Where the picture is: its top left corner, and picture pixels per window pixel. The picture
    /// keeps its shape and fits the window beside the panel.
    pub(super) fn placement(&self) -> ([f32; 2], [f32; 2]) {
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

    /// Where the split line is, in window pixels from the left.
    pub(super) fn split_line(&self) -> f32 {
        let (origin, scale) = self.placement();
        origin[0] + self.state.compare.split * self.drawn.size[0] as f32 / scale[0]
    }

    /// The picture's pixel under the mouse, if it is over the picture.
    pub(super) fn pixel_under_cursor(&self) -> Option<[u32; 2]> {
        let (origin, scale) = self.placement();
        let at = [0, 1].map(|axis| (self.cursor[axis] - origin[axis]) * scale[axis]);
        let [width, height] = self.drawn.size.map(|edge| edge as f32);
        let inside = at[0] >= 0.0 && at[1] >= 0.0 && at[0] < width && at[1] < height;
        inside.then(|| at.map(|place| place as u32))
    }

    /// One frame: clock, panel, scene, presentation, and what was asked for. Errors go to the log; the
    /// window stays. True when it is to be closed.
    pub(super) fn frame(&mut self) -> bool {
        let seconds = self.last_frame.elapsed().as_secs_f32().min(0.25);
        self.last_frame = Instant::now();
        let size = self.window.inner_size();
        let minimized = self.window.is_minimized() == Some(true);
        if size.width == 0 || size.height == 0 || minimized || self.occluded {
            // Nobody sees it: nothing to draw, and no reason to spin.
            std::thread::sleep(UNSEEN_PAUSE);
            return false;
        }
        if self.gpu.is_lost() {
            self.revive();
        }
        self.state.clock.advance(seconds);
        self.state.blink_shows_other =
            (self.started.elapsed().as_secs_f32() / BLINK) as u64 % 2 == 1;
        self.fly(seconds);
        // Waiting for the display between measured rounds would let the clocks drop.
        let vsync = self.state.vsync && !self.measuring();
        self.graphics
            .configure(&self.gpu, [size.width, size.height], vsync);
        self.take_up_shaders();
        let painting = self.panel();
        let began = Instant::now();
        match self.draw(&painting) {
            Ok(()) => self.keep_shaders(),
            Err(error) => self.doubt_shaders(&error),
        }
        self.cpu_ms = began.elapsed().as_secs_f64() * 1e3;
        self.collect();
        self.do_tasks()
    }

    /// Whether methods are being measured.
    pub(super) fn measuring(&self) -> bool {
        self.live
            .measurement()
            .is_some_and(|measurement| !measurement.finished)
    }

    fn panel(&mut self) -> Painting {
        let input = self.ui.take_egui_input(&self.window);
        let context = self.ui.egui_ctx().clone();
        let readings = Readings {
            clock: Some(&self.live.clock),
            times: &self.live.times,
            counters: self.live.counters,
            missing_layers: self.live.missing_layers(),
            cpu_ms: self.cpu_ms,
            tiles: self.live.frame.tiles(),
            wave_sizes: self.live.wave_sizes,
            metrics: self.live.metrics.as_ref(),
            metrics_history: self.metrics_history.clone(),
            probe: self.live.probe.as_ref(),
            measurement: self.live.measurement(),
            memory: self.live.memory(),
            debug_range: self.live.debug_range(),
            choice: self.live.choice(),
            rule: self.rule.origin(),
            busy: self.background.busy().map(str::to_owned),
            presets: self.presets.clone(),
            shaders: Some(&self.reloading.status),
        };
        let state = &mut self.state;
        let output = context.run_ui(input, |ui| {
            if state.panel_open {
                egui::Panel::left("panel")
                    .exact_size(PANEL_WIDTH)
                    .resizable(false)
                    .show(ui, |ui| panel::panel(ui, state, &readings));
            }
            panel::overlays(ui.ctx(), state, &readings);
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

    fn draw(&mut self, painting: &Painting) -> Result<()> {
        let recorded = self.start_recording()?;
        if self.background.busy().is_none() {
            self.follow_settings()?;
            let wanted = match &recorded {
                Some(recorded) => self.wanted_for(recorded),
                None => self.wanted(),
            };
            self.live.draw(&self.gpu, &self.pipelines, &wanted)?;
        }
        let shown = Shown {
            uniform: self.present_uniform(),
            targets: [&self.live.frame.target, &self.live.other],
            debug_values: &self.live.debug_values,
        };
        let wanted = self.wanted_grab;
        let presented = self.graphics.present(&self.gpu, &shown, painting, wanted)?;
        if let Some(recorded) = recorded {
            self.end_recording(recorded, presented.is_some())?;
        }
        match presented {
            Some(presented) => {
                self.wanted_grab = None;
                if let (Some(grab), Some(what)) = (presented.grab, wanted) {
                    self.keep(grab, what);
                }
            }
            // Nothing to wait for the display with: do not spin.
            None => std::thread::sleep(UNSEEN_PAUSE),
        }
        self.gpu.check()
    }

    /// What the next frame draws.
    pub(super) fn wanted(&self) -> Wanted {
        let state = &self.state;
        let settings = state.settings_now();
        let camera = state.camera.preset(&settings.camera);
        let methods = [Some(state.left()), state.right()];
        let specialize = |method| settings.knobs.specialize(method);
        let input = self.live.frame.input();
        Wanted {
            uniform: uniform_at(input, &state.scene, &camera, &settings),
            emitters: emitters_at(input, &state.scene, &settings),
            methods: methods.map(|method| method.map(specialize)),
            rule: Arc::clone(&self.rule),
            early_out: settings.knobs.early_out,
            metrics: state
                .compare
                .metrics
                .then(|| 10f32.powf(state.compare.threshold_log10)),
            debug: state.compare.view.debug(),
            probe: self.probed_pixel().map(|pixel| ProbeWanted {
                pixel,
                methods: state.usable().into_iter().map(specialize).collect(),
            }),
        }
    }

    /// The pixel to probe, inside the frame as it is now.
    fn probed_pixel(&self) -> Option<[u32; 2]> {
        let [x, y] = self.state.probe.pixel()?;
        let [width, height] = self.drawn.size;
        Some([
            x.min(width.saturating_sub(1)),
            y.min(height.saturating_sub(1)),
        ])
    }

    fn present_uniform(&self) -> PresentUniform {
        let (origin, scale) = self.placement();
        let compare = &self.state.compare;
        let [low, high] = self.live.debug_range();
        PresentUniform {
            origin,
            scale,
            size: self.drawn.size,
            mode: match self.state.hold_reference {
                true => 0,
                false => compare.view.mode(),
            },
            split: self.state.split_now() * self.drawn.size[0] as f32,
            amplify: 10f32.powf(compare.amplify_log10),
            low,
            high,
            ..PresentUniform::default()
        }
    }

    /// Takes what came back since the last frame: metrics into their history.
    fn collect(&mut self) {
        if let Some(metrics) = &self.live.metrics
            && self.live.metrics_frame != self.metrics_seen
        {
            self.metrics_seen = self.live.metrics_frame;
            let newest = [metrics.metrics.max_abs, metrics.metrics.rmse];
            self.metrics_history.push_back(newest);
            if self.metrics_history.len() > METRICS_HISTORY {
                self.metrics_history.pop_front();
            }
        }
    }

    /// Makes a new frame where sizes or counts changed.
    fn follow_settings(&mut self) -> Result<()> {
        let (wanted, drawn) = (&self.state.settings, &self.drawn);
        let same = wanted.scene == drawn.scene
            && wanted.size == drawn.size
            && wanted.particles == drawn.particles
            && wanted.fog_slices == drawn.fog_slices
            && wanted.knobs.tile == drawn.knobs.tile;
        if !same {
            match Live::new(&self.gpu, &self.pipelines, input_of(&self.state)) {
                Ok(live) => {
                    self.live = live;
                    self.metrics_history.clear();
                }
                Err(error) => {
                    // Back to what can be drawn: the same failure is not met again every frame.
                    self.state.announce(error.to_string());
                    self.state.settings = self.drawn.clone();
                    self.state.scene = self.drawn.load()?.0;
                }
            }
            self.drawn = self.state.settings.clone();
        }
        Ok(())
    }

    /// Opens the device again after it was lost, with everything that lived on it.
    fn revive(&mut self) {
        self.revivals += 1;
        if self.revivals > MOST_REVIVALS {
            return;
        }
        self.state.announce("the device was lost; opening it again");
        if let Err(error) = self.reopen() {
            self.state
                .announce(format!("the device cannot be opened again: {error}"));
        }
    }

    fn reopen(&mut self) -> Result<()> {
        let window = Arc::clone(&self.window);
        let (gpu, surface, capabilities) = Gpu::open_for_window(&self.adapter, window)?;
        renderdoc::leave_window_alone();
        let source = ShaderSource::clone(&self.pipelines.source());
        let pipelines = Arc::new(Pipelines::new(source));
        self.graphics = Graphics::new(&gpu, &pipelines, surface, &capabilities, &self.window)?;
        self.live = Live::new(&gpu, &pipelines, input_of(&self.state))?;
        // A new context sends all its textures again.
        self.ui = new_ui(&self.window, &gpu);
        self.shots.clear();
        self.drawn = self.state.settings.clone();
        self.rule = first_rule(&gpu.caps);
        self.pipelines = pipelines;
        self.gpu = gpu;
        self.watch_shaders();
        Ok(())
    }
}

fn new_ui(window: &Window, gpu: &Gpu) -> egui_winit::State {
    let context = egui::Context::default();
    panel::apply_style(&context);
    egui_winit::State::new(
        context,
        egui::ViewportId::ROOT,
        window,
        Some(window.scale_factor() as f32),
        None,
        Some(gpu.caps.max_texture_edge as usize),
    )
}

/// What a new frame draws.
fn input_of(state: &State) -> FrameInput {
    let settings = state.settings_now();
    let camera = state.camera.preset(&settings.camera);
    frame_input(&state.scene, &camera, &settings, &state.caps)
}
