//! The window: its loop, keys and mouse, the panes, and the frame behind them. Knows no pass of a frame by
//! name.
//!
//! `demo` is the loop. It owns a `Screen` (window, surface, painter of the panes), a `Session` (device, pipelines, live
//! frame, rule of `auto`), a [`state::State`] (what is shown, and what the panes change), an `Input` (keys and
//! mouse), an `Outbox` (pictures and work under way) and a `Recorder` (frames for RenderDoc).

pub mod action;
mod background;
mod benchmarks;
pub mod camera;
pub mod code;
mod controls;
mod demo;
mod dialogs;
pub mod dock;
mod files;
mod fitting;
pub mod flip;
mod grab;
mod graphics;
pub mod held;
pub mod images;
mod input;
pub mod kept;
pub mod keys;
pub mod loading;
pub mod maps;
pub mod measured;
mod outbox;
mod pace;
mod painter;
pub mod panes;
pub mod picking;
pub mod placement;
pub mod preset;
mod recording;
mod reload;
mod rest;
mod ron_file;
mod screen;
mod screenshot;
mod session;
pub mod shaders;
mod staging;
pub mod state;
pub mod still;
pub mod times;
pub mod view;

use std::path::PathBuf;
use std::time::Instant;

use egui_winit::accesskit_winit::Event as AccessEvent;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

use crate::error::{Error, Result};
use crate::gpu::AdapterRequest;
use crate::model::methods::Method;
use crate::model::settings::Request;
use crate::report::range::RangeChoice;

use demo::Demo;
use dock::Arrangement;
use kept::Kept;
use preset::Preset;
use view::{Layout, View};

/// What the command line asked for.
#[derive(Clone)]
pub struct Start {
    /// Scene and settings.
    pub request: Request,
    /// Whether what is in the files that the scene names is read while the window is open. The scene of `request` is
    /// one in outline then.
    pub reads_later: bool,
    /// Settings that replace those of `request`: a preset, or where the last run ended.
    pub preset: Option<Preset>,
    /// Lines that the log begins with.
    pub notices: Vec<String>,
    pub adapter: AdapterRequest,
    pub shaders: Shaders,
    /// Whether the clock is stopped at first.
    pub paused: bool,
    /// Method B.
    pub against: Option<Method>,
    /// What is shown.
    pub view: Option<View>,
    /// Range of the colours of differences.
    pub difference_range: Option<RangeChoice>,
    /// Where the view is split, as a part of its width, 0…1.
    pub split: Option<f32>,
    /// Which pictures stand beside each other.
    pub layout: Option<Layout>,
    /// How the panes are arranged at first.
    pub arrangement: Option<Arrangement>,
    /// Whether only the picture is there at first, without panes and labels.
    pub bare: bool,
    /// What the last window left: its size, and the files opened there.
    pub kept: Kept,
    /// Whether settings are kept for the next start.
    pub remember: bool,
    /// Whether nobody has closed a window here before: it opens with a card that says what to try.
    pub is_first: bool,
}

/// Where the window's shaders come from.
#[derive(Clone, Debug)]
pub struct Shaders {
    /// The folder that is read and watched. Without one, the embedded shaders are used.
    pub folder: Option<PathBuf>,
    /// Whether the user named the folder. Benchmarks and calibrations use it only then.
    pub given: bool,
    /// Whether messages about shaders go to standard error too.
    pub echo: bool,
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// No display or no adapter that can draw into it, or the device failed.
pub fn run(start: Start) -> Result<()> {
    // Without a display winit would fail later, with a message about libraries that it cannot load.
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
        return Err(no_window(&"DISPLAY and WAYLAND_DISPLAY are unset"));
    }
    let event_loop = EventLoop::with_user_event().build();
    let event_loop = event_loop.map_err(|error| no_window(&error))?;
    let mut app = App {
        start: Some((start, event_loop.create_proxy())),
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

/// An error with the first line of what the window system said.
fn no_window(error: &dyn std::fmt::Display) -> Error {
    Error::unavailable(format!(
        "cannot open a window here ({}); wavelerp capture renders to files without one",
        reason_of(&error.to_string())
    ))
}

/// The first line of what the window system said, without winit's file on the machine that built the program:
/// `os error at FILE:LINE: reason`.
fn reason_of(said: &str) -> &str {
    let first = said.lines().next().unwrap_or_default().trim();
    let place = first.strip_prefix("os error at ");
    let reason = place
        .and_then(|rest| rest.split_once(": "))
        .map(|(_, reason)| reason);
    reason.unwrap_or(first)
}

/// winit's view of the program: nothing until the window can be made, then the demo.
struct App {
    start: Option<(Start, EventLoopProxy<AccessEvent>)>,
    demo: Option<Demo>,
    failure: Option<Error>,
}

impl ApplicationHandler<AccessEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((start, proxy)) = self.start.take() else {
            return;
        };
        match Demo::new(event_loop, proxy, start) {
            Ok(demo) => self.demo = Some(demo),
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, event: AccessEvent) {
        if let Some(demo) = &mut self.demo {
            demo.access(event.window_event);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Some(demo) = &mut self.demo
            && demo.event(&event)
        {
            event_loop.exit();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(demo) = &self.demo else { return };
        let due = demo.next_frame();
        if due > Instant::now() {
            event_loop.set_control_flow(ControlFlow::WaitUntil(due));
        } else {
            event_loop.set_control_flow(ControlFlow::Poll);
            demo.request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(demo) = &mut self.demo {
            demo.close();
            self.failure = demo.failure();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_display_no_path_of_the_building_machine_is_shown() {
        let said = "os error at /home/builder/.cargo/registry/winit-0.30.13/src/linux/mod.rs:765: neither \
                    WAYLAND_DISPLAY nor DISPLAY is set.\nmore";
        let message = no_window(&said).message;
        assert!(
            message.contains("(neither WAYLAND_DISPLAY nor DISPLAY is set.)"),
            "{message}"
        );
        assert!(!message.contains("builder"), "{message}");
        assert!(
            no_window(&"refused: by: the server")
                .message
                .contains("(refused: by: the server)")
        );
    }
}
