//! The knobs: all settings of every method. One struct goes from the command line, a file or the panes to the
//! shader, so that code that handles knobs one by one must handle a new one too.

use serde::{Deserialize, Serialize};

use super::dial::Dial;
use super::source::Stored;
use super::{Method, Trait};
use crate::error::{Error, Result};

/// All settings of every method. A method ignores knobs that do not apply to it.
#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub struct Knobs {
    /// Tile edge in pixels: 8 or 16. Its flag also takes `auto`, which depends on the frame, and is therefore declared
    /// in `settings/knobs.rs`.
    #[arg(skip = Knobs::default().tile)]
    pub tile: u32,
    /// How the exclusive prefix product is formed
    #[arg(long, value_enum, default_value_t = Knobs::default().hazard)]
    pub hazard: Hazard,
    /// Stop a pixel when its transmittance falls below this, from 0 (off) to less than 1
    #[arg(
        long,
        default_value_t = Knobs::default().early_out,
        allow_negative_numbers = true,
        value_name = "TRANSMITTANCE"
    )]
    pub early_out: f32,
    /// Pixels that a wave walks: a power of two up to the tile's pixels. Its flag is declared beside the tile's.
    #[arg(skip = Knobs::default().pixels_per_wave)]
    pub pixels_per_wave: u32,
    /// Pixels per thread or threads per pixel. Its flag is declared beside the tile's.
    #[arg(skip)]
    pub dial: Dial,
    /// Partial last wave of a list: `own` is the method's own way, `padded` keeps all lanes active
    #[arg(long, value_enum, default_value_t = Knobs::default().tail)]
    pub tail: Tail,
    /// Compositing precision: `full`, or `half` for methods that support it, with its own error bound
    #[arg(long, value_enum, default_value_t = Knobs::default().precision)]
    pub precision: Precision,
    /// How a wave reads one lane's value, the last lane's or each in turn
    #[arg(long, value_enum, default_value_t = Knobs::default().lane_read)]
    pub lane_read: LaneRead,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            tile: 8,
            hazard: Hazard::default(),
            early_out: 0.0,
            pixels_per_wave: 1,
            dial: Dial::default(),
            tail: Tail::default(),
            precision: Precision::default(),
            lane_read: LaneRead::default(),
        }
    }
}

impl Knobs {
    #[must_use]
    pub fn pixels_of_tile(&self) -> u32 {
        self.tile * self.tile
    }

    /// Every knob's name in words with its value as flags and files have it; flags join the words by `-`.
    #[must_use]
    pub fn named(&self) -> [(&'static str, String); 8] {
        let Self {
            tile,
            hazard,
            early_out,
            pixels_per_wave,
            dial,
            tail,
            precision,
            lane_read,
        } = self;
        [
            ("tile", tile.to_string()),
            ("hazard", hazard.name().to_owned()),
            ("early-out", early_out.to_string()),
            ("pixels per wave", pixels_per_wave.to_string()),
            ("dial", dial.to_string()),
            ("tail", tail.name().to_owned()),
            ("precision", precision.name().to_owned()),
            ("lane read", lane_read.name().to_owned()),
        ]
    }
}

/// How to handle the last wave of a list, which has fewer layers than lanes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tail {
    /// The method's own way: ragged in the article's methods, where lanes without a layer leave the loop.
    #[default]
    Own,
    /// Lanes without a layer stay, with a layer that changes nothing, in every method.
    Padded,
}

impl Tail {
    /// Its name in flags, files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Tail::Own => "own",
            Tail::Padded => "padded",
        }
    }
}

/// How a wave reads the value of one of its lanes, by an index that all its lanes agree on.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum LaneRead {
    // What DXC makes of WaveReadLaneAt (its test CodeGenSPIRV/sm6.wave-read-lane-at.hlsl).
    /// By a shuffle; the index may differ between lanes.
    #[default]
    Shuffle,
    /// By the broadcast that WGSL lacks (Vulkan: `OpGroupNonUniformBroadcast`).
    Broadcast,
}

impl LaneRead {
    /// Its name in flags, files and reports.
    pub fn name(self) -> &'static str {
        match self {
            LaneRead::Shuffle => "shuffle",
            LaneRead::Broadcast => "broadcast",
        }
    }
}

/// What layers are composited in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// f32.
    #[default]
    Full,
    // Those of `Trait::TakesHalf`.
    /// Half floats, two pixels at a time, by the methods that take them.
    Half,
}

impl Precision {
    /// How splats are stored that are composited in this precision and are all that a frame has.
    #[must_use]
    pub fn stored(self) -> Stored {
        match self {
            Precision::Full => Stored::Whole,
            Precision::Half => Stored::Halves,
        }
    }

    /// Its name in flags, files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Full => "full",
            Precision::Half => "half",
        }
    }

    /// Refuses half floats that none of `methods` would composite in.
    ///
    /// # Errors
    /// Usage: which methods take half floats.
    pub fn check(self, methods: &[Method]) -> Result<()> {
        if self == Precision::Full || methods.iter().any(|method| method.has(Trait::TakesHalf)) {
            return Ok(());
        }
        let takes = |method: &Method| method.has(Trait::TakesHalf);
        let able: Vec<&str> = Method::all().filter(takes).map(Method::name).collect();
        Err(Error::usage(format!(
            "--precision half: the named methods composite only in f32; leave it out, or name one of {}",
            able.join(", ")
        )))
    }
}

/// How the exclusive prefix product is formed, about which the article warns.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Hazard {
    /// As the driver gives it.
    #[default]
    Driver,
    /// As the driver gives it, of max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
    DriverGuarded,
    /// Inclusive product / (1 - t): NaN when t = 1.
    Division,
    // The name that files of older versions have.
    /// Inclusive product / max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
    #[serde(alias = "guarded")]
    #[value(alias = "guarded")]
    DivisionGuarded,
}

impl Hazard {
    /// Its name in flags, files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Hazard::Driver => "driver",
            Hazard::DriverGuarded => "driver-guarded",
            Hazard::Division => "division",
            Hazard::DivisionGuarded => "division-guarded",
        }
    }

    /// Whether the inclusive product is divided by the own factor.
    pub fn divides(self) -> bool {
        matches!(self, Hazard::Division | Hazard::DivisionGuarded)
    }

    /// Whether factors are raised to the least one.
    pub fn guards(self) -> bool {
        matches!(self, Hazard::DriverGuarded | Hazard::DivisionGuarded)
    }
}
