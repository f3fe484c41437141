//! One frame of the window, from input to painting, independent of the window system. A host supplies events, time and
//! a target: winit for the real window, or a texture for pictures and tests.

use web_time::{Duration, Instant};

use crate::console::say;
use crate::error::{Error, ErrorKind, Result};
use crate::gpu::{AdapterRequest, Gpu};

use super::action::{Action, Pick};
use super::background::TaskKind;
use super::frame_log::FrameLog;
use super::images::Image;
use super::input::Input;
use super::messages::Severity;
use super::moving::Simplification;
use super::outbox::Outbox;
use super::pace::Pace;
use super::painter::{Painter, Painting};
use super::panes;
use super::preset;
use super::preset::Preset;
use super::readings::Readings;
use super::recording::Recorder;
use super::reload::Reloading;
use super::session::Session;
use super::start::{Start, first_state};
use super::state::State;
use super::testing::Testing;
use super::window_state::{KeptSize, WindowState};

/// Destination of painted frames: the surface of a window, or a texture.
pub trait PaintTarget: Sized {
    /// The format stores values unconverted, because the resolved picture is already sRGB.
    fn format(&self) -> wgpu::TextureFormat;

    fn next(&mut self, gpu: &Gpu) -> Option<(wgpu::TextureView, [u32; 2])>;

    fn present(&mut self, gpu: &Gpu);

    /// Opens another device, and a target on that device.
    fn reopen(&self, adapter: &AdapterRequest) -> Result<(Gpu, Self)>;
}

/// Longest time step of clock and camera, in seconds.
const LONGEST_STEP: f32 = 0.25;
/// Longest wait for requested frames when the window closes.
const LONGEST_CLOSING: Duration = Duration::from_secs(30);

pub struct Viewer {
    pub state: State,
    pub(super) session: Session,
    testing: Testing,
    pub(super) outbox: Outbox,
    pub(super) recorder: Recorder,
    pub(super) context: egui::Context,
    pub(super) painter: Painter,
    pub(super) presets: Vec<String>,
    input: Input,
    kept: WindowState,
    remember: bool,
    opened_with: Preset,
    has_drawn: bool,
    last_frame: Instant,
    pace: Pace,
    /// CPU times of the last frame: of the scene, and of scene and painting.
    scene_time: Duration,
    cpu_time: Duration,
    log: Option<FrameLog>,
    closing: Option<Instant>,
    echo: bool,
    /// True if the command line names the scene. If the scene cannot be read, the window then closes.
    is_for_a_file: bool,
    /// True if smaller frames may be drawn during motion.
    pub eases: bool,
}

pub struct FrameOutput {
    /// Requests of panes to the system: cursor shape, clipboard text.
    pub platform: egui::PlatformOutput,
    /// Dialogs to open; [`Viewer::browse`] receives the answers.
    pub dialogs: Vec<Pick>,
    /// True if the frame was shown. Errors are already logged, and the next frame may be drawn.
    pub shown: Result<bool>,
}

impl Viewer {
    /// Prepares the first frame. The clock and the methods are tested while frames are shown.
    pub fn new(start: Start, gpu: Gpu, format: wgpu::TextureFormat) -> Result<Self> {
        let mut state = first_state(&start, &gpu)?;
        let (echo, is_for_a_file) = (start.shaders.echo, start.preset.is_none());
        let shaders = Reloading::start(start.shaders);
        let painter = Painter::new(&gpu, &shaders.pipelines, format)?;
        let opened_with = state.preset();
        Ok(Self {
            session: Session::new(start.adapter, gpu, shaders, &mut state)?,
            testing: Testing::default(),
            state,
            outbox: Outbox::default(),
            recorder: Recorder::default(),
            context: new_context(),
            painter,
            presets: preset::names(),
            input: Input::default(),
            kept: start.kept,
            remember: start.remember,
            opened_with,
            has_drawn: false,
            last_frame: Instant::now(),
            pace: Pace::default(),
            scene_time: Duration::ZERO,
            cpu_time: Duration::ZERO,
            log: start
                .frame_log
                .as_deref()
                .map(FrameLog::create)
                .transpose()?,
            closing: None,
            echo,
            is_for_a_file,
            eases: false,
        })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.session.gpu
    }

