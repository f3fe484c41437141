//! Layers kept per pixel, in registers or in memory: their options, and the treatment of all other layers.

use super::bounds::{
    Rounding, WEIGHT_ERROR, bound_of_order, normalised, one_behind_the_other, picked,
};
use super::layers::{Layer, OitResult, in_order, shares};
use super::weighted::Weight;
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{DRAWN_SUMS, NUMBER};
use crate::model::options::rows::{Any, Within, own_options};

own_options! {
    "Approximate: k-buffer, hybrid, mlab, adaptive, linked-list"
    pub struct KeepingOptions {
        /// Nearest layers kept per pixel by `k-buffer` and `hybrid`, nodes of `mlab`, steps of `adaptive`, 2 to 16
        pub kept in "COUNT": u32 = 8, Within([2, 16]), ["k-buffer", "hybrid", "mlab", "adaptive"];
        /// Treatment of layers that `hybrid` does not keep, or that do not fit in `linked-list`
        pub rest: Rest = Rest::default(), Any, ["hybrid", "linked-list"];
    }
}

/// Bytes of a node of `shaders/methods/nodes.wesl`: light in four numbers, depth and item.
pub const NODE: u32 = 6 * NUMBER;
/// Bytes of a node as engines store it: light in 8 bits per channel, depth in 32 bits.
pub const DRAWN_NODE: u32 = 8;

flag_values! {
    /// Treatment of layers outside the core, or without room in a list.
    pub enum Rest {
        /// Dropped, so the background shows through. Error at most `T_core (1 - T_tail)`.
        #[value(help = "Dropped, as in k-buffer")]
        Drop,
        #[value(help = "Averaged by opacity")]
        #[default]
        Average,
        /// Weighted blending with [`Weight::Paper7`], α once.
        #[value(help = "Averaged by opacity and the depth weight paper7")]
        Weighted,
        /// The first rejected layer counts as the nearest. Exact on sorted lists.
        #[value(help = "Blended in the order of their rejection")]
        ListOrder,
    }
}

impl Rest {
    /// Bytes for layers that are not kept: in a thread, and in the targets that engines draw these layers into.
    pub fn bytes(self) -> [u32; 2] {
        match self {
            Rest::Drop => [0, 0],
            _ => [5 * NUMBER, DRAWN_SUMS],
        }
    }
}

pub fn behind_core(layers: &[Layer], core: &[usize], tail: &[usize], rest: Rest) -> OitResult {
    let (mut all, front) = in_order(layers, core.iter().copied());
    let (in_turn, behind) = in_order(layers, tail.iter().copied());
    let weight = |index: usize| match rest {
        Rest::Weighted => Weight::Paper7.at(f64::from(layers[index].depth), 0.0, 0.0),
        _ => 1.0,
    };
    let (tail_shares, behind) = match rest {
        Rest::Drop => (vec![0.0; layers.len()], 1.0),
        Rest::ListOrder => (in_turn, behind),
        Rest::Average | Rest::Weighted => {
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

/// Error bound of a core over a tail: the error of compositing the core, and the error of the tail's form.
pub fn bound_of_core(
    (core, tail): (Vec<usize>, Vec<usize>),
    rest: Rest,
    layers: &[Layer],
) -> [f64; 4] {
    let [core, behind] = [core, tail].map(|part| picked(layers, &part));
    let averaged = |weight: fn(&Layer) -> f64, error| {
        let products: Vec<f64> = behind.iter().map(|of| of.alpha() * weight(of)).collect();
        normalised(&behind, &products, Rounding::Single(error))
    };
    let of_tail = match rest {
        Rest::Drop => [0.0; 4],
        Rest::Average => averaged(|_| 1.0, 0.0),
        Rest::Weighted => averaged(
            |of| Weight::Paper7.at(f64::from(of.depth), 0.0, 0.0),
            WEIGHT_ERROR,
        ),
        Rest::ListOrder => bound_of_order(&behind),
    };
    let of_core = bound_of_order(&core);
    one_behind_the_other([(core, of_core), (behind, of_tail)])
}
