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
//! Where a pixel stops once `T` is below a bound (`coarse`), the `T` of a kernel after `i` layers is off by `(2i+2) u` of itself, so that it
//! may stop at any layer at which that decides; what is between the first and the last of these is allowed for.
//! Blending hardware rounds sums to half floats at every add (`weighted-drawn`). Each add may go to the other neighbour, so that a sum
//! is off by `n 2⁻¹⁰` of itself and `n 2⁻²⁴`, and `T` by `n/255`: a wide bound for long lists, which short ones make up for. Hardware may
//! round what it adds, too, and cut where the twin rounds, which is twice as much.

use std::cell::{LazyCell, OnceCell};

use super::checks::Expected;
use crate::model::methods::{Approximate, Method};
use crate::model::options::{BinRange, ListOrder, Options};
use crate::model::reference::composite::{self, ROUNDOFF, error_bound};
use crate::model::reference::half::{LARGEST as LARGEST_HALF, ROUNDOFF as HALF_STEP};
use crate::model::reference::oit::coarse::Coarse;
use crate::model::reference::oit::histogram::{Histogram, point};
use crate::model::reference::oit::kbuffer::Tail;
use crate::model::reference::oit::mlab::Storage as NodeStorage;
use crate::model::reference::oit::moment::{Basis, LEAST_ABSORBANCE, Moment, Moments};
use crate::model::reference::oit::of_method::Seen;
use crate::model::reference::oit::stochastic::{Mode, Stochastic};
use crate::model::reference::oit::weighted::{Weight, Weighted};
use crate::model::reference::oit::weighted_sum::WeightedSum;
use crate::model::reference::oit::{
    Believed, LEAST_WEIGHT, Layer, Range, exact, of_method, resolved, technique, transmittance,
};
use crate::model::reference::stress;

/// What covers the products of such errors.
const SECOND_ORDER: f64 = 1.001;
const LEAST: f64 = f32::MIN_POSITIVE as f64;
/// What is lost of a colour of the table that is flushed to zero: a pixel multiplies it by up to 256.
const LEAST_SEEN: f64 = 256.0 * LEAST;
/// What is flushed where the kernel divides weights by up to 2²² to keep sums finite.
const LEAST_SCALED: f64 = LEAST * 4_194_304.0;
/// The relative error of a weight of `weighted`: some twenty roundings, to the power of 3 or less, and divisions of 2.5 ULP.
const WEIGHT_ERROR: f64 = 64.0 * ROUNDOFF;
/// The relative error of a part of the samples and its product with an opacity: a division and two roundings.
const PART_ERROR: f64 = 8.0 * ROUNDOFF;
/// A step of half floats where they are denormal.
const LEAST_HALF: f64 = ROUNDOFF;
/// What a sum in half floats is divided by at least.
const LEAST_HALF_SUM: f64 = 1e-5;

/// The relative error of an absorbance: that of a logarithm where it is off by 2^-21 and at least 0.4.
const ABSORBANCE_ERROR: f64 = 32.0 * ROUNDOFF;

/// Layers of a list of which each is moved by itself to tell how far rounding moves moments.
const MOVED_ONE_BY_ONE: usize = 8;

/// The error of a logarithmic depth in a range. A quotient is off by 2.5 ULP, and its log2 by 2^-21 or 3 ULP, for a depth and
/// for the range.
fn unit_error(range: Range) -> f64 {
    let octaves = range.octaves();
    2.0 * (16.0 + 6.0 * octaves) * ROUNDOFF / octaves + 6.0 * ROUNDOFF
}

/// The relative error of a weight behind an absorbance that is off by so much. exp is off by 3 + 2|x| ULP.
fn error_behind(absorbance: f64, off: f64) -> f64 {
    off.exp_m1() + (6.0 + 4.0 * absorbance.min(42.0)) * ROUNDOFF
}

/// Where a pixel is in a table of lists.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub pixel: [u32; 2],
    /// The first row of its list.
    pub first: u32,
    /// The depths of all lists.
    pub depths: Range,
}

