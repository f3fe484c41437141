//! The window's loop: one frame from clock to presentation, and what each action does. The parts – screen,
//! session, input, outbox – know of each other only what they are given here.

use std::time::{Duration, Instant};

use egui_winit::accesskit_winit::{Event as AccessEvent, WindowEvent as AccessWindowEvent};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

use crate::error::{Error, Kind, Result};
use crate::gpu::device::renderdoc;
use crate::gpu::shader::ShaderSource;
use crate::gpu::{Gpu, Pipelines};
use crate::model::methods::Method;
use crate::model::options::{MethodOptions, Options};
use crate::model::settings::Purpose;
use crate::runs::verify::self_test::{choose, self_test, usual_options};

use super::action::Action;
use super::background::Made;
use super::dock::{Dock, Pane};
use super::flip::Pair;
use super::images::Image;
use super::input::Input;
use super::kept::Kept;
use super::measured::Table;
use super::outbox::Outbox;
use super::pace::Pace;
use super::painter::{Painting, What};
use super::panes::Readings;
use super::picking::Pick;
use super::placement::Zoom;
use super::recording::Recorder;
use super::reload::Reloading;
use super::rest::Rest;
use super::screen::{Opened, Screen, open_window};
use super::session::Session;
use super::state::State;
use super::view::Layout;
use super::{Start, panes, preset};

/// Pause between looks at a window that nobody sees.
const UNSEEN_PAUSE: Duration = Duration::from_millis(50);
/// The longest step of clock and camera, seconds: after a pause they go on where they were.
const LONGEST_STEP: f32 = 0.25;
/// The longest that closing waits for frames that can still be shown.
const LONGEST_CLOSING: Duration = Duration::from_secs(30);

/// Everything behind an open window.
pub(super) struct Demo {
    screen: Screen,
    session: Session,
    /// What is shown, and what the panes change.
    state: State,
    input: Input,
    outbox: Outbox,
    recorder: Recorder,
    /// Names of the presets that can be loaded.
    presets: Vec<String>,
    /// What the window before this one left.
    kept: Kept,
    /// Whether the settings are kept for the next start.
    remember: bool,
    last_frame: Instant,
    rest: Rest,
    pace: Pace,
    /// Time for recording and presenting the last frame on the CPU.
    cpu_time: Duration,
    /// Why the window cannot go on.
    failure: Option<Error>,
    /// Since when the window is to be closed.
    closing: Option<Instant>,
    /// Whether progress goes to standard error.
    echo: bool,
    /// Whether the command line names the scene: the window closes if that cannot be read.
    is_for_a_file: bool,
}

impl Demo {
    /// Opens the window and the adapter, and makes the first frame.
    ///
    /// # Errors
    /// No window, no adapter that can draw into it, or settings that cannot be used on it.
    pub fn new(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<AccessEvent>,
        start: Start,
    ) -> Result<Self> {
        let (echo, is_for_a_file) = (start.shaders.echo, start.preset.is_none());
        let (window, opening, readers) = open_window(event_loop, proxy, start.kept.size)?;
        let opened = Opened::new(&start.adapter, &window)?;
        let mut state = first_state(&start, &opened.gpu)?;
        let shaders = Reloading::start(start.shaders.clone());
        let (mut screen, gpu) = Screen::new((window, opening), opened, shaders.pipelines())?;
        let session = Session::new(start.adapter, gpu, shaders, &mut state)?;
        screen.tell_readers(readers);
        Ok(Self {
            screen,
            session,
            state,
            input: Input::default(),
            outbox: Outbox::default(),
            recorder: Recorder::default(),
            presets: preset::names(),
            kept: start.kept,
            remember: start.remember,
            last_frame: Instant::now(),
            rest: Rest::default(),
            pace: Pace::default(),
            cpu_time: Duration::ZERO,
            failure: None,
            closing: None,
            echo,
            is_for_a_file,
        })
    }

