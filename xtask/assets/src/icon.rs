//! The icon: four panes of coloured glass one behind the other, composited front to back in linear light.

/// Edge of the icon, pixels.
pub const EDGE: u32 = 256;
/// Samples across and down a pixel.
const SAMPLES: u32 = 4;

/// A pane: where its middle is, in edges of the icon, and its colour in linear light.
struct Pane {
    middle: [f64; 2],
    colour: [f64; 3],
}

/// The panes, front to back.
const PANES: [Pane; 4] = [
    pane(0.35, [0.02, 0.42, 0.85]),
    pane(0.45, [0.05, 0.75, 0.50]),
    pane(0.55, [1.00, 0.62, 0.08]),
    pane(0.65, [0.90, 0.10, 0.16]),
];
/// Opacity of a pane, and of its rim.
const OPACITY: [f64; 2] = [0.55, 0.92];
/// Half the width and half the height of a pane, the radius of its corners and the width of its rim, in edges.
const HALF: [f64; 2] = [0.21, 0.27];
const CORNER: f64 = 0.05;
const RIM: f64 = 0.012;
/// How far a pane's right side is above its left one, per width: the panes are seen at an angle.
const SLOPE: f64 = -0.45;

const fn pane(across: f64, colour: [f64; 3]) -> Pane {
    // The farther back, the farther to the right and up.
    let middle = [across, 0.5 + (0.5 - across) * 0.45];
    Pane { middle, colour }
}

/// RGBA bytes of the icon, row by row, not premultiplied.
pub fn pixels() -> Vec<u8> {
    let pixels = (0..EDGE * EDGE).map(|index| pixel(index % EDGE, index / EDGE));
    pixels.flatten().collect()
}

/// The mean of a pixel's samples.
fn pixel(x: u32, y: u32) -> [u8; 4] {
    let place = |pixel: u32, sample: u32| {
        (f64::from(pixel) + (f64::from(sample) + 0.5) / f64::from(SAMPLES)) / f64::from(EDGE)
    };
    let mut sum = [0.0; 4];
    for sample in 0..SAMPLES * SAMPLES {
        let at = [place(x, sample % SAMPLES), place(y, sample / SAMPLES)];
        for (sum, part) in sum.iter_mut().zip(composite(at)) {
            *sum += part / f64::from(SAMPLES * SAMPLES);
        }
    }
    let [red, green, blue, alpha] = sum;
    let byte = |part: f64| (part * 255.0).round() as u8;
    let colour = |part: f64| byte(encoded(part / alpha.max(1e-6)));
    [colour(red), colour(green), colour(blue), byte(alpha)]
}

/// What is seen at a place: premultiplied colour and alpha of all panes, front to back.
fn composite(at: [f64; 2]) -> [f64; 4] {
    let mut seen = [0.0; 4];
    for pane in &PANES {
        let inside = -distance(pane, at);
        if inside > 0.0 {
            let opacity = OPACITY[usize::from(inside < RIM)];
            let weight = (1.0 - seen[3]) * opacity;
            let [red, green, blue] = pane.colour;
            for (seen, part) in seen.iter_mut().zip([red, green, blue, 1.0]) {
                *seen += weight * part;
            }
        }
    }
    seen
}

/// Distance from a pane's outline in the plane of the pane, below 0 inside.
fn distance(pane: &Pane, at: [f64; 2]) -> f64 {
    let across = at[0] - pane.middle[0];
    let down = at[1] - pane.middle[1] - SLOPE * across;
    let [x, y] = [
        across.abs() - HALF[0] + CORNER,
        down.abs() - HALF[1] + CORNER,
    ];
    x.max(0.0).hypot(y.max(0.0)) + x.max(y).min(0.0) - CORNER
}

/// sRGB of a linear value.
fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        return 12.92 * linear;
    }
    (1.055 * linear.powf(1.0 / 2.4) - 0.055).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_panes_overlap_less_shines_through_and_the_front_one_has_the_most_weight() {
        let alone = composite([0.16, 0.6]);
        let overlap = composite([0.4, 0.5]);
        assert!((alone[3] - OPACITY[0]).abs() < 1e-9, "{alone:?}");
        assert!(overlap[3] > 0.9 && overlap[2] > overlap[0], "{overlap:?}");
        assert_eq!(composite([0.01, 0.01]), [0.0; 4]);
    }
}
