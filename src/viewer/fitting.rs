//! How large the window is when it opens, so that all of it is on the screen. Knows no window system, only sizes.

use serde::{Deserialize, Serialize};

use super::panes::LEAST_SIZE;

/// The window's size where none is kept, points.
const USUAL: [f32; 2] = [1600.0, 900.0];
/// What the window's frame and the desktop's bars take of a monitor at most, points.
///
/// No window system tells all of it before the window is there: X11 knows one work area for all monitors together,
/// Wayland none at all, and a frame is as thick as who draws it likes. A title bar has 20 to 46 points; a taskbar has
/// 48 on Windows and a menu bar with the Dock 110 on macOS; a dock at the side has 70.
const BARS: [f32; 2] = [96.0, 136.0];
/// The size on an unknown monitor, points: it fits on the smallest that are sold.
const SMALL: [f32; 2] = [1024.0, 600.0];

/// The size that a window had when it was closed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptSize {
    /// Size of what is inside the frame, points; while the window was maximised, the size before that.
    pub size: [f32; 2],
    /// Size of the monitor that it was on, points.
    pub monitor: [f32; 2],
    pub is_maximized: bool,
}

impl KeptSize {
    /// Whether every number is one that a window can have.
    pub fn is_sound(&self) -> bool {
        let mut edges = self.size.iter().chain(&self.monitor);
        edges.all(|edge| (1.0..=1e5).contains(edge))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// Size of what is inside the frame, points.
    pub size: [f32; 2],
    /// Whether it is maximised: the desktop, which knows its bars, then makes it as large as there is room.
    pub is_maximized: bool,
}

/// How a window opens on a monitor of this size in points, if that is known.
pub fn opening(monitor: Option<[f32; 2]>, kept: Option<KeptSize>) -> Opening {
    let room = match monitor {
        Some(monitor) => minus(monitor, BARS),
        None => SMALL,
    };
    let Some(kept) = kept else {
        return Opening {
            size: within(USUAL, room),
            is_maximized: USUAL != within(USUAL, room),
        };
    };
    let least = within(LEAST_SIZE, room);
    let wanted = [0, 1].map(|axis| kept.size[axis].max(least[axis]));
    // It was on such a monitor before, beside the bars that are there.
    let is_known = monitor == Some(kept.monitor) && wanted == within(wanted, kept.monitor);
    Opening {
        size: if is_known {
            wanted
        } else {
            within(wanted, room)
        },
        is_maximized: kept.is_maximized,
    }
}

/// The top left corner of a window in the middle of a monitor, physical pixels; `outer` is its size with its frame.
pub fn centred(corner: [i32; 2], monitor: [u32; 2], outer: [u32; 2]) -> [i32; 2] {
    [0, 1].map(|axis| corner[axis] + (monitor[axis].saturating_sub(outer[axis]) / 2) as i32)
}

fn within(size: [f32; 2], room: [f32; 2]) -> [f32; 2] {
    [0, 1].map(|axis| size[axis].min(room[axis]))
}

/// What is left of a monitor beside `bars`; at least half of it.
fn minus(monitor: [f32; 2], bars: [f32; 2]) -> [f32; 2] {
    [0, 1].map(|axis| (monitor[axis] - bars[axis]).max(0.5 * monitor[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Monitors, physical pixels.
    const MONITORS: [[u32; 2]; 3] = [[1366, 768], [1920, 1080], [2560, 1440]];
    /// A frame and the bars of Windows 11, of GNOME with a dock, and of macOS: left, top, right and bottom, points.
    const DESKTOPS: [[f32; 4]; 3] = [
        [8.0, 31.0, 8.0, 8.0 + 48.0],
        [70.0, 32.0 + 37.0, 0.0, 0.0],
        [0.0, 37.0 + 28.0, 0.0, 70.0],
    ];

    fn points([width, height]: [u32; 2], scale: f32) -> [f32; 2] {
        [width as f32 / scale, height as f32 / scale]
    }

    /// Every monitor at every scale factor, in points.
    fn all() -> impl Iterator<Item = [f32; 2]> {
        let scales = [1.0, 1.5, 2.0];
        MONITORS
            .into_iter()
            .flat_map(move |size| scales.map(|scale| points(size, scale)))
    }

    /// Whether a window that is not maximised lies in the work area with its frame, whatever the desktop.
    fn is_inside(size: [f32; 2], monitor: [f32; 2]) -> bool {
        DESKTOPS.iter().all(|[left, top, right, bottom]| {
            size[0] + left + right <= monitor[0] && size[1] + top + bottom <= monitor[1]
        })
    }

    fn kept(size: [f32; 2], monitor: [f32; 2]) -> KeptSize {
        KeptSize {
            size,
            monitor,
            is_maximized: false,
        }
    }

    #[test]
    fn the_first_window_is_within_the_work_area_with_its_frame_on_every_monitor() {
        for monitor in all() {
            let first = opening(Some(monitor), None);
            assert!(is_inside(first.size, monitor), "{monitor:?}: {first:?}");
            // Where there is no room for the usual size the desktop gives all that there is.
            assert_eq!(first.is_maximized, first.size != USUAL, "{monitor:?}");
            // Negative control: the usual size is too large just where it is not taken.
            assert_eq!(
                is_inside(USUAL, monitor),
                !first.is_maximized,
                "{monitor:?}"
            );
        }
        let large = opening(Some(points([2560, 1440], 1.0)), None);
        assert_eq!((large.size, large.is_maximized), (USUAL, false));
        let unknown = opening(None, None);
        assert!(unknown.is_maximized && unknown.size == SMALL);
    }

    #[test]
    fn a_kept_size_comes_back_where_it_fits_and_is_shrunk_where_it_does_not() {
        let large = points([2560, 1440], 1.0);
        for size in [[1200.0, 700.0], [2500.0, 1390.0], [700.0, 1390.0]] {
            let again = opening(Some(large), Some(kept(size, large)));
            assert_eq!((again.size, again.is_maximized), (size, false));
            for monitor in all().filter(|monitor| *monitor != large) {
                let opened = opening(Some(monitor), Some(kept(size, large)));
                assert!(is_inside(opened.size, monitor), "{monitor:?}: {opened:?}");
                let fits = size == within(size, minus(monitor, BARS));
                assert_eq!(opened.size == size, fits, "{monitor:?}");
                assert!(!opened.is_maximized);
            }
        }
        // A window larger than its monitor, and one whose monitor is gone or not known.
        let huge = opening(Some(large), Some(kept([5000.0, 700.0], large)));
        assert_eq!(huge.size, [2560.0 - BARS[0], 700.0]);
        let unknown = opening(None, Some(kept([2000.0, 500.0], large)));
        assert_eq!(unknown.size, [SMALL[0], 500.0]);
    }

    #[test]
    fn a_window_that_was_maximised_is_so_again_and_a_tiny_one_becomes_usable() {
        let monitor = points([1920, 1080], 1.0);
        let was = KeptSize {
            is_maximized: true,
            ..kept([1000.0, 600.0], monitor)
        };
        let again = opening(Some(monitor), Some(was));
        assert_eq!((again.size, again.is_maximized), (was.size, true));
        let tiny = opening(Some(monitor), Some(kept([17.0, 13.0], monitor)));
        assert_eq!(tiny.size, LEAST_SIZE);
    }

    #[test]
    fn a_window_in_the_middle_of_its_monitor_leaves_the_same_room_on_both_sides() {
        // The second of two monitors beside each other.
        let place = centred([1920, 0], [1920, 1080], [1616, 939]);
        assert_eq!(place, [1920 + 152, 70]);
        assert_eq!(centred([0, 0], [100, 100], [200, 100]), [0, 0]);
    }

    #[test]
    fn numbers_that_no_window_has_are_found() {
        let good = kept([640.0, 360.0], [1920.0, 1080.0]);
        assert!(good.is_sound());
        for edge in [0.0, -5.0, f32::NAN, f32::INFINITY, 1e9] {
            let mut bad = good;
            bad.size[1] = edge;
            assert!(!bad.is_sound(), "{edge}");
        }
    }
}