/// What a pixel should be; `weights` are those of the same list at other pixels.
pub(super) fn expected(
    (method, family): (Method, Approximate),
    options: &Options,
    layers: &[composite::Layer],
    place: Place,
    weights: &OnceCell<Weights>,
) -> Expected {
    let placed = placed(layers, options.frame.order, place.first);
    let (pixel, time) = (place.pixel, stress::TIME);
    let seen = Seen { pixel, time };
    let [near, far] = stress::PLANES;
    let planes = Range::new(near, far);
    let believed = LazyCell::new(|| technique(method, options, planes, seen).believe(&placed));
    let exact = exact(&placed).result;
    let bound = match family {
        Approximate::Baselines if method == Method::Average => {
            let products: Vec<f64> = placed.iter().map(Layer::alpha).collect();
            normalised(&placed, &products, Rounding::Single(0.0))
        }
        // Layers over one another, in the order of the list.
        Approximate::Baselines => error_bound(layers),
        Approximate::Histogram => {
            let range = match options.method.bin_range {
                BinRange::Frame => place.depths,
                BinRange::Camera | BinRange::Tile => planes,
            };
            let technique = || of_method::histogram(options, range).over(&placed);
            let of_list = || Weights::of_histogram(&technique(), &placed);
            return weights.get_or_init(of_list).expected(&placed);
        }
        Approximate::Moment => {
            let of_list = || Weights::of_moment(&of_method::moment(options, planes), &placed);
            return weights.get_or_init(of_list).expected(&placed);
        }
        Approximate::Weighted => {
            let technique = of_method::weighted(options, planes);
            bound_of_weighted(&technique, &placed, Rounding::Single(WEIGHT_ERROR))
        }
        Approximate::WeightedDrawn => {
            let technique = of_method::weighted_drawn(options, planes);
            bound_of_weighted(&technique, &placed, Rounding::Drawn)
        }
        Approximate::KBuffer => {
            let technique = of_method::k_buffer(method, options);
            bound_of_core(technique.split(&placed), technique.tail, &placed)
        }
        Approximate::MultiLayer if method == Method::Adaptive => {
            bound_of_steps(&placed, &believed, exact)
        }
        Approximate::MultiLayer => bound_of_nodes(options.method.node_storage, &placed, &believed),
        Approximate::WeightedSum => bound_of_sum(&of_method::weighted_sum(options), &placed),
        Approximate::Stochastic => bound_of_samples(&of_method::stochastic(options, seen), &placed),
        Approximate::Peeling => {
            let taken = of_method::peeling(method, options).taken(&placed);
            bound_of_order(&picked(&placed, &taken))
        }
        Approximate::LinkedList => {
            let technique = of_method::linked_list(options);
            bound_of_core(technique.split(&placed), technique.rest, &placed)
        }
        Approximate::Coarse => bound_of_coarse(&of_method::coarse(options, planes), &placed),
    };
    Expected {
        value: believed.result,
        bound,
        exact: Some(exact),
    }
}

/// Weights that a technique reconstructs, and how far each may be off, of itself: dear, and the same at all pixels.
pub(super) struct Weights {
    each: Vec<f64>,
    errors: Vec<f64>,
}

