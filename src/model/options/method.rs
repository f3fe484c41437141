//! What can be set for a method.

use super::ranges::{
    BIN_BLOCKS, BINS, CAPACITIES, KEPT, LIST_ROOMS, MOST_CORE_OPACITY, MOST_FIRST_LAYERS,
    MOST_FRAMES, MOST_SAMPLES, MOST_STOP_BELOW, MOST_WALKS, MOST_WEIGHT_SLICES, MOST_WINDOW,
    SUM_BACKGROUNDS, SUM_REACHES, SUM_SCALES, WEIGHT_SCALES, among, any, demand, within,
};
use super::{Dial, THREADS_PER_PIXEL, options, shares_pixel};
use crate::model::flag_value::flag_values;
use crate::model::reference::oit::kbuffer::Tail as Rest;
use crate::model::reference::oit::mlab::Storage as NodeStorage;
use crate::model::reference::oit::stochastic::Mode;
use crate::model::reference::oit::weighted::Weight;

/// Headings of the help, for options of several methods.
const WEIGHTED: &str = "Approximate: weighted, weighted-drawn";
const KEEPING: &str = "Approximate: k-buffer, hybrid, mlab, adaptive, linked-list";
const WALKING: &str = "Approximate: peeling, a-buffer";

options! {
    // Defaults of dials are within 5 % of the method's best in the most frames recorded on a GPU (`tests/suite/frames.rs`).
    /// What can be set for a method. A method ignores what does not concern it.
    pub struct MethodOptions {
        /// How to form the exclusive prefix product
        #[arg(long, value_enum, default_value_t)]
        pub hazard: Hazard = Hazard::default(), always "hazard" => any;
        /// How a wave reads one lane's value, the last lane's or each in turn
        #[arg(long, value_enum, default_value_t)]
        pub lane_read: LaneRead = LaneRead::default(), always "lane read" => any;
        /// Partial last wave of a list: `own` is the method's own way, `padded` keeps all lanes active
        #[arg(long, value_enum, default_value_t)]
        pub tail: Tail = Tail::default(), always "tail" => any;
        /// Whether the next one follows the frame, as the tile may.
        #[arg(skip)]
        pub auto_pixels_per_wave: bool = false => any;
        // Its flag also takes `auto`, and is declared in `settings/option_args.rs`.
        /// Pixels that a wave walks: a power of two up to the tile's pixels.
        #[arg(skip = MethodOptions::default().pixels_per_wave)]
        pub pixels_per_wave: u32 = 1, always "pixels per wave" => any;
        /// Pixels that a thread of pixel-loop-staged composites, fetching each layer once for all: 1, 2, 4 or 8
        #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().pixels_per_thread, allow_negative_numbers = true)]
        pub pixels_per_thread: u32 = 1, always "pixels per thread" => |pixels| {
            demand(pixels == 1 || Dial::Pixels(pixels).exists(), "1, 2, 4 or 8")
        };
        /// Whether the next one follows the frame.
        #[arg(skip)]
        pub auto_threads_per_pixel: bool = false => any;
        // As that of `pixels_per_wave`.
        /// Threads that share a pixel, of split-depth at least 2, of approximate methods at most 64: 1, 2, 4 … 256.
        #[arg(skip = MethodOptions::default().threads_per_pixel)]
        pub threads_per_pixel: u32 = 1, always "threads per pixel" => |threads| {
            demand(shares_pixel(threads), THREADS_PER_PIXEL)
        };
        /// Layers of a batch of split-batches, where a list is composited batch beside batch: 32, 64 … 1024
        #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().layers_per_batch, allow_negative_numbers = true)]
        pub layers_per_batch: u32 = 256, always "layers per batch" => |layers| {
            demand(Dial::Batch(layers).exists(), "a power of two from 32 to 1024")
        };
        /// Weight of layers in `weighted` and `weighted-drawn`: the paper's equations 7 to 10, McGuire's blog, learnopengl.com
        #[arg(long, help_heading = WEIGHTED, value_enum, default_value_t)]
        pub weight: Weight = Weight::default(), unless "weight" => any;
        /// What depths are multiplied by in that weight, from 0.01 to 100: its units fit 0.1 to 500 metres
        #[arg(long, help_heading = WEIGHTED, value_name = "FACTOR", default_value_t = MethodOptions::default().weight_scale, allow_negative_numbers = true)]
        pub weight_scale: f32 = 1.0, unless "weight scale" => within(WEIGHT_SCALES);
        /// Slices in depth that `weighted` blends apart, 1 to 16
        #[arg(long, help_heading = WEIGHTED, value_name = "COUNT", default_value_t = MethodOptions::default().weight_slices, allow_negative_numbers = true)]
        pub weight_slices: u32 = 1, unless "weight slices" => within([1, MOST_WEIGHT_SLICES]);
        /// Bins of depth of `histogram`: 8, 16 or 32
        #[arg(long, help_heading = "Approximate: histogram", value_name = "COUNT", default_value_t = MethodOptions::default().bins, allow_negative_numbers = true)]
        pub bins: u32 = 16, unless "bins" => among(&BINS, "8, 16 or 32");
        /// Depths over which `histogram` has its bins: those of the `camera`, of the items of the `frame`, for a pass over them, or of each `tile`'s list, for a walk of depths
        #[arg(long, help_heading = "Approximate: histogram", value_enum, default_value_t)]
        pub bin_range: BinRange = BinRange::default(), unless "bin range" => any;
        /// Edge of the square of pixels that share the bins of `histogram`, pixels: 1, 2, 4 or 8
        #[arg(long, help_heading = "Approximate: histogram", value_name = "PIXELS", default_value_t = MethodOptions::default().bin_block, allow_negative_numbers = true)]
        pub bin_block: u32 = 1, unless "bin block" => among(&BIN_BLOCKS, "1, 2, 4 or 8");
        /// Nearest layers that `k-buffer` and `hybrid` keep of a pixel, nodes of `mlab`, steps of `adaptive`, 2 to 16
        #[arg(long, help_heading = KEEPING, value_name = "COUNT", default_value_t = MethodOptions::default().kept, allow_negative_numbers = true)]
        pub kept: u32 = 8, unless "kept" => within(KEPT);
        /// What becomes of the layers that `hybrid` does not keep, or that find no room in `linked-list`
        #[arg(long, help_heading = KEEPING, value_enum, default_value_t)]
        pub rest: Rest = Rest::default(), unless "rest" => any;
        /// Least opacity of what `k-buffer` and `hybrid` keep, 0 to 0.5: more keeps fog from filling the core
        #[arg(long, help_heading = KEEPING, value_name = "OPACITY", default_value_t = MethodOptions::default().core_opacity, allow_negative_numbers = true)]
        pub core_opacity: f32 = 0.0, unless "core opacity" => within([0.0, MOST_CORE_OPACITY]);
        /// What the nodes of `mlab` are stored in: `f32`, or `f16` or `u8`, rounded at every blend
        #[arg(long, help_heading = KEEPING, value_enum, default_value_t)]
        pub node_storage: NodeStorage = NodeStorage::default(), unless "node storage" => any;
        /// Moments of `moment`: 4, 6 or 8 powers of depth, or 2, 3 or 4 trigonometric ones, each of two numbers
        #[arg(long, help_heading = "Approximate: moment", value_enum, default_value_t)]
        pub moments: Moments = Moments::default(), unless "moments" => any;
        /// View depth at which the weight of `weighted-sum` ends, metres, 1 to 10000
        #[arg(long, help_heading = "Approximate: weighted-sum", value_name = "METRES", default_value_t = MethodOptions::default().sum_reach, allow_negative_numbers = true)]
        pub sum_reach: f32 = 100.0, unless "sum reach" => within(SUM_REACHES);
        /// Weight of a layer of `weighted-sum` at the camera, 0 to 1000
        #[arg(long, help_heading = "Approximate: weighted-sum", value_name = "WEIGHT", default_value_t = MethodOptions::default().sum_scale, allow_negative_numbers = true)]
        pub sum_scale: f32 = 1.0, unless "sum scale" => within(SUM_SCALES);
        /// Weight of the background of `weighted-sum`, 0.001 to 1000
        #[arg(long, help_heading = "Approximate: weighted-sum", value_name = "WEIGHT", default_value_t = MethodOptions::default().sum_background, allow_negative_numbers = true)]
        pub sum_background: f32 = 1.0, unless "sum background" => within(SUM_BACKGROUNDS);
        /// Samples of a pixel in `stochastic`, 1 to 64
        #[arg(long, help_heading = "Approximate: stochastic", value_name = "COUNT", default_value_t = MethodOptions::default().samples, allow_negative_numbers = true)]
        pub samples: u32 = 8, unless "samples" => within([1, MOST_SAMPLES]);
        /// What `stochastic` makes of its samples: their mean, the mean over the exact transmittance, or weights by depth
        #[arg(long, help_heading = "Approximate: stochastic", value_enum, default_value_t)]
        pub estimate: Mode = Mode::default(), unless "estimate" => any;
        /// Frames of `stochastic` whose sums are added up while nothing moves, 1 to 1024: one after the other in the window, at once elsewhere
        #[arg(long, help_heading = "Approximate: stochastic", value_name = "FRAMES", default_value_t = MethodOptions::default().accumulate, allow_negative_numbers = true)]
        pub accumulate: u32 = 1, unless "accumulate" => within([1, MOST_FRAMES]);
        /// Walks of `peeling`, 1 to 64: each takes the next layer
        #[arg(long, help_heading = WALKING, value_name = "COUNT", default_value_t = MethodOptions::default().peels, allow_negative_numbers = true)]
        pub peels: u32 = 4, unless "peels" => within([1, MOST_WALKS]);
        /// Layers that a pixel of `a-buffer` takes and sorts in one pass: 8 or 16
        #[arg(long, help_heading = WALKING, value_name = "COUNT", default_value_t = MethodOptions::default().capacity, allow_negative_numbers = true)]
        pub capacity: u32 = 16, unless "capacity" => among(&CAPACITIES, "8 or 16");
        /// Most passes over the list by which `a-buffer` takes layers, 1 to 64; those behind are lost
        #[arg(long, help_heading = WALKING, value_name = "COUNT", default_value_t = MethodOptions::default().passes, allow_negative_numbers = true)]
        pub passes: u32 = 1, unless "passes" => within([1, MOST_WALKS]);
        /// Layers that a pixel of `linked-list` has room for in memory, 4 to 64, 24 bytes each
        #[arg(long, help_heading = KEEPING, value_name = "COUNT", default_value_t = MethodOptions::default().list_room, allow_negative_numbers = true)]
        pub list_room: u32 = 16, unless "list room" => within(LIST_ROOMS);
        /// Layers of the window through which `coarse` composites a pixel, 2 to 16: the nearest leaves it where one more comes, which puts
        /// right what short keys leave wrong nearby; 0: none
        #[arg(long, help_heading = "Approximate: coarse", value_name = "COUNT", default_value_t = MethodOptions::default().window, allow_negative_numbers = true)]
        pub window: u32 = 0, unless "window" => within([0, MOST_WINDOW]);
        /// Stop a pixel of `coarse` when its transmittance falls below this, 0 (off) to 0.1; exact methods go by `--early-out`
        #[arg(long, help_heading = "Approximate: coarse", value_name = "TRANSMITTANCE", default_value_t = MethodOptions::default().stop_below, allow_negative_numbers = true)]
        pub stop_below: f32 = 0.0, unless "stop below" => within([0.0, MOST_STOP_BELOW]);
        /// Most layers that a pixel of `coarse` composites, 1 to 1024; 0: all
        #[arg(long, help_heading = "Approximate: coarse", value_name = "COUNT", default_value_t = MethodOptions::default().first_layers, allow_negative_numbers = true)]
        pub first_layers: u32 = 0, unless "first layers" => within([0, MOST_FIRST_LAYERS]);
    }
}

