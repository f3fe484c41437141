//! Colours of differences on a logarithmic scale.
//!
//! The colours run from indigo through blue, teal and green to pale yellow, evenly spaced in perceived lightness, so
//! brighter is always worse. They stay far from magenta, which means *not finite*.

use super::canvas::{Canvas, Rgb};
use super::range::DifferenceRange;
use super::wrong_count;
use crate::error::Result;

/// Colour of a zero difference: nearly black, darker than the whole scale.
pub const EQUAL: Rgb = [8, 8, 10];
pub const NOT_FINITE: Rgb = [255, 0, 255];

const STEPS: usize = 9;

/// Colours of the scale, made in Oklch: lightness 0.31 to 0.97 and hue 292 to 107 degrees, evenly spaced. Chroma is the
/// highest that sRGB can show at each step, at most 0.17.
pub const COLOURS: [Rgb; STEPS + 1] = [
    [56, 3, 124],
    [40, 49, 156],
    [1, 88, 157],
    [0, 118, 157],
    [2, 146, 163],
    [1, 174, 166],
    [6, 204, 157],
    [108, 227, 132],
    [189, 242, 110],
    [255, 252, 144],
];

/// The same colours with components from 0 to 1 for `shaders/inspect/present.wesl`.
pub const RAMP: [[f32; 3]; STEPS + 1] = {
    let mut ramp = [[0.0; 3]; STEPS + 1];
    let mut at = 0;
    while at < 3 * ramp.len() {
        ramp[at / 3][at % 3] = COLOURS[at / 3][at % 3] as f32 / 255.0;
        at += 1;
    }
    ramp
};

pub fn colour(difference: f32, range: DifferenceRange) -> Rgb {
    if !difference.is_finite() {
        return NOT_FINITE;
    }
    if difference == 0.0 {
        return EQUAL;
    }
    at(range.share(difference))
}

/// Paints `differences`, one per pixel of a picture of `size`, as in `diff_METHOD.png`.
pub fn painted(size: [u32; 2], differences: &[f32], range: DifferenceRange) -> Result<Canvas> {
    let colours = differences.iter().map(|of| colour(*of, range));
    let painted = Canvas::from_pixels(size, colours.collect());
    painted.ok_or_else(|| wrong_count(size, differences.len()))
}

/// Colour at a position on the scale, from 0 (low end) to 1 (high end).
pub fn at(share: f64) -> Rgb {
    let place = share.clamp(0.0, 1.0) * STEPS as f64;
    let below = (place as usize).min(STEPS - 1);
    let part = place - below as f64;
    std::array::from_fn(|channel| {
        let [from, to] = [below, below + 1].map(|step| f64::from(COLOURS[step][channel]));
        (from + (to - from) * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(difference: f32) -> Rgb {
        super::colour(difference, DifferenceRange::default())
    }

    #[test]
    fn a_greater_difference_is_lighter_and_zero_and_not_finite_have_colours_of_their_own() {
        let light = |[r, g, b]: Rgb| 2126 * u32::from(r) + 7152 * u32::from(g) + 722 * u32::from(b);
        // Every tenth of a decade has its own colour. Stretches of one colour would hide differences.
        let tenths = (0..=90).map(|step| 10.0_f64.powf(f64::from(step) / 10.0 - 9.0) as f32);
        let tenths: Vec<u32> = tenths.map(|of| light(colour(of))).collect();
        assert!(tenths.is_sorted_by(|a, b| a < b));
        assert_eq!([colour(0.0), colour(-0.0)], [EQUAL; 2]);
        assert!(light(EQUAL) < light(colour(f32::from_bits(1))));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(colour(bad), NOT_FINITE);
        }
    }
}
