//! Colours with a fixed meaning in all charts, pages and panes: one per pass, one per family of exact methods, and one
//! for all approximate methods. Methods of a family differ in dashes and markers. Blue and orange are reserved for A
//! and B.

use super::canvas::Rgb;
use crate::model::colour::linear_from_srgb;
use crate::model::methods::{Group, Method};
use crate::model::passes::Pass;
use crate::model::samples::distinct;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub colour: Rgb,
    /// Lengths of dashes and gaps in SVG syntax. Empty for a solid line.
    pub dash: &'static str,
    /// SVG path of a marker around the origin, with a radius of about 1.
    pub marker: &'static str,
}

/// Marker shapes, enough for the largest family of exact methods.
pub const MARKERS: [&str; 8] = [
    "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1-1 0Z",
    "M-.9-.9H.9V.9H-.9Z",
    "M0-1.1L1.1.9H-1.1Z",
    "M0-1.3L1.3 0L0 1.3L-1.3 0Z",
    "M0 1.1L1.1-.9H-1.1Z",
    "M-1.1-.6L-.6-1.1L0-.5L.6-1.1L1.1-.6L.5 0L1.1.6L.6 1.1L0 .5L-.6 1.1L-1.1.6L-.5 0Z",
    "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
    "M1.2 0L-.9 1.1V-1.1Z",
];
const DASHES: [&str; 4] = ["", "7 3", "2 2.5", "8 2.5 2 2.5"];

/// Colours of a frame's passes in order, then of the window's pass. A search found muted colours, neither blue nor
/// orange, with neighbours that stay distinct for colour-blind readers.
const OF_A_FRAME: [Rgb; Pass::ALL.len() + 1] = [
    [181, 158, 59],
    [42, 81, 58],
    [130, 111, 72],
    [124, 173, 123],
    [70, 50, 110],
    [158, 126, 118],
    [198, 169, 252],
    [112, 83, 11],
    [120, 109, 189],
    [205, 141, 210],
    [167, 188, 97],
    [134, 55, 100],
    [78, 212, 189],
    [166, 93, 149],
];

/// Colour of a pass. Grey for passes outside a frame.
pub fn pass(pass: Pass) -> Rgb {
    let place = pass as usize;
    let beside = || [60 + 18 * (place - OF_A_FRAME.len()) as u8; 3];
    OF_A_FRAME.get(place).copied().unwrap_or_else(beside)
}

/// Colour of the pass with the given `label` in a record. Grey for a pass that no longer exists.
pub fn labelled(label: &str) -> Rgb {
    let of = Pass::ALL.into_iter().find(|pass| pass.label() == label);
    of.map_or([128; 3], pass)
}

/// Colour of a method's family, or the single colour of all approximate methods. The same search also kept these
/// colours distinct from light and dark backgrounds.
pub fn colour(method: Method) -> Rgb {
    match method.entry().group {
        // More colours would be indistinguishable.
        _ if !method.is_exact() => [139, 32, 134],
        Group::PerPixel => [109, 80, 75],
        Group::PerWave => [103, 68, 197],
        Group::Staged => [55, 138, 33],
        Group::SplitDepth => [188, 89, 140],
        Group::Batches => [206, 151, 187],
        Group::Blended => [152, 178, 36],
        Group::Auto | Group::AnyOrder => [166, 112, 243],
    }
}

pub fn look(method: Method) -> Look {
    let own = colour(method);
    let before = Method::all().take_while(|other| *other != method);
    let place = before.filter(|other| colour(*other) == own).count();
    let families = Method::all().map(colour).take_while(|of| *of != own);
    let family = distinct(families).len();
    Look {
        colour: own,
        dash: DASHES[(place + place / MARKERS.len()) % DASHES.len()],
        // Families start at different markers, for readers who cannot use the colours.
        marker: MARKERS[(family + place) % MARKERS.len()],
    }
}

/// A colour halfway to white, for a method with several pixels per thread.
pub fn lighter(colour: Rgb) -> Rgb {
    colour.map(|byte| byte.midpoint(u8::MAX))
}

/// Black or white, whichever is more legible on `colour`.
pub fn on(colour: Rgb) -> Rgb {
    // At this luminance, the WCAG 2 contrast with black equals the contrast with white.
    if luminance(colour) > 0.179 {
        [0; 3]
    } else {
        [255; 3]
    }
}

fn linear(colour: Rgb) -> [f64; 3] {
    colour.map(|byte| linear_from_srgb(f64::from(byte) / 255.0))
}

fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = linear(colour);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families() -> Vec<Rgb> {
        distinct(Method::all().map(colour))
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let [a, b] = [a, b].map(luminance);
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn no_two_methods_look_alike() {
        let looks: Vec<Look> = Method::all().map(look).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "{look:?}");
        }
    }

    #[test]
    fn text_can_be_read_on_every_colour() {
        for colour in families().into_iter().chain(OF_A_FRAME) {
            for colour in [colour, lighter(colour)] {
                let contrast = contrast(colour, on(colour));
                assert!(contrast >= 4.5, "{colour:?}: {contrast:.1}");
            }
        }
    }
}
