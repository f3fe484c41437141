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