    pub fn context(&self) -> &egui::Context {
        &self.context
    }

    pub fn wake(&mut self) {
        self.pace.wake();
    }

    /// The window closes as soon as pending requests need no further frame.
    pub fn start_closing(&mut self) {
        self.closing.get_or_insert_with(Instant::now);
    }

    /// True if closing was requested, and no further frame is needed or visible.
    pub fn is_done(&self, is_seen: bool) -> bool {
        let is_owed_a_frame = !self.state.asked.is_empty()
            || self.outbox.wanted_picture().is_some()
            || self.recorder.is_wanted();
        self.closing
            .is_some_and(|since| !is_owed_a_frame || !is_seen || since.elapsed() > LONGEST_CLOSING)
    }

    /// Time of the next frame. A GPU draws immediately, and a CPU adapter pauses while nothing moves.
    pub fn next_frame(&self) -> Instant {
        let pause = if self.state.machine.caps.is_cpu && self.closing.is_none() {
            self.pace.pause()
        } else {
            Duration::ZERO
        };
        self.last_frame + pause
    }

    /// True if the next frame will differ even without events, or if a task waits for it.
    fn moves(&self) -> bool {
        let state = &self.state;
        state.subject.clock.running
            || state.comparison.chosen.blink
            || self.input.holds_a_key()
            || self.is_measuring()
            || self.session.moving.shown().is_some()
            || self.session.live.is_under_way()
            || self.testing.is_under_way()
            || self.outbox.waits_for_a_picture()
    }

    pub fn finish_tests(&mut self) -> Result<()> {
        self.testing.finish(&self.session.gpu, &mut self.state)
    }

    pub fn is_measuring(&self) -> bool {
        self.session.is_measuring()
    }

    pub fn moving(&self) -> Option<[u32; 2]> {
        self.session.moving.shown().map(|(_, size)| size)
    }

    /// Limits the simplifications of moving frames, to measure the error of each.
    pub fn simplify_by(&mut self, simplified: &'static [Simplification]) {
        self.session.moving.simplified = Some(simplified);
    }

    pub fn drawn(&self) -> u64 {
        self.session.live.drawn()
    }

    /// True if presenting waits for the display. It does not wait during a measurement, because the clocks would drop.
    pub fn waits_for_the_display(&self) -> bool {
        self.state.machine.vsync && !self.is_measuring()
    }

    /// Skips an invisible frame. Returns the seconds since the previous frame.
    pub fn skip_frame(&mut self, now: Instant) -> f32 {
        let before = std::mem::replace(&mut self.last_frame, now);
        now.saturating_duration_since(before).as_secs_f32()
    }

    /// Replaces a lost device, `target` and [`Viewer::context`]. Returns true if it replaced them.
    ///
    /// # Errors
    /// The device was lost too often, so nothing can be drawn any more.
    pub fn revive(&mut self, target: &mut impl PaintTarget) -> Result<bool> {
        if !self.session.notes_a_loss(&mut self.state)? {
            return Ok(false);
        }
        let changed = self.change_device(target);
        if let Err(error) = &changed {
            let line = format!("the device cannot be reopened: {error}");
            self.state.messages.fail(&line);
        } else if self.outbox.forget_pictures() {
            let line = "pictures were lost with the device";
            self.state.messages.announce(Severity::Warning, line);
        }
        Ok(changed.is_ok())
    }

    fn change_device(&mut self, target: &mut impl PaintTarget) -> Result<()> {
        let (gpu, opened) = target.reopen(&self.session.adapter)?;
        let format = opened.format();
        self.painter = self.session.change_device(gpu, format, &mut self.state)?;
        self.testing = Testing::default();
        // A new context uploads all textures again, except the FLIP map.
        self.context = new_context();
        self.state.comparison.flip = None;
        *target = opened;
        Ok(())
    }

