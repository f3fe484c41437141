//! Methods that use only colour and opacity, and the exact result.

use super::Technique;
use super::bounds::{Rounding, bound_of_order, normalised};
use super::layers::{Layer, OitResult, composited, counting, exact, resolved};
use crate::model::Feature;
use crate::model::methods::entry::{APPROXIMATE, DRAWN_SUMS, Entry, NUMBER, PixelBytes, Trait};

pub const LIST_ORDER: Entry = Entry {
    name: "list-order",
    module: "methods/baselines",
    mapping: "thread per pixel; list staged, alpha blending in the order of the list",
    cost: "n sequential evaluations per pixel; no sort unless --order sorted",
    guarantee: "exact on sorted lists; depends on the order of the list",
    origin: "blending without a sort",
    ..APPROXIMATE
};

pub const AVERAGE: Entry = Entry {
    name: "average",
    module: "methods/baselines",
    traits: &[Trait::SharesPixels],
    mapping: "as list-order, or D threads per pixel; sums of opacity and colour",
    cost: "n sequential evaluations per pixel; no sort; 5 numbers of state",
    guarantee: "exact transmittance, no order; far layers shine through near ones",
    origin: "weighted average (Bavoil and Myers 2008)",
    ..APPROXIMATE
};

/// All layers in order of depth.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Technique for Exact {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        exact(layers)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        bound_of_order(layers)
    }

    fn bytes(&self) -> PixelBytes {
        PixelBytes::new(4 * NUMBER, 0)
    }
}

/// All layers in the order of the list, with the first layer nearest.
#[derive(Clone, Copy, Debug)]
pub struct Listed;

impl Technique for Listed {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        composited(layers, counting(layers))
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        bound_of_order(layers)
    }

    fn bytes(&self) -> PixelBytes {
        PixelBytes::new(4 * NUMBER, 0)
    }

    fn features(&self) -> Vec<Feature> {
        vec![Feature::ListOrder]
    }

    fn takes_any_order(&self) -> bool {
        false
    }
}

/// N(1): colours averaged with opacity as weight, over the exact transmittance. Neither order nor depth matters.
#[derive(Clone, Copy, Debug)]
pub struct Average;

impl Technique for Average {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        resolved(layers, &vec![1.0; layers.len()])
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let products: Vec<f64> = layers.iter().map(Layer::alpha).collect();
        normalised(layers, &products, Rounding::Single(0.0))
    }

    fn bytes(&self) -> PixelBytes {
        PixelBytes::new(5 * NUMBER, DRAWN_SUMS)
    }
}
