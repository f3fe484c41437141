//! The ranges of all settings, and the messages for values outside: flags and files share both.

use glam::Vec3;

use crate::error::{Error, Result};
use crate::model::options::{Dial, FrameOptions, MethodOptions, Options};
use crate::model::scene::{Checked as _, Factors, MOST_SLICES, Viewpoint};

/// Pixels in x and y of a frame for which neither flags nor the adapter say otherwise.
pub const SIZE: [u32; 2] = [1280, 720];

/// Times beyond this, in seconds, are too coarse in f32 to move anything smoothly.
const MOST_TIME: f32 = 1e5;
/// Largest factor on fog and particles.
const MOST_FACTOR: f32 = 16.0;

/// Least and largest factor on depths in the weight of `weighted`.
pub const WEIGHT_SCALES: [f32; 2] = [0.01, 100.0];
/// Most slices in depth of `weighted`: their sums are a thread's own.
pub const MOST_WEIGHT_SLICES: u32 = 16;
/// Bins of `histogram`.
pub const BINS: [u32; 3] = [8, 16, 32];
/// Edges of the blocks of pixels that share them.
pub const BIN_BLOCKS: [u32; 4] = [1, 2, 4, 8];
/// Fewest and most layers that methods keep of a pixel in registers.
pub const KEPT: [u32; 2] = [2, 16];
/// Most that the least opacity of the core of `hybrid` may be.
pub const MOST_CORE_OPACITY: f32 = 0.5;
/// Depths at which the weight of `weighted-sum` may end, metres.
pub const SUM_REACHES: [f32; 2] = [1.0, 1e4];
/// Weights of a layer of `weighted-sum` at the camera, and of its background.
pub const SUM_SCALES: [f32; 2] = [0.0, 1e3];
pub const SUM_BACKGROUNDS: [f32; 2] = [1e-3, 1e3];
/// Most samples of `stochastic`: they are bits of two words.
pub const MOST_SAMPLES: u32 = 64;
/// Most frames whose sums `stochastic` adds up.
pub const MOST_FRAMES: u32 = 1024;
/// Most walks of `peeling` and `a-buffer`, and the layers that one of `a-buffer` may take.
pub const MOST_WALKS: u32 = 64;
pub const CAPACITIES: [u32; 2] = [8, 16];
/// Fewest and most layers that a pixel of `linked-list` has room for.
pub const LIST_ROOMS: [u32; 2] = [4, 64];
/// Bits of the depth keys of `coarse`.
pub const KEY_BITS: [u32; 2] = [4, 16];
/// Most frames that the order of `coarse` may be old.
pub const MOST_ORDER_AGE: u32 = 60;
/// Most that the transmittance may be at which a pixel of `coarse` stops.
pub const MOST_STOP_BELOW: f32 = 0.1;
/// Most layers after which a pixel of `coarse` stops; 0: it takes all.
pub const MOST_FIRST_LAYERS: u32 = 1024;

/// Whether a message about a value names the flag or the field of a file.
#[derive(Clone, Copy)]
pub enum Words {
    /// `--fog-slices`.
    Flags,
    /// `fog_slices`.
    Fields,
}

/// Whether a wave can walk this many pixels of a tile.
pub(super) fn splits_tile(pixels: u32, frame: &FrameOptions) -> bool {
    pixels.is_power_of_two() && pixels <= frame.pixels_of_tile()
}

/// What [`splits_tile`] admits, in words.
pub(super) fn divisors_of_tile(frame: &FrameOptions) -> String {
    let most = frame.pixels_of_tile();
    format!("a power of two from 1 to {most} (the pixels of a tile)")
}

/// Whether so many threads can share a pixel of split-depth.
pub(super) fn shares_pixel(threads: u32) -> bool {
    threads > 1 && Dial::Threads(threads).exists()
}

/// What [`shares_pixel`] admits, in words.
pub(super) const THREADS_PER_PIXEL: &str = "a power of two from 2 to 256";

