//! The window as a picture, for documents and for machines with a GPU but no display.

use web_time::{Duration, Instant};

use crate::error::Result;
use crate::report::canvas::Canvas;

use super::headless::Headless;
use super::start::Start;

/// Number of frames before the picture: enough for medians of times, and for all readings to arrive.
const FRAMES: u32 = 150;
const FRAMES_ON_A_CPU: u32 = 12;
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Still {
    pub start: Start,
    pub size: [u32; 2],
    pub scale: f32,
    pub measure: bool,
    pub is_light: bool,
}

pub fn still(wanted: Still) -> Result<Canvas> {
    let mut window = Headless::new(wanted.start, wanted.size, wanted.scale)?;
    window.viewer.state.panes.is_light = wanted.is_light;
    let count = if window.viewer.state.machine.caps.is_cpu {
        FRAMES_ON_A_CPU
    } else {
        FRAMES
    };
    let begun = Instant::now();
    let has_patience = || begun.elapsed() < PATIENCE;
    let frames = |window: &mut Headless, count: u32| {
        for frame in 0..count {
            // A few frames are needed to see anything at all.
            if frame > 6 && !has_patience() {
                break;
            }
            window.frame(Default::default())?;
        }
        Result::Ok(())
    };
    frames(&mut window, count)?;
    if wanted.measure {
        let usable = window.viewer.state.machine.usable();
        window.viewer.session.start_measuring(&usable)?;
        while window.viewer.is_measuring() && has_patience() {
            window.frame(Default::default())?;
        }
        // Afterwards, the methods on screen are drawn again.
        frames(&mut window, count / 2)?;
    }
    window.frame(Default::default())?;
    window.picture()
}
