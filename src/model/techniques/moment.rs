//! Moment-based transparency (Münstermann, Krumpen, Klein and Peters, I3D 2018; Sharpe, HPG 2018).
//!
//! A first walk adds up moments of absorbance over logarithmic depth. A second walk resolves N(w), with `w = T(z)`
//! reconstructed from the moments: of all distributions with the given moments and a mass at z, the technique takes the
//! one with the fewest masses, `m + 1`. Masses before z count in full; the mass at z is multiplied by β.
//!
//! The twin finds the masses in the same way for all kinds of moments, but differently from the shaders. The masses lie
//! at the roots of a polynomial, which comes from elimination with pivots; the roots come from the iteration of Durand
//! and Kerner. Each mass is `1 / (v* M⁻¹ v)`, with the matrix M of the moments and the vector v of powers of the root.
//! Complex numbers are stored as vectors and multiplied with `rotate`.

use std::f64::consts::PI;

use glam::{DVec2, dvec2};

use super::bounds::{ABSORBANCE_ERROR, Weights, error_behind, unit_error};
use super::layers::{LEAST_WEIGHT, Layer, OitResult, Range, resolved};
use super::{TURNS, Technique};
use crate::model::constant::Constant;
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{APPROXIMATE, DRAWN_SUMS, Entry, NUMBER, PixelBytes, Trait};
use crate::model::options::rows::{Any, own_options};
use crate::model::reference::composite::ROUNDOFF;

pub const MOMENT: Entry = Entry {
    name: "moment",
    module: "methods/moment",
    traits: &[Trait::SharesPixels],
    mapping: "as average, twice: moments of absorbance over depth (--moments), then colours weighted by their transmittance",
    cost: "n evaluations per pixel, each with the zeros of a polynomial, and n of opacity alone; no sort; 10 to 14 numbers of state",
    guarantee: "exact transmittance; few distinct layers exact up to the bias, then layers blend, and rounding shows in order",
    origin: "moment-based transparency (Münstermann and others 2018, Sharpe 2018)",
    bench_options: "moments=power4 | moments=power6 | moments=power8 | moments=trig2 | moments=trig3 | moments=trig4",
    ..APPROXIMATE
};

own_options! {
    "Approximate: moment"
    pub struct MomentOptions {
        /// Moments of `moment`: 4, 6 or 8 powers of depth, or 2, 3 or 4 trigonometric ones, each of two numbers
        pub moments: MomentKind = MomentKind::default(), Any, ["moment"];
    }
}

flag_values! {
    pub enum MomentKind {
        /// The first 4 powers of logarithmic depth.
        #[default]
        Power4,
        /// The first 6 powers.
        Power6,
        /// The first 8 powers.
        Power8,
        /// Sines and cosines of logarithmic depth and of its double.
        Trig2,
        /// Sines and cosines of 1, 2 and 3 times the logarithmic depth.
        Trig3,
        /// Sines and cosines of 1, 2, 3 and 4 times the logarithmic depth.
        Trig4,
    }
}

/// Longest list in which each layer is moved separately to find how far rounding moves the moments.
const MOVED_ONE_BY_ONE: usize = 8;

/// Functions of depth. With m = 2, 3 or 4, either basis has `2m` moments in addition to the absorbance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// `z … z^2m` of z in `[-1, 1]`.
    Power,
    /// `e^{iφ} … e^{imφ}` of φ in `[0, 1.9π]`; the rest of the circle is the wrapping zone.
    Trigonometric,
}

/// Largest absorbance of a layer (α = 0.99995), also for opaque layers.
const MOST_ABSORBANCE: f64 = 10.0;
/// Absorbance below which a list is treated as transparent.
const LEAST_ABSORBANCE: f64 = 1e-3;
/// Bias for a second attempt if the reconstruction fails.
const SECOND_BIAS: f64 = 6e-5;
/// β: fraction of the mass at z that counts as before z. LineVis uses 0.1.
const OVERESTIMATION: f64 = 0.25;
/// Part of the circle that trigonometric moments leave free, so that far depths do not touch near ones.
const WRAPPING_ZONE: f64 = 0.1 * PI;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    kind: MomentKind,
    /// m, 2 to 4: half the number of moments.
    half: usize,
    basis: Basis,
    /// μ: how far moments are moved towards the moments of a fixed distribution.
    bias: f64,
    range: Range,
}

impl MomentKind {
    fn parts(self) -> (usize, Basis) {
        match self {
            Self::Power4 => (2, Basis::Power),
            Self::Power6 => (3, Basis::Power),
            Self::Power8 => (4, Basis::Power),
            Self::Trig2 => (2, Basis::Trigonometric),
            Self::Trig3 => (3, Basis::Trigonometric),
            Self::Trig4 => (4, Basis::Trigonometric),
        }
    }
}