impl Words {
    pub(super) fn wrong(self, field: &str, value: impl std::fmt::Display, allowed: &str) -> Error {
        let name = match self {
            Words::Flags => format!("--{}", field.replace('_', "-")),
            Words::Fields => field.to_owned(),
        };
        Error::usage(format!("{name} {value}: must be {allowed}"))
    }

    fn demand(
        self,
        holds: bool,
        field: &str,
        value: impl std::fmt::Display,
        allowed: &str,
    ) -> Result<()> {
        if holds {
            Ok(())
        } else {
            Err(self.wrong(field, value, allowed))
        }
    }

    pub(super) fn size(self, [width, height]: [u32; 2]) -> Result<()> {
        let value = format_args!("{width}x{height}");
        let holds = width > 0 && height > 0;
        self.demand(holds, "size", value, "at least 1 pixel each way")
    }

    pub(super) fn time(self, time: f32) -> Result<()> {
        let holds = (-MOST_TIME..=MOST_TIME).contains(&time);
        let allowed = format!("-{MOST_TIME} to {MOST_TIME} seconds");
        self.demand(holds, "time", time, &allowed)
    }

    pub(super) fn fog_slices(self, slices: u32) -> Result<()> {
        let allowed = format!("0 to {MOST_SLICES}");
        self.demand(slices <= MOST_SLICES, "fog_slices", slices, &allowed)
    }

    pub(super) fn factors(self, factors: &Factors) -> Result<()> {
        let allowed = format!("0 to {MOST_FACTOR}");
        factors.named().into_iter().try_for_each(|(name, factor)| {
            let holds = (0.0..=MOST_FACTOR).contains(&factor);
            self.demand(holds, &name.replace(' ', "_"), factor, &allowed)
        })
    }

    /// Checks every option whose type admits invalid values.
    ///
    /// # Errors
    /// Usage: the option, its value, and what it must be.
    pub fn options(self, options: &Options) -> Result<()> {
        let Options { frame, method } = options;
        let FrameOptions {
            auto_tile: _,
            tile,
            precision: _,
            early_out,
            splat_order: _,
            cull: _,
            solids: _,
            macro_tile: _,
            order: _,
            order_seed: _,
            key_bits,
            order_age,
        } = *frame;
        let MethodOptions {
            hazard: _,
            lane_read: _,
            tail: _,
            pixels_per_wave,
            pixels_per_thread,
            threads_per_pixel,
            layers_per_batch,
            weight: _,
            weight_scale,
            weight_opacity: _,
            weight_storage: _,
            weight_slices,
            bins,
            bin_range: _,
            bin_block,
            kept,
            rest: _,
            core_opacity,
            node_storage: _,
            moments: _,
            moment_storage: _,
            sum_reach,
            sum_scale,
            sum_background,
            samples,
            accumulate,
            estimate: _,
            noise: _,
            peels,
            peel_from: _,
            capacity,
            passes,
            list_room,
            stop_below,
            first_layers,
        } = *method;
        self.demand([8, 16].contains(&tile), "tile", tile, "8 or 16")?;
        let holds = (0.0..1.0).contains(&early_out);
        let allowed = "0 (off) or more, and less than 1";
        self.demand(holds, "early_out", early_out, allowed)?;
        let holds = splits_tile(pixels_per_wave, frame);
        let allowed = divisors_of_tile(frame);
        self.demand(holds, "pixels_per_wave", pixels_per_wave, &allowed)?;
        for (holds, field, value, allowed) in [
            (
                pixels_per_thread == 1 || Dial::Pixels(pixels_per_thread).exists(),
                "pixels_per_thread",
                pixels_per_thread,
                "1, 2, 4 or 8",
            ),
            (
                shares_pixel(threads_per_pixel),
                "threads_per_pixel",
                threads_per_pixel,
                THREADS_PER_PIXEL,
            ),
            (
                Dial::Batch(layers_per_batch).exists(),
                "layers_per_batch",
                layers_per_batch,
                "a power of two from 32 to 1024",
            ),
        ] {
            self.demand(holds, field, value, allowed)?;
        }
        self.within("weight_scale", weight_scale, WEIGHT_SCALES)?;
        self.within("weight_slices", weight_slices, [1, MOST_WEIGHT_SLICES])?;
        self.among("bins", bins, &BINS, "8, 16 or 32")?;
        self.among("bin_block", bin_block, &BIN_BLOCKS, "1, 2, 4 or 8")?;
        self.within("kept", kept, KEPT)?;
        self.within("core_opacity", core_opacity, [0.0, MOST_CORE_OPACITY])?;
        self.within("sum_reach", sum_reach, SUM_REACHES)?;
        self.within("sum_scale", sum_scale, SUM_SCALES)?;
        self.within("sum_background", sum_background, SUM_BACKGROUNDS)?;
        self.within("samples", samples, [1, MOST_SAMPLES])?;
        self.within("accumulate", accumulate, [1, MOST_FRAMES])?;
        self.within("peels", peels, [1, MOST_WALKS])?;
        self.among("capacity", capacity, &CAPACITIES, "8 or 16")?;
        self.within("passes", passes, [1, MOST_WALKS])?;
        self.within("list_room", list_room, LIST_ROOMS)?;
        self.within("key_bits", key_bits, KEY_BITS)?;
        self.within("order_age", order_age, [0, MOST_ORDER_AGE])?;
        self.within("stop_below", stop_below, [0.0, MOST_STOP_BELOW])?;
        self.within("first_layers", first_layers, [0, MOST_FIRST_LAYERS])
    }

