//! The real window: a host of the viewer that winit calls. Independent of scenes and methods.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_winit::accesskit_winit::{
    Adapter as AccessAdapter, Event as AccessEvent, WindowEvent as AccessWindowEvent,
};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::keyboard::KeyLocation;
use winit::window::{Window, WindowId};

use crate::error::{Error, Result};

use super::dialogs::dialog;
use super::frame::{PaintTarget, Viewer};
use super::start::Start;
use super::surface::Surface;
use super::window_state::{KeptSize, LEAST_SIZE};
use super::x_server;

/// Pause before an invisible window is checked again, and after a frame that could not be shown.
const UNSEEN_PAUSE: Duration = Duration::from_millis(50);

pub fn run(start: Start) -> Result<()> {
    // Without a display, winit would fail later, with a message about libraries that it cannot load.
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
        return Err(no_window(&"DISPLAY and WAYLAND_DISPLAY are unset"));
    }
    let event_loop = EventLoop::with_user_event().build();
    let event_loop = event_loop.map_err(|error| no_window(&error))?;
    x_server::outlive(&event_loop);
    let mut app = App {
        start: Some((start, event_loop.create_proxy())),
        host: None,
        failure: None,
    };
    let Some(ended) = x_server::until_gone(|| event_loop.run_app(&mut app)) else {
        if let Some(mut host) = app.host {
            host.viewer.close(host.opened);
        }
        let said = "the display is gone, so the window closed; start wavelerp again on a display that works";
        return Err(Error::unavailable(said));
    };
    match app.failure {
        Some(error) => Err(error),
        None => ended.map_err(|error| no_window(&error)),
    }
}

struct App {
    start: Option<(Start, EventLoopProxy<AccessEvent>)>,
    host: Option<Host>,
    failure: Option<Error>,
}

impl ApplicationHandler<AccessEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((start, proxy)) = self.start.take() else {
            return;
        };
        match Host::new(event_loop, proxy, start) {
            Ok(host) => self.host = Some(host),
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, event: AccessEvent) {
        if let Some(host) = &mut self.host {
            host.access(event.window_event);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(host) = &mut self.host else { return };
        match host.event(&event) {
            Ok(false) => {}
            ended => {
                self.failure = self.failure.take().or(ended.err());
                event_loop.exit();
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        x_server::leave_if_gone();
        let Some(host) = &self.host else { return };
        let due = host.viewer.next_frame();
        if due > Instant::now() {
            event_loop.set_control_flow(ControlFlow::WaitUntil(due));
        } else {
            event_loop.set_control_flow(ControlFlow::Poll);
            host.window.request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(host) = &mut self.host {
            host.close();
        }
    }
}

struct Host {
    window: Arc<Window>,
    opened: KeptSize,
    ui: egui_winit::State,
    surface: Surface,
    viewer: Viewer,
    is_occluded: bool,
    /// True if a screen reader or a similar program reads the window.
    is_read: bool,
}

impl Host {
    fn new(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<AccessEvent>,
        start: Start,
    ) -> Result<Self> {
        let opened = start.kept.size.unwrap_or_default();
        let (window, readers) = open_window(event_loop, proxy, opened)?;
        let (gpu, surface) = Surface::open(&start.adapter, &window)?;
        let mut viewer = Viewer::new(start, gpu, surface.format())?;
        viewer.eases = true;
        let mut ui = new_ui(&window, &viewer);
        ui.accesskit = Some(readers);
        Ok(Self {
            window,
            opened,
            ui,
            surface,
            viewer,
            is_occluded: false,
            is_read: false,
        })
    }

    /// Handles an event; draws if requested. Returns true if the window should close.
    fn event(&mut self, event: &WindowEvent) -> Result<bool> {
        self.offer_to_panes(event);
        match event {
            WindowEvent::RedrawRequested => self.frame()?,
            WindowEvent::CloseRequested => self.viewer.start_closing(),
            WindowEvent::Occluded(is_occluded) => self.is_occluded = *is_occluded,
            _ => {}
        }
        if *event != WindowEvent::RedrawRequested {
            self.viewer.wake();
        }
        Ok(self.viewer.is_done(self.is_seen()))
    }

    fn offer_to_panes(&mut self, event: &WindowEvent) {
        let _ = self.ui.on_window_event(&self.window, event);
        // Keys are identified by position, and the number pad differs from the number row.
        if let WindowEvent::KeyboardInput { event, .. } = event
            && event.location == KeyLocation::Numpad
            && let Some(egui::Event::Key { physical_key, .. }) =
                self.ui.egui_input_mut().events.last_mut()
        {
            *physical_key = None;
        }
    }

    fn access(&mut self, event: AccessWindowEvent) {
        let context = self.ui.egui_ctx();
        match event {
            AccessWindowEvent::InitialTreeRequested => {
                context.enable_accesskit();
                self.is_read = true;
            }
            AccessWindowEvent::AccessibilityDeactivated => {
                context.disable_accesskit();
                self.is_read = false;
            }
            AccessWindowEvent::ActionRequested(request) => {
                self.ui.on_accesskit_action_request(request);
            }
        }
        self.viewer.wake();
    }

    fn is_seen(&self) -> bool {
        let size = self.window.inner_size();
        let is_minimized = self.window.is_minimized() == Some(true);
        size.width > 0 && size.height > 0 && !is_minimized && !self.is_occluded
    }

    fn frame(&mut self) -> Result<()> {
        let now = Instant::now();
        if !self.is_seen() {
            // An invisible window draws nothing.
            self.viewer.skip_frame(now);
            std::thread::sleep(UNSEEN_PAUSE);
            return Ok(());
        }
        if self.viewer.revive(&mut self.surface)? {
            self.renew_ui();
        }
        let vsync = self.viewer.waits_for_the_display();
        self.surface.configure(self.viewer.gpu(), vsync);
        let input = self.ui.take_egui_input(&self.window);
        let output = self.viewer.frame(input, now, &mut self.surface)?;
        self.ui
            .handle_platform_output(&self.window, output.platform);
        for pick in output.dialogs {
            let dialog = dialog(pick, &self.viewer.state, &self.window);
            self.viewer.browse(pick, dialog);
        }
        if let Ok(false) = output.shown {
            // There is no display to wait for, so pause instead of spinning.
            std::thread::sleep(UNSEEN_PAUSE);
        }
        Ok(())
    }

    /// Adapts to the viewer's new egui context after a change of device.
    fn renew_ui(&mut self) {
        let reader = self.ui.accesskit.take();
        self.ui = new_ui(&self.window, &self.viewer);
        self.ui.accesskit = reader;
        if self.is_read {
            self.ui.egui_ctx().enable_accesskit();
        }
    }

    fn close(&mut self) {
        // A hidden window does not report its size.
        let size = size_to_keep(&self.window, self.opened);
        self.window.set_visible(false);
        self.viewer.close(size);
    }
}

fn new_ui(window: &Window, viewer: &Viewer) -> egui_winit::State {
    egui_winit::State::new(
        viewer.context().clone(),
        egui::ViewportId::ROOT,
        window,
        Some(window.scale_factor() as f32),
        None,
        Some(viewer.gpu().caps.max_texture_edge as usize),
    )
}

/// Opens a window as large as the last one, or maximised if the screen is too small. `proxy` serves accessibility.
fn open_window(
    event_loop: &ActiveEventLoop,
    proxy: EventLoopProxy<AccessEvent>,
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
