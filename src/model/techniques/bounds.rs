//! Bounds on the rounding of kernels relative to their CPU twins, without the error of the approximation.
//!
//! `u = 2⁻²⁴`, with `n` layers.
//!
//! **Normalised sums**, `C = (1-T) Σwαc / Σwα`: the relative error is `(n+1) u` for a sum of `n` terms of one sign, `e` for a
//! weight, `2n u` for T. So `1-T` is off by `(2n+2) u`, and with `m = Σwα|c| / Σwα` a channel is off by at most
//! `m ((1-T) ((2n+6) u + 2e) + (2n+2) u)`, plus losses of values flushed to zero.
//!
//! **Background in the sum** (`weighted-sum`): a weight `w = (1 - z/σ)vα` is off by `8u vα`, even if the weight is
//! small, because `1 - z/σ` loses digits near the end. So the sum of weights `W` is off by `8uv Σα + (n+1) u W`. A
//! channel has the same relative error, in addition to the error of the channel's sum.
//!
//! **Samples** (`stochastic`): u32 arithmetic decides which samples a layer covers. The fractions of covered samples
//! are rounded like weights. In addition, a mean of S samples is off by `(S+1) u`.
//!
//! **Layers composited in order** have the bound of exact methods.
//!
//! **Blending hardware** (`weighted-drawn`) rounds sums to half floats at every add. Each add may round to the other
//! neighbour, so a sum has a relative error of `n 2⁻¹⁰` and an absolute error of `n 2⁻²⁴`, and T is off by `n/255`.
//! Hardware may also round the summands, and truncate where the twin rounds, which doubles the error. The bound is wide
//! for long lists; tests with short lists make up for that.

use crate::model::reference::composite::{self, ROUNDOFF, error_bound};
use crate::model::reference::half::{LARGEST as LARGEST_HALF, ROUNDOFF as HALF_STEP};

use super::layers::{Layer, OitResult, Range, exact, resolved, transmittance};

/// Factor that covers products of the errors above.
pub const SECOND_ORDER: f64 = 1.001;
pub const LEAST: f64 = f32::MIN_POSITIVE as f64;
/// Relative error of a weight in `weighted`: about twenty roundings, raised to a power of 3 or less, and divisions with
/// 2.5 ULP.
pub const WEIGHT_ERROR: f64 = 64.0 * ROUNDOFF;
pub const LEAST_HALF: f64 = ROUNDOFF;
/// Smallest divisor of sums in half floats.
pub const LEAST_HALF_SUM: f64 = 1e-5;

/// Relative error of an absorbance: a logarithm of at least 0.4 that is off by 2^-21.
pub const ABSORBANCE_ERROR: f64 = 32.0 * ROUNDOFF;

/// Error of a logarithmic depth in a range. For the depth and for the range, a quotient is off by 2.5 ULP, and its log2 by
/// 2^-21 or 3 ULP.
pub fn unit_error(range: Range) -> f64 {
    let octaves = range.octaves();
    2.0 * (16.0 + 6.0 * octaves) * ROUNDOFF / octaves + 6.0 * ROUNDOFF
}

/// Relative error of a weight behind an absorbance that is off by `off`. exp is off by 3 + 2|x| ULP.
pub fn error_behind(absorbance: f64, off: f64) -> f64 {
    off.exp_m1() + (6.0 + 4.0 * absorbance.min(42.0)) * ROUNDOFF
}

pub struct Expected {
    pub value: [f64; 4],
    /// Error bound per channel; infinite if numbers may leave the range of their storage.
    pub bound: [f64; 4],
    /// The exact result, if it differs.
    pub exact: Option<[f64; 4]>,
}

impl Expected {
    pub fn new(result: &OitResult, bound: [f64; 4], layers: &[Layer]) -> Self {
        Self {
            value: result.result,
            bound,
            exact: Some(exact(layers).result),
        }
    }
}

/// Weights that a technique reconstructs, with their relative errors. They are expensive, but the same for all pixels.
pub struct Weights {
    pub each: Vec<f64>,
    pub errors: Vec<f64>,
}

impl Weights {
    /// The expected pixel. A channel's numerator and denominator are each off by a mean of the layers' errors.
    pub fn expected(&self, layers: &[Layer]) -> Expected {
        let products = layers.iter().zip(&self.each);
        let products: Vec<f64> = products.map(|(of, weight)| of.alpha() * weight).collect();
        let mean_error = |colour: &dyn Fn(&Layer) -> f64| {
            let (mut sum, mut off) = (0.0, 0.0);
            for ((layer, product), error) in layers.iter().zip(&products).zip(&self.errors) {
                sum += product * colour(layer);
                off += product * colour(layer) * error;
            }
            if off > 0.0 { off / sum } else { 0.0 }
        };
        let of_weights = mean_error(&|_| 1.0);
        let bound = |channel: usize| {
            let of_colours = mean_error(&|layer| layer.colour[channel].abs());
            let error = of_colours.max(of_weights);
            let off = |error| normalised(layers, &products, Rounding::Single(error))[channel];
            // Whatever the weights, the colour lies between the colours of the layers.
            let counting = layers.iter().filter(|layer| layer.counts());
            let colours = counting.map(|layer| layer.colour[channel]);
            let least = colours.clone().fold(f64::MAX, f64::min);
            let most = colours.fold(0.0, f64::max);
            let between = SECOND_ORDER * (most - least).max(0.0) + off(0.0);
            match error < 0.5 {
                true => off(error / (1.0 - error)).min(between),
                false => between,
            }
        };
        let [.., through] = normalised(layers, &products, Rounding::Single(0.0));
        let bound = [bound(0), bound(1), bound(2), through];
        Expected::new(&resolved(layers, &self.each), bound, layers)
    }
}

