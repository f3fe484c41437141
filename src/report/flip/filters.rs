//! FLIP's filters: contrast sensitivity of the three opponent channels, and derivatives that find edges and points.
//! Each filter is the product of a horizontal and a vertical one, or the sum of two such products.

use std::f64::consts::PI;
use std::ops::Range;

use super::colour::planes_mut;

/// Contrast sensitivity in the spatial domain is a sum of `a * sqrt(π/b) * exp(-π²d²/b)`, with d in degrees (table 1 of
/// the paper). The constants are a and b for lightness, red-green, and the two terms of blue-yellow.
const LUMINANCE: [f64; 2] = [1.0, 0.0047];
const RED_GREEN: [f64; 2] = [1.0, 0.0053];
const BLUE_YELLOW: [[f64; 2]; 2] = [[34.1, 0.04], [13.5, 0.025]];

/// Width of the derivatives in degrees: twice their standard deviation.
const FEATURE_WIDTH: f64 = 0.082;

/// Filters end after this many standard deviations, and without weights below this fraction of the largest.
const DEVIATIONS: f64 = 3.0;
const LEAST_WEIGHT: f64 = 1e-8;

/// One factor of a separable filter: the weights of the centre and of the pixels to its right. The weights to the left
/// are equal, or negated.
struct Kernel {
    weights: Vec<f32>,
    is_odd: bool,
}

impl Kernel {
    fn new(mut weights: Vec<f64>, is_odd: bool) -> Self {
        let greatest = weights.iter().copied().map(f64::abs).fold(0.0, f64::max);
        let is_small = |weight: &mut f64| weight.abs() < LEAST_WEIGHT * greatest;
        while weights.pop_if(is_small).is_some() {}
        let weights = weights.into_iter().map(|weight| weight as f32).collect();
        Self { weights, is_odd }
    }

    /// Filters a row. `at(n)` is the row shifted by `n` pixels, or the row `n` rows below.
    fn apply<'a>(&self, at: impl Fn(isize) -> &'a [f32], out: &mut [f32]) {
        let filtered = out.iter_mut().zip(at(0));
        filtered.for_each(|(out, value)| *out = self.weights[0] * value);
        let sign = if self.is_odd { -1.0 } else { 1.0 };
        for (distance, &weight) in (1..).zip(&self.weights[1..]) {
            let both = at(distance).iter().zip(at(-distance));
            let filtered = out.iter_mut().zip(both);
            filtered.for_each(|(out, (right, left))| *out += weight * (right + sign * left));
        }
    }
}

/// Number of filter factors: lightness, red-green, two terms of blue-yellow, and a Gaussian with its first and second
/// derivatives.
const COUNT: usize = 7;
const SMOOTH: usize = 4;
const FIRST: usize = 5;
const SECOND: usize = 6;
/// Opponent channel of each filter.
const CHANNELS: [usize; COUNT] = [0, 1, 2, 2, 0, 0, 0];

pub(super) struct Filters {
    kernels: [Kernel; COUNT],
    /// Reach of the filters in pixels.
    pub reach: usize,
}

impl Filters {
    pub(super) fn new(pixels_per_degree: f64) -> Self {
        let of = |terms: &[[f64; 2]], term| contrast(terms, term, pixels_per_degree);
        let [wide, narrow] = BLUE_YELLOW.map(|term| of(&BLUE_YELLOW, term));
        let [smooth, first, second] = derivatives(pixels_per_degree);
        let luminance = of(&[LUMINANCE], LUMINANCE);
        let red_green = of(&[RED_GREEN], RED_GREEN);
        let kernels = [luminance, red_green, wide, narrow, smooth, first, second];
        let lengths = kernels.iter().map(|kernel| kernel.weights.len());
        let reach = lengths.max().unwrap_or(1) - 1;
        Self { kernels, reach }
    }

    /// Input rows that the filtered `rows` depend on.
    pub(super) fn around(&self, rows: &Range<usize>, height: usize) -> Range<usize> {
        rows.start.saturating_sub(self.reach)..(rows.end + self.reach).min(height)
    }

