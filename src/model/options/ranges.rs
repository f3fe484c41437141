//! What values options may have. The ends are also those of the window's controls.

use std::fmt::Display;

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
pub const MOST_ORDER_AGE: u32 = 160;
/// Most that the transmittance may be at which a pixel of `coarse` stops.
pub const MOST_STOP_BELOW: f32 = 0.1;
/// Most layers of the window of `coarse`; 0 and 1: there is none.
pub const MOST_WINDOW: u32 = 16;
/// Most layers after which a pixel of `coarse` stops; 0: it takes all.
pub const MOST_FIRST_LAYERS: u32 = 1024;

/// Checks an option's value; the error says what it must be.
pub(super) fn check<T>(value: T, rule: impl Fn(T) -> Result<(), String>) -> Result<(), String> {
    rule(value)
}

/// Every value that its type has.
pub(super) fn any<T>(_: T) -> Result<(), String> {
    Ok(())
}

pub(super) fn demand(holds: bool, allowed: impl Into<String>) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(allowed.into()),
    }
}

/// One of some values, or the message names the nearest.
pub(super) fn among(allowed: &[u32], words: &str) -> impl Fn(u32) -> Result<(), String> {
    move |value| {
        let nearest = allowed.iter().copied().min_by_key(|of| of.abs_diff(value));
        let near = nearest.unwrap_or(value);
        demand(near == value, format!("{words}; the nearest is {near}"))
    }
}

/// A value of a range, or the message names the nearest.
pub(super) fn within<T: PartialOrd + Copy + Display>(
    [least, most]: [T; 2],
) -> impl Fn(T) -> Result<(), String> {
    move |value| {
        let near = match value {
            _ if value > most => most,
            _ if value >= least => value,
            // What is no number, too.
            _ => least,
        };
        let allowed = format!("{least} to {most}; the nearest is {near}");
        demand(near == value, allowed)
    }
}
