//! Error bounds of kernels against their twins: what their own arithmetic may round, nothing of what the technique approximates.
//!
//! Kernels of the form `C = (1-T) Σwαc / Σwα`: with `n` layers and `u = 2⁻²⁴` a sum of `n` terms that are not negative is off by
//! `(n+1) u` of itself, a weight by `e`, `T` by `2n u T`, and `1-T` therefore by `(2n+2) u`. With `m = Σwα|c| / Σwα` a channel is
//! off by at most `m ((1-T) ((2n+6) u + 2e) + (2n+2) u)`, and by what is flushed to zero.
//! Where the background is one of the sum (`weighted-sum`) a weight `w = (1 - z/σ)vα` is off by `8u vα`, however small it is, as `1 - z/σ`
//! loses digits near the end; the sum of weights `W` therefore by `8uv Σα + (n+1) u W`, and a channel by that share of itself and by
//! what its own sum is off by.
//! Which samples a layer covers is decided in u32 arithmetic (`stochastic`); their parts are rounded like weights, and what is not
//! normalised errs by `(S+1) u` for S samples and by that.
//! Techniques that composite some of the layers in order have the bound of exact methods for these layers.
//! Where a pixel stops once `T` is below a bound (`coarse`), the `T` of a kernel after `i` layers is off by `(2i+2) u` of itself, so that it
//! may stop at any layer at which that decides; what is between the first and the last of these is allowed for.
//! Blending hardware rounds sums to half floats at every add (`weighted-drawn`). Each add may go to the other neighbour, so that a sum
//! is off by `n 2⁻¹⁰` of itself and `n 2⁻²⁴`, and `T` by `n/255`: a wide bound for long lists, which short ones make up for. Hardware may
//! round what it adds, too, and cut where the twin rounds, which is twice as much.

use crate::model::reference::composite::{self, ROUNDOFF, error_bound};
use crate::model::reference::half::{LARGEST as LARGEST_HALF, ROUNDOFF as HALF_STEP};

use super::layers::{Layer, OitResult, Range, exact, resolved, transmittance};

/// What covers the products of such errors.
pub const SECOND_ORDER: f64 = 1.001;
pub const LEAST: f64 = f32::MIN_POSITIVE as f64;
/// The relative error of a weight of `weighted`: some twenty roundings, to the power of 3 or less, and divisions of 2.5 ULP.
pub const WEIGHT_ERROR: f64 = 64.0 * ROUNDOFF;
/// A step of half floats where they are denormal.
pub const LEAST_HALF: f64 = ROUNDOFF;
/// What a sum in half floats is divided by at least.
pub const LEAST_HALF_SUM: f64 = 1e-5;

/// The relative error of an absorbance: that of a logarithm where it is off by 2^-21 and at least 0.4.
pub const ABSORBANCE_ERROR: f64 = 32.0 * ROUNDOFF;

/// The error of a logarithmic depth in a range. A quotient is off by 2.5 ULP, and its log2 by 2^-21 or 3 ULP, for a depth and
/// for the range.
pub fn unit_error(range: Range) -> f64 {
    let octaves = range.octaves();
    2.0 * (16.0 + 6.0 * octaves) * ROUNDOFF / octaves + 6.0 * ROUNDOFF
}

/// The relative error of a weight behind an absorbance that is off by so much. exp is off by 3 + 2|x| ULP.
pub fn error_behind(absorbance: f64, off: f64) -> f64 {
    off.exp_m1() + (6.0 + 4.0 * absorbance.min(42.0)) * ROUNDOFF
}

/// What a pixel should be, and its error bound.
pub struct Expected {
    pub value: [f64; 4],
    /// Infinite where the storage may leave its range: nothing is promised there.
    pub bound: [f64; 4],
    /// The exact result, where that is another.
    pub exact: Option<[f64; 4]>,
}

impl Expected {
    /// A technique's result for a list, within a bound.
    pub fn new(result: &OitResult, bound: [f64; 4], layers: &[Layer]) -> Self {
        Self {
            value: result.result,
            bound,
            exact: Some(exact(layers).result),
        }
    }
}

/// Weights that a technique reconstructs, and how far each may be off, of itself: dear, and the same at all pixels.
pub struct Weights {
    pub each: Vec<f64>,
    pub errors: Vec<f64>,
}

impl Weights {
    /// The expected pixel: each channel is off by the mean of its layers' errors, above and below the line.
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
            // Whatever the weights are, the colour lies between those of the layers.
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

/// Error bound of layers that are composited in their order.
pub fn bound_of_order(layers: &[Layer]) -> [f64; 4] {
    let layers = layers.iter().map(|layer| composite::Layer {
        color: layer.colour.map(|channel| channel as f32),
        opacity: layer.opacity,
    });
    error_bound(&layers.collect::<Vec<_>>())
}

/// Error bound of parts that are composited in order, given each part's own.
pub fn one_behind_the_other(parts: impl IntoIterator<Item = (Vec<Layer>, [f64; 4])>) -> [f64; 4] {
    let (mut bound, mut in_front) = ([0.0; 4], 0.0);
    for (part, own) in parts {
        for (channel, (bound, own)) in bound.iter_mut().zip(own).enumerate() {
            // What is in front of the part lets through a wrong share of it, and the part is added.
            let most = (part.iter()).map(|of| *of.colour.get(channel).unwrap_or(&1.0));
            *bound += own + most.fold(0.0, f64::max) * (in_front + 4.0 * ROUNDOFF);
        }
        in_front += own[3];
    }
    bound
}

/// How far results may be off that are rounded so often on the way from a layer to the result: relative to the shares, and what is
/// flushed to zero.
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

/// What a channel of so much of each layer adds up to, signs left out.
pub fn summed(layers: &[Layer], products: &[f64], channel: usize) -> f64 {
    let terms = layers.iter().zip(products);
    let terms = terms.map(|(layer, product)| product * layer.colour[channel].abs());
    terms.sum()
}

#[derive(Clone, Copy)]
pub enum Rounding {
    /// In f32, with weights that are off by this much of themselves.
    Single(f64),
    /// By blending hardware at every add, to a half float or to 8 bits: either way, and what it adds, too.
    Drawn,
}

/// How far `(1-T) Σwαc / Σwα` may be off, where `products` are `wα`.
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
    // One infinite channel makes all of them white.
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
