//! The statue as a field of distances: a bust in bronze with curled hair and a cloak, on a plinth of stone. Lengths
//! here are in heads; y is up, the face looks along z.

use glam::{DVec2, DVec3};

/// What a place of the surface is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matter {
    Bronze,
    Stone,
}

/// Lowest and highest corners of a box around the statue.
pub const BOUNDS: [DVec3; 2] = [DVec3::new(-1.9, -4.75, -1.7), DVec3::new(1.9, 1.5, 1.5)];
/// How many curls the hair has.
const CURLS: usize = 190;

/// The statue, with its curls in place.
pub struct Statue {
    curls: Vec<Curl>,
}

/// A curl: a flat dome around an axis that stands on the head, with a groove that winds left or right around it.
struct Curl {
    middle: DVec3,
    axis: DVec3,
    side: DVec3,
    radius: f64,
    /// 1 or -1.
    turn: f64,
}

impl Statue {
    /// Lays the curls on the hair, evenly and each a little different.
    pub fn new() -> Self {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let on_head = |index: usize| {
            let height = 1.0 - 2.0 * (index as f64 + 0.5) / CURLS as f64;
            let around = golden * index as f64;
            let ring = (1.0 - height * height).sqrt();
            let axis = DVec3::new(ring * around.cos(), height, ring * around.sin());
            let vary = |salt: f64| (index as f64 * 12.9898 + salt).sin().abs();
            let turned =
                (axis + 0.35 * DVec3::new(vary(1.0), vary(2.0), vary(3.0)) - 0.17).normalize();
            Curl {
                middle: HAIR + axis * HAIR_RADII * (1.0 + 0.02 * vary(4.0)),
                axis: turned,
                side: turned.any_orthonormal_vector(),
                radius: 0.125 + 0.03 * vary(5.0),
                turn: if index.is_multiple_of(2) { 1.0 } else { -1.0 },
            }
        };
        let curls = (0..CURLS).map(on_head);
        Self {
            curls: curls.filter(|curl| hairline(curl.middle) < 0.05).collect(),
        }
    }

    /// How far a place is from the surface, negative inside; never much more than it really is.
    pub fn distance(&self, place: DVec3) -> f64 {
        let stone = stone(place);
        // All bronze is above the plinth.
        if -3.42 - place.y > stone {
            return stone;
        }
        self.bronze(place).min(stone)
    }

    /// What the nearest surface is made of.
    pub fn matter(&self, place: DVec3) -> Matter {
        if self.bronze(place) < stone(place) {
            Matter::Bronze
        } else {
            Matter::Stone
        }
    }

    fn bronze(&self, place: DVec3) -> f64 {
        // Where one is far away, its details do not matter.
        let far = (place - DVec3::new(0.0, -0.1, 0.0)).length() - 1.9;
        let below = place.y + 0.75;
        let bust = if below > 0.4 { below } else { bust(place) };
        if far > 0.4 {
            return smooth_min(far, bust, 0.22);
        }
        // The head looks over the left shoulder; the neck turns with it.
        let part = ((place.y + 1.75) / 1.2).clamp(0.0, 1.0);
        let (sin, cos) = (0.42 * part * part * (3.0 - 2.0 * part)).sin_cos();
        let z = place.z + 0.2;
        let ahead = DVec3::new(
            cos * place.x - sin * z,
            place.y,
            sin * place.x + cos * z - 0.2,
        );
        smooth_min(self.head(ahead), bust, 0.22)
    }

