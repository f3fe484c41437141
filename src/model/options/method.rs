//! Options of methods.

use super::dial::{Dial, THREADS_PER_PIXEL};
use super::rows::{Acts, Any, Auto, Fields, Powers, options};
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{Group, Trait};
use crate::model::techniques::coarse::CoarseOptions;
use crate::model::techniques::histogram::HistogramOptions;
use crate::model::techniques::k_buffer::KBufferOptions;
use crate::model::techniques::keeping::KeepingOptions;
use crate::model::techniques::linked_list::LinkedListOptions;
use crate::model::techniques::mlab::MlabOptions;
use crate::model::techniques::moment::MomentOptions;
use crate::model::techniques::peeling::PeelingOptions;
use crate::model::techniques::stochastic::StochasticOptions;
use crate::model::techniques::weighted::WeightedOptions;
use crate::model::techniques::weighted_sum::WeightedSumOptions;

options! {
    // Default dials are within 5 % of the best in most frames recorded on a GPU (`tests/suite/frames.rs`).
    /// Options of methods. A method ignores options that do not affect it.
    pub struct MethodOptions {
        /// Form of the exclusive prefix product
        #[arg(long, value_enum, default_value_t)]
        pub hazard: Hazard = Hazard::default(), always "hazard" => Any, Acts::Runs(|row| row.has(Trait::PrefixProduct));
        /// Instruction that reads one lane's value for the whole wave
        #[arg(long, value_enum, default_value_t)]
        pub lane_read: LaneRead = LaneRead::default(), always "lane read" => Any, Acts::Runs(|row| row.has(Trait::ReadsLanes));
        /// Partial last wave of a list: `own` leaves it to the method, `padded` keeps all lanes active
        #[arg(long, value_enum, default_value_t)]
        pub tail: Tail = Tail::default(), always "tail" => Any, Acts::Runs(|row| row.has(Trait::Ragged));
        /// True if the frame chooses `pixels_per_wave`.
        #[arg(skip)]
        pub auto_pixels_per_wave: bool = false => Auto, Acts::Asked(|row| row.group == Group::PerWave);
        // Its flag also takes `auto`, and is declared in `settings/option_args.rs`.
        /// Pixels that a wave composites in sequence: a power of two up to the tile's pixels.
        #[arg(skip = MethodOptions::default().pixels_per_wave)]
        pub pixels_per_wave: u32 = 1, always "pixels per wave" => Powers([1, 256], None), Acts::Asked(|row| row.group == Group::PerWave);
        /// Pixels per thread of pixel-loop-staged, which fetches each layer once for all of them: 1, 2, 4 or 8
        #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().pixels_per_thread, allow_negative_numbers = true)]
        pub pixels_per_thread: u32 = 1, always "pixels per thread" => Powers([1, 8], Some("1, 2, 4 or 8")), Acts::Asked(|row| row.group == Group::Staged);
        /// True if the frame chooses `threads_per_pixel`.
        #[arg(skip)]
        pub auto_threads_per_pixel: bool = false => Auto, Acts::Asked(|row| row.has(Trait::SharesPixels));
        // Its flag also takes `auto`, and is declared in `settings/option_args.rs`.
        /// Threads that share a pixel: 1, 2, 4 … 256; at least 2 for split-depth, at most 64 for approximate methods.
        #[arg(skip = MethodOptions::default().threads_per_pixel)]
        pub threads_per_pixel: u32 = 1, always "threads per pixel" => Powers([1, 256], Some(THREADS_PER_PIXEL)), Acts::Asked(|row| row.has(Trait::SharesPixels));
        /// Layers per batch of split-batches, which composites the batches of a list in parallel: 32, 64 … 1024
        #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().layers_per_batch, allow_negative_numbers = true)]
        pub layers_per_batch: u32 = 256, always "layers per batch" => Powers([32, 1024], Some("a power of two from 32 to 1024")), Acts::Asked(|row| row.group == Group::Batches);
    } with {
        pub weighted: WeightedOptions,
        pub histogram: HistogramOptions,
        pub keeping: KeepingOptions,
        pub k_buffer: KBufferOptions,
        pub mlab: MlabOptions,
        pub moment: MomentOptions,
        pub weighted_sum: WeightedSumOptions,
        pub stochastic: StochasticOptions,
        pub peeling: PeelingOptions,
        pub linked_list: LinkedListOptions,
        pub coarse: CoarseOptions,
    }
}

impl MethodOptions {
    /// A copy with the given values, `field=value` joined by blanks; `None` if a value is invalid.
    pub fn with(mut self, values: &str) -> Option<Self> {
        let pairs = values.split_whitespace().map(|pair| pair.split_once('='));
        let mut all = pairs.map(|pair| pair.is_some_and(|(field, value)| self.set(field, value)));
        all.all(|is_set| is_set).then_some(self)
    }

    pub fn at(self, dial: Dial) -> Self {
        match dial {
            Dial::Pixels(pixels_per_thread) | Dial::Threads(pixels_per_thread @ 1) => Self {
                pixels_per_thread,
                ..self
            },
            Dial::Threads(threads_per_pixel) => Self {
                threads_per_pixel,
                ..self
            },
            Dial::Batch(layers_per_batch) => Self {
                layers_per_batch,
                ..self
            },
        }
    }
}

flag_values! {
    pub enum Tail {
        /// The method's own way: ragged in the article's methods, where lanes without a layer leave the loop.
        #[default]
        Own,
        /// Lanes without a layer stay active with a layer that changes nothing, in every method.
        Padded,
    }

    /// How a wave reads the value of one lane; all lanes pass the same index.
    pub enum LaneRead {
        // DXC compiles WaveReadLaneAt to this (see its test CodeGenSPIRV/sm6.wave-read-lane-at.hlsl).
        /// Shuffle; the index may differ between lanes.
        #[default]
        Shuffle,
        /// Broadcast, which WGSL lacks (Vulkan: `OpGroupNonUniformBroadcast`).
        Broadcast,
    }

    /// Form of the exclusive prefix product. The article warns about the hazard.
    pub enum Hazard {
        /// The driver's scan.
        #[default]
        Driver,
        /// The driver's scan of max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
        DriverGuarded,
        /// Inclusive product / (1 - t): NaN when t = 1.
        Division,
        /// Inclusive product / max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
        DivisionGuarded,
    }
}

impl Hazard {
    pub fn divides(self) -> bool {
        matches!(self, Hazard::Division | Hazard::DivisionGuarded)
    }

    pub fn guards(self) -> bool {
        matches!(self, Hazard::DriverGuarded | Hazard::DivisionGuarded)
    }
}
