//! Approximate methods, one file per technique: rows in the table of methods, options, CPU twin in f64, error bound,
//! and properties of the kernel. `methods/table.rs` lists the techniques.
//!
//! **Lists** may be in any order. Layers with an opacity of NaN, 0 or less are ignored; opacities above 1 count as 1.
//! Layers of equal depth are ordered by item, and a depth of NaN is behind all others. If a technique depends on the
//! order of the list, its file states that.
//!
//! **Decisions** (insertions, merges, slices, keys, samples) use the f32 depths and opacities from the kernel, and only
//! comparisons or u32 arithmetic, so that a kernel makes the same decisions. If a decision needs rounded arithmetic and
//! is close, [`OitResult::near_ties`] counts it.
//!
//! **Shares.** All techniques are linear in the layers' colours: a result is `Σ share·colour`, and `1 - Σ share` is the
//! transmittance. Most techniques estimate the light `w` that reaches each layer, and resolve it in the same way, here
//! called N(w): `share = (1-T)·w·α / Σ w·α` with the exact `T = Π (1-α)` ([`resolved`]).
//!
//! Symbols: α opacity, c colour, z depth, `a = -ln(1-α)` absorbance, A sum of absorbances, T transmittance, w weight.

pub mod adaptive;
pub mod baselines;
pub mod bounds;
pub mod coarse;
pub mod histogram;
pub mod k_buffer;
pub mod keeping;
pub mod layers;
pub mod linked_list;
pub mod mlab;
pub mod moment;
pub mod peeling;
pub mod stochastic;
pub mod weighted;
pub mod weighted_sum;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use crate::model::Feature;
use crate::model::constant::Constant;
use crate::model::methods::entry::PixelBytes;

use bounds::{Expected, Weights};
use layers::{Layer, OitResult, Range};

/// A technique with its options: its CPU twin in f64, and the constants of its kernel. The kernel walks a staged list once
/// or several times (`shaders/methods/any_order.wesl`), or the rasteriser draws the technique.
pub trait Technique {
    fn composite(&self, layers: &[Layer]) -> OitResult;

    /// Error bound of the kernel, given the twin's result.
    fn bound(&self, layers: &[Layer], found: &OitResult) -> [f64; 4];

    /// Weights reconstructed from a list, if they are expensive to compute; all pixels share them.
    fn weights(&self, _layers: &[Layer]) -> Option<Weights> {
        None
    }

    /// Expected result of the kernel, and its error bound. `weights` are the weights of the same list at other pixels.
    fn expected(&self, layers: &[Layer], weights: &OnceCell<Option<Weights>>) -> Expected {
        if let Some(weights) = weights.get_or_init(|| self.weights(layers)) {
            return weights.expected(layers);
        }
        let found = self.composite(layers);
        Expected::new(&found, self.bound(layers, &found), layers)
    }

    fn bytes(&self) -> PixelBytes;

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        Vec::new()
    }

    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    /// Options in a few words, to follow the method's name.
    fn words(&self) -> Option<String> {
        None
    }

    /// True if the order of the list changes the result only through rounding.
    fn takes_any_order(&self) -> bool {
        true
    }

    /// True if the technique reads lists ordered by depth keys of few bits, unless lists are sorted.
    fn reads_coarse_lists(&self) -> bool {
        false
    }

    /// True if several threads can share a pixel, provided that the method's row allows sharing.
    fn shares_pixels(&self) -> bool {
        true
    }

    /// Maximum number of threads in a workgroup if `sharers` threads share a pixel.
    fn most_threads(&self, _sharers: u32) -> u32 {
        u32::MAX
    }

    /// True if the technique reads the depth range of the frame's items.
    fn reads_frame_range(&self) -> bool {
        false
    }

    /// The method's own buffer, if it has one.
    fn buffer(&self) -> Option<OwnBuffer> {
        None
    }

    /// Maximum number of loop iterations of an invocation per layer of the list.
    fn turns(&self) -> u32 {
        TURNS
    }
}

/// Maximum number of loop iterations per layer of a walk, in the loop over layers and the loops that stage them.
pub const TURNS: u32 = 3;

/// A buffer with an entry per pixel.
#[derive(Clone, Copy, Debug)]
pub struct OwnBuffer {
    pub name: &'static str,
    pub bytes: u64,
    /// Number of frames that the buffer accumulates; 1 for no accumulation.
    pub frames: u32,
    /// Remedy if the buffer is too large, given the number of bytes per pixel that fit.
    pub remedy: fn(u64) -> String,
}

/// Pixel, time and depth ranges that a technique sees. Noise is a hash of pixel and time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Pixel coordinates, x and y.
    pub pixel: [u32; 2],
    /// Time in seconds.
    pub time: f32,
    /// Depths of the camera's near and far planes.
    pub planes: Range,
    /// Depth range of all items in the frame.
    pub items: Range,
}