    fn head(&self, place: DVec3) -> f64 {
        let p = DVec3::new(place.x.abs(), place.y, place.z);
        let skull = ellipsoid(
            p,
            DVec3::new(0.0, 0.28, -0.14),
            DVec3::new(0.76, 0.82, 0.93),
        );
        let face = ellipsoid(
            p,
            DVec3::new(0.0, -0.26, 0.16),
            DVec3::new(0.60, 0.86, 0.68),
        );
        let mut head = smooth_min(skull, face, 0.25);
        head = smooth_min(
            head,
            rod(p, [0.0, -0.93, 0.50], [0.13, -0.92, 0.44], 0.17, 0.15),
            0.22,
        );
        head = smooth_min(
            head,
            rod(p, [0.24, -0.84, 0.40], [0.56, -0.45, -0.02], 0.12, 0.12),
            0.22,
        );
        head = smooth_min(head, ball(p, [0.40, -0.24, 0.50], 0.17), 0.20);
        // Brow, sockets, eyes, which are closed.
        head = smooth_min(
            head,
            rod(p, [0.06, 0.09, 0.79], [0.46, 0.10, 0.58], 0.085, 0.06),
            0.10,
        );
        head = smooth_max(head, -ball(p, [0.27, -0.07, 0.90], 0.19), 0.10);
        head = smooth_min(head, ball(p, [0.265, -0.075, 0.620], 0.132), 0.03);
        let lids = rod(
            p,
            [0.150, -0.098, 0.680],
            [0.225, -0.124, 0.736],
            0.014,
            0.018,
        )
        .min(rod(
            p,
            [0.225, -0.124, 0.736],
            [0.310, -0.122, 0.734],
            0.018,
            0.018,
        ))
        .min(rod(
            p,
            [0.310, -0.122, 0.734],
            [0.385, -0.096, 0.680],
            0.018,
            0.014,
        ));
        head = smooth_max(head, -lids, 0.022);
        // Nose, lips, ears.
        head = smooth_min(
            head,
            rod(p, [0.0, 0.06, 0.79], [0.0, -0.32, 0.95], 0.052, 0.078),
            0.09,
        );
        head = smooth_min(head, ball(p, [0.0, -0.345, 0.955], 0.084), 0.05);
        head = smooth_min(head, ball(p, [0.092, -0.375, 0.875], 0.062), 0.05);
        head = smooth_max(head, -ball(p, [0.055, -0.445, 0.905], 0.028), 0.03);
        head = smooth_min(
            head,
            rod(
                p,
                [0.02, -0.575, 0.845],
                [0.19, -0.625, 0.735],
                0.052,
                0.022,
            ),
            0.05,
        );
        head = smooth_min(
            head,
            rod(p, [0.0, -0.705, 0.825], [0.16, -0.665, 0.745], 0.062, 0.025),
            0.05,
        );
        head = smooth_max(
            head,
            -rod(p, [0.0, -0.638, 0.905], [0.23, -0.642, 0.765], 0.022, 0.018),
            0.03,
        );
        head = smooth_max(
            head,
            -rod(p, [0.0, -0.47, 0.93], [0.0, -0.54, 0.92], 0.022, 0.025),
            0.05,
        );
        let ear = ellipsoid(
            p,
            DVec3::new(0.70, -0.16, -0.10),
            DVec3::new(0.08, 0.21, 0.14),
        );
        head = smooth_min(
            head,
            smooth_max(ear, -ball(p, [0.80, -0.14, -0.05], 0.09), 0.04),
            0.04,
        );
        let neck = rod(p, [0.0, -0.70, -0.20], [0.0, -1.75, -0.30], 0.43, 0.47);
        let tendon = rod(p, [0.50, -0.55, -0.16], [0.10, -1.62, 0.14], 0.10, 0.08);
        let throat = smooth_min(neck, tendon, 0.16);
        let throat = smooth_min(throat, ball(p, [0.0, -1.16, 0.17], 0.07), 0.12);
        head = smooth_min(head, throat, 0.14);
        smooth_min(head, self.hair(place), 0.03)
    }

    /// A cap of hair behind the hairline, with curls on it.
    fn hair(&self, place: DVec3) -> f64 {
        let cap = ellipsoid(place, HAIR, HAIR_RADII);
        let hair = smooth_max(cap, hairline(place), 0.06);
        if hair > 0.45 {
            return hair - 0.2;
        }
        let mut nearest = hair;
        for curl in &self.curls {
            let from = place - curl.middle;
            if from.length_squared() < 0.16 {
                let height = from.dot(curl.axis);
                let flat = from - height * curl.axis;
                let out = flat.length();
                let dome = DVec2::new(out / curl.radius, height / 0.085).length() - 1.0;
                // A groove that winds from the middle outwards.
                let angle = flat
                    .dot(curl.side)
                    .atan2(flat.dot(curl.axis.cross(curl.side)));
                let groove = (angle + curl.turn * out / 0.0095).cos() * (out / 0.04).min(1.0);
                nearest = smooth_min(nearest, dome * 0.075 - 0.013 * groove, 0.02);
            }
        }
        nearest
    }
}

/// The middle of the cap of hair, and its radii.
const HAIR: DVec3 = DVec3::new(0.0, 0.33, -0.19);
const HAIR_RADII: DVec3 = DVec3::new(0.84, 0.86, 0.98);

/// Negative where hair grows: above the forehead, and behind the ears down to the neck.
fn hairline(place: DVec3) -> f64 {
    let front = (0.66 - place.y + 0.75 * (place.z - 0.45)) * 0.75;
    let side = (place.z + 0.12 - 0.35 * (place.y + 0.1)) * 0.9;
    let nape = -0.85 - place.y + 0.4 * place.z;
    front.min(side).max(nape)
}