impl MethodOptions {
    /// The same at this place of the dial.
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
    /// The depths over which a histogram has its bins.
    pub enum BinRange {
        /// Between the planes of the camera.
        #[default]
        Camera,
        /// Between the nearest and the farthest item of the frame.
        Frame,
        /// Between the nearest and the farthest item of the tile's list.
        Tile,
    }

    /// The moments of absorbance over depth that a pixel has.
    pub enum Moments {
        /// The first 4 powers of logarithmic depth.
        #[default]
        Power4,
        /// The first 6 powers.
        Power6,
        /// The first 8 powers.
        Power8,
        /// Sines and cosines of logarithmic depth and of twice it.
        Trig2,
        /// The same, and of three times it.
        Trig3,
        /// The same, and of four times it.
        Trig4,
    }
}

flag_values! {
    /// How to handle the last wave of a list, which has fewer layers than lanes.
    pub enum Tail {
        /// The method's own way: ragged in the article's methods, where lanes without a layer leave the loop.
        #[default]
        Own,
        /// Lanes without a layer stay, with a layer that changes nothing, in every method.
        Padded,
    }

    /// How a wave reads the value of one of its lanes, by an index that all its lanes agree on.
    pub enum LaneRead {
        // What DXC makes of WaveReadLaneAt (its test CodeGenSPIRV/sm6.wave-read-lane-at.hlsl).
        /// By a shuffle; the index may differ between lanes.
        #[default]
        Shuffle,
        /// By the broadcast that WGSL lacks (Vulkan: `OpGroupNonUniformBroadcast`).
        Broadcast,
    }

    /// How the exclusive prefix product is formed, about which the article warns.
    pub enum Hazard {
        /// As the driver gives it.
        #[default]
        Driver,
        /// As the driver gives it, of max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
        DriverGuarded,
        /// Inclusive product / (1 - t): NaN when t = 1.
        Division,
        /// Inclusive product / max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
        DivisionGuarded,
    }
}

impl Hazard {
    /// Whether the inclusive product is divided by the own factor.
    pub fn divides(self) -> bool {
        matches!(self, Hazard::Division | Hazard::DivisionGuarded)
    }

    /// Whether factors are raised to the least one.
    pub fn guards(self) -> bool {
        matches!(self, Hazard::DriverGuarded | Hazard::DivisionGuarded)
    }
}
