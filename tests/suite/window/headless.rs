//! The window without a window system: frames are drawn into a texture, and the test supplies events and times.
//! Dropping the window fails the test if the validation layers have reported anything.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, FromArgMatches};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput};
use wavelerp::gpu::AdapterRequest;
use wavelerp::input::Disk;
use wavelerp::model::methods::Method;
use wavelerp::model::settings::{Request, SceneArgs};
use wavelerp::runs::verify::self_test::MethodStatus;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::action::Pick;
use wavelerp::viewer::frame::FrameOutput;
use wavelerp::viewer::headless::Headless;
use wavelerp::viewer::preset::Preset;
use wavelerp::viewer::start::{Shaders, Start, WindowFlags};
use wavelerp::viewer::state::{Panes, State};
use wavelerp::viewer::view::View;
use wavelerp::viewer::window_state::WindowState;

use super::{Picture, WIDE, WINDOW};
use crate::cli::png_text;
use crate::harness::Harness;

/// Largest number of frames to wait for something: data read back arrives a few frames late, and threads take time.
const MOST_FRAMES: u32 = 20_000;

/// The viewer's window.
pub struct Window {
    pub host: Headless,
    folder: tempfile::TempDir,
    size: [u32; 2],
    /// Physical pixels per point.
    scale: f32,
    /// Current time of the panes, seconds.
    time: f64,
    shots: u32,
}

/// A saved picture and its metadata.
pub struct Shot {
    pub picture: Picture,
    /// The command that reproduces the picture.
    pub command: String,
    /// Name of the picture's content, such as a method or a view.
    pub of: String,
}

/// The request that the given flags make.
pub fn request(flags: &str) -> Request {
    let command = SceneArgs::augment_args(clap::Command::new("run").no_binary_name(true));
    let matches = command.get_matches_from(flags.split(' '));
    let args = SceneArgs::from_arg_matches(&matches).expect("the flags are those of a scene");
    args.check(&Disk).expect("the flags are valid")
}

/// Settings with which the tests' windows start: those of [`super::TEMPLE`].
fn start(shaders: &Path) -> Start {
    Start {
        request: request("--scene temple --size 160x90 --particles 300 --fog-slices 4"),
        reads_later: false,
        preset: None,
        notices: Vec::new(),
        adapter: AdapterRequest {
            adapter: Some("llvmpipe".to_owned()),
            ..AdapterRequest::default()
        },
        shaders: Shaders {
            folder: Some(shaders.to_owned()),
            echo: false,
        },
        paused: true,
        is_light: false,
        flags: WindowFlags {
            view: Some(View::Picture),
            bare: true,
            ..WindowFlags::default()
        },
        against: Some(Method::PixelLoop),
        kept: WindowState::default(),
        remember: false,
        is_first: false,
        frame_log: None,
    }
}

impl Window {
    /// Opens a window for this test alone, with `scale` pixels per point. All methods count as tested.
    pub fn open(size: [u32; 2], scale: f32, change: impl FnOnce(&mut Start)) -> Self {
        let mut window = Self::starting(size, scale, change);
        let state = window.state();
        for method in Method::all() {
            state.take_status(&MethodStatus {
                is_untested: false,
                ..MethodStatus::untested(method, &state.machine.caps)
            });
        }
        let tested = window.host.viewer.finish_tests();
        tested.expect("the clock can be used");
        // The positions of pictures and panes are known after a frame.
        window.frame();
        window
    }

    /// A window before its first frame and before any method has been tested.
    pub fn starting(size: [u32; 2], scale: f32, change: impl FnOnce(&mut Start)) -> Self {
        // Shared windows are never dropped, so the folder is not in the system's temporary folder.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.expect("a folder for the test");
        let shaders = folder.path().join("coarse");
        crate::harness::write_shaders(&shaders);
        let mut start = start(&shaders);
        change(&mut start);
        Self {
            host: Headless::starting(start, size, scale).expect("the adapter supports it"),
            folder,
            size,
            scale,
            time: 0.0,
            shots: 0,
        }
    }

