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

/// All filters at some number of pixels per degree.
pub(super) struct Filters {
    luminance: Kernel,
    red_green: Kernel,
    blue_yellow: [Kernel; 2],
    smooth: Kernel,
    first: Kernel,
    second: Kernel,
}

/// A row filtered horizontally, by each filter whose vertical factor comes next.
#[derive(Clone)]
pub(super) struct Horizontal {
    luminance: Vec<f32>,
    red_green: Vec<f32>,
    blue_yellow: [Vec<f32>; 2],
    smooth: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Horizontal {
    pub(super) fn new(width: usize) -> Self {
        let row = || vec![0.0; width];
        Self {
            luminance: row(),
            red_green: row(),
            blue_yellow: [row(), row()],
            smooth: row(),
            first: row(),
            second: row(),
        }
    }
}

impl Filters {
    pub(super) fn new(pixels_per_degree: f64) -> Self {
        let [smooth, first, second] = derivatives(pixels_per_degree);
        Self {
            luminance: contrast(&[LUMINANCE], LUMINANCE, pixels_per_degree),
            red_green: contrast(&[RED_GREEN], RED_GREEN, pixels_per_degree),
            blue_yellow: BLUE_YELLOW.map(|term| contrast(&BLUE_YELLOW, term, pixels_per_degree)),
            smooth,
            first,
            second,
        }
    }

    /// How far from a pixel lies what it is made of, pixels.
    pub(super) fn reach(&self) -> usize {
        let [wide, narrow] = &self.blue_yellow;
        let Self {
            luminance,
            red_green,
            smooth,
            first,
            second,
            ..
        } = self;
        let kernels = [luminance, red_green, wide, narrow, smooth, first, second];
        kernels
            .map(|kernel| kernel.right.len())
            .into_iter()
            .max()
            .unwrap_or(0)
    }

    /// The rows that row `y` of `height` is made of.
    pub(super) fn rows_around(&self, y: usize, height: usize) -> Range<usize> {
        let reach = self.reach();
        y.saturating_sub(reach)..(y + reach + 1).min(height)
    }

    pub(super) fn filter_horizontally(&self, row: &Opponent, out: &mut Horizontal) {
        let [luminance, red_green, blue_yellow] = [0, 1, 2].map(|channel| {
            let width = out.smooth.len();
            move |offset: isize| row.moved(channel, offset, width)
        });
        self.luminance.apply(luminance, &mut out.luminance);
        self.red_green.apply(red_green, &mut out.red_green);
        for (kernel, out) in self.blue_yellow.iter().zip(&mut out.blue_yellow) {
            kernel.apply(blue_yellow, out);
        }
        self.smooth.apply(luminance, &mut out.smooth);
        self.first.apply(luminance, &mut out.first);
        self.second.apply(luminance, &mut out.second);
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
        // A plane that is needed later has the second term in the meantime.
        self.blue_yellow[0].apply(|y| &at(y).blue_yellow[0], blue_yellow);
        self.blue_yellow[1].apply(|y| &at(y).blue_yellow[1], luminance);
        let terms = blue_yellow.iter_mut().zip(&*luminance);
        terms.for_each(|(sum, term)| *sum += term);
        let length = |[x, y]: [&mut [f32]; 2]| {
            let both = x.iter_mut().zip(y);
            both.for_each(|(x, y)| *x = (*x * *x + *y * *y).sqrt());
        };
        self.smooth.apply(|y| &at(y).first, edges);
        self.first.apply(|y| &at(y).smooth, luminance);
        length([edges, luminance]);
        self.smooth.apply(|y| &at(y).second, points);
        self.second.apply(|y| &at(y).smooth, luminance);
        length([points, luminance]);
        self.red_green.apply(|y| &at(y).red_green, red_green);
        self.luminance.apply(|y| &at(y).luminance, luminance);
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
