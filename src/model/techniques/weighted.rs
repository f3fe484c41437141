//! Weighted blended transparency (McGuire and Bavoil, JCGT 2013): N(w) with a weight of the layer's own depth and opacity.
//!
//! There is only one walk, and order does not matter. Nearly opaque layers leak, weights depend on the scale of the
//! scene, and α² in the paper's weights makes the result depend on how finely fog is sliced.

use super::Technique;
use super::bounds::{Rounding, WEIGHT_ERROR, normalised, one_behind_the_other};
use super::layers::{LEAST_SUM, Layer, OitResult, Range, counting, half_sum, unorm};
use crate::model::constant::Constant;
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{
    APPROXIMATE, DRAWN_SUMS, Entry, Group, NUMBER, PixelBytes, Trait,
};
use crate::model::options::rows::{Any, Factor, Within, own_options};
use crate::model::reference::half::LARGEST;

pub const WEIGHTED: Entry = Entry {
    name: "weighted",
    module: "methods/weighted",
    traits: &[Trait::SharesPixels],
    mapping: "as average; sums weighted by each layer's depth and opacity (--weight)",
    cost: "n sequential evaluations per pixel; no sort; 5 numbers of state per slice",
    guarantee: "no order, exact transmittance in f32; near-opaque layers leak, and weights are tied to metres",
    origin: "weighted blended transparency (McGuire and Bavoil 2013)",
    bench_options: "weight=paper7 | weight=paper8 | weight=paper9 | weight=paper10 | weight=blog | weight=blog-scaled | weight=learnopengl | weight_slices=16",
    ..APPROXIMATE
};

pub const WEIGHTED_DRAWN: Entry = Entry {
    name: "weighted-drawn",
    module: "methods/weighted_drawn",
    mapping: "one draw of all items and slices, a quad each, into two targets",
    cost: "per layer and pixel a blend of 9 bytes in memory; no list, no sort, a pass that divides",
    guarantee: "as weighted in half floats and 8 bits, rounded as the hardware does",
    tail: "none: the hardware takes one layer at a time",
    carry: "in the targets: sums and transmittance",
    origin: "weighted blended transparency (McGuire and Bavoil 2013)",
    group: Group::Blended,
    ..APPROXIMATE
};

own_options! {
    "Approximate: weighted, weighted-drawn"
    pub struct WeightedOptions {
        /// Weight of layers in `weighted` and `weighted-drawn`: the paper's equations 7 to 10, McGuire's blog, learnopengl.com
        pub weight: Weight = Weight::default(), Any, ["weighted", "weighted-drawn"];
        /// Factor on depths in that weight, from 0.01 to 100: the paper's weights fit 0.1 to 500 metres
        pub weight_scale in "FACTOR": f32 = 1.0, Factor([0.01, 100.0]), ["weighted", "weighted-drawn"];
        /// Depth slices that `weighted` blends separately, 1 to 16
        pub weight_slices in "COUNT": u32 = 1, Within([1, 16]), ["weighted"];
    }
}

flag_values! {
    /// `z` is view depth times `weight_scale`; `d` is window depth, 0 near and 1 far.
    pub enum Weight {
        #[value(help = "Equation 7 of the paper: 10 / (1e-5 + (z/5)² + (z/200)⁶), from 0.01 to 3000")]
        #[default]
        Paper7,
        // Some copies of this formula have `z/5`.
        #[value(help = "Equation 8: the same with (z/10)³")]
        Paper8,
        // Some copies of this formula have 10 instead of 0.03.
        #[value(help = "Equation 9: 0.03 / (1e-5 + (z/200)⁴), from 0.01 to 3000")]
        Paper9,
        #[value(help = "Equation 10: 3000 (1-d)³, at least 0.01")]
        Paper10,
        /// McGuire's blog of 2015: `(8α + 0.01)³ 1e8 (1 - 0.95d)³` in `[1e-2, 3e2]`. Saturated for every d above α = 0.0349.
        #[value(
            help = "McGuire's blog of 2015: at its bound for every opacity above 0.035, so a plain average"
        )]
        Blog,
        /// The blog's weight with its optional `/ √(1e4 z)` inside the cube of depth, which keeps the weight off its bound.
        #[value(help = "The same with the depth scaled by √(1e4 z), which copies leave out")]
        BlogScaled,
        /// learnopengl.com: `(min(1, 10α) + 0.01)³ 1e8 (1 - 0.9d)³` in `[1e-2, 3e3]`. Saturated for every d above α = 0.0301.
        #[value(help = "At its bound for every opacity above 0.030, so a plain average")]
        Learnopengl,
    }
}

