//! What can be set for a method.

use serde::{Deserialize, Serialize};

use super::{Dial, Named};
use crate::model::reference::oit::kbuffer::Tail as Rest;
use crate::model::reference::oit::mlab::Storage as NodeStorage;
use crate::model::reference::oit::moment::Storage as MomentStorage;
use crate::model::reference::oit::peeling::Ends;
use crate::model::reference::oit::stochastic::{Mode, Noise};
use crate::model::reference::oit::weighted::{Storage, Weight};

/// What can be set for a method. A method ignores what does not concern it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
pub struct MethodOptions {
    /// How to form the exclusive prefix product
    #[arg(long, value_enum, default_value_t = MethodOptions::default().hazard)]
    pub hazard: Hazard,
    /// How a wave reads one lane's value, the last lane's or each in turn
    #[arg(long, value_enum, default_value_t = MethodOptions::default().lane_read)]
    pub lane_read: LaneRead,
    /// Partial last wave of a list: `own` is the method's own way, `padded` keeps all lanes active
    #[arg(long, value_enum, default_value_t = MethodOptions::default().tail)]
    pub tail: Tail,
    // Its flag also takes `auto`, and is declared in `settings/option_args.rs`.
    /// Pixels that a wave walks: a power of two up to the tile's pixels.
    #[arg(skip = MethodOptions::default().pixels_per_wave)]
    pub pixels_per_wave: u32,
    /// Pixels that a thread of pixel-loop-staged composites: 1, 2, 4 or 8
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().pixels_per_thread, allow_negative_numbers = true)]
    pub pixels_per_thread: u32,
    // As that of `pixels_per_wave`.
    /// Threads that share a pixel of split-depth: 2, 4 … 256.
    #[arg(skip = MethodOptions::default().threads_per_pixel)]
    pub threads_per_pixel: u32,
    /// Layers of a batch of split-batches: 32, 64 … 1024
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().layers_per_batch, allow_negative_numbers = true)]
    pub layers_per_batch: u32,
    /// Weight of layers in `weighted` and `weighted-drawn`: the paper's equations 7 to 10, McGuire's blog, learnopengl.com
    #[arg(long, value_enum, default_value_t = MethodOptions::default().weight, hide_possible_values = true)]
    pub weight: Weight,
    /// What depths are multiplied by in that weight, from 0.01 to 100: its units fit 0.1 to 500 metres
    #[arg(long, value_name = "FACTOR", default_value_t = MethodOptions::default().weight_scale, allow_negative_numbers = true)]
    pub weight_scale: f32,
    /// How often opacity counts in the sums by the paper's weights: `twice`, as in the paper, or `once`
    #[arg(long, value_enum, default_value_t = MethodOptions::default().weight_opacity)]
    pub weight_opacity: OpacityCounts,
    /// What the sums of `weighted` are stored in: `f32`, or `f16-u8`, rounded at every add as blending hardware does
    #[arg(long, value_enum, default_value_t = MethodOptions::default().weight_storage, hide_possible_values = true)]
    pub weight_storage: Storage,
    /// Slices in depth that `weighted` blends apart, 1 to 16
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().weight_slices, allow_negative_numbers = true)]
    pub weight_slices: u32,
    /// Bins of depth of `histogram`: 8, 16 or 32
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().bins, allow_negative_numbers = true)]
    pub bins: u32,
    /// Depths over which `histogram` has its bins: those of the `camera`, of the items of the `frame`, for a pass over them, or of each `tile`'s list, for a walk of depths
    #[arg(long, value_enum, default_value_t = MethodOptions::default().bin_range)]
    pub bin_range: BinRange,
    /// Nearest layers that `k-buffer` and `hybrid` keep of a pixel, nodes of `mlab`, steps of `adaptive`, layers of `stochastic --estimate layered`, 2 to 16
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().kept, allow_negative_numbers = true)]
    pub kept: u32,
    /// What becomes of the layers that `hybrid` does not keep, or that find no room in `linked-list`
    #[arg(long, value_enum, default_value_t = MethodOptions::default().rest, hide_possible_values = true)]
    pub rest: Rest,
    /// Least opacity of what `k-buffer` and `hybrid` keep, 0 to 0.5: more keeps fog from filling the core
    #[arg(long, value_name = "OPACITY", default_value_t = MethodOptions::default().core_opacity, allow_negative_numbers = true)]
    pub core_opacity: f32,
    /// What the nodes of `mlab` are stored in: `f32`, or `u8`, rounded at every blend
    #[arg(long, value_enum, default_value_t = MethodOptions::default().node_storage, hide_possible_values = true)]
    pub node_storage: NodeStorage,
    /// Moments of `moment`: 4, 6 or 8 powers of depth, or 2, 3 or 4 trigonometric ones, each of two numbers
    #[arg(long, value_enum, default_value_t = MethodOptions::default().moments)]
    pub moments: Moments,
    /// What the moments of `moment` are stored in: `f32`, or `u16`, rounded at every add as in render targets of engines
    #[arg(long, value_enum, default_value_t = MethodOptions::default().moment_storage, hide_possible_values = true)]
    pub moment_storage: MomentStorage,
    /// View depth at which the weight of `weighted-sum` ends, metres, 1 to 10000
    #[arg(long, value_name = "METRES", default_value_t = MethodOptions::default().sum_reach, allow_negative_numbers = true)]
    pub sum_reach: f32,
    /// Weight of a layer of `weighted-sum` at the camera, 0 to 1000
    #[arg(long, value_name = "WEIGHT", default_value_t = MethodOptions::default().sum_scale, allow_negative_numbers = true)]
    pub sum_scale: f32,
    /// Weight of the background of `weighted-sum`, 0.001 to 1000
    #[arg(long, value_name = "WEIGHT", default_value_t = MethodOptions::default().sum_background, allow_negative_numbers = true)]
    pub sum_background: f32,
    /// Samples of a pixel in `stochastic`, 1 to 64
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().samples, allow_negative_numbers = true)]
    pub samples: u32,
    /// What `stochastic` makes of its samples: their mean, the mean over the exact transmittance, the mean of a few layers, or weights by depth
    #[arg(long, value_enum, default_value_t = MethodOptions::default().estimate, hide_possible_values = true)]
    pub estimate: Mode,
    /// Noise by which layers of `stochastic` cover samples: the same at all times with `hash`
    #[arg(long, value_enum, default_value_t = MethodOptions::default().noise, hide_possible_values = true)]
    pub noise: Noise,
    /// Walks of `peeling`, 1 to 64: each takes the next layer
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().peels, allow_negative_numbers = true)]
    pub peels: u32,
    /// Ends from which each walk of `peeling` takes a layer: the `front`, or `both`, so that the middle is lost
    #[arg(long, value_enum, default_value_t = MethodOptions::default().peel_from, hide_possible_values = true)]
    pub peel_from: Ends,
    /// Layers that a pixel of `a-buffer` takes and sorts in one pass: 8 or 16
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().capacity, allow_negative_numbers = true)]
    pub capacity: u32,
    /// Most passes over the list by which `a-buffer` takes layers, 1 to 64; those behind are lost
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().passes, allow_negative_numbers = true)]
    pub passes: u32,
    /// Layers that a pixel of `linked-list` has room for in memory, 4 to 64, 24 bytes each
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().list_room, allow_negative_numbers = true)]
    pub list_room: u32,
    /// Stop a pixel of `coarse` when its transmittance falls below this, 0 (off) to 0.1; exact methods go by `--early-out`
    #[arg(long, value_name = "TRANSMITTANCE", default_value_t = MethodOptions::default().stop_below, allow_negative_numbers = true)]
    pub stop_below: f32,
    /// Most layers that a pixel of `coarse` composites, 1 to 1024; 0: all
    #[arg(long, value_name = "COUNT", default_value_t = MethodOptions::default().first_layers, allow_negative_numbers = true)]
    pub first_layers: u32,
}

