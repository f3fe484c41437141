//! The twins in f64 of approximate methods ([`crate::model::reference::oit`]), and how far a kernel may be from its twin: what
//! its own arithmetic may round, nothing of what the technique approximates.
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
//! Where sums are rounded to half floats at every add, each add may go to the other neighbour, so that a sum is off by `n 2⁻¹⁰` of
//! itself and `n 2⁻²⁴`, and `T` by `n/255`: a wide bound for long lists, which short ones make up for.

use crate::model::methods::{Approximate, Family, Method};
use crate::model::options::Options;
use crate::model::reference::composite::{self, error_bound};
use crate::model::reference::oit::of_method::Seen;
use crate::model::reference::oit::stochastic::{Mode, Stochastic};
use crate::model::reference::oit::weighted::{Storage, Weighted};
use crate::model::reference::oit::weighted_sum::WeightedSum;
use crate::model::reference::oit::{Layer, Range, exact, of_method, technique, transmittance};
use crate::model::reference::stress;

/// The unit roundoff of f32.
const ROUNDOFF: f64 = 1.0 / 16_777_216.0;
/// What covers the products of such errors.
const SECOND_ORDER: f64 = 1.001;
const LEAST: f64 = f32::MIN_POSITIVE as f64;
/// The same where the kernel divides weights by up to 2²² to keep sums finite.
const LEAST_SCALED: f64 = LEAST * 4_194_304.0;
/// The relative error of a weight of `weighted`: some twenty roundings, to the power of 3 or less, and divisions of 2.5 ULP.
const WEIGHT_ERROR: f64 = 64.0 * ROUNDOFF;
/// The relative error of a part of the samples and its product with an opacity: a division and two roundings.
const PART_ERROR: f64 = 8.0 * ROUNDOFF;
/// A step of half floats, relative, and where they are denormal.
const HALF_STEP: f64 = 1.0 / 1024.0;
const LEAST_HALF: f64 = ROUNDOFF;
const LARGEST_HALF: f64 = 65_504.0;
/// What a sum in half floats is divided by at least.
const LEAST_HALF_SUM: f64 = 1e-5;

/// What a pixel of an approximate method should be.
pub(super) struct Twin {
    pub value: [f64; 4],
    /// Infinite where the storage may leave its range: nothing is promised there.
    pub bound: [f64; 4],
    pub exact: [f64; 4],
}

impl Twin {
    /// Of a method under `options` on a list as the table has it, from row `first` on, at a pixel.
    pub fn of(
        method: Method,
        options: &Options,
        layers: &[composite::Layer],
        first: u32,
        pixel: [u32; 2],
    ) -> Self {
        let placed = placed(layers, first);
        let time = stress::TIME;
        let seen = Seen { pixel, time };
        let [near, far] = stress::PLANES;
        let planes = Range::new(near, far);
        let bound = match method.entry().family {
            Family::Approximate(Approximate::Baselines) if method == Method::Average => {
                let products: Vec<f64> = placed.iter().map(Layer::alpha).collect();
                normalised(&placed, &products, Rounding::Single(0.0))
            }
            Family::Approximate(Approximate::Weighted) => {
                bound_of_weighted(&of_method::weighted(options, planes), &placed)
            }
            Family::Approximate(Approximate::WeightedSum) => {
                bound_of_sum(&of_method::weighted_sum(options), &placed)
            }
            Family::Approximate(Approximate::Stochastic) => {
                bound_of_samples(&of_method::stochastic(options, seen), &placed)
            }
            Family::Approximate(Approximate::Peeling) => {
                // The table has layers in the order of depth.
                let most = of_method::peeling(method, options).walks as usize;
                let counting = layers.iter().filter(|layer| layer.opacity > 0.0);
                let taken: Vec<composite::Layer> = counting.take(most).copied().collect();
                error_bound(&taken)
            }
            // Layers over one another, in the order of the list.
            _ => error_bound(layers),
        };
        Self {
            value: technique(method, options, planes, seen)
                .believe(&placed)
                .result,
            bound,
            exact: exact(&placed).result,
        }
    }
}

/// The layers at the depths that the table gives them, numbered from `first` on.
fn placed(layers: &[composite::Layer], first: u32) -> Vec<Layer> {
    let depths = stress::depths(layers.len());
    let place = |((layer, depth), item): ((&composite::Layer, f32), u32)| Layer {
        depth,
        colour: layer.color.map(f64::from),
        opacity: layer.opacity,
        item,
    };
    layers.iter().zip(depths).zip(first..).map(place).collect()
}

/// How far `weighted` may be off: what its slices may be, seen through those in front of them.
fn bound_of_weighted(technique: &Weighted, layers: &[Layer]) -> [f64; 4] {
    let rounding = match technique.storage {
        Storage::F32 => Rounding::Single(WEIGHT_ERROR),
        Storage::F16U8 => Rounding::Half,
    };
    let (mut bound, mut in_front) = ([0.0; 4], 0.0);
    for number in 0..technique.slices {
        let is_in = |layer: &&Layer| technique.range.slice(layer.depth, technique.slices) == number;
        let slice: Vec<Layer> = layers.iter().filter(is_in).copied().collect();
        let weight = |layer: &Layer| technique.weight(f64::from(layer.depth), layer.alpha());
        let products: Vec<f64> = slice.iter().map(|of| of.alpha() * weight(of)).collect();
        let own = normalised(&slice, &products, rounding);
        for (channel, (bound, own)) in bound.iter_mut().zip(own).enumerate() {
            // What is in front of the slice lets through a wrong part of it, and the slice is added.
            let most = slice
                .iter()
                .map(|of| of.colour.get(channel).copied().unwrap_or(1.0));
            *bound += own + most.fold(0.0, f64::max) * (in_front + 4.0 * ROUNDOFF);
        }
        in_front += own[3];
    }
    bound
}