    /// Takes in an event; draws where that is asked for. Whether the window is to be closed.
    pub fn event(&mut self, event: &WindowEvent) -> bool {
        let taken = self.screen.offer_to_panes(event);
        match event {
            WindowEvent::RedrawRequested => {
                self.frame();
                return self.is_done();
            }
            WindowEvent::CloseRequested => self.start_closing(),
            WindowEvent::DroppedFile(path) => {
                let pick = match self.input.holds_shift() {
                    true => Pick::Add,
                    false => Pick::Open,
                };
                self.state.ask(Action::Use(pick, path.clone()));
            }
            WindowEvent::Occluded(is_occluded) => self.screen.set_occluded(*is_occluded),
            _ => {
                let (images, state) = (self.images(), &mut self.state);
                let screen = &self.screen;
                let asked = self.input.event(event, taken, screen, &images, state);
                if let Some(action) = asked {
                    self.state.ask(action);
                }
            }
        }
        self.rest.wake();
        self.is_done()
    }

    /// Takes in what a screen reader asks for.
    pub fn access(&mut self, event: AccessWindowEvent) {
        self.screen.access(event);
        self.rest.wake();
    }

    /// Closes the window, because there is nothing to draw with.
    fn give_up(&mut self, error: Error) {
        self.state.announce(error.to_string());
        self.failure = Some(error);
        self.start_closing();
    }

    /// Why the window could not go on, if that is why it closes.
    pub fn failure(&self) -> Option<Error> {
        self.failure.clone()
    }

    fn start_closing(&mut self) {
        self.closing.get_or_insert_with(Instant::now);
    }

    /// Whether the window can go: it is to be closed, and no further frame is owed to what was asked for before.
    fn is_done(&self) -> bool {
        let is_owed_a_frame = !self.state.asked.is_empty()
            || self.outbox.wanted_picture().is_some()
            || self.recorder.is_wanted();
        let comes = self.screen.is_seen() && self.failure.is_none();
        self.closing
            .is_some_and(|since| !is_owed_a_frame || !comes || since.elapsed() > LONGEST_CLOSING)
    }

    /// When the next frame is due. A GPU draws frame after frame, so that times stay current; a CPU adapter
    /// rests while nothing moves.
    pub fn next_frame(&self) -> Instant {
        let pause = if self.state.caps.is_cpu && self.closing.is_none() {
            self.rest.pause()
        } else {
            Duration::ZERO
        };
        self.last_frame + pause
    }

    /// Whether the next frame will differ from this one even if nothing happens, or is waited for.
    fn moves(&self) -> bool {
        let state = &self.state;
        state.clock.running
            || state.compare.blink
            || self.input.holds_a_key()
            || self.session.is_measuring()
            || self.outbox.waits_for_a_picture()
    }

    /// Asks for the next frame.
    pub fn request_redraw(&self) {
        self.screen.request_redraw();
    }

    /// One frame: clock, panes, scene, presentation, and what was asked for. Errors go to the log; the
    /// window stays.
    fn frame(&mut self) {
        let elapsed = self.last_frame.elapsed().as_secs_f32();
        let seconds = elapsed.min(LONGEST_STEP);
        self.last_frame = Instant::now();
        if !self.screen.is_seen() {
            // Nobody sees it: nothing to draw, and no reason to spin.
            std::thread::sleep(UNSEEN_PAUSE);
            return;
        }
        match self.session.revive(&mut self.screen, &mut self.state) {
            Ok(true) => {
                if self.outbox.forget_pictures() {
                    self.state.announce("pictures were lost with the device");
                }
            }
            Ok(false) => {}
            Err(error) => return self.give_up(error),
        }
        self.state.advance_time(seconds);
        self.state.advance_blink(elapsed);
        self.input.fly(seconds, &mut self.state);
        // Waiting for the display between measured rounds would let the clocks drop.
        let vsync = self.state.vsync && !self.session.is_measuring();
        self.screen.configure(self.session.gpu(), vsync);
        self.session.take_up_shaders(&mut self.state);
        let images = self.images();
        self.input.hover(&self.screen, &images, &mut self.state);
        self.session.keep_times(&mut self.state);
        let painting = self.panes();
        let began = Instant::now();
        let drawn = self.draw(&painting);
        self.cpu_time = began.elapsed();
        self.session.end_frame(drawn, &mut self.state);
        // First, so that a thread that is done keeps no action from being done.
        self.take_finished();
        for action in self.state.take_asked() {
            self.perform(action);
        }
        self.rest.after_frame(self.moves());
        self.pace
            .after_frame(self.last_frame, self.rest.pause().is_zero());
    }

