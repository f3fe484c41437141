//! The window on a desktop: its size, its dialogs, screen readers, and the loss of the display.

use std::sync::Arc;
use std::time::Duration;

use egui_winit::accesskit_winit::{
    Adapter as AccessAdapter, Event as AccessEvent, WindowEvent as AccessWindowEvent,
};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::Window;

use crate::error::{Error, Result};
use crate::viewer::action::Pick;
use crate::viewer::frame::Viewer;
use crate::viewer::start::Start;
use crate::viewer::surface::Surface;
use crate::viewer::window_state::{KeptSize, LEAST_SIZE};

use super::dialogs::dialog;
use super::opened::Opened;
use super::x_server;

pub(super) type SystemEvent = AccessEvent;

pub(super) struct System {
    /// Size with which the window was opened.
    opened: KeptSize,
    /// The adapter of screen readers, while it is not part of the panes.
    readers: Option<AccessAdapter>,
    /// True if a screen reader or a similar program reads the window.
    is_read: bool,
}

impl System {
    /// Control flow while a frame is due.
    pub const WHEN_DUE: ControlFlow = ControlFlow::Poll;

    pub fn event_loop() -> Result<EventLoop<SystemEvent>> {
        // Without a display, winit would fail later, with a message about libraries that it cannot load.
        let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if cfg!(target_os = "linux") && !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
            return Err(no_window(&"DISPLAY and WAYLAND_DISPLAY are unset"));
        }
        let event_loop = EventLoop::with_user_event().build();
        event_loop.map_err(|error| no_window(&error))
    }

    /// Runs until the window closes. `ended` gets the application, and whether the display is gone; it returns the failure
    /// that closed the window, if any.
    pub fn run<A: ApplicationHandler<SystemEvent>>(
        event_loop: EventLoop<SystemEvent>,
        mut app: A,
        ended: impl FnOnce(A, bool) -> Option<Error>,
    ) -> Result<()> {
        x_server::outlive(&event_loop);
        let Some(closed) = x_server::until_gone(|| event_loop.run_app(&mut app)) else {
            ended(app, true);
            let said = "the display is gone, so the window closed; start wavelerp again on a display that works";
            return Err(Error::unavailable(said));
        };
        match ended(app, false) {
            Some(error) => Err(error),
            None => closed.map_err(|error| no_window(&error)),
        }
    }

    pub fn open(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<SystemEvent>,
        start: Start,
    ) -> Result<Option<Opened<Self>>> {
        let opened = start.kept.size.unwrap_or_default();
        let (window, readers) = open_window(event_loop, proxy, opened)?;
        let (gpu, surface) = pollster::block_on(Surface::open(&start.adapter, &window))?;
        let system = Self {
            opened,
            readers: Some(readers),
            is_read: false,
        };
        Ok(Some(Opened {
            window,
            start,
            gpu,
            surface,
            system,
        }))
    }

    /// The window that an event brings; on a desktop, [`System::open`] returns it.
    pub fn opened(event: SystemEvent) -> std::result::Result<Result<Opened<Self>>, SystemEvent> {
        Err(event)
    }

    pub fn take(&mut self, event: SystemEvent, ui: &mut egui_winit::State, _: &mut Viewer) {
        let context = ui.egui_ctx();
        match event.window_event {
            AccessWindowEvent::InitialTreeRequested => {
                context.enable_accesskit();
                self.is_read = true;
            }
            AccessWindowEvent::AccessibilityDeactivated => {
                context.disable_accesskit();
                self.is_read = false;
            }
            AccessWindowEvent::ActionRequested(request) => ui.on_accesskit_action_request(request),
        }
    }

    pub fn attach(&mut self, ui: &mut egui_winit::State) {
        ui.accesskit = self.readers.take();
        if self.is_read {
            ui.egui_ctx().enable_accesskit();
        }
    }

    pub fn detach(&mut self, ui: egui_winit::State) {
        self.readers = ui.accesskit;
    }

    pub fn leave_if_gone() {
        x_server::leave_if_gone();
    }

    pub fn pause(time: Duration) {
        std::thread::sleep(time);
    }

    /// [`System::run`] returns the failure.
    pub fn say_why(_: Option<&Error>) {}

    /// egui's part for winit handles all requests of panes.
    pub fn handle(_: &egui::PlatformOutput, _: &Viewer) {}

    pub fn browse(&self, pick: Pick, viewer: &mut Viewer, window: &Window) {
        let dialog = dialog(pick, &viewer.state, window);
        viewer.browse(pick, dialog);
    }

    /// True if the page is hidden; winit reports the windows of a desktop.
    pub fn is_hidden(&self) -> bool {
        false
    }

    pub fn size(&self) -> Option<KeptSize> {
        Some(self.opened)
    }

    pub fn size_to_keep(&self, window: &Window) -> Option<KeptSize> {
        Some(size_to_keep(window, self.opened))
    }
}