pub fn picked(layers: &[Layer], indices: &[usize]) -> Vec<Layer> {
    indices.iter().map(|&index| layers[index]).collect()
}

pub fn bound_of_order(layers: &[Layer]) -> [f64; 4] {
    let layers = layers.iter().map(|layer| composite::Layer {
        color: layer.colour.map(|channel| channel as f32),
        opacity: layer.opacity,
    });
    error_bound(&layers.collect::<Vec<_>>())
}

/// Error bound of parts composited in order, given each part's own bound.
pub fn one_behind_the_other(parts: impl IntoIterator<Item = (Vec<Layer>, [f64; 4])>) -> [f64; 4] {
    let (mut bound, mut in_front) = ([0.0; 4], 0.0);
    for (part, own) in parts {
        for (channel, (bound, own)) in bound.iter_mut().zip(own).enumerate() {
            // The transmittance in front of the part is wrong, and adding the part rounds.
            let most = (part.iter()).map(|of| *of.colour.get(channel).unwrap_or(&1.0));
            *bound += own + most.fold(0.0, f64::max) * (in_front + 4.0 * ROUNDOFF);
        }
        in_front += own[3];
    }
    bound
}

/// Error bound of a result, given the number of roundings between a layer and the result. Covers values flushed to zero.
pub fn bound_of_shares(layers: &[Layer], found: &OitResult, roundings: f64) -> [f64; 4] {
    let off = SECOND_ORDER * roundings * ROUNDOFF;
    let flushed = layers.len() as f64 * LEAST;
    let channel = |channel: usize| {
        let colours = layers.iter().map(|layer| layer.colour[channel].abs());
        off * summed(layers, &found.shares, channel) + flushed * colours.fold(0.0, f64::max)
    };
    let through = off * found.result[3] + flushed;
    [channel(0), channel(1), channel(2), through]
}

/// Sum of a channel's absolute values, each multiplied by the factor of its layer.
pub fn summed(layers: &[Layer], products: &[f64], channel: usize) -> f64 {
    let terms = layers.iter().zip(products);
    let terms = terms.map(|(layer, product)| product * layer.colour[channel].abs());
    terms.sum()
}

#[derive(Clone, Copy)]
pub enum Rounding {
    /// In f32, with the given relative error of weights.
    Single(f64),
    /// In blending hardware, which rounds every summand and sum to a half float or 8 bits, in either direction.
    Drawn,
}

/// Error bound of `(1-T) Σwαc / Σwα`; `products` are `wα`.
pub fn normalised(layers: &[Layer], products: &[f64], rounding: Rounding) -> [f64; 4] {
    let count = layers.len() as f64;
    let covered = 1.0 - transmittance(layers);
    let sum: f64 = products.iter().sum();
    let steps = |steps: f64| SECOND_ORDER * steps * ROUNDOFF;
    let of_colours = |channel| summed(layers, products, channel);
    let through = match rounding {
        Rounding::Single(_) => steps(2.0 * count + 2.0),
        Rounding::Drawn => steps(2.0) + 2.0 * count / 255.0,
    };
    // One infinite channel makes all channels white.
    let largest = (0..3).map(of_colours).fold(sum, f64::max);
    let channel = |channel: usize| match rounding {
        Rounding::Single(_) if of_colours(channel) >= f64::from(f32::MAX) => f64::INFINITY,
        Rounding::Drawn if largest * (1.0 + 2.0 * count * HALF_STEP) >= LARGEST_HALF => {
            f64::INFINITY
        }
        _ if sum <= 0.0 => LEAST,
        Rounding::Single(weight_error) => {
            let of_sums = steps(2.0 * count + 6.0) + 2.0 * weight_error;
            let flushed = count * LEAST * (1.0 + covered / sum);
            of_colours(channel) / sum * (covered * of_sums + through) + flushed
        }
        Rounding::Drawn => {
            let divided = sum.max(LEAST_HALF_SUM);
            let mean = of_colours(channel) / divided;
            let lost = LEAST_HALF * (1.0 + mean) / divided + 2.0 * HALF_STEP * mean;
            let lost = 2.0 * count * lost;
            (mean + lost) * through + (covered + through) * lost
        }
    };
    [channel(0), channel(1), channel(2), through]
}
