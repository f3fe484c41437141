//! FLIP's filters: what contrast sensitivity leaves of the three opponent channels, and the derivatives that find edges
//! and points. All of them are products of a horizontal and a vertical filter, or a sum of two such products.

use std::f64::consts::PI;
use std::ops::Range;

use super::colour::Opponent;
use super::{PLANES, Row};

/// Contrast sensitivity in the spatial domain is a sum of `a * sqrt(π/b) * exp(-π²d²/b)`, with d in degrees (table 1 of
/// the paper): here a and b.
const LUMINANCE: [f64; 2] = [1.0, 0.0047];
const RED_GREEN: [f64; 2] = [1.0, 0.0053];
const BLUE_YELLOW: [[f64; 2]; 2] = [[34.1, 0.04], [13.5, 0.025]];

/// Width of the derivatives, degrees: twice their standard deviation.
const FEATURE_WIDTH: f64 = 0.082;

/// Filters end after so many standard deviations.
const DEVIATIONS: f64 = 3.0;

/// Weights below this part of the greatest weight are left out: f32 would not show them.
const LEAST_WEIGHT: f64 = 1e-8;

/// One of the two factors of a filter.
struct Kernel {
    centre: f32,
    /// The weights to the right of the centre; those to the left are the same, or their negatives.
    right: Vec<f32>,
    is_odd: bool,
}

impl Kernel {
    fn new(weights: impl Iterator<Item = f64>, is_odd: bool) -> Self {
        let mut weights: Vec<f64> = weights.collect();
        let greatest = weights.iter().copied().map(f64::abs).fold(0.0, f64::max);
        while weights
            .last()
            .is_some_and(|last| last.abs() < LEAST_WEIGHT * greatest)
        {
            weights.pop();
        }
        Self {
            centre: weights[0] as f32,
            right: weights[1..].iter().map(|weight| *weight as f32).collect(),
            is_odd,
        }
    }

    /// Filters a row; `at` is the row, moved by so many pixels, or the row so many pixels below.
    fn apply<'a>(&self, at: impl Fn(isize) -> &'a [f32], out: &mut [f32]) {
        let filtered = out.iter_mut().zip(at(0));
        filtered.for_each(|(out, value)| *out = self.centre * value);
        for (distance, &weight) in (1..).zip(&self.right) {
            let both = at(distance).iter().zip(at(-distance));
            let filtered = out.iter_mut().zip(both);
            if self.is_odd {
                filtered.for_each(|(out, (right, left))| *out += weight * (right - left));
            } else {
                filtered.for_each(|(out, (right, left))| *out += weight * (right + left));
            }
        }
    }
}

/// The factors of all filters at some number of pixels per degree: of lightness, of red against green, of the two terms of
/// blue against yellow; and a Gaussian with its first and its second derivative.
pub(super) struct Filters([Kernel; 7]);

const SMOOTH: usize = 4;
const FIRST: usize = 5;
const SECOND: usize = 6;
/// The opponent channel that each of them filters.
const CHANNELS: [usize; 7] = [0, 1, 2, 2, 0, 0, 0];

/// A row filtered horizontally by each of them.
#[derive(Clone)]
pub(super) struct Horizontal([Vec<f32>; 7]);

impl Horizontal {
    pub(super) fn new(width: usize) -> Self {
        Self(std::array::from_fn(|_| vec![0.0; width]))
    }
}

impl Filters {
    pub(super) fn new(pixels_per_degree: f64) -> Self {
        let of = |terms: &[[f64; 2]], term| contrast(terms, term, pixels_per_degree);
        let [wide, narrow] = BLUE_YELLOW.map(|term| of(&BLUE_YELLOW, term));
        let [smooth, first, second] = derivatives(pixels_per_degree);
        let luminance = of(&[LUMINANCE], LUMINANCE);
        let red_green = of(&[RED_GREEN], RED_GREEN);
        Self([luminance, red_green, wide, narrow, smooth, first, second])
    }

    /// How far from a pixel lies what it is made of, pixels.
    pub(super) fn reach(&self) -> usize {
        let reaches = self.0.iter().map(|kernel| kernel.right.len());
        reaches.max().unwrap_or(0)
    }

    /// The rows that row `y` of `height` is made of.
    pub(super) fn rows_around(&self, y: usize, height: usize) -> Range<usize> {
        let reach = self.reach();
        y.saturating_sub(reach)..(y + reach + 1).min(height)
    }

    pub(super) fn filter_horizontally(&self, row: &Opponent, out: &mut Horizontal) {
        for ((kernel, channel), out) in self.0.iter().zip(CHANNELS).zip(&mut out.0) {
            let width = out.len();
            kernel.apply(|offset| row.moved(channel, offset, width), out);
        }
    }

    /// The filtered opponent channels, edges and points of a row; `at` has the rows above and below it.
    pub(super) fn filter_vertically<'a>(
        &self,
        at: impl Fn(isize) -> &'a Horizontal,
        out: &mut Row,
    ) {
        let width = out.len() / PLANES;
        let (colours, features) = out.split_at_mut(3 * width);
        let (luminance, rest) = colours.split_at_mut(width);
        let (red_green, blue_yellow) = rest.split_at_mut(width);
        let (edges, points) = features.split_at_mut(width);
        let filter = |kernel: usize, plane: usize, out: &mut [f32]| {
            self.0[kernel].apply(|y| &at(y).0[plane], out);
        };
        // A plane that is needed later has the second term in the meantime.
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
        let factor = a * (PI / b).sqrt();
        let weight = |x: u32| (-(PI * f64::from(x) / pixels_per_degree).powi(2) / b).exp();
        // The vertical kernel has the other square root.
        (0..=reach).map(|x| factor.sqrt() * weight(x)).collect()
    };
    let sum: f64 = terms.iter().map(|of| sum_of(&weights(*of)).powi(2)).sum();
    let weights = weights(term).into_iter();
    Kernel::new(weights.map(|weight| weight / sum.sqrt()), false)
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
    [
        Kernel::new(smooth.iter().map(|weight| weight / smooth_sum), false),
        Kernel::new(first.iter().map(|weight| weight / first_sum), true),
        Kernel::new(second, false),
    ]
}

/// The sum of all weights of an even kernel; `weights` has its centre and right half.
fn sum_of(weights: &[f64]) -> f64 {
    weights[0] + 2.0 * weights[1..].iter().sum::<f64>()
}