impl Default for MethodOptions {
    /// Of the dials the value within 5 % of the method's best in the most frames recorded on a GPU
    /// (`tests/suite/frames.rs`).
    fn default() -> Self {
        Self {
            hazard: Hazard::default(),
            lane_read: LaneRead::default(),
            tail: Tail::default(),
            pixels_per_wave: 1,
            pixels_per_thread: 1,
            threads_per_pixel: 2,
            layers_per_batch: 256,
            weight: Weight::default(),
            weight_scale: 1.0,
            weight_opacity: OpacityCounts::default(),
            weight_storage: Storage::default(),
            weight_slices: 1,
            bins: 16,
            bin_range: BinRange::default(),
            kept: 8,
            rest: Rest::default(),
            core_opacity: 0.0,
            node_storage: NodeStorage::default(),
            moments: Moments::default(),
            moment_storage: MomentStorage::default(),
            sum_reach: 100.0,
            sum_scale: 1.0,
            sum_background: 1.0,
            samples: 8,
            estimate: Mode::default(),
            noise: Noise::default(),
            peels: 4,
            peel_from: Ends::default(),
            capacity: 16,
            passes: 1,
            list_room: 16,
            stop_below: 0.0,
            first_layers: 0,
        }
    }
}

impl MethodOptions {
    /// The same at this place of the dial.
    #[must_use]
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

