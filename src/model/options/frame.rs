//! What can be set for a frame, and holds for all methods in it.

use serde::{Deserialize, Serialize};

use super::{Named, in_words};
use crate::error::{Error, Result};
use crate::model::flag_value::written_as_in_flags;
use crate::model::methods::{Method, Stored, Trait};
use crate::model::scene::{Cull, MacroTile, Solids, SplatOrder};

/// What can be set for a frame, and holds for all methods in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
pub struct FrameOptions {
    /// Whether the tile follows the frame ([`crate::model::settings::Settings::settle_tile`]).
    #[arg(skip)]
    pub auto_tile: bool,
    // Its flag also takes `auto`, and is declared in `settings/option_args.rs`.
    /// Tile edge in pixels: 8 or 16.
    #[arg(skip = FrameOptions::default().tile)]
    pub tile: u32,
    /// Compositing precision: `full`, or `half` for methods that support it, with its own error bound
    #[arg(long, value_enum, default_value_t = FrameOptions::default().precision)]
    pub precision: Precision,
    /// Stop a pixel when its transmittance falls below this, from 0 (off) to less than 1: the error is at most this times the
    /// largest radiance skipped
    #[arg(
        long,
        default_value_t = FrameOptions::default().early_out,
        allow_negative_numbers = true,
        value_name = "TRANSMITTANCE"
    )]
    pub early_out: f32,
    /// How to sort particles, sheet cells and Gaussians between two fog slices
    #[arg(long, value_enum, default_value_t, value_name = "KEY")]
    pub splat_order: SplatOrder,
    /// Tiles that list a Gaussian: those its ellipse touches, or those its bounding box touches
    #[arg(long, value_enum, default_value_t, value_name = "SHAPE")]
    pub cull: Cull,
    /// How visible solids are found: drawn by the rasteriser, or by compute, which suits some GPUs
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub solids: Solids,
    /// Size in tiles of the squares that sort items before each tile gets its list
    #[arg(long, value_enum, default_value_t, value_name = "TILES")]
    pub macro_tile: MacroTile,
    /// Order of the lists that approximate methods read; sorted lists flatter those that depend on it
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    pub order: ListOrder,
    /// Seed of `--order shuffled`
    #[arg(long, default_value_t = FrameOptions::default().order_seed, value_name = "SEED")]
    pub order_seed: u32,
    /// Bits of the depth keys in whose order `coarse` composites, 4 to 16
    #[arg(long, value_name = "BITS", default_value_t = FrameOptions::default().key_bits, allow_negative_numbers = true)]
    pub key_bits: u32,
    /// How old the order is in which `coarse` composites: it goes by depths from the camera of so many frames ago, 0 to 60;
    /// outside the window the camera turns around its target by 0.05 degrees a frame
    #[arg(long, value_name = "FRAMES", default_value_t = FrameOptions::default().order_age, allow_negative_numbers = true)]
    pub order_age: u32,
}

impl Default for FrameOptions {
    fn default() -> Self {
        Self {
            auto_tile: false,
            tile: 8,
            precision: Precision::default(),
            early_out: 0.0,
            splat_order: SplatOrder::default(),
            cull: Cull::default(),
            solids: Solids::default(),
            macro_tile: MacroTile::default(),
            order: ListOrder::default(),
            order_seed: 1,
            key_bits: 8,
            order_age: 0,
        }
    }
}

impl FrameOptions {
    pub fn pixels_of_tile(&self) -> u32 {
        self.tile * self.tile
    }

    /// Whether a frame that was made under `other` can be drawn under these, too.
    pub fn fit_frame_of(&self, other: &Self) -> bool {
        let Self {
            auto_tile: _,
            tile,
            precision,
            early_out: _,
            splat_order,
            cull,
            solids,
            macro_tile,
            order,
            order_seed,
            key_bits,
            order_age,
        } = *self;
        let others = (
            other.splat_order,
            other.cull,
            other.solids,
            other.macro_tile,
        );
        (tile, precision) == (other.tile, other.precision)
            && (splat_order, cull, solids, macro_tile) == others
            && order.shuffle(order_seed) == other.order.shuffle(other.order_seed)
            && (key_bits, order_age) == (other.key_bits, other.order_age)
    }

    pub(super) fn named(&self) -> Vec<Named> {
        in_words!(self, {
            tile: always "tile",
            precision: always "precision",
            early_out: always "early-out",
            splat_order: unless "splat order",
            cull: unless "cull",
            solids: unless "solids",
            macro_tile: unless "macro tile",
            order: unless "order",
            order_seed: unless "order seed",
            key_bits: unless "key bits",
            order_age: unless "order age",
        }, without auto_tile)
    }
}

/// In what order the lists are that approximate methods read. Exact methods read sorted lists.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum ListOrder {
    /// By depth, as exact methods have them.
    Sorted,
    /// The scene's order: particles by emitter, panes, Gaussians as in their files, fog slices. No sort is paid for.
    #[default]
    Item,
    /// At random, the same in every frame, to show what depends on order. It stands for orders that are given, and what it takes
    /// to make it is not a cost of the method.
    Shuffled,
}

impl ListOrder {
    pub const ALL: [Self; 3] = [Self::Sorted, Self::Item, Self::Shuffled];

    /// The seed by which lists are shuffled that are not sorted, if they are.
    pub fn shuffle(self, seed: u32) -> Option<u32> {
        (self == ListOrder::Shuffled).then_some(seed)
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
    pub fn stored(self) -> Stored {
        match self {
            Precision::Full => Stored::Whole,
            Precision::Half => Stored::Halves,
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

written_as_in_flags!(ListOrder, Precision);
