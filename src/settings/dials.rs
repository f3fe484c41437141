//! The flags that specialise a method's shader: tile, form of the product, early-out, dials.

use crate::error::{Error, Result};
use crate::methods::{Dial, Hazard, Method, Specialization, Tail, auto_pixels_per_wave};

use super::args::SIZE;
use super::ranges::{self, Words};

/// What is baked into a method's shader, as flags.
#[derive(Clone, Debug, clap::Args)]
pub struct DialArgs {
    /// Tile edge in pixels: 8 or 16
    #[arg(
        long,
        default_value_t = 8,
        value_name = "PIXELS",
        allow_negative_numbers = true
    )]
    pub tile: u32,
    /// How the exclusive prefix product is formed
    #[arg(long, value_enum, default_value_t = Hazard::Driver)]
    pub hazard: Hazard,
    /// Stop a pixel when its transmittance falls below this, 0 (off) or more and less than 1
    #[arg(
        long,
        default_value_t = 0.0,
        allow_negative_numbers = true,
        value_name = "TRANSMITTANCE"
    )]
    pub early_out: f32,
    /// Pixels that a wave walks: `auto`, or a power of two up to the tile's pixels
    #[arg(long, default_value = "auto", value_name = "auto|COUNT")]
    pub pixels_per_wave: String,
    /// What becomes of a list's last group: `own` is the method's own way, `padded` keeps all lanes
    #[arg(long, value_enum, default_value_t = Tail::Own)]
    pub tail: Tail,
    /// `auto`, pixels per thread (8p, 4p, 2p), or threads per pixel (1, 2, 4 … 256): the dial of
    /// pixel-loop-staged (which takes the first half) and split-depth
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|DIAL",
        allow_negative_numbers = true
    )]
    pub dial: String,
}

/// Number of pixels; sizes that large are refused later.
fn pixels([width, height]: [u32; 2]) -> u32 {
    width.saturating_mul(height)
}

impl DialArgs {
    /// Checks all that needs no adapter.
    ///
    /// # Errors
    /// Exit code 2: the flag, and what it must be.
    pub fn check(&self) -> Result<()> {
        Words::Flags.tile(self.tile)?;
        Words::Flags.early_out(self.early_out)?;
        self.explicit_pixels_per_wave()?;
        self.explicit_dial()?;
        Ok(())
    }

    /// Pixels per wave; `auto` is by the frame's size.
    ///
    /// # Errors
    /// As [`DialArgs::check`].
    pub fn pixels_per_wave(&self, size: [u32; 2]) -> Result<u32> {
        let explicit = self.explicit_pixels_per_wave()?;
        Ok(explicit.unwrap_or_else(|| auto_pixels_per_wave(size)))
    }

    /// The dial; `auto` is by the frame's size.
    ///
    /// # Errors
    /// As [`DialArgs::check`].
    pub fn dial(&self, size: [u32; 2]) -> Result<Dial> {
        let explicit = self.explicit_dial()?;
        Ok(explicit.unwrap_or_else(|| Dial::auto(pixels(size))))
    }

    /// `method` as it is specialised in a frame of `size`, where it is given, or the default.
    ///
    /// # Errors
    /// As [`DialArgs::check`].
    pub fn specialization(&self, method: Method, size: Option<[u32; 2]>) -> Result<Specialization> {
        let size = size.unwrap_or(SIZE);
        Ok(Specialization {
            tile: self.tile,
            pixels_per_wave: self.pixels_per_wave(size)?,
            dial: self.dial(size)?,
            tail: self.tail,
            hazard: self.hazard,
            early_out: self.early_out > 0.0,
            ..Specialization::new(method)
        })
    }

    fn explicit_pixels_per_wave(&self) -> Result<Option<u32>> {
        if self.pixels_per_wave == "auto" {
            return Ok(None);
        }
        let pixels = self.pixels_per_wave.parse();
        let pixels = pixels.ok().filter(|&p| ranges::splits_tile(p, self.tile));
        let (given, tile) = (&self.pixels_per_wave, self.tile);
        pixels.map_or_else(
            || Err(Words::Flags.wrong_pixels_per_wave(given, tile)),
            |pixels| Ok(Some(pixels)),
        )
    }

    fn explicit_dial(&self) -> Result<Option<Dial>> {
        if self.dial == "auto" {
            return Ok(None);
        }
        let dial = self.dial.parse();
        dial.map(Some)
            .map_err(|message: String| Error::usage(format!("--dial {message}, or auto")))
    }
}
