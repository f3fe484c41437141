//! The two baselines that everyone expects.

use super::{Believed, Layer, Technique, counting, in_order, resolved};

/// Alpha blending in the order of the list, first layer nearest, as all lists here run. Exact on sorted lists.
///
/// Programs that draw back to front without sorting do this with their list reversed.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListOrder;

impl Technique for ListOrder {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let (shares, kept) = in_order(layers, counting(layers));
        Believed::of(layers, shares, kept)
    }
}

/// N(1): colours averaged by opacity over the exact transmittance. Order does not matter, nor does depth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Average;

impl Technique for Average {
    fn believe(&self, layers: &[Layer]) -> Believed {
        resolved(layers, &vec![1.0; layers.len()])
    }
}