impl Weight {
    /// True for the paper's weights, which are multiplied by α.
    pub fn is_of_paper(self) -> bool {
        !matches!(self, Self::Blog | Self::BlogScaled | Self::Learnopengl)
    }

    /// Weight without the paper's factor α. Negative depths count as positive.
    pub fn at(self, depth: f64, window_depth: f64, alpha: f64) -> f64 {
        let z = match depth.is_nan() {
            true => f64::MAX,
            false => depth.abs(),
        };
        let cubes = |a: f64, b: f64| a.powi(3) * 1e8 * b.powi(3);
        let far = (z / 200.0).powi(6);
        match self {
            Self::Paper7 => (10.0 / (1e-5 + (z / 5.0).powi(2) + far)).clamp(1e-2, 3e3),
            Self::Paper8 => (10.0 / (1e-5 + (z / 10.0).powi(3) + far)).clamp(1e-2, 3e3),
            Self::Paper9 => (0.03 / (1e-5 + (z / 200.0).powi(4))).clamp(1e-2, 3e3),
            Self::Paper10 => (3e3 * (1.0 - window_depth).powi(3)).max(1e-2),
            Self::Blog => cubes(8.0 * alpha + 0.01, 1.0 - 0.95 * window_depth).clamp(1e-2, 3e2),
            Self::BlogScaled => {
                let near = (1.0 - 0.95 * window_depth) / (1e4 * z).sqrt().max(1e-5);
                cubes(8.0 * alpha + 0.01, near).clamp(1e-2, 3e2)
            }
            Self::Learnopengl => {
                let alpha = (10.0 * alpha).min(1.0);
                cubes(alpha + 0.01, 1.0 - 0.9 * window_depth).clamp(1e-2, 3e3)
            }
        }
    }
}

/// Weighted blending. Slices in depth are blended separately and composited in order (Friederichs, GI 2021).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighted {
    pub own: WeightedOptions,
    /// True to round `Σ w·α·c` and `Σ w·α` to half floats and T to 8 bits at every add, as blending hardware does. T
    /// does not change where αT < 1/510, so it is 1 behind any number of fainter layers, and 0 or 1/255 for A > 5.5. As
    /// in the paper's listing, the sum of weights replaces an infinite sum, and the divisor is at least 1e-5.
    pub is_drawn: bool,
    /// Depth range of the slices, and the clip planes of window depth.
    pub range: Range,
}

impl Weighted {
    pub fn new(weight: Weight, range: Range) -> Self {
        let own = WeightedOptions {
            weight,
            ..WeightedOptions::default()
        };
        Self {
            own,
            is_drawn: false,
            range,
        }
    }

    /// The technique as blending hardware draws it: in half floats and 8 bits, in a single slice.
    pub fn drawn(mut own: WeightedOptions, range: Range) -> Self {
        own.weight_slices = 1;
        Self {
            own,
            is_drawn: true,
            range,
        }
    }

    fn sum(&self, sum: f64, own: f64) -> f64 {
        match self.is_drawn {
            true => half_sum(sum, own),
            false => sum + own,
        }
    }

    fn stored_transmittance(&self, left: f64) -> f64 {
        match self.is_drawn {
            true => unorm(left, 8),
            false => left,
        }
    }

    /// Averaged colour, computed from `Σ w·α·c` and `Σ w·α`.
    fn colour(&self, [red, green, blue, weight]: [f64; 4]) -> [f64; 3] {
        let rgb = [red, green, blue];
        match self.is_drawn {
            false if weight < LEAST_SUM => [0.0; 3],
            false => rgb.map(|sum| sum / weight),
            // One infinite channel turns the pixel white: all three become the sum of weights.
            true if rgb.iter().any(|sum| sum.is_infinite()) => [1.0; 3],
            true => rgb.map(|sum| sum / weight.clamp(1e-5, LARGEST)),
        }
    }

    fn weight(&self, depth: f64, alpha: f64) -> f64 {
        let window_depth = self.range.window_depth(depth);
        let scaled = depth * f64::from(self.own.weight_scale);
        let weight = self.own.weight.at(scaled, window_depth, alpha);
        match self.own.weight.is_of_paper() {
            true => alpha * weight,
            false => weight,
        }
    }
}