    pub fn frame(
        &mut self,
        input: egui::RawInput,
        now: Instant,
        target: &mut impl PaintTarget,
    ) -> Result<FrameOutput> {
        let began = Instant::now();
        let images = self.images();
        self.input
            .take(&input, &self.context, &images, &mut self.state);
        let elapsed = self.skip_frame(now);
        let seconds = elapsed.min(LONGEST_STEP);
        self.state.subject.advance_time(seconds);
        self.state.comparison.advance_blink(elapsed);
        self.input.fly(seconds, &mut self.state);
        self.session
            .take_up_shaders(&mut self.painter, &mut self.state);
        let images = self.images();
        self.input.hover(&self.context, &images, &mut self.state);
        self.session.keep_times(&mut self.state);
        let (mut painting, platform) = self.panes(input);
        let drawing = Instant::now();
        let frame = self.session.frame();
        let shown = self.draw(&mut painting, target);
        self.cpu_time = drawing.elapsed();
        let drawn = shown.clone().map(drop);
        self.session.end_frame(drawn, &mut self.state);
        self.testing.step(&self.session.gpu, &mut self.state)?;
        // Finished tasks come first, so that none of them blocks an action.
        self.take_finished()?;
        let mut dialogs = Vec::new();
        let mut asked = self.state.take_asked().into_iter();
        while let Some(action) = asked.next() {
            match action {
                // Later actions wait too, which keeps their order.
                action if self.state.waits_for_tests(&action) => {
                    let waiting = [action].into_iter().chain(asked.by_ref());
                    self.state.asked.splice(0..0, waiting);
                }
                Action::Browse(pick) => dialogs.push(pick),
                action => self.perform(action),
            }
        }
        let moves = self.moves();
        if self.eases && self.has_drawn && self.session.moving.shown().is_none() {
            self.outbox.ease(&mut self.session, &self.state)?;
        }
        // A frame that draws only panes does not count.
        let is_drawn = self.session.frame() != frame;
        if let Some(mut log) = self.log.take() {
            let size = self
                .session
                .moving
                .shown()
                .map_or(self.session.drawn.size, |of| of.1);
            let paint = self.cpu_time.saturating_sub(self.scene_time);
            let spent = [drawing - began, self.scene_time, paint];
            match log.note(is_drawn.then_some(size), spent) {
                Ok(()) => self.log = Some(log),
                Err(error) => self.state.messages.fail(&error),
            }
        }
        self.pace
            .after_frame(began, is_drawn || self.is_measuring(), moves);
        Ok(FrameOutput {
            platform,
            dialogs,
            shown,
        })
    }

    fn images(&self) -> Vec<Image> {
        let state = &self.state;
        state
            .comparison
            .images(&state.panes.picture, self.session.drawn.size)
    }

    fn panes(&mut self, input: egui::RawInput) -> (Painting, egui::PlatformOutput) {
        let readings = Readings {
            cpu_ms: self.cpu_time.as_secs_f64() * 1e3,
            busy: self.outbox.background.busy(),
            presets: self.presets.clone(),
            frame_seconds: self.pace.seconds(),
            ..self.session.readings()
        };
        let (context, state) = (&self.context, &mut self.state);
        let output = context.run_ui(input, |ui| panes::window(ui, state, &readings));
        let textures = output.textures_delta;
        self.painter.take_textures(&self.session.gpu, textures);
        let painting = Painting {
            primitives: context.tessellate(output.shapes, output.pixels_per_point),
            pixels_per_point: output.pixels_per_point,
        };
        (painting, output.platform_output)
    }

    fn draw(&mut self, painting: &mut Painting, target: &mut impl PaintTarget) -> Result<bool> {
        let began = Instant::now();
        let recorded = self.recorder.start(&self.state)?;
        let method = recorded.as_ref().map(|recorded| recorded.method);
        let is_quiet = self.has_drawn && self.testing.wants_quiet(&self.session.gpu);
        if method.is_some() || !is_quiet && !self.outbox.background.holds_the_picture() {
            let is_kept = method.is_some() || self.outbox.waits_for_a_picture();
            let may_be_smaller = self.eases && !is_kept;
            let waits = self.outbox.background.is_changing_shaders();
            self.session
                .draw(&mut self.state, method, [may_be_smaller, waits])?;
            self.has_drawn = true;
        }
        self.scene_time = began.elapsed();
        let is_shown = self.paint(painting, target)?;
        if let Some(recorded) = recorded {
            let gpu = &self.session.gpu;
            self.recorder
                .end(recorded, is_shown, gpu, &mut self.state)?;
        }
        self.session.gpu.check()?;
        Ok(is_shown)
    }