impl Weights {
    /// Solving for masses rounds as if moments were off, which are off themselves: each layer's by its depth and its absorbance,
    /// and all by sums of as many terms as there are layers, by powers and by 64 roundings on the way to the masses.
    /// What the logarithm of T moves by where one number is off by so much is added up over them, and twice that is allowed for, as
    /// it is no straight line: few layers make moments that rounding moves far. Where layers are few, each is moved either way
    /// with all of its moments, as they stay those of some layer: errors of one moment alone would allow for any result there.
    fn of_moment(technique: &Moment, layers: &[Layer]) -> Self {
        let moments = technique.moments(layers);
        let unit_error = unit_error(technique.range);
        let of_sums = (layers.len() as f64 + 3.0) * ROUNDOFF;
        let of_total = of_sums + ABSORBANCE_ERROR;
        let order = |at: usize| match technique.basis {
            Basis::Power => at + 1,
            Basis::Trigonometric => at / 2 + 1,
        };
        let are_few = layers.len() <= MOVED_ONE_BY_ONE;
        // A depth is an angle up to 1.9π.
        let (of_depth, of_sums) = match are_few {
            true => (4.0 * ROUNDOFF, of_sums),
            false => (6.0 * unit_error + 24.0 * ROUNDOFF, of_total),
        };
        let off = |at: usize| order(at) as f64 * of_depth + 2.0 * of_sums + 64.0 * ROUNDOFF;
        let (ways, factor) = match are_few {
            true => (&[-1.0, 1.0][..], 1.0),
            false => (&[1.0][..], 2.0),
        };
        let mut moved = Vec::new();
        for &way in ways {
            moved.extend((0..moments.normalised.len()).map(|at| {
                let mut moments = moments.clone();
                moments.normalised[at] += way * off(at);
                (moments, None)
            }));
            for layer in layers.iter().filter(|layer| are_few && layer.counts()) {
                let own = technique.moments(&[*layer]);
                let share = own.total / moments.total;
                let farther = technique.range.octaves() * way * unit_error;
                let depth = (f64::from(layer.depth) * farther.exp2()) as f32;
                let there = technique.moments(&[Layer { depth, ..*layer }]);
                let [mut denser, mut farther] = [(); 2].map(|()| moments.clone());
                for (at, own) in own.normalised.iter().enumerate() {
                    let apart = own - moments.normalised[at];
                    denser.normalised[at] += way * ABSORBANCE_ERROR * share * apart;
                    farther.normalised[at] += share * (there.normalised[at] - own);
                }
                let place = (layer.depth, way * unit_error);
                moved.extend([(denser, None), (farther, Some(place))]);
            }
        }
        let is_at_least = (moments.total / LEAST_ABSORBANCE - 1.0).abs() < of_total;
        let log_weight = |moments: &Moments, unit| {
            let through = technique.transmittance(moments, unit);
            through.max(LEAST_WEIGHT).ln()
        };
        let of_depth = |depth: f32| {
            let unit = technique.range.unit(f64::from(depth));
            let log = log_weight(&moments, unit);
            let spread = |of: &Moments, unit| (log_weight(of, unit) - log).abs();
            let spreads = moved.iter().map(|(moved, at)| match at {
                Some((at, off)) if *at == depth => spread(moved, unit + off),
                _ => spread(moved, unit),
            });
            let unit_error = if are_few { 2.0 * ROUNDOFF } else { unit_error };
            let spread = spreads.sum::<f64>() + spread(&moments, unit + unit_error);
            let at_least = if is_at_least { LEAST_ABSORBANCE } else { 0.0 };
            let off = factor * spread - log * of_total + at_least;
            (log.exp(), error_behind(-log, off))
        };
        let (mut each, mut errors) = (Vec::new(), Vec::new());
        let mut at = None;
        for layer in layers {
            let found = match at {
                Some((depth, found)) if depth == layer.depth => found,
                _ => of_depth(layer.depth),
            };
            at = Some((layer.depth, found));
            each.push(found.0);
            errors.push(found.1);
        }
        Self { each, errors }
    }

    /// Bins and what is read of them are linear between places, so that a place that is off moves as much absorbance as is
    /// nearby, and no decision is near a tie. Every sum of absorbances rounds as often as it has terms.
    fn of_histogram(technique: &Histogram, layers: &[Layer]) -> Self {
        let bins = technique.gather(layers);
        let (count, steps) = (layers.len() as f64, (bins.len() - 1) as f64);
        // Each of two adds may round to the other neighbour.
        let of_whole = match technique.is_whole {
            true => 2.0 * count / f64::from(point(layers.len())).exp2(),
            false => 0.0,
        };
        let place_error = steps * (unit_error(technique.range) + 2.0 * ROUNDOFF);
        let error = |layer: &Layer| {
            let bin = (technique.range.unit(f64::from(layer.depth)) * steps) as usize;
            let sum = |from, to| bins.iter().take(to).skip(from).sum::<f64>();
            let nearby = sum(bin.saturating_sub(2), bin + 4);
            let before = sum(0, bin + 3);
            let of_sums = (count + steps + 9.0) * ROUNDOFF + ABSORBANCE_ERROR;
            let off = 3.0 * place_error * nearby + of_sums * before + of_whole;
            error_behind(before, off)
        };
        Self {
            each: technique.weights(&bins, layers),
            errors: layers.iter().map(error).collect(),
        }
    }

    /// What a pixel should be: each channel is off by the mean of its layers' errors, above and below the line.
    fn expected(&self, layers: &[Layer]) -> Expected {
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
        Expected {
            value: resolved(layers, &self.each).result,
            bound: [bound(0), bound(1), bound(2), through],
            exact: Some(exact(layers).result),
        }
    }
}

/// The layers at the depths that the table gives them, numbered from `first` on.
fn placed(layers: &[composite::Layer], order: ListOrder, first: u32) -> Vec<Layer> {
    let depths = stress::depths(layers, order);
    let place = |((layer, depth), item): ((&composite::Layer, f32), u32)| Layer {
        depth,
        colour: layer.color.map(f64::from),
        opacity: layer.opacity,
        item,
    };
    layers.iter().zip(depths).zip(first..).map(place).collect()
}

