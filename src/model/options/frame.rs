//! Options of a frame, which apply to all methods in it.

use super::rows::{Acts, Any, Auto, Effect, Fields, Powers, Threshold, Within, options};
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{Accuracy, Trait};
use crate::model::methods::source::Stored;
use crate::model::scene::PlacedSplats;

options! {
    pub struct FrameOptions {
        /// True if the frame chooses the tile ([`crate::model::settings::FrameLoad::settle`]).
        #[arg(skip)]
        pub auto_tile: bool = false => Auto, Acts::Frame;
        // Its flag also takes `auto`, and is declared in `settings/option_args.rs`.
        /// Tile edge in pixels: 8 or 16.
        #[arg(skip = FrameOptions::default().tile)]
        pub tile: u32 = 8, always "tile" => Powers([8, 16], Some("8 or 16")), Acts::Frame, Effect::Frame;
        /// Compositing precision: `full`, or `half` for methods that support it, with its own error bound
        #[arg(long, value_enum, default_value_t)]
        pub precision: Precision = Precision::default(), always "precision" => Any, Acts::Runs(|row| row.has(Trait::TakesHalf)), Effect::Frame;
        /// Stop a pixel when its transmittance falls below this value, from 0 (off) to less than 1; the error is at most this value
        /// times the largest radiance skipped
        #[arg(
            long,
            default_value_t = FrameOptions::default().early_out,
            allow_negative_numbers = true,
            value_name = "TRANSMITTANCE"
        )]
        pub early_out: f32 = 0.0, always "early-out" => Threshold, Acts::Frame;
        /// Sort key of particles, sheet cells and Gaussians between two fog slices
        #[arg(long, help_heading = "Frame", value_enum, default_value_t, value_name = "KEY")]
        pub splat_order: SplatOrder = SplatOrder::default(), unless "splat order" => Any, Acts::Frame, Effect::Frame;
        /// Fog slices as layers in the lists, or fog integrated along froxel columns, as in engines
        #[arg(long, help_heading = "Frame", value_enum, default_value_t, value_name = "HOW")]
        pub fog: FogMode = FogMode::default(), unless "fog" => Any, Acts::Frame, Effect::Frame;
        /// Find visible solids with the rasteriser or in compute, which is faster on some GPUs
        #[arg(long, help_heading = "Frame", value_enum, default_value_t, value_name = "HOW")]
        pub solids: Solids = Solids::default(), unless "solids" => Any, Acts::Frame, Effect::Frame;
        /// Order of the lists that approximate methods read; sorted lists flatter methods that depend on order
        #[arg(long, help_heading = "Approximate methods", value_enum, default_value_t, value_name = "ORDER")]
        pub order: ListOrder = ListOrder::default(), unless "order" => Any, Acts::Runs(|row| row.accuracy == Accuracy::Approximate);
        /// Bits of the depth keys that `coarse` sorts by, 4 to 16
        #[arg(long, help_heading = "Approximate: coarse", value_name = "BITS", default_value_t = FrameOptions::default().key_bits, allow_negative_numbers = true)]
        pub key_bits: u32 = 8, unless "key bits" => Within([4, 16]), Acts::Named(&["coarse"]), Effect::Frame;
        /// Sort the lists of `coarse` by depths from the camera of this many frames ago, 0 to 160; outside the window the camera turns
        /// around its target by 0.05 degrees per frame
        #[arg(long, help_heading = "Approximate: coarse", value_name = "FRAMES", default_value_t = FrameOptions::default().order_age, allow_negative_numbers = true)]
        pub order_age: u32 = 0, unless "order age" => Within([0, 160]), Acts::Named(&["coarse"]), Effect::Frame;
    }
}

impl FrameOptions {
    pub fn pixels_of_tile(&self) -> u32 {
        self.tile * self.tile
    }

    /// True if a frame made for `other` can also draw with these options.
    pub fn fit_frame_of(&self, other: &Self) -> bool {
        let made_by = |of: &Self| {
            let mut effects = of.effects();
            effects.retain(|(effect, ..)| *effect == Effect::Frame);
            (effects, of.order.is_shuffled())
        };
        made_by(self) == made_by(other)
    }
}

flag_values! {
    pub enum SplatOrder {
        /// By distance if all splat files of the scene request it, otherwise by depth.
        #[default]
        Auto,
        /// Depth of the centres along the camera's axis.
        Depth,
        /// Distance of the centres from the eye, for files trained with this order.
        Distance,
    }
}

impl SplatOrder {
    pub fn of(self, splats: &PlacedSplats) -> Self {
        match self {
            SplatOrder::Auto if splats.by_distance => SplatOrder::Distance,
            SplatOrder::Auto => SplatOrder::Depth,
            other => other,
        }
    }
}

flag_values! {
    /// The modes differ where fog changes between columns of froxels.
    pub enum FogMode {
        /// Every fog slice is a layer in the lists.
        #[default]
        Layers,
        /// Fog is summed per column, as in engines; every layer is seen through the fog in front of it, and lists contain no fog.
        Integrated,
    }
}

impl FogMode {
    pub fn is_layers(&self) -> bool {
        *self == FogMode::Layers
    }
}

flag_values! {
    /// Ways to find a pixel's visible opaque triangle. The results differ only in pixels at edges.
    pub enum Solids {
        /// The mode known to be faster on this adapter.
        #[default]
        Auto,
        /// Rasterise the triangles.
        Draw,
        /// Find the triangles in compute, in scenes without model files and with at most some ten thousand triangles.
        Compute,
    }
}

flag_values! {
    /// Order of the lists that approximate methods read. Exact methods read sorted lists.
    pub enum ListOrder {
        /// By depth, as for exact methods.
        Sorted,
        /// The scene's order: particles by emitter, panes, Gaussians as in their files, fog slices. Times include no depth sort.
        #[default]
        Item,
        /// Random, but the same in every frame, to show which methods depend on order. Making this order is not timed.
        Shuffled,
        /// The order of binning, without any sort. Sums then round differently in every run; methods that depend on order are
        /// refused.
        Any,
    }
}

impl ListOrder {
    pub fn is_shuffled(self) -> bool {
        self == ListOrder::Shuffled
    }
}

flag_values! {
    pub enum Precision {
        /// f32.
        #[default]
        Full,
        /// Half floats, two pixels at a time, in methods that support them.
        Half,
    }
}

impl Precision {
    /// Storage of splats that are composited in this precision, if a frame contains nothing else.
    pub fn stored(self) -> Stored {
        match self {
            Precision::Full => Stored::Whole,
            Precision::Half => Stored::Halves,
        }
    }
}