/// Chest and shoulders with a cloak, cut off in a curve below.
fn bust(place: DVec3) -> f64 {
    let p = DVec3::new(place.x.abs(), place.y, place.z);
    let chest = ellipsoid(
        p,
        DVec3::new(0.0, -2.45, -0.22),
        DVec3::new(1.12, 0.95, 0.62),
    );
    let shoulder = ellipsoid(
        p,
        DVec3::new(1.05, -2.18, -0.30),
        DVec3::new(0.52, 0.45, 0.46),
    );
    let collar = rod(p, [0.12, -1.72, 0.10], [0.85, -1.83, -0.12], 0.10, 0.08);
    let mut body = smooth_min(smooth_min(chest, shoulder, 0.35), collar, 0.20);
    let neck = rod(p, [0.0, -1.2, -0.26], [0.0, -1.85, -0.30], 0.45, 0.50);
    body = smooth_min(body, neck, 0.38);
    // The cloak lies on the left shoulder and runs across the chest; its folds follow it.
    let across = place.x * 0.62 + (place.y + 2.25) * 0.78 + 0.10 * (3.0 * place.x + 0.7).sin();
    let along = place.x * 0.78 - (place.y + 2.25) * 0.62;
    let wave = (21.0 * across + 2.2 * (1.7 * along + 1.3 * place.z).sin() + 1.5 * place.z).sin();
    let fine = (43.0 * across + 3.0 * (2.3 * along).sin()).sin();
    let cloak = body - 0.085 - 0.034 * wave - 0.010 * fine;
    let edge = smooth_max(-across - 0.12, across - 1.35, 0.05);
    let hem = (DVec2::new(cloak + 0.02, across + 0.12).length() - 0.05).max(across - 0.4);
    let back = smooth_max(cloak, smooth_max(edge, -2.0 - place.x, 0.05), 0.05);
    let dressed = smooth_min(body, smooth_min(back * 0.8, hem * 0.8, 0.04), 0.03);
    // Cut off below and at the arms.
    let cut = ellipsoid(
        p,
        DVec3::new(0.0, -1.75, -0.2),
        DVec3::new(1.50, 1.32, 1.25),
    );
    let foot = rod(place, [0.0, -2.6, -0.15], [0.0, -3.18, -0.15], 0.34, 0.26);
    let socle = turned(
        place,
        &[
            (-3.42, 0.60),
            (-3.36, 0.60),
            (-3.28, 0.50),
            (-3.20, 0.40),
            (-3.05, 0.33),
            (-2.92, 0.36),
        ],
    );
    smooth_min(
        smooth_min(smooth_max(dressed, cut, 0.06), foot, 0.12),
        socle,
        0.06,
    )
}

/// The plinth: a square block between two mouldings.
fn stone(place: DVec3) -> f64 {
    let p = place - DVec3::new(0.0, 0.0, -0.15);
    let slab = |middle: f64, half: f64, wide: f64, round: f64| {
        let q = (p - DVec3::new(0.0, middle, 0.0)).abs() - DVec3::new(wide, half, wide) + round;
        q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - round
    };
    let top = slab(-3.50, 0.07, 0.86, 0.03).min(slab(-3.62, 0.06, 0.80, 0.05));
    let block = slab(-3.98, 0.38, 0.72, 0.015);
    // A panel sunk into each side.
    let side = p.x.abs().max(p.z.abs());
    let panel = DVec2::new(p.x.abs().min(p.z.abs()) - 0.52, (p.y + 3.98).abs() - 0.22);
    let sunk = panel.max_element().max(0.685 - side);
    let block = smooth_max(block, -sunk, 0.02);
    let foot = slab(-4.40, 0.06, 0.80, 0.05).min(slab(-4.55, 0.11, 0.92, 0.03));
    smooth_min(smooth_min(top, block, 0.02), foot, 0.02)
}

fn ball(place: DVec3, middle: [f64; 3], radius: f64) -> f64 {
    (place - DVec3::from(middle)).length() - radius
}

/// About the distance to an ellipsoid.
fn ellipsoid(place: DVec3, middle: DVec3, radii: DVec3) -> f64 {
    let scaled = ((place - middle) / radii).length();
    let slope = ((place - middle) / (radii * radii)).length();
    if slope < 1e-9 {
        return -radii.min_element();
    }
    scaled * (scaled - 1.0) / slope
}

/// A rod with round ends, whose radius goes from one value to another.
fn rod(place: DVec3, from: [f64; 3], to: [f64; 3], first: f64, last: f64) -> f64 {
    let (from, to) = (DVec3::from(from), DVec3::from(to));
    let along = to - from;
    let part = ((place - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (place - from - part * along).length() - (first + (last - first) * part)
}

/// Something turned on a lathe, by the radii at its heights.
fn turned(place: DVec3, outline: &[(f64, f64)]) -> f64 {
    let (low, high) = (outline[0].0, outline[outline.len() - 1].0);
    let height = place.y.clamp(low, high);
    let mut radius = outline[0].1;
    for pair in outline.windows(2) {
        if height >= pair[0].0 {
            let part = ((height - pair[0].0) / (pair[1].0 - pair[0].0)).min(1.0);
            let part = part * part * (3.0 - 2.0 * part);
            radius = pair[0].1 + (pair[1].1 - pair[0].1) * part;
        }
    }
    let out = DVec2::new(place.x, place.z + 0.15).length() - radius;
    (out * 0.75).max(low - place.y).max(place.y - high)
}

/// The lesser of two distances, with a round transition as wide as `width`.
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let mix = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - mix * mix * mix * width / 6.0
}

fn smooth_max(a: f64, b: f64, width: f64) -> f64 {
    -smooth_min(-a, -b, width)
}