impl Technique for Weighted {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let count = self.own.weight_slices;
        let (mut shares, mut scale) = (vec![0.0; layers.len()], 0.0);
        let mut result = [0.0, 0.0, 0.0, 1.0];
        for number in 0..count {
            let is_in = |&index: &usize| self.range.slice(layers[index].depth, count) == number;
            let members: Vec<usize> = counting(layers).filter(is_in).collect();
            let (mut sums, mut left) = ([0.0; 4], 1.0);
            for &index in &members {
                let layer = &layers[index];
                let alpha = layer.alpha();
                let product = alpha * self.weight(f64::from(layer.depth), alpha);
                let [red, green, blue] = layer.colour;
                for (sum, factor) in sums.iter_mut().zip([red, green, blue, 1.0]) {
                    *sum = self.sum(*sum, product * factor);
                }
                left = self.stored_transmittance(left * (1.0 - alpha));
                shares[index] = product;
            }
            let covered = result[3] * (1.0 - left);
            let products: f64 = members.iter().map(|&index| shares[index]).sum();
            scale = covered / products.max(LEAST_SUM);
            members.iter().for_each(|&index| shares[index] *= scale);
            let rgb = result.iter_mut().zip(self.colour(sums));
            rgb.for_each(|(sum, colour)| *sum += covered * colour);
            result[3] *= left;
        }
        let found = OitResult {
            result,
            ..OitResult::of(layers, shares, result[3])
        };
        if count > 1 {
            return found;
        }
        // If the weight depends on opacity, the curve uses the list's mean opacity.
        let opacities: f64 = layers.iter().map(Layer::alpha).sum();
        let alpha = opacities / counting(layers).count().max(1) as f64;
        let options = *self;
        found.with_curve(move |depth| scale * options.weight(depth, alpha))
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let rounding = match self.is_drawn {
            true => Rounding::Drawn,
            false => Rounding::Single(WEIGHT_ERROR),
        };
        let count = self.own.weight_slices;
        let slices = (0..count).map(|number| {
            let is_in = |layer: &&Layer| self.range.slice(layer.depth, count) == number;
            let slice: Vec<Layer> = layers.iter().filter(is_in).copied().collect();
            let weight = |layer: &Layer| self.weight(f64::from(layer.depth), layer.alpha());
            let products: Vec<f64> = slice.iter().map(|of| of.alpha() * weight(of)).collect();
            let own = normalised(&slice, &products, rounding);
            (slice, own)
        });
        one_behind_the_other(slices)
    }

    fn bytes(&self) -> PixelBytes {
        let sums = self.own.weight_slices * 5 * NUMBER;
        match self.is_drawn {
            true => PixelBytes::new(0, DRAWN_SUMS),
            false => PixelBytes::new(sums, sums),
        }
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        let mut constants = vec![
            ("WEIGHT", (self.own.weight as u32).into()),
            ("DEPTH_SCALE", self.own.weight_scale.into()),
        ];
        if !self.is_drawn {
            constants.push(("WEIGHT_SLICES", self.own.weight_slices.into()));
        }
        constants
    }

    fn words(&self) -> Option<String> {
        let WeightedOptions {
            weight,
            weight_scale: scale,
            weight_slices: slices,
        } = self.own;
        let mut words = weight.to_string();
        if scale != 1.0 && !self.is_drawn {
            words += &format!(" x{scale}");
        }
        if slices > 1 {
            words += &format!(" {slices} slices");
        }
        Some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::exact;
    use super::super::tests::layer;
    use super::*;

    #[test]
    fn an_opaque_layer_leaks_what_the_weights_say() {
        for (depth, weight) in [(1.0, 249.94), (5.0, 10.0), (10.0, 2.5), (200.0, 0.01)] {
            let found = Weight::Paper7.at(depth, 0.0, 1.0);
            assert!((found / weight - 1.0).abs() < 1e-3, "{depth}: {found}");
        }
        let list = [layer(5.0, 0.0, 1.0, 0), layer(10.0, 1.0, 1.0, 1)];
        let hidden = [
            (Weight::Paper7, 0.2),
            (Weight::Paper8, 0.111),
            (Weight::Paper9, 0.390),
            (Weight::Blog, 0.5),
            (Weight::Learnopengl, 0.5),
        ];
        for (weight, expected) in hidden {
            let technique = Weighted::new(weight, Range::new(0.1, 500.0));
            let share = technique.composite(&list).shares[1];
            assert!((share - expected).abs() < 1e-3, "{weight:?}: {share}");
        }
        assert_eq!(exact(&list).shares[1], 0.0, "the control");
    }
}