    /// Resets the window to its initial state, with the given settings and usable methods.
    fn reset(&mut self, (begun, statuses): &(Preset, Vec<MethodStatus>), (size, has_panes): Looks) {
        let outside = Event::PointerMoved(Pos2::new(-1.0, -1.0));
        self.frame_of(vec![outside, Event::WindowFocused(false)]);
        let context = self.host.viewer.context();
        context.memory_mut(|memory| memory.options = std::mem::take(memory).options);
        let state = self.state();
        let Panes { code, .. } = std::mem::take(&mut state.panes);
        state.panes = Panes {
            open: has_panes,
            code,
            preset_name: "mine".to_owned(),
            ..Panes::default()
        };
        state.asked = vec![Action::CancelWork];
        (state.files, state.saved) = Default::default();
        (state.probe, state.messages) = Default::default();
        (state.comparison, state.times) = Default::default();
        state.machine.statuses.clone_from(statuses);
        state
            .apply(begun.clone())
            .expect("the initial state is valid");
        state.comparison.chosen.labels = has_panes;
        self.resize(size);
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn state(&mut self) -> &mut State {
        &mut self.host.viewer.state
    }

    /// Draws one frame without events.
    pub fn frame(&mut self) {
        self.frame_of(Vec::new());
    }

    /// Draws one frame with the given events.
    pub fn frame_of(&mut self, events: Vec<Event>) {
        self.frame_after(Duration::ZERO, events);
    }

    /// Draws one frame, `time` after the previous one.
    pub fn frame_after(&mut self, time: Duration, events: Vec<Event>) {
        self.frame_with(
            time,
            RawInput {
                events,
                ..RawInput::default()
            },
        );
    }

    /// Draws one frame, `time` after the previous one, with any input.
    pub fn frame_with(&mut self, time: Duration, input: RawInput) -> FrameOutput {
        // The clock moves in fixed steps, so that even a slow machine clicks quickly.
        self.time += time.as_secs_f64() + 1.0 / 60.0;
        let input = RawInput {
            time: Some(self.time),
            ..input
        };
        let output = self.host.frame_after(time, input);
        output.expect("the frame is drawn")
    }

    /// Draws frames until there is a result.
    pub fn until<T>(&mut self, what: &str, mut look: impl FnMut(&mut Self) -> Option<T>) -> T {
        for _ in 0..MOST_FRAMES {
            if let Some(seen) = look(self) {
                return seen;
            }
            self.frame();
        }
        let said: Vec<_> = self.state().messages.log().collect();
        panic!("waited in vain until {what}: {said:?}")
    }

    /// Draws frames until a condition is true.
    pub fn until_it(&mut self, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        self.until(what, |window| holds(window).then_some(()));
    }

    /// Presses keys one after the other, named as in egui: `x`, `shift+1`, `ctrl+C`.
    pub fn keys(&mut self, keys: &[&str]) {
        for key in keys {
            let (held, name) = key.rsplit_once('+').unwrap_or(("", key));
            let held = match held {
                "" => Modifiers::NONE,
                "shift" => Modifiers::SHIFT,
                "ctrl" => Modifiers::CTRL,
                other => panic!("{other}"),
            };
            let key = |pressed| event_of(name, pressed, held);
            let let_go = Event::ModifiersChanged(Modifiers::NONE);
            let held = Event::ModifiersChanged(held);
            self.frame_of(vec![held, key(true), key(false), let_go]);
        }
    }

    /// Presses or releases a key.
    pub fn hold(&mut self, key: &str, is_down: bool) {
        self.frame_of(vec![event_of(key, is_down, Modifiers::NONE)]);
    }

    fn place(&self, [x, y]: [u32; 2]) -> Pos2 {
        Pos2::new(x as f32 / self.scale, y as f32 / self.scale)
    }

    /// Moves the mouse to a pixel of the window.
    pub fn point(&mut self, at: [u32; 2]) {
        self.frame_of(vec![Event::PointerMoved(self.place(at))]);
    }

    /// Presses or releases a mouse button at a pixel of the window.
    pub fn press(&mut self, at: [u32; 2], button: PointerButton, pressed: bool) {
        self.frame_of(vec![Event::PointerButton {
            pos: self.place(at),
            button,
            pressed,
            modifiers: Modifiers::NONE,
        }]);
    }

    /// Clicks at a pixel of the window; the action happens a frame later.
    pub fn click(&mut self, at: [u32; 2]) {
        self.point(at);
        self.press(at, PointerButton::Primary, true);
        self.press(at, PointerButton::Primary, false);
        self.frame();
    }

    /// Drags with a button held.
    pub fn drag(&mut self, from: [u32; 2], to: [u32; 2], button: PointerButton) {
        self.point(from);
        self.press(from, button, true);
        self.point([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
        self.point(to);
        self.press(to, button, false);
    }

    /// Gives the window a new size.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.host.resize(size);
        self.size = size;
        // Pictures are at their final places only in the second frame.
        self.frame();
        self.frame();
    }

    /// The current picture of the window.
    pub fn grab(&self) -> Picture {
        let canvas = self.host.picture().expect("the window is read back");
        Picture::of(&canvas)
    }

    /// Draws frames until the window shows `picture` exactly, pixel by pixel. Returns the magnification.
    pub fn shows(&mut self, picture: &Picture) -> u32 {
        self.until("the window shows the saved picture", |window| {
            window.grab().zoom_of(picture)
        })
    }

    /// Draws frames until more than a fraction `least_share` of the picture differs in the window.
    pub fn shows_more_than(&mut self, picture: &Picture, least_share: f64) {
        self.until_it("the window shows another picture", |window| {
            window.grab().shows_more_than(picture, least_share)
        });
    }

    /// True if a line of the log contains these words.
    pub fn has_said(&mut self, words: &str) -> bool {
        self.state().messages.has(words)
    }

    /// Writes a comparison set to a new folder in `parent`.
    pub fn save_set(&mut self, parent: &Path) {
        let action = Action::Use(Pick::SaveSet, parent.to_owned());
        self.state().ask(action);
        self.frame();
    }

    /// Saves the picture as F2 does.
    pub fn shot(&mut self) -> Shot {
        self.shots += 1;
        let path = self.path(&format!("{}.png", self.shots));
        let action = Action::Use(Pick::SavePicture, path.clone());
        self.state().ask(action);
        let bytes = self.until("the picture is saved", |_| std::fs::read(&path).ok());
        let text = |name: &str| png_text(&bytes, name).expect("every picture has this text");
        Shot {
            picture: Picture::read(&path),
            command: text("command"),
            of: text("view"),
        }
    }
}

/// Size of a window, and true if it has panes.
type Looks = ([u32; 2], bool);

pub const BARE: Looks = (WINDOW, false);
pub const WITH_PANES: Looks = (WIDE, true);

/// A test and the channel for its result.
type Job = (
    Looks,
    Box<dyn FnOnce(&mut Window) + Send>,
    Sender<std::thread::Result<()>>,
);

/// Sender of tests to the thread of the shared window. Tests share a window, because opening a window takes seconds.
static SHARED: LazyLock<Mutex<Sender<Job>>> = LazyLock::new(|| {
    let (sender, tests) = channel::<Job>();
    let open = || Window::open(WIDE, 1.0, |start| start.flags.bare = false);
    std::thread::spawn(move || {
        let mut window = open();
        let state = window.state();
        let begun = (state.preset(), state.machine.statuses.clone());
        for (looks, test, ended) in tests {
            let run = AssertUnwindSafe(|| {
                window.reset(&begun, looks);
                test(&mut window);
            });
            let result = catch_unwind(run);
            if result.is_err() {
                window = open();
            }
            let _ = ended.send(result);
        }
    });
    Mutex::new(sender)
});

/// Runs a test in the shared window, reset to its initial state. Tests run one after the other.
pub fn in_window(looks: Looks, test: impl FnOnce(&mut Window) + Send + 'static) {
    let _heard = Harness::new();
    let (ended, end) = channel();
    let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let sent = shared.send((looks, Box::new(test), ended));
    drop(shared);
    sent.expect("the window's thread waits for tests");
    let result = end.recv().expect("the window could be opened");
    if let Err(panic) = result {
        // The thread's output is not part of this test's output.
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied());
        panic!("{}", said.unwrap_or("it panicked"));
    }
}

fn event_of(name: &str, pressed: bool, modifiers: Modifiers) -> Event {
    let key = Key::from_name(name).unwrap_or_else(|| panic!("{name}"));
    Event::Key {
        key,
        physical_key: Some(key),
        pressed,
        repeat: false,
        modifiers,
    }
}
