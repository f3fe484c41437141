//! The flags of the knobs; the frame may choose three of them.

use crate::error::{Error, Result};
use crate::methods::{Dial, Knobs, auto_pixels_per_wave};

use super::ranges::{self, SIZE, Words};
use super::tile::{FrameLoad, auto_tile};

/// The flag value that lets the frame choose a knob.
const AUTO: &str = "auto";

/// The knobs as flags.
#[derive(Clone, Debug, clap::Args)]
pub struct KnobArgs {
    /// Tile edge in pixels: `auto`, 8 or 16
    #[arg(
        long,
        default_value = AUTO,
        value_name = "auto|8|16",
        allow_negative_numbers = true
    )]
    tile: String,
    /// The knobs, except the three that the frame may choose.
    #[command(flatten)]
    knobs: Knobs,
    /// Pixels per wave: `auto`, or a power of two up to the tile's pixels
    #[arg(long, default_value = AUTO, value_name = "auto|COUNT")]
    pixels_per_wave: String,
    /// Dial: `auto` is each method's default (more threads for split-depth in small frames); else pixels per
    /// thread of pixel-loop-staged (8p, 4p, 2p, 1), threads per pixel of split-depth (2, 4 … 256), or layers
    /// per batch of split-batches (32b, 64b … 1024b)
    #[arg(
        long,
        default_value = AUTO,
        value_name = "auto|DIAL",
        allow_negative_numbers = true
    )]
    dial: String,
}

impl Default for KnobArgs {
    fn default() -> Self {
        Self {
            tile: AUTO.to_owned(),
            knobs: Knobs::default(),
            pixels_per_wave: AUTO.to_owned(),
            dial: AUTO.to_owned(),
        }
    }
}

impl KnobArgs {
    /// Checks the flags; no adapter is needed.
    ///
    /// # Errors
    /// Usage: the flag, and what it must be.
    pub fn check(&self) -> Result<()> {
        let load = FrameLoad {
            size: SIZE,
            particles: 0,
        };
        self.settle(load).map(|_| ())
    }

    /// Whether the tile is left to the frame.
    pub fn has_auto_tile(&self) -> bool {
        self.tile == AUTO
    }

    /// The knobs for a frame; `auto` ones are chosen by it.
    ///
    /// # Errors
    /// Same as [`KnobArgs::check`], whatever the frame.
    pub fn settle(&self, load: FrameLoad) -> Result<Knobs> {
        // The tile comes first: what may be walked depends on it.
        let knobs = Knobs {
            tile: self.explicit_tile()?.unwrap_or_else(|| auto_tile(load)),
            ..self.knobs
        };
        Words::Flags.knobs(&knobs)?;
        let [width, height] = load.size;
        // Sizes that overflow are refused later.
        let pixels = width.saturating_mul(height);
        Ok(Knobs {
            pixels_per_wave: self
                .explicit_pixels_per_wave(&knobs)?
                .unwrap_or_else(|| auto_pixels_per_wave(load.size)),
            dial: self
                .explicit_dial()?
                .unwrap_or_else(|| Dial::of_frame(pixels)),
            ..knobs
        })
    }

    fn explicit_tile(&self) -> Result<Option<u32>> {
        if self.has_auto_tile() {
            return Ok(None);
        }
        let wrong = || Words::Flags.wrong("tile", &self.tile, "auto, 8 or 16");
        self.tile.parse().map(Some).map_err(|_| wrong())
    }

    fn explicit_pixels_per_wave(&self, knobs: &Knobs) -> Result<Option<u32>> {
        if self.pixels_per_wave == AUTO {
            return Ok(None);
        }
        let given = &self.pixels_per_wave;
        let pixels = given.parse().ok();
        match pixels.filter(|&pixels| ranges::splits_tile(pixels, knobs)) {
            Some(pixels) => Ok(Some(pixels)),
            None => {
                let allowed = format!("auto, or {}", ranges::divisors_of_tile(knobs));
                Err(Words::Flags.wrong("pixels_per_wave", given, &allowed))
            }
        }
    }

    fn explicit_dial(&self) -> Result<Option<Dial>> {
        if self.dial == AUTO {
            return Ok(None);
        }
        let dial = self.dial.parse();
        dial.map(Some)
            .map_err(|message: String| Error::usage(format!("--dial {message}, or auto")))
    }
}
