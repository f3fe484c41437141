//! The flags of the knobs, of which two may be left to the frame's size.

use crate::error::{Error, Result};
use crate::methods::{Dial, Knobs, auto_pixels_per_wave};

use super::ranges::{self, SIZE, Words};

/// The value of a flag that leaves its knob to the frame's size.
const AUTO: &str = "auto";

/// The knobs as flags.
#[derive(Clone, Debug, clap::Args)]
pub struct KnobArgs {
    /// The knobs, but for the two that may be left to the frame's size.
    #[command(flatten)]
    knobs: Knobs,
    /// Pixels that a wave walks: `auto`, or a power of two up to the tile's pixels
    #[arg(long, default_value = AUTO, value_name = "auto|COUNT")]
    pixels_per_wave: String,
    /// `auto`, pixels per thread (8p, 4p, 2p) or threads per pixel (1, 2, 4 … 256): the dial of
    /// pixel-loop-staged (which takes the first half) and split-depth; or layers of a batch (32b, 64b …
    /// 1024b): that of split-batches
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
        self.settle(SIZE).map(|_| ())
    }

    /// The knobs for a frame of `size` pixels in x and y, by which what was left open is chosen.
    ///
    /// # Errors
    /// As [`KnobArgs::check`], whatever the size.
    pub fn settle(&self, size: [u32; 2]) -> Result<Knobs> {
        // The tile's own range comes first: what may be walked depends on it.
        Words::Flags.knobs(&self.knobs)?;
        let [width, height] = size;
        // Sizes that overflow are refused later.
        let pixels = width.saturating_mul(height);
        Ok(Knobs {
            pixels_per_wave: self
                .explicit_pixels_per_wave()?
                .unwrap_or_else(|| auto_pixels_per_wave(size)),
            dial: self.explicit_dial()?.unwrap_or_else(|| Dial::auto(pixels)),
            ..self.knobs
        })
    }

    fn explicit_pixels_per_wave(&self) -> Result<Option<u32>> {
        if self.pixels_per_wave == AUTO {
            return Ok(None);
        }
        let given = &self.pixels_per_wave;
        let pixels = given.parse().ok();
        match pixels.filter(|&pixels| ranges::splits_tile(pixels, &self.knobs)) {
            Some(pixels) => Ok(Some(pixels)),
            None => {
                let allowed = format!("auto, or {}", ranges::divisors_of_tile(&self.knobs));
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