    /// Paints the pictures, and the panes above them. Returns false if there is no target.
    fn paint(&mut self, painting: &mut Painting, target: &mut impl PaintTarget) -> Result<bool> {
        let shown = self.session.shown(&self.state, &self.images());
        let gpu = &self.session.gpu;
        // egui's painter cannot cope with a lost device.
        gpu.check()?;
        let Some((view, size)) = target.next(gpu) else {
            return Ok(false);
        };
        let wanted = self.outbox.wanted_picture();
        let (commands, grab) = self
            .painter
            .record(gpu, (&view, size), &shown, painting, wanted)?;
        gpu.queue.submit(commands);
        if let Some(grab) = &grab {
            grab.start();
        }
        target.present(gpu);
        self.painter.free_unused();
        self.outbox.take_picture(grab, &self.state);
        Ok(true)
    }

    /// Writes read-back pictures on another thread, and processes finished tasks.
    fn take_finished(&mut self) -> Result<()> {
        if let Err(error) = self.outbox.write_pictures() {
            self.state.messages.fail(&error);
        }
        for ((work, asked_in), made) in self.outbox.background.finished() {
            self.pace.wake();
            let ended = match made {
                Ok(made) => self.take(made),
                Err(error) if self.is_asked_for_alone(&error) => return Err(error),
                Err(error) => {
                    if work == TaskKind::Scene {
                        self.state.files.stay(&self.state.subject.scene);
                    }
                    Err(error)
                }
            };
            let panes = &mut self.state.panes;
            if ended.is_err() && panes.named_in == Some(asked_in) {
                panes.dock.open(asked_in);
            }
            self.state.messages.end(Some(asked_in), ended);
        }
        let loading = self.outbox.load_next(&self.session, &mut self.state);
        let format = self.painter.images.format;
        let outbox = &mut self.outbox;
        let changing = outbox.change_shaders(&mut self.session, &self.state, format);
        for error in [loading, changing].into_iter().filter_map(Result::err) {
            self.state.messages.fail(&error);
        }
        Ok(())
    }

    /// True if an error concerns the file that the window was opened for, before any of the file was shown.
    fn is_asked_for_alone(&self, error: &Error) -> bool {
        self.is_for_a_file && self.state.files.is_outline && error.kind == ErrorKind::Usage
    }

    /// Must be called before the window closes. Finishes or cancels pending work, and saves the settings.
    pub fn close(&mut self, size: Option<KeptSize>) {
        if let Some(work) = self.outbox.background.waits_for().filter(|_| self.echo) {
            say(format!("finishing before exit (Ctrl-C stops it): {work}"));
        }
        for line in self.outbox.close(&self.session.gpu) {
            say(line);
        }
        if self.recorder.is_wanted() {
            say("a recording was dropped: the window could not show its frame");
        }
        self.keep_settings(size);
    }

    /// Saves the settings, unless a page, which has no `size`, still has those that it was opened with.
    pub fn keep_settings(&mut self, size: Option<KeptSize>) {
        let mut preset = self.state.preset();
        let time = std::mem::replace(&mut preset.settings.time, self.opened_with.settings.time);
        if !self.remember || size.is_none() && preset == self.opened_with {
            return;
        }
        preset.settings.time = time;
        self.kept.size = size;
        self.kept.recent.clone_from(&self.state.files.recent);
        self.kept.saved.clone_from(&self.state.saved);
        let settings = preset::last_file().map(|path| preset.save(&path));
        let window = WindowState::file().map(|path| self.kept.save(&path));
        for error in [settings, window]
            .into_iter()
            .flatten()
            .filter_map(Result::err)
        {
            say(format_args!("the settings could not be saved: {error}"));
        }
    }
}

fn new_context() -> egui::Context {
    let context = egui::Context::default();
    panes::apply_style(&context);
    context
}
