//! The colours of a difference on a logarithmic scale, and its colour bar. Touches nothing but the canvas it is given.
//!
//! The colours run from indigo over blue, teal and green to pale yellow in even steps of perceived
//! lightness, so brighter is always worse. They stay far from magenta, which means *not finite*.

use super::canvas::{Canvas, Reduce, Rgb};
use super::layout::{LINE, SMALL};
use super::range::DifferenceRange;
use super::text::{Align, Typefaces};

/// The colour of a difference of exactly zero: nearly black, darker than the whole scale.
pub const EQUAL: Rgb = [8, 8, 10];
/// The colour of a pixel that is NaN or infinite.
pub const NOT_FINITE: Rgb = [255, 0, 255];

/// Steps between the colours of the scale.
const STEPS: usize = 9;

/// The colours of the scale. Made in Oklch: lightness 0.31 to 0.97 and hue 292 to 107 degrees in
/// even steps, chroma the most that sRGB holds there but at most 0.17.
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

/// The colours of the scale in even steps from its low to its high end, sRGB, 0…1: the window shows differences and
/// debug views by them, through `shaders/inspect/present.wesl`.
pub const RAMP: [[f32; 3]; STEPS + 1] = {
    let mut ramp = [[0.0; 3]; STEPS + 1];
    let mut at = 0;
    while at < 3 * ramp.len() {
        ramp[at / 3][at % 3] = COLOURS[at / 3][at % 3] as f32 / 255.0;
        at += 1;
    }
    ramp
};

/// Height of the coloured part of the bar, in pixels.
const BAR: u32 = 14;
/// Height of the bar with its ticks and labels, in pixels.
pub const BAR_HEIGHT: i32 = 42;
/// Room for a label of the bar, in pixels.
const LABEL_WIDTH: u32 = 60;
/// Side of a swatch of the legend, in pixels.
const SWATCH: u32 = 14;

/// The colour of an absolute difference on the scale of `range`.
#[must_use]
pub fn colour(difference: f32, range: DifferenceRange) -> Rgb {
    if !super::metrics::is_finite(difference) {
        return NOT_FINITE;
    }
    if difference == 0.0 {
        return EQUAL;
    }
    at(range.share(difference))
}

/// How to scale a difference picture down: the worst pixel of each area stays, so that no difference
/// and no NaN is lost in a thumbnail.
pub const KEEP_WORST: Reduce = Reduce::Greatest(rank);

/// Orders the colours of the scale by the difference they stand for (to one byte step of the
/// colour), `NOT_FINITE` above all.
fn rank(colour: Rgb) -> u32 {
    if colour == NOT_FINITE {
        return u32::MAX;
    }
    let [r, g, b] = colour.map(u32::from);
    2126 * r + 7152 * g + 722 * b
}

/// The colour at a share of the way from the scale's low end, 0, to its high end, 1.
pub fn at(share: f64) -> Rgb {
    let place = share.clamp(0.0, 1.0) * STEPS as f64;
    let below = (place as usize).min(STEPS - 1);
    let part = place - below as f64;
    std::array::from_fn(|channel| {
        let [from, to] = [below, below + 1].map(|step| f64::from(COLOURS[step][channel]));
        (from + (to - from) * part).round() as u8
    })
}

/// Draws the colour bar of `range`, `width` pixels wide and [`BAR_HEIGHT`] high with its labels, its top left
/// corner at `at`.
pub fn draw_bar(
    canvas: &mut Canvas,
    faces: &Typefaces,
    [left, top]: [i32; 2],
    width: u32,
    range: DifferenceRange,
) {
    let last = f64::from(width.max(2) - 1);
    for column in 0..width {
        let colour = at(f64::from(column) / last);
        canvas.fill([left + column as i32, top], [1, BAR], colour);
    }
    canvas.frame([left, top], [width, BAR], LINE);
    for tick in range.ticks((width / LABEL_WIDTH) as usize) {
        let x = left + (last * tick.share).round() as i32;
        let length = if tick.label.is_some() { 6 } else { 3 };
        canvas.fill([x, top + BAR as i32 + 1], [1, length], LINE);
        if let Some(label) = tick.label {
            let (align, x) = match tick.share {
                ..=0.0 => (Align::Left, x - 1),
                1.0.. => (Align::Right, x + 2),
                _ => (Align::Center, x),
            };
            let baseline = [x, top + BAR_HEIGHT - 5];
            faces.draw(canvas, SMALL, align, baseline, &label);
        }
    }
}

