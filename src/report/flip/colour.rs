//! FLIP's colours. Converts sRGB bytes to the opponent channels that are filtered, then to L\*a\*b\* with Hunt's
//! adjustment, and computes the distance between two such colours.

use glam::{DMat3, DVec3};

use super::PLANES;
use crate::model::colour::linear_from_srgb;
use crate::report::canvas::Rgb;

/// Exponent of colour distances. The fraction [`KNEE`] of the greatest distance is mapped to [`KNEE_VALUE`] of the
/// output range. See section 4.3 of the paper.
const COLOUR_EXPONENT: f32 = 0.7;
const KNEE: f32 = 0.4;
const KNEE_VALUE: f32 = 0.95;

type Matrix = [[f32; 3]; 3];

/// Tables and constants for colours. XYZ is relative to white, which is 1, 1, 1.
pub(super) struct Colours {
    /// Linear light of each byte value.
    linear: [f32; 256],
    opponent_from_linear: Matrix,
    xyz_from_linear: Matrix,
    linear_from_xyz: Matrix,
    /// Greatest distance between two colours, after the exponent.
    greatest: f32,
}

impl Colours {
    pub(super) fn new() -> Self {
        // Chromaticities of sRGB's white point (D65) and primaries.
        let xyz = |[x, y]: [f64; 2]| DVec3::new(x, y, 1.0 - x - y) / y;
        let white = xyz([0.31271, 0.32902]);
        let [red, green, blue] = [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]].map(xyz);
        let primaries = DMat3::from_cols(red, green, blue);
        let amounts = DMat3::from_diagonal(primaries.inverse() * white);
        let matrix = DMat3::from_diagonal(1.0 / white) * primaries * amounts;
        let [x, y, z] = matrix.transpose().to_cols_array_2d().map(DVec3::from);
        let rows = |matrix: DMat3| matrix.transpose().as_mat3().to_cols_array_2d();
        let mut colours = Self {
            linear: std::array::from_fn(|byte| linear_from_srgb(byte as f64 / 255.0) as f32),
            opponent_from_linear: [y, x - y, y - z].map(|row| row.as_vec3().to_array()),
            xyz_from_linear: rows(matrix),
            linear_from_xyz: rows(matrix.inverse()),
            greatest: 1.0,
        };
        let [green, blue] = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|rgb| colours.hunt(rgb));
        colours.greatest = distance(green, blue).powf(COLOUR_EXPONENT);
        colours
    }

    /// Opponent channels of a row: y, x-y and y-z. They are YCxCz without its factors and offset, which do not affect
    /// filters with weights that sum to 1. The first and last pixel are repeated `margin` times.
    pub(super) fn opponent(&self, row: &[Rgb], margin: usize) -> [Vec<f32>; 3] {
        let linear = row
            .iter()
            .map(|rgb| rgb.map(|byte| self.linear[usize::from(byte)]));
        let linear: Vec<[f32; 3]> = linear.collect();
        self.opponent_from_linear.map(|[r, g, b]| {
            let of = |[red, green, blue]: &[f32; 3]| r * red + g * green + b * blue;
            let [first, last] = [of(&linear[0]), of(&linear[linear.len() - 1])];
            let mut channel = vec![first; margin];
            channel.extend(linear.iter().map(of));
            channel.resize(channel.len() + margin, last);
            channel
        })
    }

    /// Converts a row's filtered opponent channels to Hunt-adjusted L\*a\*b\*. Edges and points stay unchanged.
    pub(super) fn adapt(&self, row: &mut [f32]) {
        let [first, second, third, ..] = planes_mut(row);
        for ((first, second), third) in first.iter_mut().zip(second).zip(third) {
            let xyz = [*first + *second, *first, *first - *third];
            let rgb = product(&self.linear_from_xyz, xyz).map(|value| value.clamp(0.0, 1.0));
            [*first, *second, *third] = self.hunt(rgb);
        }
    }

    /// L\*a\*b\* of a linear colour, with a\* and b\* reduced for dark colours.
    fn hunt(&self, linear: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = product(&self.xyz_from_linear, linear).map(lab_curve);
        let lightness = 116.0 * y - 16.0;
        let colourful = 0.01 * lightness;
        let [a, b] = [500.0 * (x - y), 200.0 * (y - z)];
        [lightness, colourful * a, colourful * b]
    }

    /// Difference between the pixels of two rows, from 0 to 1.
    pub(super) fn differences(&self, expected: &[f32], found: &[f32], differences: &mut [f32]) {
        let width = differences.len();
        for (x, difference) in differences.iter_mut().enumerate() {
            let at = |row: &[f32]| -> [f32; PLANES] {
                std::array::from_fn(|plane| row[plane * width + x])
            };
            let [[a, b, c, edge, point], [d, e, f, edge_found, point_found]] =
                [at(expected), at(found)];
            let colour = self.remapped(distance([a, b, c], [d, e, f]));
            let feature = (edge - edge_found).abs().max((point - point_found).abs());
            let feature = (feature * std::f32::consts::FRAC_1_SQRT_2).min(1.0);
            *difference = colour.powf(1.0 - feature.sqrt());
        }
    }

    fn remapped(&self, distance: f32) -> f32 {
        let distance = distance.powf(COLOUR_EXPONENT);
        let knee = KNEE * self.greatest;
        if distance < knee {
            KNEE_VALUE / knee * distance
        } else {
            KNEE_VALUE + (distance - knee) / (self.greatest - knee) * (1.0 - KNEE_VALUE)
        }
    }
}

pub(super) fn planes_mut(row: &mut [f32]) -> [&mut [f32]; PLANES] {
    let width = row.len() / PLANES;
    let mut planes = row.chunks_exact_mut(width.max(1));
    std::array::from_fn(|_| planes.next().unwrap_or_default())
}

/// HyAB distance between two colours: the distance in lightness plus the Euclidean distance in chroma.
fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [lightness, red_green, blue_yellow] = [0, 1, 2].map(|channel| a[channel] - b[channel]);
    lightness.abs() + (red_green * red_green + blue_yellow * blue_yellow).sqrt()
}

/// CIE's lightness curve: a cube root, linear near black.
fn lab_curve(value: f32) -> f32 {
    const DELTA: f32 = 6.0 / 29.0;
    if value > DELTA * DELTA * DELTA {
        value.cbrt()
    } else {
        value / (3.0 * DELTA * DELTA) + 4.0 / 29.0
    }
}

fn product(rows: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    rows.map(|[a, b, c]| a * x + b * y + c * z)
}
