//! The real window: the binary runs under a virtual X server and a window manager, on software Vulkan with validation
//! layers. Keys and mouse drive it, and screen grabs observe it. `cargo xtask test` installs the tools; a missing tool is
//! a failure. Each test has its own screen, so that several can run in parallel. Every test ends by closing the window,
//! with exit code 0 and an empty standard error, to which validation messages would go.
//!
//! Behaviour that needs no window system – effects of keys and mouse, and the display – is tested on the window's
//! frames alone: `comparing`, `keyboard`, `looking`, `measuring`, `panes`, `pointing` and `start` draw frames into a
//! texture (`headless`).

use std::time::Duration;

mod comparing;
mod display;
mod ending;
mod grab;
mod headless;
mod keeping;
mod keyboard;
mod looking;
mod measuring;
mod moving;
mod opening;
mod panes;
mod pictures;
mod pointing;
mod program;
mod recording;
mod reload;
mod shape;
mod soak;
mod start;

use display::Desk;
use grab::Picture;

/// Longest wait for anything; far longer than needed, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(180);
/// Pause between two polls.
const PAUSE: Duration = Duration::from_millis(20);

/// The scene of most tests, small enough for a CPU: 160x90 pixels, with solids and particles.
const TEMPLE: &str = "--scene temple --size 160x90 --particles 300 --fog-slices 4 --paused --fresh --bare \
                      --view picture --against pixel-loop";
/// Frame size of [`TEMPLE`] in pixels.
const SIZE: [u32; 2] = [160, 90];
/// Size of a window that shows a picture of [`SIZE`] without magnification, with room for messages below.
const WINDOW: [u32; 2] = [SIZE[0], 640];
/// Size of a window with panes.
const WIDE: [u32; 2] = [1280, 720];

/// The flags of [`TEMPLE`], but with panes and labels around the picture.
fn with_panes() -> String {
    TEMPLE.replace("--bare", "")
}
