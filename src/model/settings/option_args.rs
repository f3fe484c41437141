//! Flags of the options; the frame may choose the value of three of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use clap::Args;

use crate::error::Result;
use crate::model::options::{
    FrameOptions, MethodOptions, Options, THREADS_PER_PIXEL, Tail, shares_pixel,
};

use super::auto::FrameLoad;
use super::ranges::{self, SIZE, Words};

/// Help text of each flag, by the option's field.
static HELP: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let flags = OptionArgs::augment_args(clap::Command::new(""));
    let help = |flag: &clap::Arg| {
        let help = flag.get_help()?.to_string();
        Some((flag.get_id().to_string(), help.replace('`', "")))
    };
    flags.get_arguments().filter_map(help).collect()
});

/// Description of an option, taken from the help of its flag.
pub fn help_of(option: &str) -> &'static str {
    HELP.get(option).map_or("", String::as_str)
}

/// Flag value that leaves an option to the frame.
const AUTO: &str = "auto";

/// The options as flags.
#[derive(Clone, Debug, clap::Args)]
pub struct OptionArgs {
    /// Tile edge in pixels: `auto`, 8 or 16
    #[arg(
        long,
        help_heading = "Frame",
        default_value = AUTO,
        value_name = "auto|8|16",
        allow_negative_numbers = true
    )]
    tile: String,
    /// Frame options except the tile.
    #[command(flatten)]
    frame: FrameOptions,
    /// Method options except the two that may be left to the frame.
    #[command(flatten)]
    method: MethodOptions,
    /// Pixels of a tile that each wave composites in sequence: `auto`, or a power of two; it can change times several-fold
    #[arg(long, default_value = AUTO, value_name = "auto|COUNT")]
    pixels_per_wave: String,
    /// Threads that share a pixel of split-depth, average, weighted, histogram, moment, weighted-sum and stochastic: `auto` (1, more in small frames), or 2, 4 … 256; at least 2 for split-depth, at most 64 for the others
    #[arg(
        long,
        default_value = AUTO,
        value_name = "auto|COUNT",
        allow_negative_numbers = true
    )]
    threads_per_pixel: String,
}

impl OptionArgs {
    /// Sets the default of windows: the tail option with the fastest loop over lane reads.
    pub fn pad_tails(&mut self) {
        self.method.tail = Tail::Padded;
    }

    pub fn check(&self) -> Result<()> {
        let load = FrameLoad {
            size: SIZE,
            particles: 0,
        };
        self.settle(load).map(|_| ())
    }

    /// Options for a frame, with `auto` replaced by numbers.
    pub fn settle(&self, load: FrameLoad) -> Result<Options> {
        // The tile comes first, because the allowed numbers of pixels per wave depend on the tile.
        let tile = Self::number("tile", &self.tile, "8 or 16", |tile| {
            [8, 16].contains(&tile)
        })?;
        let (mut frame, mut method) = (self.frame, self.method);
        (frame.auto_tile, frame.tile) = (tile.is_none(), tile.unwrap_or(frame.tile));
        let Options { frame, .. } = load.settle(Options { frame, method });
        let walked = Self::number(
            "pixels_per_wave",
            &self.pixels_per_wave,
            &ranges::divisors_of_tile(&frame),
            |pixels| ranges::splits_tile(pixels, &frame),
        )?;
        let threads = Self::number(
            "threads_per_pixel",
            &self.threads_per_pixel,
            THREADS_PER_PIXEL,
            shares_pixel,
        )?;
        method.auto_pixels_per_wave = walked.is_none();
        method.pixels_per_wave = walked.unwrap_or(method.pixels_per_wave);
        method.auto_threads_per_pixel = threads.is_none();
        method.threads_per_pixel = threads.unwrap_or(method.threads_per_pixel);
        let options = load.settle(Options { frame, method });
        Words::Flags.options(&options)?;
        Ok(options)
    }

    /// Number given for an option; `None` if the option is left to the frame.
    fn number(
        field: &str,
        given: &str,
        allowed: &str,
        holds: impl Fn(u32) -> bool,
    ) -> Result<Option<u32>> {
        if given == AUTO {
            return Ok(None);
        }
        let number = given.parse().ok().filter(|&number| holds(number));
        let wrong = || Words::Flags.wrong(field, given, &format!("auto, or {allowed}"));
        number.map(Some).ok_or_else(wrong)
    }
}
