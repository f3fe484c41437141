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

#[cfg(test)]
mod tests {
    use super::super::tests::{apart, error, in_depth, layers};
    use super::*;

    #[test]
    fn list_order_is_exact_on_sorted_lists_alone_and_the_average_knows_no_depth() {
        let list = layers(12, 1, 0.2..0.8);
        assert!(error(&ListOrder, &in_depth(&list)) < 1e-12 && error(&ListOrder, &list) > 0.01);
        let mut moved = list.clone();
        moved.iter_mut().for_each(|layer| layer.depth = 7.0);
        let [here, there] = [&moved, &list].map(|list| Average.believe(list).result);
        assert!(apart(here, there) < 1e-12 && error(&Average, &list) > 0.01);
    }
}