    fn images(&self) -> Vec<Image> {
        self.state.images(self.session.size())
    }

    fn panes(&mut self) -> Painting {
        let readings = Readings {
            cpu_ms: self.cpu_time.as_secs_f64() * 1e3,
            busy: self.outbox.busy(),
            presets: self.presets.clone(),
            frame_seconds: self.pace.seconds(),
            ..self.session.readings()
        };
        let state = &mut self.state;
        self.screen.run_ui(self.session.gpu(), |ui| {
            panes::window(ui, state, &readings);
        })
    }

    fn draw(&mut self, painting: &Painting) -> Result<()> {
        let recorded = self.recorder.start(&self.state)?;
        if !self.outbox.holds_the_picture() {
            let method = recorded.as_ref().map(|recorded| recorded.method());
            self.session.draw(&mut self.state, method)?;
        }
        let shown = self.session.shown(&self.state, &self.images());
        let gpu = self.session.gpu();
        let wanted = self.outbox.wanted_picture();
        let presented = self.screen.present(gpu, &shown, painting, wanted)?;
        if let Some(recorded) = recorded {
            let was_shown = presented.is_some();
            self.recorder
                .end(recorded, was_shown, gpu, &mut self.state)?;
        }
        match presented {
            Some(presented) => self.outbox.take_picture(presented.grab, &self.state),
            // Nothing to wait for the display with: do not spin.
            None => std::thread::sleep(UNSEEN_PAUSE),
        }
        self.session.gpu().check()
    }

    /// Does what a key or a pane asks for; what cannot be done is announced.
    fn perform(&mut self, action: Action) {
        let pane = action.pane();
        let done = self.try_to(action);
        self.state.end(pane, done.map(|()| None));
    }