fn picked(layers: &[Layer], indices: &[usize]) -> Vec<Layer> {
    indices.iter().map(|&index| layers[index]).collect()
}

/// How far compositing layers in their order may be off.
fn bound_of_order(layers: &[Layer]) -> [f64; 4] {
    let layers = layers.iter().map(|layer| composite::Layer {
        color: layer.colour.map(|channel| channel as f32),
        opacity: layer.opacity,
    });
    error_bound(&layers.collect::<Vec<_>>())
}

fn bound_of_weighted(technique: &Weighted, layers: &[Layer], rounding: Rounding) -> [f64; 4] {
    let slices = (0..technique.slices).map(|number| {
        let is_in = |layer: &&Layer| technique.range.slice(layer.depth, technique.slices) == number;
        let slice: Vec<Layer> = layers.iter().filter(is_in).copied().collect();
        let weight = |layer: &Layer| technique.weight(f64::from(layer.depth), layer.alpha());
        let products: Vec<f64> = slice.iter().map(|of| of.alpha() * weight(of)).collect();
        let own = normalised(&slice, &products, rounding);
        (slice, own)
    });
    one_behind_the_other(slices)
}

/// How far parts may be off that are composited in order, each with what it may be off itself.
fn one_behind_the_other(parts: impl IntoIterator<Item = (Vec<Layer>, [f64; 4])>) -> [f64; 4] {
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

/// How far `k-buffer`, `hybrid` and `linked-list` may be off: comparisons alone decide what is in the core, so that this is what
/// compositing may be off in the core and the form of the tail behind it.
fn bound_of_core((core, tail): (Vec<usize>, Vec<usize>), way: Tail, layers: &[Layer]) -> [f64; 4] {
    let [core, behind] = [core, tail].map(|part| picked(layers, &part));
    let averaged = |weight: fn(&Layer) -> f64, error| {
        let products: Vec<f64> = behind.iter().map(|of| of.alpha() * weight(of)).collect();
        normalised(&behind, &products, Rounding::Single(error))
    };
    let of_tail = match way {
        Tail::Drop => [0.0; 4],
        Tail::Average => averaged(|_| 1.0, 0.0),
        Tail::Weighted => averaged(
            |of| Weight::Paper7.at(f64::from(of.depth), 0.0, 0.0),
            WEIGHT_ERROR,
        ),
        Tail::ListOrder => bound_of_order(&behind),
    };
    let of_core = bound_of_order(&core);
    one_behind_the_other([(core, of_core), (behind, of_tail)])
}

/// How far `coarse` may be off: comparisons of integers decide in what order layers are.
fn bound_of_coarse(technique: &Coarse, layers: &[Layer]) -> [f64; 4] {
    let order = technique.ordered(layers);
    let most = technique.most.map_or(order.len(), |most| most as usize);
    let stop_below = f64::from(technique.early_out);
    let (mut taken, mut through, mut bound) = (Vec::new(), 1.0, [0.0; 4]);
    for (number, &index) in order.iter().take(most).enumerate() {
        let off = SECOND_ORDER * (2.0 * number as f64 + 2.0) * ROUNDOFF;
        if through * (1.0 + off) < stop_below {
            break;
        }
        let layer = layers[index];
        let alpha = layer.alpha();
        if through * (1.0 - off) < stop_below {
            let [red, green, blue] = layer.colour.map(f64::abs);
            let seen = bound.iter_mut().zip([red, green, blue, 1.0]);
            seen.for_each(|(bound, most)| *bound += through * alpha * most);
        }
        through *= 1.0 - alpha;
        taken.push(layer);
    }
    let rounding = bound_of_order(&taken);
    std::array::from_fn(|channel| bound[channel] + rounding[channel])
}

/// How far results may be off that are rounded so often on the way from a layer to the result: relative to the shares, and what is
/// flushed to zero.
fn bound_of_shares(layers: &[Layer], believed: &Believed, roundings: f64) -> [f64; 4] {
    let off = SECOND_ORDER * roundings * ROUNDOFF;
    let flushed = layers.len() as f64 * LEAST;
    let channel = |channel: usize| {
        let colours = layers.iter().map(|layer| layer.colour[channel].abs());
        off * summed(layers, &believed.shares, channel) + flushed * colours.fold(0.0, f64::max)
    };
    let through = off * believed.result[3] + flushed;
    [channel(0), channel(1), channel(2), through]
}

/// How far `mlab` may be off. In f32: `n` layers blend in at most `n` steps of two roundings, seen through a product of `n`
/// differences. In 8 bits a blend never comes near a tie, as `ij/255` is never closer than 1/510 to one, so that only the last blends
/// round; where a layer is rounded near one, each layer and each blend may be two steps off. So it is in half floats, where blends may be
/// near one, too.
fn bound_of_nodes(storage: NodeStorage, layers: &[Layer], believed: &Believed) -> [f64; 4] {
    let count = layers.len() as f64;
    match storage {
        NodeStorage::F32 => bound_of_shares(layers, believed, 4.0 * count + 4.0),
        NodeStorage::F16 | NodeStorage::U8 => {
            let steps = |value: f64| match (believed.near_ties, storage) {
                (0, _) => 0.0,
                (_, NodeStorage::F16) => 4.0 * count * (2.0 * HALF_STEP * value + ROUNDOFF),
                _ => 4.0 * count / 255.0,
            };
            let result = believed.result;
            result.map(|value| 72.0 * ROUNDOFF * value + LEAST + steps(value))
        }
    }
}

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
        let magnitude = summed(layers, &weights, channel);
        let slacks: Vec<f64> = layers.iter().map(slack).collect();
        let off = summed(layers, &slacks, channel) + count * LEAST_SCALED;
        quotient(magnitude, off + (count + 2.0) * ROUNDOFF * magnitude)
    };
    let background = quotient(technique.background, ROUNDOFF * technique.background);
    [channel(0), channel(1), channel(2), background]
}