impl Moment {
    /// The technique with the paper's bias.
    pub fn of(kind: MomentKind, range: Range) -> Self {
        let (half, basis) = kind.parts();
        let biases = match basis {
            Basis::Power => [5e-7, 5e-6, 5e-5],
            Basis::Trigonometric => [4e-7, 8e-7, 1.5e-6],
        };
        Self {
            kind,
            half,
            basis,
            bias: biases[half - 2],
            range,
        }
    }

    /// Even power moments of the distribution that biased moments are moved towards; the odd moments are 0.
    fn bias_vector(&self) -> &'static [f64] {
        match self.half {
            2 => &[0.375, 0.375],
            3 => &[0.48, 0.451, 0.45],
            _ => &[0.75, 0.676_666_67, 0.63, 0.600_303_03],
        }
    }

    /// Moments of a single layer: powers of z starting with the first, or pairs of real and imaginary parts.
    fn of_layer(&self, unit: f64) -> Vec<f64> {
        let powers = (1..=2 * self.half as i32).map(|order| match self.basis {
            Basis::Power => (2.0 * unit - 1.0).powi(order),
            Basis::Trigonometric => {
                let (sine, cosine) = (phase(unit) * f64::from((order + 1) / 2)).sin_cos();
                if order % 2 == 1 { cosine } else { sine }
            }
        });
        powers.collect()
    }

    fn moments(&self, layers: &[Layer]) -> Moments {
        let (mut total, mut normalised) = (0.0, vec![0.0; 2 * self.half]);
        for layer in layers.iter().filter(|layer| layer.counts()) {
            let absorbance = layer.absorbance(MOST_ABSORBANCE);
            let unit = self.range.unit(f64::from(layer.depth));
            let sums = normalised.iter_mut().zip(self.of_layer(unit));
            sums.for_each(|(sum, own)| *sum += own * absorbance);
            total += absorbance;
        }
        if total > 0.0 {
            normalised.iter_mut().for_each(|sum| *sum /= total);
        }
        Moments { total, normalised }
    }

    /// T(z) at logarithmic depth `unit` in `[0, 1]`, reconstructed from moments.
    ///
    /// If no masses fit, a second attempt uses [`SECOND_BIAS`]. If that fails too, the whole absorbance is multiplied
    /// by β, which is right for a single layer.
    fn transmittance(&self, moments: &Moments, unit: f64) -> f64 {
        if moments.total < LEAST_ABSORBANCE {
            return 1.0;
        }
        let share = |bias| self.share(&moments.normalised, unit, bias);
        let share = share(self.bias).or_else(|| share(self.bias.max(SECOND_BIAS)));
        let share = share.unwrap_or(OVERESTIMATION);
        (-moments.total * share).exp().clamp(0.0, 1.0)
    }

    /// Fraction of the absorbance before z.
    fn share(&self, normalised: &[f64], unit: f64, bias: f64) -> Option<f64> {
        let size = self.half + 1;
        let kept = |at: usize| (1.0 - bias) * normalised[at];
        let moment = |order: usize| match self.basis {
            _ if order == 0 => DVec2::X,
            Basis::Trigonometric => dvec2(kept(2 * order - 2), kept(2 * order - 1)),
            Basis::Power if order % 2 == 1 => dvec2(kept(order - 1), 0.0),
            Basis::Power => {
                let towards = self.bias_vector()[order / 2 - 1];
                dvec2(kept(order - 1) + bias * towards, 0.0)
            }
        };
        let element = |row: usize, column: usize| match self.basis {
            Basis::Power => moment(row + column),
            Basis::Trigonometric if row < column => conjugate(moment(column - row)),
            Basis::Trigonometric => moment(row - column),
        };
        let row = |row| (0..size).map(|column| element(row, column)).collect();
        let matrix: Vec<Vec<DVec2>> = (0..size).map(row).collect();
        let mass = |at: DVec2| {
            let powers = powers(at, size);
            let solution = solve(matrix.clone(), powers.clone())?;
            // These sums are real parts of the products with the conjugate powers.
            let products = powers.into_iter().zip(solution);
            let sum: f64 = products.map(|(power, number)| power.dot(number)).sum();
            (sum > 0.0).then_some(1.0 / sum)
        };
        let own = match self.basis {
            Basis::Power => dvec2(2.0 * unit - 1.0, 0.0),
            Basis::Trigonometric => DVec2::from_angle(phase(unit)),
        };
        let polynomial = solve(matrix.clone(), powers(own, size))?;
        let polynomial: Vec<DVec2> = polynomial.into_iter().map(conjugate).collect();
        let mut share = OVERESTIMATION * mass(own)?;
        for root in roots(&polynomial)? {
            let (root, factor) = match self.basis {
                Basis::Power => (dvec2(root.x, 0.0), f64::from(u8::from(root.x < own.x))),
                Basis::Trigonometric => (root, root_factor(root, own)),
            };
            share += factor * mass(root)?;
        }
        share.is_finite().then_some(share)
    }

    /// The weights with their errors. Rounding on the way to the masses counts as an error of the moments, in addition
    /// to the errors that moments already have: from each layer's depth and absorbance, from sums with a term per
    /// layer, from powers, and from 64 roundings.
    ///
    /// Each number is moved by its error, and the changes of ln T are added up. Twice that sum is allowed, because ln T
    /// is not linear in the moments: with few layers, rounding moves moments far. With few layers, each layer is also
    /// moved in either direction together with all of its moments, so that they remain moments of some layer; errors of
    /// single moments would allow any result in that case.
    fn reconstructed(&self, layers: &[Layer]) -> Weights {
        let moments = self.moments(layers);
        let unit_error = unit_error(self.range);
        let of_sums = (layers.len() as f64 + 3.0) * ROUNDOFF;
        let of_total = of_sums + ABSORBANCE_ERROR;
        let order = |at: usize| match self.basis {
            Basis::Power => at + 1,
            Basis::Trigonometric => at / 2 + 1,
        };
        let are_few = layers.len() <= MOVED_ONE_BY_ONE;
        // A depth becomes an angle of up to 1.9π.
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
                let own = self.moments(&[*layer]);
                let share = own.total / moments.total;
                let farther = self.range.octaves() * way * unit_error;
                let depth = (f64::from(layer.depth) * farther.exp2()) as f32;
                let there = self.moments(&[Layer { depth, ..*layer }]);
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
            let through = self.transmittance(moments, unit);
            through.max(LEAST_WEIGHT).ln()
        };
        let of_depth = |depth: f32| {
            let unit = self.range.unit(f64::from(depth));
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
        Weights { each, errors }
    }
}