    /// Filters a row of opponent channels with margins horizontally, with each kernel.
    pub(super) fn horizontally(&self, row: &[Vec<f32>; 3], width: usize) -> [Vec<f32>; COUNT] {
        std::array::from_fn(|index| {
            let channel = &row[CHANNELS[index]];
            let moved = |offset| &channel[self.reach.saturating_add_signed(offset)..][..width];
            let mut out = vec![0.0; width];
            self.kernels[index].apply(moved, &mut out);
            out
        })
    }

    /// Filtered opponent channels, edges and points of a row. `at` returns the rows above and below.
    pub(super) fn vertically<'a>(
        &self,
        at: impl Fn(isize) -> &'a [Vec<f32>; COUNT],
        out: &mut [f32],
    ) {
        let [luminance, red_green, blue_yellow, edges, points] = planes_mut(out);
        let filter = |kernel: usize, plane: usize, out: &mut [f32]| {
            self.kernels[kernel].apply(|y| &at(y)[plane], out);
        };
        // The lightness plane temporarily contains the second term.
        filter(2, 2, blue_yellow);
        filter(3, 3, luminance);
        let terms = blue_yellow.iter_mut().zip(&*luminance);
        terms.for_each(|(sum, term)| *sum += term);
        for (out, derivative) in [(edges, FIRST), (points, SECOND)] {
            filter(SMOOTH, derivative, out);
            filter(derivative, SMOOTH, luminance);
            let both = out.iter_mut().zip(&*luminance);
            both.for_each(|(x, y)| *x = (*x * *x + *y * *y).sqrt());
        }
        filter(1, 1, red_green);
        filter(0, 0, luminance);
    }
}

/// One term of a contrast sensitivity filter. All `terms` together sum to 1.
fn contrast(terms: &[[f64; 2]], term: [f64; 2], pixels_per_degree: f64) -> Kernel {
    // All channels use the reach of the widest filter.
    let widest = (BLUE_YELLOW[0][1] / (2.0 * PI * PI)).sqrt();
    let reach = (DEVIATIONS * widest * pixels_per_degree).ceil() as u32;
    let weights = |[a, b]: [f64; 2]| -> Vec<f64> {
        // The vertical kernel takes the other half of the factor.
        let factor = (a * (PI / b).sqrt()).sqrt();
        let weight = |x: u32| (-(PI * f64::from(x) / pixels_per_degree).powi(2) / b).exp();
        (0..=reach).map(|x| factor * weight(x)).collect()
    };
    let sum: f64 = terms.iter().map(|of| sum_of(&weights(*of)).powi(2)).sum();
    let weights = weights(term).into_iter();
    Kernel::new(weights.map(|weight| weight / sum.sqrt()).collect(), false)
}

/// A Gaussian with its first and second derivatives. The Gaussian's weights sum to 1. The positive weights of a
/// derivative sum to 1, and the negative ones to -1.
fn derivatives(pixels_per_degree: f64) -> [Kernel; 3] {
    let deviation = 0.5 * FEATURE_WIDTH * pixels_per_degree;
    let reach = (DEVIATIONS * deviation).ceil() as u32;
    let weights = |factor: fn(f64) -> f64| -> Vec<f64> {
        let pixels = (0..=reach).map(|x| f64::from(x) / deviation);
        pixels.map(|x| factor(x) * (-0.5 * x * x).exp()).collect()
    };
    let smooth = weights(|_| 1.0);
    let first = weights(|x| x);
    let above = weights(|x| (x * x - 1.0).max(0.0));
    let below = weights(|x| (1.0 - x * x).max(0.0));
    let [smooth_sum, above_sum, below_sum] = [&smooth, &above, &below].map(|of| sum_of(of));
    // All positive weights are on one side.
    let first_sum: f64 = first.iter().sum();
    let second = above.iter().zip(&below);
    let second = second.map(|(above, below)| above / above_sum - below / below_sum);
    let scaled = |of: &[f64], sum: f64| of.iter().map(|weight| weight / sum).collect();
    [
        Kernel::new(scaled(&smooth, smooth_sum), false),
        Kernel::new(scaled(&first, first_sum), true),
        Kernel::new(second.collect(), false),
    ]
}

/// Sum of all weights of a symmetric kernel.
fn sum_of(weights: &[f64]) -> f64 {
    weights[0] + 2.0 * weights[1..].iter().sum::<f64>()
}
