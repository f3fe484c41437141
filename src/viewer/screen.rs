//! Where a window is on the screen and how large: as it opens, and to be kept for the next one.

use std::sync::Arc;

use egui_winit::accesskit_winit::{Adapter as AccessAdapter, Event as AccessEvent};
use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::monitor::MonitorHandle;
use winit::window::Window;

use crate::error::{Error, Result};

use super::fitting::{KeptSize, Opening, centred, opening};

/// Opens a window that fits its screen, and what serves screen readers through `proxy`. `kept`: the last window's size.
pub(super) fn open_window(
    event_loop: &ActiveEventLoop,
    proxy: EventLoopProxy<AccessEvent>,
    kept: Option<KeptSize>,
) -> Result<(Arc<Window>, Opening, AccessAdapter)> {
    let likely = likely_monitor(event_loop);
    let first = opening(likely.as_ref().and_then(points_of), kept);
    let attributes = Window::default_attributes()
        .with_title("wavelerp")
        // Screen readers have to know of the window before it is seen.
        .with_visible(false)
        .with_inner_size(logical(first.size));
    let window = event_loop.create_window(attributes);
    let window = window.map_err(|error| no_window(&error))?;
    let monitor = window.current_monitor().or(likely);
    let opening = opening(monitor.as_ref().and_then(points_of), kept);
    if opening != first {
        // The answer comes as an event.
        let _ = window.request_inner_size(logical(opening.size));
    }
    if let Some(monitor) = monitor.filter(|_| cfg!(windows)) {
        centre(&window, &monitor);
    }
    let adapter = AccessAdapter::with_event_loop_proxy(event_loop, &window, proxy);
    window.set_visible(true);
    if opening.is_maximized {
        // X11 knows no maximised windows but those that are seen.
        window.set_maximized(true);
    }
    Ok((Arc::new(window), opening, adapter))
}

/// The monitor that a window will probably open on: the first, else the smallest, because what fits there fits on all.
fn likely_monitor(event_loop: &ActiveEventLoop) -> Option<MonitorHandle> {
    let area = |monitor: &MonitorHandle| {
        let [width, height] = points_of(monitor).unwrap_or([f32::MAX; 2]);
        width * height
    };
    event_loop.primary_monitor().or_else(|| {
        let all = event_loop.available_monitors();
        all.min_by(|a, b| area(a).total_cmp(&area(b)))
    })
}

/// A monitor's size in points, if it tells one.
fn points_of(monitor: &MonitorHandle) -> Option<[f32; 2]> {
    let size = monitor.size();
    let points = size.to_logical::<f32>(monitor.scale_factor());
    (size.width > 0 && size.height > 0).then_some([points.width, points.height])
}

fn logical([width, height]: [f32; 2]) -> LogicalSize<f32> {
    LogicalSize::new(width, height)
}

/// Puts a window into the middle of its monitor: Windows would put it where it hangs over the edge.
fn centre(window: &Window, monitor: &MonitorHandle) {
    let (corner, size, outer) = (monitor.position(), monitor.size(), window.outer_size());
    let [x, y] = centred(
        [corner.x, corner.y],
        [size.width, size.height],
        [outer.width, outer.height],
    );
    window.set_outer_position(PhysicalPosition::new(x, y));
}

/// The size of a window that was opened as `opening` says, for the next one; none while its monitor is not known.
pub(super) fn size_to_keep(window: &Window, opening: Opening) -> Option<KeptSize> {
    let now = window.inner_size();
    let now = now.to_logical::<f32>(window.scale_factor());
    let is_maximized = window.is_maximized();
    // No system tells the size that such a window goes back to.
    let is_hidden = is_maximized || window.is_minimized() == Some(true);
    Some(KeptSize {
        size: match is_hidden {
            true => opening.size,
            false => [now.width, now.height],
        },
        monitor: window.current_monitor().as_ref().and_then(points_of)?,
        is_maximized,
    })
}

/// An error with the first line of what the window system said.
pub(super) fn no_window(error: &dyn std::fmt::Display) -> Error {
    Error::unavailable(format!(
        "cannot open a window here ({}); wavelerp capture renders to files without one",
        reason_of(&error.to_string())
    ))
}

/// The first line of what the window system said, without winit's `os error at FILE:LINE: ` of the building machine.
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
