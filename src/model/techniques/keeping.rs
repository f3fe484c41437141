//! Nodes of a pixel, in registers or in memory: options of the methods that keep layers, and what becomes of the others.

use serde::Serialize;

use super::bounds::{
    Rounding, WEIGHT_ERROR, bound_of_order, normalised, one_behind_the_other, picked,
};
use super::layers::{Layer, OitResult, in_order, shares};
use super::weighted::Weight;
use crate::model::flag_value::written_as_in_flags;
use crate::model::methods::entry::{DRAWN_SUMS, NUMBER};
use crate::model::options::rows::{Any, Within, own_options};

own_options! {
    /// Options of methods that keep some layers of a pixel.
    "Approximate: k-buffer, hybrid, mlab, adaptive, linked-list"
    pub struct KeepingOptions {
        /// Nearest layers kept per pixel by `k-buffer` and `hybrid`, nodes of `mlab`, steps of `adaptive`, 2 to 16
        pub kept in "COUNT": u32 = 8, Within([2, 16]), ["k-buffer", "hybrid", "mlab", "adaptive"];
        /// Treatment of layers that `hybrid` does not keep, or that do not fit in `linked-list`
        pub rest: Tail = Tail::default(), Any, ["hybrid", "linked-list"];
    }
}

/// Bytes of a node of `shaders/methods/nodes.wesl`: light in four numbers, depth and item.
pub const NODE: u32 = 6 * NUMBER;
/// Bytes of a node as engines store it: light in 8 bits a channel, depth in 32.
pub const DRAWN_NODE: u32 = 8;

/// What becomes of layers outside the core, or without room in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Tail {
    /// They are lost, and what they hid shows: the k-buffer. Errs by at most `T_core (1 - T_tail)`.
    #[value(help = "Dropped, as in k-buffer")]
    Drop,
    /// Their average by opacity, behind the core: hybrid transparency.
    #[value(help = "Averaged by opacity")]
    #[default]
    Average,
    /// Weighted blending with [`Weight::Paper7`], α once.
    #[value(help = "Averaged by opacity and the depth weight paper7")]
    Weighted,
    /// Blended in the order in which they leave the core or come, earliest nearest. Exact on sorted lists.
    #[value(help = "Blended in the order in which they are rejected")]
    ListOrder,
}

impl Tail {
    /// Bytes of what a thread has of layers that it does not keep, and of the targets that engines draw them into.
    pub fn bytes(self) -> [u32; 2] {
        match self {
            Tail::Drop => [0, 0],
            _ => [5 * NUMBER, DRAWN_SUMS],
        }
    }
}

/// A sorted core over a tail.
pub fn behind_core(layers: &[Layer], core: &[usize], tail: &[usize], way: Tail) -> OitResult {
    let (mut all, front) = in_order(layers, core.iter().copied());
    let (in_turn, behind) = in_order(layers, tail.iter().copied());
    let weight = |index: usize| match way {
        Tail::Weighted => Weight::Paper7.at(f64::from(layers[index].depth), 0.0, 0.0),
        _ => 1.0,
    };
    let (tail_shares, behind) = match way {
        Tail::Drop => (vec![0.0; layers.len()], 1.0),
        Tail::ListOrder => (in_turn, behind),
        Tail::Average | Tail::Weighted => {
            let mut weights = vec![0.0; layers.len()];
            tail.iter()
                .for_each(|&index| weights[index] = weight(index));
            (shares(layers, &weights, 1.0 - behind), behind)
        }
    };
    let sums = all.iter_mut().zip(tail_shares);
    sums.for_each(|(share, tail)| *share += front * tail);
    OitResult::of(layers, all, front * behind)
}

/// Error bound of a core over a tail: comparisons alone decide what is in the core, so that this is what
/// compositing may be off in the core and the form of the tail behind it.
pub fn bound_of_core(
    (core, tail): (Vec<usize>, Vec<usize>),
    way: Tail,
    layers: &[Layer],
) -> [f64; 4] {
    let [core, behind] = [core, tail].map(|part| picked(layers, &part));
    let averaged = |weight: fn(&Layer) -> f64, error| {
        let products: Vec<f64> = behind.iter().map(|of| of.alpha() * weight(of)).collect();
        normalised(&behind, &products, Rounding::Single(error))
    };
    let of_tail = match way {
        Tail::Drop => [0.0; 4],
        Tail::Average => averaged(|_| 1.0, 0.0),
        Tail::Weighted => averaged(
            |of| Weight::Paper7.at(f64::from(of.depth), 0.0, 0.0),
            WEIGHT_ERROR,
        ),
        Tail::ListOrder => bound_of_order(&behind),
    };
    let of_core = bound_of_order(&core);
    one_behind_the_other([(core, of_core), (behind, of_tail)])
}

written_as_in_flags!(Tail);
