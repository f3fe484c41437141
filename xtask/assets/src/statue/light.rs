//! What the statue looks like: its matter, the light on each place of it, and how that changes with the direction from
//! which it is seen.

use glam::DVec3;

use super::shape::{Matter, Statue};

/// Where most of the light comes from, and its radiance where it shines straight on.
const SUN: DVec3 = DVec3::new(-0.52, 0.62, 0.59);
const SUN_COLOUR: DVec3 = DVec3::new(1.75, 1.5, 1.2);
/// Terms of harmonics up to degree 2.
pub const TERMS: usize = 9;
/// Directions from which a place is looked at when its harmonics are fitted.
const VIEWS: usize = 64;

/// A place of the surface and what is known of it.
pub struct Place {
    pub at: DVec3,
    pub normal: DVec3,
    pub matter: Matter,
}

/// The part of the sky that a place sees, 0 to 1.
fn openness(statue: &Statue, place: &Place, views: &[DVec3]) -> f64 {
    let mut open = 0.0;
    let mut all = 0.0;
    for view in views.iter().step_by(3) {
        let weight = view.dot(place.normal);
        if weight > 0.05 {
            open += weight * reach(statue, place.at + 0.02 * place.normal, *view, 1.1, 7.0);
            all += weight;
        }
    }
    open / all
}

/// How much of a beam from a place gets as far as `most`, 0 to 1; the sharper, the smaller the source.
fn reach(statue: &Statue, from: DVec3, direction: DVec3, most: f64, sharp: f64) -> f64 {
    let mut way = 0.03;
    let mut open: f64 = 1.0;
    for _ in 0..24 {
        let distance = statue.distance(from + way * direction);
        open = open.min(0.5 + 0.5 * sharp * distance / way);
        if open <= 0.0 || way > most {
            break;
        }
        way += distance.clamp(0.02, 0.25);
    }
    let open = open.clamp(0.0, 1.0);
    open * open * (3.0 - 2.0 * open)
}

/// Light from a direction, as a mirror that is not quite smooth shows it.
fn surroundings(direction: DVec3) -> DVec3 {
    let up = 0.5 + 0.5 * direction.y;
    let sky =
        DVec3::new(0.07, 0.06, 0.06).lerp(DVec3::new(0.26, 0.32, 0.42), up * up * (3.0 - 2.0 * up));
    let lobe = |to: DVec3, narrow: f64| (narrow * (direction.dot(to.normalize()) - 1.0)).exp();
    sky + SUN_COLOUR * 2.2 * lobe(SUN, 13.0)
        + DVec3::new(0.75, 0.6, 0.42) * lobe(DVec3::new(0.9, 0.25, 0.25), 7.0)
        + DVec3::new(0.35, 0.48, 0.7) * lobe(DVec3::new(0.3, 0.4, -0.9), 5.0)
}

/// The coefficients of a place's colour, red, green and blue: constant term first, as a sum with 0.5 in the space of
/// the screen.
pub fn harmonics(statue: &Statue, place: &Place) -> [DVec3; TERMS] {
    let views = views();
    let normal = place.normal;
    let open = openness(statue, place, &views);
    let sun = SUN.normalize();
    let shade = reach(statue, place.at + 0.02 * normal, sun, 4.0, 14.0);
    let direct = SUN_COLOUR * shade * normal.dot(sun).max(0.0);
    let up = 0.5 + 0.5 * normal.y;
    let ambient = DVec3::new(0.17, 0.14, 0.12).lerp(DVec3::new(0.30, 0.36, 0.46), up) * open;
    let light = direct + ambient;
    let Surface { diffuse, mirror } = surface(place, open);
    // The fit counts views from the front most, and asks for small coefficients where few views say anything.
    let mut square = [[0.0; TERMS]; TERMS];
    let mut right = [DVec3::ZERO; TERMS];
    for view in &views {
        let facing = view.dot(normal);
        let weight = facing.max(0.0) + 0.02;
        let terms = terms(*view);
        let mirrored = 2.0 * facing * normal - *view;
        let grazing = (1.0 - facing.clamp(0.0, 1.0)).powi(5);
        let tint = mirror + (DVec3::ONE - mirror) * grazing * 0.35;
        let glint = surroundings(mirrored) * tint * (0.25 * open + 0.75 * open * open.max(shade));
        let seen = screen(diffuse * light + glint) - 0.5;
        for row in 0..TERMS {
            right[row] += weight * terms[row] * seen;
            for column in 0..TERMS {
                square[row][column] += weight * terms[row] * terms[column];
            }
        }
    }
    for (index, row) in square.iter_mut().enumerate() {
        row[index] += if index == 0 { 1e-6 } else { 0.25 };
    }
    solved(square, right)
}