    fn try_to(&mut self, action: Action) -> Result<()> {
        let Self {
            screen,
            session,
            state,
            outbox,
            recorder,
            presets,
            ..
        } = self;
        let flip = |flag: &mut bool| *flag = !*flag;
        match action {
            Action::PickMethod(method) => state.pick(method),
            Action::NextOther => state.next_other(),
            Action::TogglePause => flip(&mut state.clock.running),
            Action::Step => state.step_time(),
            Action::ToggleSplit => flip(&mut state.compare.split_on),
            Action::ToggleBlink => flip(&mut state.compare.blink),
            Action::NextDifference => state.compare.view = state.compare.view.next_difference(),
            Action::NextDebug => state.compare.view = state.compare.view.next_debug(),
            // It lasts as long as its key is held, which is the input's to know.
            Action::HoldReference => {}
            Action::ToggleMetrics => flip(&mut state.compare.metrics),
            Action::ToggleProbe => state.toggle_probe(),
            Action::LockProbe => state.probe.toggle_lock(),
            Action::NextCamera => state.next_camera(),
            Action::StoreCamera => state.store_camera(),
            Action::TogglePanes => flip(&mut state.panes_open),
            Action::Arrange(arrangement) => {
                state.dock = Dock::from(arrangement);
                state.panes_open = true;
            }
            Action::ToggleLabels => flip(&mut state.compare.labels),
            Action::NextLayout => state.compare.layout = state.compare.layout.next(),
            Action::ResetZoom => state.picture.zoom = Zoom::default(),
            Action::ToggleTheme => flip(&mut state.is_light),
            Action::ToggleKeys => flip(&mut state.keys_open),
            Action::Measure if session.is_measuring() => session.stop_measuring(),
            Action::Measure => {
                outbox.refuse_while_busy()?;
                session.start_measuring(state)?;
                state.dock.open(Pane::Methods);
            }
            Action::SaveTimes => {
                if let Some(measurement) = session.measurement() {
                    let (settings, shaders) = (&state.settings, &state.shaders);
                    let table = Table::new(measurement, settings, shaders, &state.caps);
                    let path = table.save()?;
                    state.announce(format!("saved {}", path.display()));
                }
            }
            Action::Flip => {
                let Some(b) = state.right() else {
                    return Err(Error::usage("FLIP compares A with B: choose a method B"));
                };
                let (of, settings) = ([state.left(), b], state.settings.clone());
                let grab = screen.grab(session.gpu(), &session.pair())?;
                outbox.compare_looks(Pair::new(grab, of, settings));
            }
            Action::Calibrate => outbox.calibrate(session)?,
            Action::CancelWork => {
                session.stop_measuring();
                outbox.cancel();
            }
            Action::Browse(pick) => outbox.browse(pick, screen, state)?,
            Action::Use(pick, path) => match pick {
                Pick::Open | Pick::OpenPreset | Pick::OpenRecord => state.open(&path)?,
                Pick::Add => state.add_file(&path)?,
                Pick::SavePicture => outbox.want_view(state, Some(path)),
                Pick::SaveSet => outbox.write_comparison_set(session, state, Some(&path))?,
                Pick::SavePreset => state.name_preset(&path)?,
            },
            Action::OpenRecord => outbox.open_record(state)?,
            Action::SmallBenchmark => outbox.run_small_benchmark(session, state)?,
            Action::Screenshot => outbox.want_view(state, None),
            Action::ScreenshotOfWindow => outbox.want_picture(What::Window),
            Action::ComparisonSet => outbox.write_comparison_set(session, state, None)?,
            Action::Record => {
                renderdoc::require()?;
                session.refuse_while_measuring()?;
                outbox.refuse_while_busy()?;
                recorder.want(state);
            }
            Action::SavePreset => {
                state.save_preset()?;
                *presets = preset::names();
            }
            Action::LoadPreset => state.load_preset()?,
            Action::CopyCommand => {
                screen.copy_text(state.command());
                state.announce("copied");
            }
            Action::Copy(text) => {
                screen.copy_text(text);
                state.announce("copied");
            }
            Action::CloseTop => state.close_top(),
            Action::Quit => self.start_closing(),
        }
        Ok(())
    }

    /// Hands pictures that came back to a thread, and takes in what threads have finished.
    fn take_finished(&mut self) {
        if let Err(error) = self.outbox.write_pictures() {
            self.state.announce(error.to_string());
        }
        for finished in self.outbox.finished() {
            self.rest.wake();
            let ended = match finished.made {
                Ok(made) => self.take(made),
                Err(error) if self.is_asked_for_alone(&error) => return self.give_up(error),
                Err(error) => {
                    if finished.is_scene {
                        self.state.load_failed();
                    }
                    Err(error)
                }
            };
            self.state.end(Some(finished.asked_in), ended);
        }
        if let Err(error) = self.outbox.load_next(&self.session, &mut self.state) {
            self.state.announce(error.to_string());
        }
    }

    /// Whether an error is about the file that the window was opened for, before anything of it is shown.
    fn is_asked_for_alone(&self, error: &Error) -> bool {
        self.is_for_a_file && self.state.is_outline && error.kind == Kind::Usage
    }

    /// Takes in what a thread made; what there is to say about it.
    fn take(&mut self, made: Made) -> Result<Option<String>> {
        Ok(match made {
            Made::Files(line) => Some(line),
            Made::Chosen(pick, path) => {
                let action = path.map(|path| Action::Use(pick, path));
                self.state.asked.extend(action);
                None
            }
            Made::Calibration(calibration, kept) => {
                Some(self.session.take_calibration(*calibration, kept))
            }
            Made::Maps(maps) => {
                let line = format!("opened {}", maps.file.display());
                self.state.map.open(maps);
                Some(line)
            }
            Made::Flip(flip) => {
                self.state.flip = Some(flip);
                None
            }
            Made::Scene(made) => {
                let (loaded, staged) = *made;
                let said = self.state.show(loaded)?;
                self.session.take_staged(staged);
                said
            }
        })
    }

