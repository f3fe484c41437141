//! Weighted sum rendering with a linear correction (LC-WSR; Hou and others, ICLR 2025): the background is one more layer
//! of the sums.
//!
//! One walk, no order. For splats that are trained for it; for others there is no occlusion at all, which is what it is
//! here to show.

use super::{Believed, Layer, Technique};

/// The weighted sum and its dials, which training would set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedSum {
    /// σ, the view depth at which the weight `max(0, 1 - z/σ)·v` ends, above 0. Default 100.
    pub reach: f64,
    /// v, the weight of a layer at the camera, 0 to 1000, default 1. Training gives each splat its own.
    pub scale: f64,
    /// The weight of the background, above 0, default 1.
    pub background: f64,
}

impl WeightedSum {
    /// The weight of a layer with its opacity.
    pub fn weight(&self, layer: &Layer) -> f64 {
        let depth = f64::from(layer.depth).max(0.0) / self.reach.max(1e-6);
        // `max` makes a depth that is NaN a near one; it is far.
        let near = match layer.depth.is_nan() {
            true => 0.0,
            false => 1.0 - depth,
        };
        near.max(0.0) * self.scale * layer.alpha()
    }
}

impl Technique for WeightedSum {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let weights: Vec<f64> = layers.iter().map(|layer| self.weight(layer)).collect();
        let background = self.background.max(1e-6);
        let sum = background + weights.iter().sum::<f64>();
        let shares = weights.iter().map(|weight| weight / sum).collect();
        Believed::of(layers, shares, background / sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::of_method::weighted_sum;
    use super::super::tests::layer;
    use super::*;
    use crate::model::options::Options;

    #[test]
    fn untrained_it_has_no_occlusion_and_background_is_one_of_its_layers() {
        let list = [
            layer(1.0, 0.0, 1.0, 0),
            layer(2.0, 1.0, 1.0, 1),
            layer(101.0, 1.0, 1.0, 2),
        ];
        let mut technique = weighted_sum(&Options::default());
        let believed = technique.believe(&list);
        let sum: f64 = believed.shares.iter().sum();
        assert!((sum + believed.result[3] - 1.0).abs() < 1e-12);
        assert!(believed.shares[1] > 0.3 && believed.result[3] > 0.3);
        assert_eq!(believed.shares[2], 0.0, "nothing is seen behind its reach");
        technique.background = 1e-6;
        assert!(technique.believe(&list).result[3] < 1e-5);
    }
}
