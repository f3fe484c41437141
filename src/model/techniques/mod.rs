//! Approximate methods, a file each for those that compute alike: rows of the table of methods, twin in f64, error bound, and what
//! the program has to know of the kernel. `methods/table.rs` lists them.
//!
//! **Lists.** A list may be in any order. Layers with an opacity of 0 or less, or NaN, are not there; opacities above 1
//! count as 1. Equal depths tie by item, and a depth that is NaN lies behind all others. Where a technique depends on the
//! order of its list, its file says so.
//!
//! **Decisions.** Insertions, merges, slices, keys and samples are decided on the f32 depths and opacities that the kernel
//! evaluated, by comparisons or in u32 arithmetic, so that a kernel decides alike. Decisions that need rounded arithmetic
//! are counted in [`OitResult::near_ties`] where they are close.
//!
//! **Shares.** All techniques are linear in the layers' colours: a result is `Σ share·colour`, and `1 - Σ share` is the
//! transmittance. Most take a guess `w` of the light that reaches each layer and resolve alike, here called N(w):
//! `share = (1-T)·w·α / Σ w·α` with the exact `T = Π (1-α)` ([`resolved`]).
//!
//! Symbols: α opacity, c colour, z depth, `a = -ln(1-α)` absorbance, A their sum, T transmittance, w weight.

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

/// A technique with its options: what its kernel is compiled with, and its twin in f64.
///
/// Its kernel is one walk, or several, through a list in any order, staged through workgroup memory
/// (`shaders/methods/any_order.wesl`), or is drawn.
pub trait Technique {
    /// The result of the twin for a list of layers.
    fn composite(&self, layers: &[Layer]) -> OitResult;

    /// Error bound of a kernel whose twin found this.
    fn bound(&self, layers: &[Layer], found: &OitResult) -> [f64; 4];

    /// Weights that it reconstructs of a list, where they are dear: they are the same at all pixels.
    fn weights(&self, _layers: &[Layer]) -> Option<Weights> {
        None
    }

    /// The result that a kernel should give, and its error bound. `weights` are those of the same list at other pixels.
    fn expected(&self, layers: &[Layer], weights: &OnceCell<Option<Weights>>) -> Expected {
        if let Some(weights) = weights.get_or_init(|| self.weights(layers)) {
            return weights.expected(layers);
        }
        let found = self.composite(layers);
        Expected::new(&found, self.bound(layers, &found), layers)
    }

    /// Bytes of a pixel.
    fn bytes(&self) -> PixelBytes;

    /// Constants of its shader.
    fn constants(&self) -> Vec<(&'static str, Constant)> {
        Vec::new()
    }

    /// Features of its shader.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    /// Its options in a few words, behind the method's name.
    fn words(&self) -> Option<String> {
        None
    }

    /// Whether its result is the same in whatever order a list is, up to rounding.
    fn takes_any_order(&self) -> bool {
        true
    }

    /// Whether it reads lists in the order of depth keys of few bits where they are not sorted.
    fn reads_coarse_lists(&self) -> bool {
        false
    }

    /// Whether several threads can share a pixel, of a method whose row says so.
    fn shares_pixels(&self) -> bool {
        true
    }

    /// Most threads of a workgroup, `sharers` of which share a pixel.
    fn most_threads(&self, _sharers: u32) -> u32 {
        u32::MAX
    }

    /// Whether it reads between which depths the frame's items lie.
    fn reads_frame_range(&self) -> bool {
        false
    }

    /// A buffer that no other method has.
    fn buffer(&self) -> Option<OwnBuffer> {
        None
    }

    /// Most times that an invocation goes through its loops for each layer of the list.
    fn turns(&self) -> u32 {
        TURNS
    }
}

/// Most times that an invocation goes through its loops for each layer of a walk: that of the layers, and those that stage them.
pub const TURNS: u32 = 3;

/// A buffer with something for every pixel.
#[derive(Clone, Copy, Debug)]
pub struct OwnBuffer {
    /// Its name in the shader.
    pub name: &'static str,
    /// Bytes of a pixel.
    pub bytes: u64,
    /// Frames whose sums it holds; 1: none.
    pub frames: u32,
    /// What to do where it is too large, given the bytes of a pixel that fit.
    pub remedy: fn(u64) -> String,
}

/// Where and when a pixel is seen: noise is a hash of both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// x and y.
    pub pixel: [u32; 2],
    /// The frame's, seconds.
    pub time: f32,
    /// The planes of the camera.
    pub planes: Range,
    /// The depths of all items of the frame.
    pub items: Range,
}
