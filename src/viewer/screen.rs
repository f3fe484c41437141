//! The window on the screen: its initial size, and the size kept for the next one.

use std::sync::Arc;

use egui_winit::accesskit_winit::{Adapter as AccessAdapter, Event as AccessEvent};
use winit::dpi::LogicalSize;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use crate::error::{Error, Result};

use super::window_state::{KeptSize, LEAST_SIZE};

/// Opens a window as large as the last one, with an accessibility adapter that uses `proxy`. Maximises it if the
/// screen is too small.
pub(super) fn open_window(
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
        // Screen readers must know the window before it becomes visible.
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

/// Size to keep of a window for the next one; it was opened with `opened`.
pub(super) fn size_to_keep(window: &Window, opened: KeptSize) -> KeptSize {
    let now: LogicalSize<f32> = window.inner_size().to_logical(window.scale_factor());
    let is_maximized = window.is_maximized();
    // No system reports the size that such a window returns to.
    let is_hidden = is_maximized || window.is_minimized() == Some(true);
    KeptSize {
        size: match is_hidden {
            true => opened.size,
            false => [now.width, now.height],
        },
        is_maximized,
    }
}

pub(super) fn no_window(error: &dyn std::fmt::Display) -> Error {
    Error::unavailable(format!(
        "cannot open a window here ({}); wavelerp capture renders to files without one",
        reason_of(&error.to_string())
    ))
}

/// First line of a message of the window system, without winit's `os error at FILE:LINE: ` of the build machine.
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