/// How a place reflects light: in all directions, and as a mirror.
struct Surface {
    diffuse: DVec3,
    mirror: DVec3,
}

fn surface(place: &Place, open: f64) -> Surface {
    let spot = |scale: f64, salt: f64| clouds(place.at * scale + salt);
    match place.matter {
        Matter::Bronze => {
            // Green where water stands and hands do not reach, bare where they do.
            let hidden = (1.25 - 1.3 * open + 0.75 * (spot(3.1, 7.0) - 0.5)).clamp(0.0, 1.0);
            let green = hidden * hidden * (3.0 - 2.0 * hidden);
            let bare = DVec3::new(0.10, 0.055, 0.026) * (0.8 + 0.5 * spot(9.0, 3.0));
            let patina = DVec3::new(0.10, 0.25, 0.20) * (0.7 + 0.6 * spot(14.0, 1.0));
            Surface {
                diffuse: bare.lerp(patina, green),
                mirror: DVec3::new(0.56, 0.34, 0.16) * (1.0 - 0.88 * green),
            }
        }
        Matter::Stone => {
            let vein = 1.0 - (2.0 * spot(1.9, 11.0) - 1.0).abs() * 4.0;
            let vein = (vein.max(0.0)).powi(2) * 0.55;
            let grain = 0.9 + 0.2 * spot(22.0, 5.0);
            let dirt = (1.0 - open) * 0.45;
            Surface {
                diffuse: DVec3::new(0.60, 0.55, 0.48) * grain * (1.0 - vein) * (1.0 - dirt)
                    + DVec3::new(0.10, 0.11, 0.13) * vein,
                mirror: DVec3::splat(0.035),
            }
        }
    }
}

/// Smooth noise of a few octaves, about 0 to 1.
fn clouds(place: DVec3) -> f64 {
    let mut sum = 0.0;
    let mut size = 0.5;
    let mut at = place;
    for _ in 0..4 {
        sum += size * crate::noise(17, (at + 4096.0).to_array());
        at = DVec3::new(at.y * 2.03 + 1.7, at.z * 2.01 - 0.4, at.x * 2.02 + 3.1);
        size *= 0.5;
    }
    sum / 0.9375
}

/// Light as the screen shows it: bright light is bent towards white, and the whole encoded as sRGB is, nearly.
fn screen(light: DVec3) -> DVec3 {
    let bent = (light * (2.51 * light + 0.03)) / (light * (2.43 * light + 0.59) + 0.14);
    bent.clamp(DVec3::ZERO, DVec3::ONE).powf(1.0 / 2.2)
}

/// Directions all around, evenly.
fn views() -> Vec<DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let view = |index: usize| {
        let height = 1.0 - 2.0 * (index as f64 + 0.5) / VIEWS as f64;
        let ring = (1.0 - height * height).sqrt();
        let around = golden * index as f64;
        DVec3::new(ring * around.cos(), height, ring * around.sin())
    };
    (0..VIEWS).map(view).collect()
}

/// The terms for a camera that sees the place from `view`. Harmonics are of the direction from the camera to the splat.
fn terms(view: DVec3) -> [f64; TERMS] {
    let DVec3 { x, y, z } = -view;
    [
        0.282_094_791_773_878_14,
        -0.488_602_511_902_919_9 * y,
        0.488_602_511_902_919_9 * z,
        -0.488_602_511_902_919_9 * x,
        1.092_548_430_592_079_2 * x * y,
        -1.092_548_430_592_079_2 * y * z,
        0.315_391_565_252_520_05 * (2.0 * z * z - x * x - y * y),
        -1.092_548_430_592_079_2 * x * z,
        0.546_274_215_296_039_6 * (x * x - y * y),
    ]
}

/// Solves a symmetric system for three right sides, by elimination; its diagonal is never small.
fn solved(mut square: [[f64; TERMS]; TERMS], mut right: [DVec3; TERMS]) -> [DVec3; TERMS] {
    for pivot in 0..TERMS {
        for row in pivot + 1..TERMS {
            let factor = square[row][pivot] / square[pivot][pivot];
            let above = square[pivot];
            for (value, above) in square[row].iter_mut().zip(above) {
                *value -= factor * above;
            }
            let above = right[pivot];
            right[row] -= factor * above;
        }
    }
    for row in (0..TERMS).rev() {
        let known: DVec3 = (row + 1..TERMS)
            .map(|column| square[row][column] * right[column])
            .sum();
        right[row] = (right[row] - known) / square[row][row];
    }
    right
}