impl Technique for Moment {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let (options, moments) = (*self, self.moments(layers));
        let curve = move |depth: f64| options.transmittance(&moments, options.range.unit(depth));
        let weights = layers.iter().map(|layer| match layer.counts() {
            true => curve(f64::from(layer.depth)).max(LEAST_WEIGHT),
            false => 0.0,
        });
        let weights: Vec<f64> = weights.collect();
        resolved(layers, &weights).with_curve(curve)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        self.reconstructed(layers).expected(layers).bound
    }

    fn weights(&self, layers: &[Layer]) -> Option<Weights> {
        Some(self.reconstructed(layers))
    }

    fn bytes(&self) -> PixelBytes {
        let moments = 2 * self.half as u32 + 1;
        PixelBytes::new((moments + 5) * NUMBER, moments * NUMBER + DRAWN_SUMS)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("MOMENT_PAIRS", (self.half as u32).into()),
            ("TRIGONOMETRIC", (self.basis == Basis::Trigonometric).into()),
            ("MOMENT_BIAS", (self.bias as f32).into()),
            ("OVERESTIMATION", (OVERESTIMATION as f32).into()),
        ]
    }

    fn words(&self) -> Option<String> {
        Some(self.kind.to_string())
    }

    fn turns(&self) -> u32 {
        2 * TURNS
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Moments {
    /// Σ a.
    total: f64,
    /// `Σ a·basis / Σ a`: power moments from the first to the last, or complex moments as pairs.
    normalised: Vec<f64>,
}

fn phase(unit: f64) -> f64 {
    unit * (2.0 * PI - WRAPPING_ZONE)
}

/// Fraction of a mass before a place on the circle; a ramp in the wrapping zone, which is behind everything.
fn root_factor(root: DVec2, place: DVec2) -> f64 {
    let zone = parameter(DVec2::from_angle(2.0 * PI - WRAPPING_ZONE));
    let ramp = (parameter(root) - zone) / (7.0 - zone);
    let is_before = parameter(root) < parameter(place);
    if is_before { 1.0 } else { ramp.clamp(0.0, 1.0) }
}

fn powers(number: DVec2, count: usize) -> Vec<DVec2> {
    let powers = std::iter::successors(Some(DVec2::X), |power| Some(power.rotate(number)));
    powers.take(count).collect()
}

/// Roots of a polynomial with the given coefficients, constant term first (Durand 1960, Kerner 1966).
fn roots(coefficients: &[DVec2]) -> Option<Vec<DVec2>> {
    let (last, rest) = coefficients.split_last()?;
    let rest: Option<Vec<DVec2>> = rest.iter().map(|number| over(*number, *last)).collect();
    let rest = rest?;
    let start = |k| DVec2::from_angle(0.4 + 2.4 * k as f64);
    let mut roots: Vec<DVec2> = (0..rest.len()).map(start).collect();
    for _ in 0..200 {
        let mut moved = 0f64;
        for at in 0..roots.len() {
            let own = roots[at];
            let horner = |sum: DVec2, number: &DVec2| sum.rotate(own) + *number;
            let value = rest.iter().rev().fold(DVec2::X, horner);
            let others = (0..roots.len()).filter(|&other| other != at);
            let product = others.fold(DVec2::X, |product, at| product.rotate(own - roots[at]));
            let step = over(value, product)?;
            roots[at] = own - step;
            moved = moved.max(step.length_squared() / (1.0 + own.length_squared()));
        }
        if moved < 1e-28 {
            break;
        }
    }
    Some(roots)
}

/// Solves a linear system by elimination with pivots.
fn solve(mut matrix: Vec<Vec<DVec2>>, mut right: Vec<DVec2>) -> Option<Vec<DVec2>> {
    let size = right.len();
    for at in 0..size {
        let magnitude = |row: &usize| matrix[*row][at].length_squared();
        let pivot = (at..size).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
        matrix.swap(at, pivot);
        right.swap(at, pivot);
        for row in at + 1..size {
            let factor = over(matrix[row][at], matrix[at][at])?;
            let above = matrix[at].clone();
            let elements = matrix[row].iter_mut().zip(above);
            elements.for_each(|(own, above)| *own -= factor.rotate(above));
            let above = right[at];
            right[row] -= factor.rotate(above);
        }
    }
    for row in (0..size).rev() {
        let known = (row + 1..size).map(|k| matrix[row][k].rotate(right[k]));
        let left = known.fold(right[row], |left, known| left - known);
        right[row] = over(left, matrix[row][row])?;
    }
    Some(right)
}

fn conjugate(number: DVec2) -> DVec2 {
    dvec2(number.x, -number.y)
}

/// Quotient; `None` if the divisor is 0 or infinite.
fn over(number: DVec2, by: DVec2) -> Option<DVec2> {
    let size = by.length_squared();
    (size > 0.0 && size.is_finite()).then(|| number.rotate(conjugate(by)) * (1.0 / size))
}

/// The paper's substitute for the angle of a point on the circle: from -1 at angle 0 to 7 at 2π.
fn parameter(place: DVec2) -> f64 {
    let quarter = place.y.abs() - place.x.abs();
    let half = if place.x < 0.0 {
        2.0 - quarter
    } else {
        quarter
    };
    if place.y < 0.0 { 6.0 - half } else { half }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{layer, range};
    use super::*;
    use crate::model::reference::stress::Random;

    fn every() -> impl Iterator<Item = Moment> {
        let kinds = MomentKind::ALL.into_iter();
        kinds.map(|kind| Moment::of(kind, range()))
    }

    /// Layers whose logarithmic depths are at least 0.05 apart in `[-1, 1]`.
    fn distinct(count: usize, seed: u64) -> Vec<Layer> {
        let mut random = Random(seed);
        let mut list: Vec<Layer> = Vec::new();
        while list.len() < count {
            let unit = random.unit();
            let is_apart = |other: &Layer| (other.colour[0] - f64::from(unit)).abs() > 0.025;
            if list.iter().all(is_apart) {
                let opacity = 0.1 + 0.8 * random.unit();
                list.push(layer(100f32.powf(unit), f64::from(unit), opacity, 0));
            }
        }
        list
    }

    /// Largest error of T at the layers of lists of `count` layers, where `exp(-Σ_before a - β a)` is correct.
    fn worst(options: Moment, count: usize) -> f64 {
        let mut worst = 0f64;
        for list in (0..60).map(|seed| distinct(count, seed)) {
            let moments = options.moments(&list);
            for at in &list {
                let before = list.iter().filter(|other| other.depth < at.depth);
                let before: f64 = before.map(|other| other.absorbance(10.0)).sum();
                let right = (-before - OVERESTIMATION * at.absorbance(10.0)).exp();
                let unit = range().unit(f64::from(at.depth));
                worst = worst.max((options.transmittance(&moments, unit) - right).abs());
            }
        }
        worst
    }

    #[test]
    fn one_layer_more_than_m_is_exact_without_bias_and_another_is_not() {
        for mut options in every() {
            let half = options.half;
            for count in [1, 2] {
                let error = worst(options, count);
                assert!((1e-7..2e-4).contains(&error));
            }
            for count in 1..=half + 2 {
                // For up to m layers, the matrix of moments is singular without a bias.
                options.bias = if count <= half { 1e-11 } else { 0.0 };
                let error = worst(options, count);
                assert!((error < 1e-6) == (count < half + 2));
            }
        }
    }
}