    /// Before the window closes: finishes pending work or reports it as stopped, and saves the settings.
    pub fn close(&mut self) {
        // A hidden window has lost it.
        let size = self.screen.size_to_keep();
        self.screen.hide();
        if let Some(work) = self.outbox.waits_for().filter(|_| self.echo) {
            eprintln!("finishing before exit (Ctrl-C stops it): {work}");
        }
        for line in self.outbox.close(self.session.gpu()) {
            eprintln!("{line}");
        }
        if self.recorder.is_wanted() {
            eprintln!("a recording was dropped: the window could not show its frame");
        }
        if !self.remember {
            return;
        }
        self.kept.size = size.or(self.kept.size);
        self.kept.recent.clone_from(&self.state.recent);
        let settings = preset::last_file().map(|path| self.state.preset().save(&path));
        let window = Kept::file().map(|path| self.kept.save(&path));
        for error in [settings, window]
            .into_iter()
            .flatten()
            .filter_map(Result::err)
        {
            eprintln!("the settings could not be saved: {error}");
        }
    }
}

/// The state that a window opens with: what the command line asked for, where the adapter can do it.
pub(super) fn first_state(start: &Start, gpu: &Gpu) -> Result<State> {
    let (settings, notice) = start.request.settle(&gpu.caps, Purpose::Window)?;
    // It is about the driver, not about shaders that somebody is at work on.
    let pipelines = Pipelines::new(ShaderSource::default());
    // All of them: every method can be chosen in the window.
    let every_method: Vec<Method> = Method::all().collect();
    let options = Options {
        frame: (usual_options()).frame,
        method: MethodOptions {
            tail: settings.options.method.tail,
            ..(usual_options()).method
        },
    };
    let statuses = self_test(gpu, &pipelines, &every_method, &options, &mut |_| Ok(()))?;
    let methods = choose(start.request.methods(), &statuses)?;
    let scene = start.request.scene.clone();
    let mut state = State::new(scene, settings, statuses, gpu.caps.clone())?;
    state.recent = start.kept.recent.clone();
    // The last that is a kernel, if there is one.
    let computed = methods.iter().rfind(|method| !method.is_drawn());
    let shown = computed.or(methods.last());
    state.compare.a = shown.copied().unwrap_or(Method::PixelLoop);
    for line in notice.into_iter().chain(start.notices.iter().cloned()) {
        state.say(line);
    }
    let mut request = Some(start.request.clone());
    if let Some(preset) = start.preset.clone() {
        let applied = match start.reads_later {
            true => state.apply_in_outline(preset),
            false => state.apply(preset),
        };
        match applied {
            Ok(()) => request = None,
            Err(error) => state.announce(format!(
                "the settings of the last run were not used: {error}"
            )),
        }
    }
    if start.reads_later {
        state.read_the_rest(request);
    }
    if gpu.caps.is_cpu && start.preset.is_none() && state.clock.running {
        // A scene that moves would keep the processor from the panes.
        state.clock.running = false;
        state.say("the scene starts paused on a CPU adapter: press Space to run its clock");
    }
    state.clock.running &= !start.paused;
    if let Some(other) = start.against {
        choose(&[other.name().to_owned()], &state.statuses)?;
        state.compare.b = other;
    }
    state.compare.view = start.view.unwrap_or(state.compare.view);
    if let Some(range) = start.difference_range {
        state.compare.difference_range = range;
    }
    if let Some(split) = start.split {
        (state.compare.split_on, state.compare.split) = (true, split);
    } else if start.view.is_some() || start.layout.is_some() {
        state.compare.split_on = false;
    }
    // What is asked for by name is shown alone, unless it is asked for beside something.
    let names_a_view = start.view.is_some() || start.split.is_some();
    let single = names_a_view.then_some(Layout::Single);
    state.compare.layout = start.layout.or(single).unwrap_or(state.compare.layout);
    if let Some(arrangement) = start.arrangement {
        state.dock = Dock::from(arrangement);
    }
    state.card_open = start.is_first && !start.bare;
    if start.bare {
        (state.panes_open, state.compare.labels) = (false, false);
    }
    Ok(state)
}
