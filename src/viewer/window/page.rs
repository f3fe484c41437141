//! The window in a page: a canvas that fills it, the browser's files and storage, and the end of the program.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use wasm_bindgen::prelude::Closure;
use winit::application::ApplicationHandler;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::platform::web::{EventLoopExtWebSys, WindowAttributesExtWebSys};
use winit::window::Window;

use crate::browser;
use crate::error::{Error, Result};
use crate::model::settings::names;
use crate::viewer::action::{Action, Pick};
use crate::viewer::frame::Viewer;
use crate::viewer::link::fragment;
use crate::viewer::picking::{Choice, worth_opening};
use crate::viewer::start::Start;
use crate::viewer::surface::Surface;
use crate::viewer::window_state::KeptSize;

use super::opened::Opened;

pub(super) enum SystemEvent {
    Opened(Box<Result<Opened<System>>>),
    /// Files that were dropped or chosen.
    Files(Vec<String>),
    /// The page became hidden (true) or visible.
    Hidden(bool),
}

#[derive(Default)]
pub(super) struct System {
    /// What the file dialog that was opened last is for, until its files arrive.
    pick: Cell<Option<Pick>>,
    is_hidden: bool,
}

impl System {
    /// Control flow while a frame is due: the browser calls when it is time.
    pub const WHEN_DUE: ControlFlow = ControlFlow::Wait;

    pub fn event_loop() -> Result<EventLoop<SystemEvent>> {
        let event_loop = EventLoop::with_user_event().build();
        event_loop.map_err(|error| Error::unavailable(error.to_string()))
    }

    /// Returns at once: the browser calls the application from then on.
    pub fn run<A: ApplicationHandler<SystemEvent> + 'static>(
        event_loop: EventLoop<SystemEvent>,
        app: A,
        _: impl FnOnce(A, bool) -> Option<Error>,
    ) -> Result<()> {
        event_loop.spawn_app(app);
        Ok(())
    }

    /// Opens the canvas and requests a device; the window follows as an event.
    pub fn open(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<SystemEvent>,
        start: Start,
    ) -> Result<Option<Opened<Self>>> {
        let attributes = Window::default_attributes().with_append(true);
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| Error::unavailable(error.to_string()))?);
        let of_files = proxy.clone();
        let files = Closure::new(move |names| drop(of_files.send_event(SystemEvent::Files(names))));
        browser::on_files(&files);
        files.forget();
        let of_page = proxy.clone();
        let hidden = Closure::new(move |is| drop(of_page.send_event(SystemEvent::Hidden(is))));
        browser::on_hidden(&hidden);
        hidden.forget();
        wasm_bindgen_futures::spawn_local(async move {
            let opened = Surface::open(&start.adapter, &window).await;
            let opened = opened.map(|(gpu, surface)| Opened {
                window,
                start,
                gpu,
                surface,
                system: Self::default(),
            });
            let _ = proxy.send_event(SystemEvent::Opened(Box::new(opened)));
        });
        Ok(None)
    }

    /// The window that an event brings.
    pub fn opened(event: SystemEvent) -> std::result::Result<Result<Opened<Self>>, SystemEvent> {
        match event {
            SystemEvent::Opened(opened) => Ok(*opened),
            other => Err(other),
        }
    }

    pub fn take(&mut self, event: SystemEvent, _: &mut egui_winit::State, viewer: &mut Viewer) {
        match event {
            // A file has been fetched: the window is only woken.
            SystemEvent::Files(names) if names.is_empty() => {}
            SystemEvent::Files(names) => {
                let pick = self.pick.take().unwrap_or(Pick::Open);
                for path in worth_opening(names.iter().map(Path::new).collect()) {
                    viewer.state.ask(Action::Use(pick, path.to_owned()));
                }
            }
            SystemEvent::Hidden(is_hidden) => {
                self.is_hidden = is_hidden;
                if is_hidden {
                    viewer.keep_settings(None);
                }
            }
            SystemEvent::Opened(_) => {}
        }
    }

    pub fn attach(&mut self, _: &mut egui_winit::State) {}

    pub fn detach(&mut self, _: egui_winit::State) {}

    pub fn leave_if_gone() {}

    /// A browser calls a hidden page rarely enough.
    pub fn pause(_: Duration) {}

    pub fn say_why(failure: Option<&Error>) {
        let why = failure.map_or_else(|| "The window is closed.".to_owned(), Error::to_string);
        browser::show_failure(&why);
    }

    pub fn handle(platform: &egui::PlatformOutput, viewer: &Viewer) {
        mark(viewer);
        for command in &platform.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                browser::copy(text);
            }
        }
    }

    /// Shows the browser's dialog for files to read; files to write become downloads.
    pub fn browse(&self, pick: Pick, viewer: &mut Viewer, _: &Window) {
        let asked = pick.dialog(&viewer.state);
        match asked.choice {
            Choice::File => {
                self.pick.set(Some(pick));
                let endings = asked.filter.map(|(_, endings)| endings).unwrap_or_default();
                // A model names other files, which have to be chosen with it.
                let all = endings.iter().copied().chain(["bin", "png", "jpg", "jpeg"]);
                browser::choose_files(all.map(str::to_owned).collect());
            }
            Choice::NewFile => {
                let path = pick.completed(asked.name.into());
                viewer.browse(pick, move || Ok(Some(path)));
            }
            Choice::Folder => viewer.browse(pick, || Ok(Some("set".into()))),
        }
    }

    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    pub fn size(&self) -> Option<KeptSize> {
        None
    }

    pub fn size_to_keep(&self, _: &Window) -> Option<KeptSize> {
        None
    }
}

/// Says on the page what the window shows, for tests and scripts.
fn mark(viewer: &Viewer) {
    let state = &viewer.state;
    let (chosen, settings, machine) = (
        &state.comparison.chosen,
        &state.subject.settings,
        &state.machine,
    );
    let [width, height] = settings.size;
    let said = state.messages.log().map(|said| said.line.clone());
    let clock = viewer.session.live.clock.as_ref().map(ToString::to_string);
    let refused = machine
        .statuses
        .iter()
        .filter_map(|status| status.unavailable.clone());
    for (key, value) in [
        ("scene", settings.scene_name()),
        ("a", chosen.a.to_string()),
        ("b", chosen.b.to_string()),
        ("view", chosen.view.flag()),
        ("size", format!("{width}x{height}")),
        ("particles", settings.particles.to_string()),
        ("drawn", viewer.drawn().to_string()),
        ("tested", (!machine.is_testing()).to_string()),
        ("clock", clock.unwrap_or_default()),
        ("usable", names(&machine.usable())),
        ("refused", refused.collect::<Vec<_>>().join("; ")),
        ("said", said.collect::<Vec<_>>().join("; ")),
        ("link", fragment(&state.command())),
    ] {
        browser::mark(key, &value);
    }
}
