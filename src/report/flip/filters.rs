//! FLIP's filters: what contrast sensitivity leaves of the three opponent channels, and the derivatives that find edges
//! and points. All of them are products of a horizontal and a vertical filter, or a sum of two such products.

use std::f64::consts::PI;
use std::ops::Range;

use super::colour::planes_mut;

/// Contrast sensitivity in the spatial domain is a sum of `a * sqrt(π/b) * exp(-π²d²/b)`, with d in degrees (table 1 of
/// the paper): here a and b of lightness, of red against green, and of the two terms of blue against yellow.
const LUMINANCE: [f64; 2] = [1.0, 0.0047];
const RED_GREEN: [f64; 2] = [1.0, 0.0053];
const BLUE_YELLOW: [[f64; 2]; 2] = [[34.1, 0.04], [13.5, 0.025]];

/// Width of the derivatives, degrees: twice their standard deviation.
const FEATURE_WIDTH: f64 = 0.082;

/// Filters end after so many standard deviations, and where weights are below this part of the greatest one: f32 would not
/// show them.
const DEVIATIONS: f64 = 3.0;
const LEAST_WEIGHT: f64 = 1e-8;

/// One of the two factors of a filter: the weights of the centre and of the pixels to its right. Those to the left are the
/// same, or their negatives.
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

    /// Filters a row; `at` is the row, moved by so many pixels, or the row so many pixels below.
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

/// The factors of all filters: of lightness, of red against green, of the two terms of blue against yellow; and a Gaussian
/// with its first and its second derivative.
const COUNT: usize = 7;
const SMOOTH: usize = 4;
const FIRST: usize = 5;
const SECOND: usize = 6;
/// The opponent channel that each of them filters.
const CHANNELS: [usize; COUNT] = [0, 1, 2, 2, 0, 0, 0];

pub(super) struct Filters {
    kernels: [Kernel; COUNT],
    /// How far from a pixel the filters reach, pixels.
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

    /// The rows that `rows` of `height` are made of.
    pub(super) fn around(&self, rows: &Range<usize>, height: usize) -> Range<usize> {
        rows.start.saturating_sub(self.reach)..(rows.end + self.reach).min(height)
    }

    /// A row of opponent channels, which have margins, filtered horizontally by each kernel.
    pub(super) fn horizontally(&self, row: &[Vec<f32>; 3], width: usize) -> [Vec<f32>; COUNT] {
        std::array::from_fn(|index| {
            let channel = &row[CHANNELS[index]];
            let moved = |offset| &channel[self.reach.saturating_add_signed(offset)..][..width];
            let mut out = vec![0.0; width];
            self.kernels[index].apply(moved, &mut out);
            out
        })
    }

    /// The filtered opponent channels, edges and points of a row; `at` has the rows above and below it.
    pub(super) fn vertically<'a>(
        &self,
        at: impl Fn(isize) -> &'a [Vec<f32>; COUNT],
        out: &mut [f32],
    ) {
        let [luminance, red_green, blue_yellow, edges, points] = planes_mut(out);
        let filter = |kernel: usize, plane: usize, out: &mut [f32]| {
            self.kernels[kernel].apply(|y| &at(y)[plane], out);
        };
        // The plane of lightness has the second term in the meantime.
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

/// A term of a filter by contrast sensitivity that is the sum of `terms`, all of whose weights sum to 1.
fn contrast(terms: &[[f64; 2]], term: [f64; 2], pixels_per_degree: f64) -> Kernel {
    // All channels end where the widest does.
    let widest = (BLUE_YELLOW[0][1] / (2.0 * PI * PI)).sqrt();
    let reach = (DEVIATIONS * widest * pixels_per_degree).ceil() as u32;
    let weights = |[a, b]: [f64; 2]| -> Vec<f64> {
        // The vertical kernel has the other square root.
        let factor = (a * (PI / b).sqrt()).sqrt();
        let weight = |x: u32| (-(PI * f64::from(x) / pixels_per_degree).powi(2) / b).exp();
        (0..=reach).map(|x| factor * weight(x)).collect()
    };
    let sum: f64 = terms.iter().map(|of| sum_of(&weights(*of)).powi(2)).sum();
    let weights = weights(term).into_iter();
    Kernel::new(weights.map(|weight| weight / sum.sqrt()).collect(), false)
}

/// A Gaussian and its first and second derivative. Its weights sum to 1; of a derivative the positive ones sum to 1
/// and the negative ones to -1.
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
    // Its positive weights are all on one side.
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

/// The sum of all weights of an even kernel; `weights` has its centre and right half.
fn sum_of(weights: &[f64]) -> f64 {
    weights[0] + 2.0 * weights[1..].iter().sum::<f64>()
}
