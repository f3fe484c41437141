//! Values of options at `auto`, derived from facts known before drawing. The rules ignore the adapter, so that a frame
//! has the same lists and pictures on every machine.

use crate::model::options::{Options, auto_pixels_per_wave, auto_threads_per_pixel};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameLoad {
    /// Frame size in pixels, x and y.
    pub size: [u32; 2],
    pub particles: u32,
}

impl FrameLoad {
    /// The options with `auto` replaced by numbers.
    pub fn settle(self, mut options: Options) -> Options {
        let Options { frame, method } = &mut options;
        if frame.auto_tile {
            frame.tile = auto_tile(self);
            method.pixels_per_wave = method.pixels_per_wave.min(frame.pixels_of_tile());
        }
        if method.auto_pixels_per_wave {
            method.pixels_per_wave = auto_pixels_per_wave(self.size);
        }
        if method.auto_threads_per_pixel {
            // Overflowing sizes are rejected later.
            let pixels = self.size[0].saturating_mul(self.size[1]);
            method.threads_per_pixel = auto_threads_per_pixel(pixels);
        }
        options
    }
}

/// Particles per pixel above which a crowd is dense.
const CROWD: u64 = 2;

/// Tile edge in pixels, 8 or 16.
///
/// Tiles of 16 need a quarter as many lists. Tiles of 8 suit a small frame with a dense crowd of small particles: with
/// larger tiles, each pixel would walk many particles that miss it. `docs/results.md` has times.
pub fn auto_tile(load: FrameLoad) -> u32 {
    // Sizes beyond the adapter's limits are rejected later.
    let [width, height] = load.size.map(u64::from);
    let pixels = width.saturating_mul(height);
    if u64::from(load.particles) > pixels.saturating_mul(CROWD) {
        8
    } else {
        16
    }
}