/// The scale of `range` in words.
#[must_use]
pub fn range_text(range: DifferenceRange) -> String {
    format!("log scale, {}", range.text())
}

/// Width of the legend of the two special colours, in pixels.
#[must_use]
pub fn legend_width(faces: &Typefaces) -> u32 {
    let swatch = |(_, name): &(Rgb, &str)| SWATCH + 8 + faces.width(SMALL, name).ceil() as u32;
    LEGEND.iter().map(swatch).sum::<u32>() + LEGEND_GAP
}

const LEGEND: [(Rgb, &str); 2] = [(EQUAL, "equal"), (NOT_FINITE, "NaN or infinite")];
const LEGEND_GAP: u32 = 22;

/// Draws the legend of the two special colours, its top left corner at `at`.
pub fn draw_legend(canvas: &mut Canvas, faces: &Typefaces, at: [i32; 2]) {
    let mut x = at[0];
    for (colour, name) in LEGEND {
        canvas.fill([x, at[1]], [SWATCH, SWATCH], colour);
        canvas.frame([x, at[1]], [SWATCH, SWATCH], LINE);
        x += SWATCH as i32 + 8;
        let baseline = [x, at[1] + SWATCH as i32 - 2];
        faces.draw(canvas, SMALL, Align::Left, baseline, name);
        x += faces.width(SMALL, name).ceil() as i32 + LEGEND_GAP as i32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(difference: f32) -> Rgb {
        super::colour(difference, DifferenceRange::default())
    }

    #[test]
    fn a_greater_difference_is_never_darker() {
        let steps = (0..=9000).map(|step| 10.0_f64.powf(f64::from(step) / 1000.0 - 9.0) as f32);
        let ranks: Vec<u32> = steps.map(|difference| rank(colour(difference))).collect();
        // Each channel is rounded on its own, so neighbours may be out of order by one byte step.
        const BYTE_STEP: u32 = 2126 + 7152 + 722;
        let mut greatest = 0;
        for rank in &ranks {
            assert!(rank + BYTE_STEP > greatest);
            greatest = greatest.max(*rank);
        }
        // Every tenth of a decade is another colour: flat stretches would hide differences.
        let tenths: Vec<u32> = ranks.iter().step_by(100).copied().collect();
        assert!(tenths.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn zero_and_not_finite_have_colours_of_their_own() {
        assert_eq!([colour(0.0), colour(-0.0)], [EQUAL; 2]);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(colour(bad), NOT_FINITE);
        }
        assert!(rank(EQUAL) < rank(colour(f32::from_bits(1))));
        assert!(rank(colour(f32::MAX)) < rank(NOT_FINITE));
    }

    #[test]
    fn no_colour_of_the_scale_comes_near_magenta() {
        let distance = |a: Rgb| {
            let square = |(a, b): (u8, u8)| (i32::from(a) - i32::from(b)).pow(2);
            a.into_iter().zip(NOT_FINITE).map(square).sum::<i32>()
        };
        for step in 0..=900 {
            let colour = at(f64::from(step) / 900.0);
            assert!(distance(colour) > 150 * 150, "{colour:?}");
        }
        assert!(distance([200, 0, 200]) < 150 * 150, "negative control");
    }

    #[test]
    fn the_scale_is_clamped_at_both_ends() {
        assert_eq!(colour(1e-30), COLOURS[0]);
        assert_eq!(colour(1e-9), COLOURS[0]);
        assert_ne!(colour(1.1e-9), COLOURS[0]);
        assert_eq!([colour(1.0), colour(3e38)], [COLOURS[STEPS]; 2]);
        assert_eq!(colour(1e-4), COLOURS[5]);
        let narrow = DifferenceRange::new(-6, -5).expect("a range");
        let of = |difference| super::colour(difference, narrow);
        assert_eq!([of(1e-9), of(1e-4)], [COLOURS[0], COLOURS[STEPS]]);
        assert_eq!([of(0.0), of(f32::NAN)], [EQUAL, NOT_FINITE]);
    }

    #[test]
    fn a_thumbnail_keeps_the_worst_pixel() {
        let mut canvas = Canvas::filled([300, 200], colour(1e-3));
        canvas.fill([10, 10], [1, 1], colour(0.5));
        canvas.fill([200, 100], [1, 1], NOT_FINITE);
        let small = canvas.shrunk([30, 20], KEEP_WORST);
        assert_eq!(small.get([1, 1]), Some(colour(0.5)));
        assert_eq!(small.get([20, 10]), Some(NOT_FINITE));
        assert_eq!(small.get([5, 5]), Some(colour(1e-3)));
    }
}
