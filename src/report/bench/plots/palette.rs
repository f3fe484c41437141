//! Colours: one per method, the same in every picture.

use super::page::Marker;
use crate::model::colour::linear_from_srgb;
use crate::model::methods::Method;
use crate::report::canvas::Rgb;

/// The colour of each method by its place in the table. They were chosen by a search, so that all pairs can be
/// told apart by readers with two kinds of cones as well; the test below says how far apart they are.
const METHODS: [Rgb; 16] = [
    [120, 150, 135],
    [90, 45, 0],
    [135, 75, 165],
    [45, 150, 225],
    [135, 180, 195],
    [15, 0, 240],
    [195, 225, 15],
    [60, 105, 255],
    [195, 120, 15],
    [180, 180, 30],
    [105, 225, 255],
    [150, 75, 0],
    [75, 120, 105],
    [75, 15, 135],
    [90, 75, 90],
    [225, 195, 150],
];

/// The order in which passes of a frame take these colours, so that neighbours in a bar differ much.
const PASSES: [usize; 16] = [3, 8, 10, 2, 15, 7, 9, 1, 4, 11, 0, 5, 6, 14, 12, 13];

/// The markers of methods. Neighbours in the table have different ones.
const MARKERS: [Marker; 5] = [
    Marker::Circle,
    Marker::Square,
    Marker::Up,
    Marker::Diamond,
    Marker::Down,
];

/// A method's colour.
#[must_use]
pub fn colour(method: Method) -> Rgb {
    METHODS[method as usize % METHODS.len()]
}

/// A method's marker.
#[must_use]
pub fn marker(method: Method) -> Marker {
    MARKERS[method as usize % MARKERS.len()]
}

/// The colour of the pass at a place in the frame.
#[must_use]
pub fn pass(index: usize) -> Rgb {
    METHODS[PASSES[index % PASSES.len()]]
}

/// A colour halfway to white. It shows a method at a dial of several pixels per thread.
#[must_use]
pub fn lighter(colour: Rgb) -> Rgb {
    colour.map(|byte| byte.midpoint(u8::MAX))
}

/// Black or white, whichever is easier to read on a colour.
#[must_use]
pub fn on(colour: Rgb) -> Rgb {
    let [r, g, b] = linear(colour);
    let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    // At this luminance the contrast of WCAG 2 is the same to black and to white.
    if luminance > 0.179 { [0; 3] } else { [255; 3] }
}

fn linear(colour: Rgb) -> [f64; 3] {
    colour.map(|byte| linear_from_srgb(f64::from(byte) / 255.0))
}

/// A method's number in the legend.
#[must_use]
pub fn number(method: Method) -> String {
    (method as usize + 1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::TABLE;

    /// What is left of linear rgb without one kind of cone, and how much the difference counts
    /// (Machado, Oliveira and Fernandes 2009, severity 1; the third kind is rare).
    const EYES: [([[f64; 3]; 3], f64); 4] = [
        ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1.0),
        (
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            1.0,
        ),
        (
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            1.0,
        ),
        (
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
            0.7,
        ),
    ];

    /// Oklab (Ottosson 2020) of linear rgb.
    fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
        [
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
        ]
    }

    fn distance(a: Rgb, b: Rgb) -> f64 {
        let seen = |colour: Rgb, matrix: [[f64; 3]; 3]| {
            let rgb = linear(colour);
            oklab(matrix.map(|row| {
                let sum: f64 = row
                    .iter()
                    .zip(rgb)
                    .map(|(weight, value)| weight * value)
                    .sum();
                sum.clamp(0.0, 1.0)
            }))
        };
        let apart = EYES.map(|(matrix, weight)| {
            let [a, b] = [a, b].map(|colour| seen(colour, matrix));
            let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt() / weight
        });
        apart.into_iter().fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn all_methods_keep_apart_for_every_eye() {
        for (i, &a) in METHODS.iter().enumerate() {
            for &b in &METHODS[..i] {
                let apart = distance(a, b);
                assert!(apart > 0.1, "{a:?} and {b:?} are {apart:.3} apart");
            }
            assert!(distance(a, [255; 3]) > 0.1, "{a:?} is lost on paper");
        }
        // Negative control: the red and green of traffic lights are one colour to many.
        assert!(distance([200, 60, 50], [110, 110, 40]) < 0.1);
    }

    #[test]
    fn there_are_colours_for_every_method_and_markers_for_neighbours() {
        assert!(TABLE.len() <= METHODS.len());
        let markers: Vec<Marker> = Method::all().map(marker).collect();
        assert!(markers.windows(2).all(|pair| pair[0] != pair[1]));
        let mut order = PASSES;
        order.sort_unstable();
        assert_eq!(order.to_vec(), (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn text_can_be_read_on_every_colour() {
        let luminance = |colour| {
            let [r, g, b] = linear(colour);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for colour in METHODS
            .into_iter()
            .flat_map(|colour| [colour, lighter(colour)])
        {
            let [a, b] = [luminance(colour), luminance(on(colour))];
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{colour:?}: {contrast:.1}");
        }
    }
}