/// How far `weighted-sum` may be off.
fn bound_of_sum(technique: &WeightedSum, layers: &[Layer]) -> [f64; 4] {
    let count = layers.len() as f64;
    let weights: Vec<f64> = layers.iter().map(|of| technique.weight(of)).collect();
    let sum = technique.background + weights.iter().sum::<f64>();
    let slack = |layer: &Layer| 8.0 * ROUNDOFF * technique.scale * layer.alpha() + LEAST_SCALED;
    let of_sum = layers.iter().map(slack).sum::<f64>() + (count + 1.0) * ROUNDOFF * sum;
    // What is divided by at least; far from the sum where nothing is left of it.
    let least = sum - of_sum;
    let quotient = |magnitude: f64, off: f64| match magnitude + off {
        _ if least <= 0.0 => f64::INFINITY,
        largest if largest >= f64::from(f32::MAX) => f64::INFINITY,
        _ => (off + magnitude / sum * of_sum) / least + 6.0 * ROUNDOFF * magnitude / sum + LEAST,
    };
    let channel = |channel: usize| {
        let terms = layers.iter().zip(&weights);
        let terms =
            terms.map(|(layer, weight)| (layer.colour[channel].abs(), weight, slack(layer)));
        let magnitude = terms
            .clone()
            .map(|(colour, weight, _)| colour * weight)
            .sum::<f64>();
        let off = terms.map(|(colour, _, slack)| colour * slack).sum::<f64>();
        let flushed = count * LEAST_SCALED;
        quotient(
            magnitude,
            off + flushed + (count + 2.0) * ROUNDOFF * magnitude,
        )
    };
    let background = quotient(technique.background, ROUNDOFF * technique.background);
    [channel(0), channel(1), channel(2), background]
}

/// How far `stochastic` may be off.
fn bound_of_samples(technique: &Stochastic, layers: &[Layer]) -> [f64; 4] {
    let parts = technique.parts(layers);
    let rounding = Rounding::Single(PART_ERROR);
    match technique.mode {
        Mode::Mean => {
            let terms = f64::from(technique.samples) + 1.0;
            let error = terms * ROUNDOFF + PART_ERROR;
            let channel = |channel: usize| -> f64 {
                let terms = layers.iter().zip(&parts);
                let terms = terms.map(|(layer, part)| part * layer.colour[channel].abs());
                SECOND_ORDER * error * terms.sum::<f64>() + LEAST * layers.len() as f64
            };
            [channel(0), channel(1), channel(2), PART_ERROR]
        }
        Mode::AlphaCorrected => normalised(layers, &parts, rounding),
        Mode::DepthOnly => {
            let products = layers.iter().zip(parts);
            let products: Vec<f64> = products.map(|(layer, part)| layer.alpha() * part).collect();
            normalised(layers, &products, rounding)
        }
    }
}

/// How sums are rounded.
#[derive(Clone, Copy)]
enum Rounding {
    /// In f32, with weights that are off by this much of themselves.
    Single(f64),
    /// In f32, and at every add to a half float, or to 8 bits.
    Half,
}

/// How far `(1-T) Σwαc / Σwα` may be off, where `products` are `wα`.
fn normalised(layers: &[Layer], products: &[f64], rounding: Rounding) -> [f64; 4] {
    let count = layers.len() as f64;
    let covered = 1.0 - transmittance(layers);
    let sum: f64 = products.iter().sum();
    let steps = |steps: f64| SECOND_ORDER * steps * ROUNDOFF;
    let of_colours = |channel: usize| -> f64 {
        let terms = layers.iter().zip(products);
        let terms = terms.map(|(layer, product)| product * layer.colour[channel].abs());
        terms.sum()
    };
    let through = match rounding {
        Rounding::Single(_) => steps(2.0 * count + 2.0),
        Rounding::Half => steps(2.0) + count / 255.0,
    };
    // One infinite channel makes all of them white.
    let largest = (0..3).map(of_colours).fold(sum, f64::max);
    let channel = |channel: usize| match rounding {
        Rounding::Single(_) if of_colours(channel) >= f64::from(f32::MAX) => f64::INFINITY,
        Rounding::Half if largest * (1.0 + count * HALF_STEP) >= LARGEST_HALF => f64::INFINITY,
        _ if sum <= 0.0 => LEAST,
        Rounding::Single(weight_error) => {
            let of_sums = steps(2.0 * count + 6.0) + 2.0 * weight_error;
            let flushed = count * LEAST * (1.0 + covered / sum);
            of_colours(channel) / sum * (covered * of_sums + through) + flushed
        }
        Rounding::Half => {
            let divided = sum.max(LEAST_HALF_SUM);
            let mean = of_colours(channel) / divided;
            let lost = count * (LEAST_HALF * (1.0 + mean) / divided + 2.0 * HALF_STEP * mean);
            (mean + lost) * through + (covered + through) * lost
        }
    };
    [channel(0), channel(1), channel(2), through]
}
