//! FLIP's colours: from sRGB bytes to the opponent channels in which filters work, from there to L\*a\*b\* with Hunt's
//! adjustment, and the distance of two colours there.

use glam::{DMat3, DVec3};

use super::{PLANES, Row};
use crate::model::colour::linear_from_srgb;
use crate::report::canvas::Rgb;

/// Chromaticities of sRGB's primaries and of its white, D65.
const PRIMARIES: [[f64; 2]; 3] = [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]];
const WHITE: [f64; 2] = [0.31271, 0.32902];

/// The exponent of a distance of colours, and the part of the greatest distance ([`KNEE`]) that is mapped to most of
/// all values ([`KNEE_VALUE`]); section 4.3 of the paper.
const COLOUR_EXPONENT: f32 = 0.7;
const KNEE: f32 = 0.4;
const KNEE_VALUE: f32 = 0.95;

/// A row in opponent channels, each with its first and last pixel repeated on both sides.
///
/// With x, y and z relative to white, the channels are y, x-y and y-z: YCxCz without its factors and offset, which
/// filters whose weights sum to 1 do not change.
pub(super) struct Opponent {
    channels: [Vec<f32>; 3],
    margin: usize,
    from_linear: [[f32; 3]; 3],
    linear: [f32; 256],
}

impl Opponent {
    pub(super) fn new(width: usize, margin: usize) -> Self {
        let [x, y, z] = xyz_from_linear()
            .transpose()
            .to_cols_array_2d()
            .map(DVec3::from);
        Self {
            channels: std::array::from_fn(|_| vec![0.0; width + 2 * margin]),
            margin,
            from_linear: [y, x - y, y - z].map(|row| row.as_vec3().to_array()),
            linear: std::array::from_fn(|byte| linear_from_srgb(byte as f64 / 255.0) as f32),
        }
    }

    pub(super) fn read(&mut self, row: &[Rgb]) {
        let inner = self.margin..self.margin + row.len();
        for (channel, [r, g, b]) in self.channels.iter_mut().zip(self.from_linear) {
            for (value, rgb) in channel[inner.clone()].iter_mut().zip(row) {
                let [red, green, blue] = rgb.map(|byte| self.linear[usize::from(byte)]);
                *value = r * red + g * green + b * blue;
            }
            let ends = [channel[inner.start], channel[inner.end - 1]];
            channel[..inner.start].fill(ends[0]);
            channel[inner.end..].fill(ends[1]);
        }
    }

    /// A channel, moved by `offset` pixels, which is at most the margin.
    pub(super) fn moved(&self, channel: usize, offset: isize, width: usize) -> &[f32] {
        &self.channels[channel][self.margin.saturating_add_signed(offset)..][..width]
    }
}

/// The way from filtered opponent channels to a difference.
pub(super) struct Colours {
    xyz_from_linear: [[f32; 3]; 3],
    linear_from_xyz: [[f32; 3]; 3],
    /// The greatest distance of two colours, after the exponent.
    greatest: f32,
}

impl Colours {
    pub(super) fn new() -> Self {
        let matrix = xyz_from_linear();
        let rows = |matrix: DMat3| matrix.transpose().as_mat3().to_cols_array_2d();
        let mut colours = Self {
            xyz_from_linear: rows(matrix),
            linear_from_xyz: rows(matrix.inverse()),
            greatest: 1.0,
        };
        let [green, blue] = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|rgb| colours.hunt(rgb));
        colours.greatest = distance(green, blue).powf(COLOUR_EXPONENT);
        colours
    }

    /// Turns the filtered opponent channels of a row into Hunt-adjusted L\*a\*b\*; edges and points stay.
    pub(super) fn adapt(&self, row: &mut Row) {
        let width = row.len() / PLANES;
        let (first, rest) = row.split_at_mut(width);
        let (second, rest) = rest.split_at_mut(width);
        for ((first, second), third) in first.iter_mut().zip(second).zip(rest) {
            let xyz = [*first + *second, *first, *first - *third];
            let rgb = product(&self.linear_from_xyz, xyz).map(|value| value.clamp(0.0, 1.0));
            [*first, *second, *third] = self.hunt(rgb);
        }
    }

    /// L\*a\*b\* of a linear colour, with a\* and b\* smaller where it is dark.
    fn hunt(&self, linear: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = product(&self.xyz_from_linear, linear).map(lab_curve);
        let lightness = 116.0 * y - 16.0;
        let colourful = 0.01 * lightness;
        [
            lightness,
            colourful * (500.0 * (x - y)),
            colourful * (200.0 * (y - z)),
        ]
    }

    /// The difference of each pixel of two rows, from 0 to 1.
    pub(super) fn differences(&self, reference: &Row, row: &Row, differences: &mut [f32]) {
        let width = differences.len();
        let [expected, found] = [reference, row].map(|row| -> [&[f32]; PLANES] {
            std::array::from_fn(|plane| &row[plane * width..][..width])
        });
        for (x, difference) in differences.iter_mut().enumerate() {
            let colour = |planes: &[&[f32]; PLANES]| [planes[0][x], planes[1][x], planes[2][x]];
            let colour = self.remapped(distance(colour(&expected), colour(&found)));
            let [edge, point] = [3, 4].map(|plane| (expected[plane][x] - found[plane][x]).abs());
            let feature = (edge.max(point) * std::f32::consts::FRAC_1_SQRT_2).min(1.0);
            *difference = colour.powf(1.0 - feature.sqrt());
        }
    }

    /// A distance of colours as a difference from 0 to 1.
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

/// The distance of two colours (HyAB): city blocks between lightness and colour, Euclid's within colour.
fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [lightness, red_green, blue_yellow] = [0, 1, 2].map(|channel| a[channel] - b[channel]);
    lightness.abs() + (red_green * red_green + blue_yellow * blue_yellow).sqrt()
}

/// CIE's curve of lightness: a cube root, and a line near black.
fn lab_curve(value: f32) -> f32 {
    const DELTA: f32 = 6.0 / 29.0;
    if value > DELTA * DELTA * DELTA {
        value.cbrt()
    } else {
        value / (3.0 * DELTA * DELTA) + 4.0 / 29.0
    }
}

fn product(rows: &[[f32; 3]; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    rows.map(|[a, b, c]| a * x + b * y + c * z)
}

/// From linear sRGB to XYZ relative to white: white is 1, 1, 1.
fn xyz_from_linear() -> DMat3 {
    let xyz = |[x, y]: [f64; 2]| DVec3::new(x, y, 1.0 - x - y) / y;
    let [red, green, blue] = PRIMARIES.map(xyz);
    let white = xyz(WHITE);
    let primaries = DMat3::from_cols(red, green, blue);
    let amounts = primaries.inverse() * white;
    DMat3::from_diagonal(1.0 / white) * primaries * DMat3::from_diagonal(amounts)
}
