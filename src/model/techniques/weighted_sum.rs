//! Weighted sum rendering with a linear correction (LC-WSR; Hou and others, ICLR 2025). The background is a layer.
//!
//! There is only one walk, and order does not matter. Only splats trained for the technique show occlusion.

use super::Technique;
use super::bounds::{LEAST, summed};
use super::layers::{Layer, OitResult};
use crate::model::constant::Constant;
use crate::model::methods::entry::{APPROXIMATE, Entry, NUMBER, PixelBytes, Trait};
use crate::model::options::rows::{Factor, own_options};
use crate::model::reference::composite::ROUNDOFF;

pub const WEIGHTED_SUM: Entry = Entry {
    name: "weighted-sum",
    module: "methods/weighted_sum",
    traits: &[Trait::SharesPixels],
    mapping: "as average; sums weighted by depth, the background in them",
    cost: "n sequential evaluations per pixel; no sort; 4 numbers of state",
    guarantee: "no order and no occlusion: for splats trained for it",
    origin: "weighted sum rendering (Hou et al. 2025)",
    ..APPROXIMATE
};

own_options! {
    "Approximate: weighted-sum"
    pub struct WeightedSumOptions {
        /// View depth at which the weight of `weighted-sum` reaches 0, in metres, 1 to 10000
        pub sum_reach in "METRES": f32 = 100.0, Factor([1.0, 1e4]), ["weighted-sum"];
        /// Weight of a layer of `weighted-sum` at the camera, 0 to 1000
        pub sum_scale in "WEIGHT": f32 = 1.0, Factor([0.0, 1e3]), ["weighted-sum"];
        /// Weight of the background of `weighted-sum`, 0.001 to 1000
        pub sum_background in "WEIGHT": f32 = 1.0, Factor([1e-3, 1e3]), ["weighted-sum"];
    }
}

/// Bound below which weights may be flushed to zero: the kernel divides weights by up to 2²² to keep sums finite.
const LEAST_SCALED: f64 = LEAST * 4_194_304.0;

/// A layer has the weight `max(0, 1 - z/σ)·v`. Training gives each splat its own v; here all splats have the same v.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedSum(pub WeightedSumOptions);

impl WeightedSum {
    /// Weight times opacity.
    fn weight(&self, layer: &Layer) -> f64 {
        let Self(own) = self;
        let depth = f64::from(layer.depth).max(0.0) / f64::from(own.sum_reach);
        // NaN is far, but `max` would turn it into a near depth.
        let near = match layer.depth.is_nan() {
            true => 0.0,
            false => 1.0 - depth,
        };
        near.max(0.0) * f64::from(own.sum_scale) * layer.alpha()
    }

    fn background(&self) -> f64 {
        f64::from(self.0.sum_background)
    }
}

impl Technique for WeightedSum {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let weights: Vec<f64> = layers.iter().map(|layer| self.weight(layer)).collect();
        let sum = self.background() + weights.iter().sum::<f64>();
        let shares = weights.iter().map(|weight| weight / sum).collect();
        OitResult::of(layers, shares, self.background() / sum)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let count = layers.len() as f64;
        let weights: Vec<f64> = layers.iter().map(|of| self.weight(of)).collect();
        let sum = self.background() + weights.iter().sum::<f64>();
        let scale = f64::from(self.0.sum_scale);
        let slack = |layer: &Layer| 8.0 * ROUNDOFF * scale * layer.alpha() + LEAST_SCALED;
        let of_sum = layers.iter().map(slack).sum::<f64>() + (count + 1.0) * ROUNDOFF * sum;
        // Smallest divisor; 0 or less if the error exceeds the sum.
        let least = sum - of_sum;
        let quotient = |magnitude: f64, off: f64| match magnitude + off {
            _ if least <= 0.0 => f64::INFINITY,
            largest if largest >= f64::from(f32::MAX) => f64::INFINITY,
            _ => {
                (off + magnitude / sum * of_sum) / least + 6.0 * ROUNDOFF * magnitude / sum + LEAST
            }
        };
        let channel = |channel: usize| {
            let magnitude = summed(layers, &weights, channel);
            let slacks: Vec<f64> = layers.iter().map(slack).collect();
            let off = summed(layers, &slacks, channel) + count * LEAST_SCALED;
            quotient(magnitude, off + (count + 2.0) * ROUNDOFF * magnitude)
        };
        let background = quotient(self.background(), ROUNDOFF * self.background());
        [channel(0), channel(1), channel(2), background]
    }

    fn bytes(&self) -> PixelBytes {
        PixelBytes::new(4 * NUMBER, 8)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("SUM_REACH", self.0.sum_reach.into()),
            ("SUM_SCALE", self.0.sum_scale.into()),
            ("SUM_BACKGROUND", self.0.sum_background.into()),
        ]
    }

    fn words(&self) -> Option<String> {
        Some(format!("{} m", self.0.sum_reach))
    }
}
