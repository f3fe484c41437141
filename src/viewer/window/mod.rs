//! The real window: a host of the viewer that winit calls. Independent of scenes and methods. `System` is the part that
//! differs between a desktop and a page.

#[cfg(not(target_arch = "wasm32"))]
mod desktop;
#[cfg(not(target_arch = "wasm32"))]
mod dialogs;
mod opened;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod x_server;

use std::sync::Arc;
use web_time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::keyboard::KeyLocation;
use winit::window::{Window, WindowId};

use crate::error::{Error, Result};

use super::frame::{PaintTarget, Viewer};
use super::start::Start;
use super::surface::Surface;
use opened::Opened;

#[cfg(not(target_arch = "wasm32"))]
use desktop::{System, SystemEvent};
#[cfg(target_arch = "wasm32")]
use page::{System, SystemEvent};

/// Pause before an invisible window is checked again, and after a frame that could not be shown.
const UNSEEN_PAUSE: Duration = Duration::from_millis(50);

/// Opens the window. Returns when it has closed; in a page, at once.
pub fn run(start: Start) -> Result<()> {
    let event_loop = System::event_loop()?;
    let app = App {
        start: Some((start, event_loop.create_proxy())),
        host: None,
        failure: None,
    };
    System::run(event_loop, app, |mut app, display_is_gone| {
        if display_is_gone && let Some(host) = &mut app.host {
            host.viewer.close(host.system.size());
        }
        app.failure
    })
}

struct App {
    start: Option<(Start, EventLoopProxy<SystemEvent>)>,
    host: Option<Host>,
    failure: Option<Error>,
}

impl App {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Option<Error>) {
        self.failure = self.failure.take().or(error);
        event_loop.exit();
    }

    fn take(&mut self, opened: Result<Opened<System>>) -> Result<()> {
        self.host = Some(Host::new(opened?)?);
        Ok(())
    }
}

impl ApplicationHandler<SystemEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((start, proxy)) = self.start.take() else {
            return;
        };
        let opened = System::open(event_loop, proxy, start).transpose();
        if let Some(Err(error)) = opened.map(|opened| self.take(opened)) {
            self.fail(event_loop, Some(error));
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: SystemEvent) {
        let event = match System::opened(event) {
            Ok(opened) => {
                if let Err(error) = self.take(opened) {
                    self.fail(event_loop, Some(error));
                }
                return;
            }
            Err(event) => event,
        };
        if let Some(host) = &mut self.host {
            host.system.take(event, &mut host.ui, &mut host.viewer);
            host.viewer.wake();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(host) = &mut self.host else { return };
        match host.event(&event) {
            Ok(false) => {}
            ended => self.fail(event_loop, ended.err()),
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        System::leave_if_gone();
        let Some(host) = &self.host else { return };
        let due = host.viewer.next_frame();
        if due > Instant::now() {
            event_loop.set_control_flow(ControlFlow::WaitUntil(due));
        } else {
            event_loop.set_control_flow(System::WHEN_DUE);
            host.window.request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(host) = &mut self.host {
            // A hidden window does not report its size.
            let size = host.system.size_to_keep(&host.window);
            host.window.set_visible(false);
            host.viewer.close(size);
        }
        System::say_why(self.failure.as_ref());
    }
}

struct Host {
    window: Arc<Window>,
    ui: egui_winit::State,
    surface: Surface,
    viewer: Viewer,
    is_occluded: bool,
    system: System,
}

impl Host {
    fn new(opened: Opened<System>) -> Result<Self> {
        let Opened {
            window,
            start,
            gpu,
            surface,
            mut system,
        } = opened;
        let mut viewer = Viewer::new(start, gpu, surface.format())?;
        viewer.eases = true;
        let mut ui = new_ui(&window, &viewer);
        system.attach(&mut ui);
        Ok(Self {
            ui,
            window,
            surface,
            viewer,
            is_occluded: false,
            system,
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

    fn is_seen(&self) -> bool {
        let size = self.window.inner_size();
        let is_minimized = self.window.is_minimized() == Some(true);
        let is_hidden = is_minimized || self.is_occluded || self.system.is_hidden();
        size.width > 0 && size.height > 0 && !is_hidden
    }

    fn frame(&mut self) -> Result<()> {
        let now = Instant::now();
        if !self.is_seen() {
            // An invisible window draws nothing.
            self.viewer.skip_frame(now);
            System::pause(UNSEEN_PAUSE);
            return Ok(());
        }
        if self.viewer.revive(&mut self.surface)? {
            let before = std::mem::replace(&mut self.ui, new_ui(&self.window, &self.viewer));
            self.system.detach(before);
            self.system.attach(&mut self.ui);
        }
        let vsync = self.viewer.waits_for_the_display();
        self.surface.configure(self.viewer.gpu(), vsync);
        let input = self.ui.take_egui_input(&self.window);
        let output = self.viewer.frame(input, now, &mut self.surface)?;
        System::handle(&output.platform, &self.viewer);
        self.ui
            .handle_platform_output(&self.window, output.platform);
        for pick in output.dialogs {
            self.system.browse(pick, &mut self.viewer, &self.window);
        }
        if let Ok(false) = output.shown {
            // There is no display to wait for, so pause instead of spinning.
            System::pause(UNSEEN_PAUSE);
        }
        Ok(())
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