    /// Demands one of some values, or names the nearest.
    fn among(self, field: &str, value: u32, allowed: &[u32], words: &str) -> Result<()> {
        let nearest = allowed.iter().copied().min_by_key(|of| of.abs_diff(value));
        let near = nearest.unwrap_or(value);
        let words = format!("{words}; the nearest is {near}");
        self.demand(near == value, field, value, &words)
    }

    /// Demands a value of a range, or names the nearest.
    fn within<T: PartialOrd + Copy + std::fmt::Display>(
        self,
        field: &str,
        value: T,
        [least, most]: [T; 2],
    ) -> Result<()> {
        let near = match value {
            _ if value > most => most,
            _ if value >= least => value,
            // What is no number, too.
            _ => least,
        };
        let allowed = format!("{least} to {most}; the nearest is {near}");
        self.demand(near == value, field, value, &allowed)
    }

    /// Checks where a camera is and looks, by the rule of scene files.
    ///
    /// # Errors
    /// Usage: the field, its value, and what it must be.
    pub fn camera(self, camera: &Viewpoint) -> Result<()> {
        let Err(fault) = camera.check() else {
            return Ok(());
        };
        let (field, of_coordinate) = match fault.path.split_once('[') {
            Some((field, _)) => (field, true),
            None => (fault.path.as_str(), false),
        };
        let [eye, target] = [camera.eye, camera.target].map(place);
        let (field, value) = match (field, self) {
            ("eye", _) => (field, eye),
            ("target", _) if of_coordinate => (field, target),
            ("target", _) => {
                let flag = match self {
                    Words::Flags => "--",
                    Words::Fields => "",
                };
                return Err(Error::usage(format!(
                    "{flag}eye {eye} and {flag}target {target} are the same place: they must be 1 mm or more apart"
                )));
            }
            (_, Words::Flags) => ("fov", fault.value),
            (_, Words::Fields) => (field, fault.value),
        };
        let allowed = match of_coordinate {
            true => format!("{} in each coordinate", fault.allowed),
            false => fault.allowed,
        };
        Err(self.wrong(field, value, &allowed))
    }
}

/// A place as `--eye` and `--target` take it; every digit that tells it from its neighbours.
pub(super) fn place(place: Vec3) -> String {
    place
        .to_array()
        .map(|coordinate| coordinate.to_string())
        .join(",")
}