/// How far `stochastic` may be off. Its samples may keep nothing but a colour that is flushed.
fn bound_of_samples(technique: &Stochastic, layers: &[Layer]) -> [f64; 4] {
    let parts = technique.parts(layers);
    // Sums of frames are added up one by one.
    let of_frames = f64::from(technique.frames) * ROUNDOFF;
    let rounding = Rounding::Single(PART_ERROR + of_frames);
    // Sums of several frames are of a 1024th of each.
    let scaled = if technique.frames > 1 { 1024.0 } else { 1.0 };
    let flushed = scaled * LEAST_SEEN * layers.len() as f64;
    let mut bound = match technique.mode {
        Mode::Mean => {
            let terms = f64::from(technique.samples * technique.frames) + 1.0;
            let error = terms * ROUNDOFF + PART_ERROR;
            let channel = |at| SECOND_ORDER * error * summed(layers, &parts, at);
            [channel(0), channel(1), channel(2), PART_ERROR]
        }
        Mode::Corrected => normalised(layers, &parts, rounding),
        Mode::Depth => {
            let products = layers.iter().zip(parts);
            let products: Vec<f64> = products.map(|(layer, part)| layer.alpha() * part).collect();
            normalised(layers, &products, rounding)
        }
    };
    bound[..3].iter_mut().for_each(|bound| *bound += flushed);
    bound
}

/// How far `adaptive` may be off: `2n` roundings of T, two of a term and `n` of the sum. Where a choice of steps is close nothing is
/// known but that T is never too large: both results are between nothing and the exact one.
fn bound_of_steps(layers: &[Layer], believed: &Believed, exact: [f64; 4]) -> [f64; 4] {
    let mut bound = bound_of_shares(layers, believed, 3.0 * layers.len() as f64 + 6.0);
    if believed.near_ties > 0 {
        let rgb = bound.iter_mut().zip(exact).take(3);
        rgb.for_each(|(bound, most)| *bound += most * SECOND_ORDER);
    }
    bound
}

/// What a channel of so much of each layer adds up to, signs left out.
fn summed(layers: &[Layer], products: &[f64], channel: usize) -> f64 {
    let terms = layers.iter().zip(products);
    let terms = terms.map(|(layer, product)| product * layer.colour[channel].abs());
    terms.sum()
}

#[derive(Clone, Copy)]
enum Rounding {
    /// In f32, with weights that are off by this much of themselves.
    Single(f64),
    /// By blending hardware at every add, to a half float or to 8 bits: either way, and what it adds, too.
    Drawn,
}

/// How far `(1-T) Σwαc / Σwα` may be off, where `products` are `wα`.
fn normalised(layers: &[Layer], products: &[f64], rounding: Rounding) -> [f64; 4] {
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