/// Opens a window as large as the last one, or maximised if the screen is too small. `proxy` serves accessibility.
fn open_window(
    event_loop: &ActiveEventLoop,
    proxy: EventLoopProxy<SystemEvent>,
    kept: KeptSize,
) -> Result<(Arc<Window>, AccessAdapter)> {
    let monitor = event_loop.primary_monitor();
    let monitor = monitor.or_else(|| event_loop.available_monitors().next());
    let room: Option<LogicalSize<f32>> =
        monitor.map(|monitor| monitor.size().to_logical(monitor.scale_factor()));
    let [width, height] = [0, 1].map(|axis| kept.size[axis].max(LEAST_SIZE[axis]));
    let fits = room.is_some_and(|room| width < room.width && height < room.height);
    let size = room.filter(|_| !fits);
    let attributes = Window::default_attributes()
        .with_title("wavelerp")
        // Accessibility must be set up before the window becomes visible.
        .with_visible(false)
        .with_inner_size(size.unwrap_or(LogicalSize::new(width, height)));
    let window = event_loop.create_window(attributes);
    let window = window.map_err(|error| no_window(&error))?;
    let adapter = AccessAdapter::with_event_loop_proxy(event_loop, &window, proxy);
    window.set_visible(true);
    if kept.is_maximized || !fits {
        // On X11, only a visible window can be maximised.
        window.set_maximized(true);
    }
    Ok((Arc::new(window), adapter))
}

/// Size to store for the next window. `opened` is the size with which this window was opened.
fn size_to_keep(window: &Window, opened: KeptSize) -> KeptSize {
    let now: LogicalSize<f32> = window.inner_size().to_logical(window.scale_factor());
    let is_maximized = window.is_maximized();
    // No system reports the size to which such a window will be restored.
    let is_hidden = is_maximized || window.is_minimized() == Some(true);
    KeptSize {
        size: match is_hidden {
            true => opened.size,
            false => [now.width, now.height],
        },
        is_maximized,
    }
}

fn no_window(error: &dyn std::fmt::Display) -> Error {
    Error::unavailable(format!(
        "cannot open a window here ({}); wavelerp capture renders to files without one",
        reason_of(&error.to_string())
    ))
}

/// First line of a message from the window system, without winit's `os error at FILE:LINE: ` of the build machine.
fn reason_of(said: &str) -> &str {
    let first = said.lines().next().unwrap_or_default().trim();
    let place = first.strip_prefix("os error at ");
    let reason = place
        .and_then(|rest| rest.split_once(": "))
        .map(|(_, reason)| reason);
    reason.unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_display_no_path_of_the_building_machine_is_shown() {
        let said = "os error at /home/builder/winit/mod.rs:765: no display is set.\nmore";
        assert_eq!(reason_of(said), "no display is set.");
        let other = "refused: by: the server";
        assert_eq!(reason_of(other), other);
    }
}