    pub(super) fn named(&self) -> Vec<Named> {
        let Self {
            hazard,
            lane_read,
            tail,
            pixels_per_wave,
            pixels_per_thread,
            threads_per_pixel,
            layers_per_batch,
            weight,
            weight_scale,
            weight_opacity,
            weight_storage,
            weight_slices,
            bins,
            bin_range,
            kept,
            rest,
            core_opacity,
            node_storage,
            moments,
            moment_storage,
            sum_reach,
            sum_scale,
            sum_background,
            samples,
            estimate,
            noise,
            peels,
            peel_from,
            capacity,
            passes,
            list_room,
            stop_below,
            first_layers,
        } = self;
        let usual = Self::default();
        vec![
            Named::always("hazard", hazard.name()),
            Named::always("lane read", lane_read.name()),
            Named::always("tail", tail.name()),
            Named::always("pixels per wave", pixels_per_wave),
            Named::always("pixels per thread", pixels_per_thread),
            Named::always("threads per pixel", threads_per_pixel),
            Named::always("layers per batch", layers_per_batch),
            Named::unless(*weight == usual.weight, "weight", weight.name()),
            Named::unless(
                *weight_scale == usual.weight_scale,
                "weight scale",
                weight_scale,
            ),
            Named::unless(
                *weight_opacity == usual.weight_opacity,
                "weight opacity",
                weight_opacity.name(),
            ),
            Named::unless(
                *weight_storage == usual.weight_storage,
                "weight storage",
                weight_storage.name(),
            ),
            Named::unless(
                *weight_slices == usual.weight_slices,
                "weight slices",
                weight_slices,
            ),
            Named::unless(*bins == usual.bins, "bins", bins),
            Named::unless(*bin_range == usual.bin_range, "bin range", bin_range.name()),
            Named::unless(*kept == usual.kept, "kept", kept),
            Named::unless(*rest == usual.rest, "rest", rest.name()),
            Named::unless(
                *core_opacity == usual.core_opacity,
                "core opacity",
                core_opacity,
            ),
            Named::unless(
                *node_storage == usual.node_storage,
                "node storage",
                node_storage.name(),
            ),
            Named::unless(*moments == usual.moments, "moments", moments.name()),
            Named::unless(
                *moment_storage == usual.moment_storage,
                "moment storage",
                moment_storage.name(),
            ),
            Named::unless(*sum_reach == usual.sum_reach, "sum reach", sum_reach),
            Named::unless(*sum_scale == usual.sum_scale, "sum scale", sum_scale),
            Named::unless(
                *sum_background == usual.sum_background,
                "sum background",
                sum_background,
            ),
            Named::unless(*samples == usual.samples, "samples", samples),
            Named::unless(*estimate == usual.estimate, "estimate", estimate.name()),
            Named::unless(*noise == usual.noise, "noise", noise.name()),
            Named::unless(*peels == usual.peels, "peels", peels),
            Named::unless(*peel_from == usual.peel_from, "peel from", peel_from.name()),
            Named::unless(*capacity == usual.capacity, "capacity", capacity),
            Named::unless(*passes == usual.passes, "passes", passes),
            Named::unless(*list_room == usual.list_room, "list room", list_room),
            Named::unless(*stop_below == usual.stop_below, "stop below", stop_below),
            Named::unless(
                *first_layers == usual.first_layers,
                "first layers",
                first_layers,
            ),
        ]
    }
}

/// How often opacity counts in the sums of weighted blending.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum OpacityCounts {
    /// In the weight, too, as in the paper: how finely fog is sliced then matters.
    #[default]
    Twice,
    /// Only as what is weighted.
    Once,
}

impl OpacityCounts {
    /// Its name in flags, files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OpacityCounts::Twice => "twice",
            OpacityCounts::Once => "once",
        }
    }

    #[must_use]
    pub fn is_in_weight(self) -> bool {
        self == OpacityCounts::Twice
    }
}

/// The depths over which a histogram has its bins.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum BinRange {
    /// Between the planes of the camera.
    #[default]
    Camera,
    /// Between the nearest and the farthest item of the frame.
    Frame,
    /// Between the nearest and the farthest item of the tile's list.
    Tile,
}

impl BinRange {
    /// Its name in flags, files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BinRange::Camera => "camera",
            BinRange::Frame => "frame",
            BinRange::Tile => "tile",
        }
    }
}

/// The moments of absorbance over depth that a pixel has.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
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

impl Moments {
    pub const ALL: [Self; 6] = [
        Self::Power4,
        Self::Power6,
        Self::Power8,
        Self::Trig2,
        Self::Trig3,
        Self::Trig4,
    ];

    /// Its name in flags, files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Moments::Power4 => "power4",
            Moments::Power6 => "power6",
            Moments::Power8 => "power8",
            Moments::Trig2 => "trig2",
            Moments::Trig3 => "trig3",
            Moments::Trig4 => "trig4",
        }
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
