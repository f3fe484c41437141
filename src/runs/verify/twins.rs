//! The twins in f64 of approximate methods ([`crate::model::reference::oit`]), and how far a kernel may be from its twin: what
//! f32 may round, nothing of what the technique approximates.
//!
//! Kernels of the form `C = (1-T) Σwαc / Σwα`: with `n` layers and `u = 2⁻²⁴` a sum of `n` terms that are not negative is off by
//! `(n+1) u` of itself, a weight by [`weight_error`], `T` by `2n u T`, and `1-T` therefore by `(2n+2) u`. With
//! `m = Σwα|c| / Σwα` a channel is off by at most `m ((1-T) ((2n+6) u + 2e) + (2n+2) u)`, and by what is flushed to zero.

use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::reference::composite::{self, error_bound};
use crate::model::reference::oit::baselines::{Average, ListOrder};
use crate::model::reference::oit::{Believed, Layer, Technique, exact};
use crate::model::reference::stress;

/// The unit roundoff of f32.
const ROUNDOFF: f64 = 1.0 / 16_777_216.0;
/// What covers the products of such errors.
const SECOND_ORDER: f64 = 1.001;
const LEAST: f64 = f32::MIN_POSITIVE as f64;

/// What a pixel of an approximate method should be.
pub(super) struct Twin {
    pub value: [f64; 4],
    /// Infinite where f32 may leave its range: nothing is promised there.
    pub bound: [f64; 4],
    pub exact: [f64; 4],
}

impl Twin {
    /// Of a method under `options` on a list as the table has it.
    pub fn of(method: Method, _options: &Options, layers: &[composite::Layer]) -> Self {
        let placed = placed(layers);
        let (believed, bound) = match method {
            Method::ListOrder => (ListOrder.believe(&placed), error_bound(layers)),
            _ => {
                let weights = vec![1.0; layers.len()];
                (Average.believe(&placed), normalised(&placed, &weights, 0.0))
            }
        };
        let Believed { result, .. } = believed;
        Self {
            value: result,
            bound,
            exact: exact(&placed).result,
        }
    }
}

/// The layers at the depths that the table gives them.
fn placed(layers: &[composite::Layer]) -> Vec<Layer> {
    let depths = stress::depths(layers.len());
    let place = |((layer, depth), item): ((&composite::Layer, f32), u32)| Layer {
        depth,
        colour: layer.color.map(f64::from),
        opacity: layer.opacity,
        item,
    };
    layers.iter().zip(depths).zip(0..).map(place).collect()
}

/// How far `(1-T) Σwαc / Σwα` may be off with these weights, each of which is off by `weight_error` of itself.
fn normalised(layers: &[Layer], weights: &[f64], weight_error: f64) -> [f64; 4] {
    let count = layers.len() as f64;
    let kept = crate::model::reference::oit::transmittance(layers);
    let products = layers.iter().zip(weights);
    let products: Vec<f64> = products
        .map(|(layer, weight)| layer.alpha() * weight)
        .collect();
    let sum: f64 = products.iter().sum();
    let rounding = |of: f64| SECOND_ORDER * of * ROUNDOFF;
    let through = rounding(2.0 * count + 2.0);
    let channel = |channel: usize| {
        let terms = layers.iter().zip(&products);
        let terms = terms.map(|(layer, product)| product * layer.colour[channel].abs());
        let of_colours: f64 = terms.sum();
        if of_colours >= f64::from(f32::MAX) {
            return f64::INFINITY;
        }
        if sum <= 0.0 {
            return LEAST;
        }
        let mean = of_colours / sum;
        let covered = 1.0 - kept;
        let of_sums = rounding(2.0 * count + 6.0) + 2.0 * weight_error;
        mean * (covered * of_sums + through) + count * LEAST * (1.0 + covered / sum)
    };
    [channel(0), channel(1), channel(2), through]
}
