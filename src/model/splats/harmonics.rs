//! Spherical harmonics of rotated or mirrored splats.

use glam::{DMat3, DVec3, Vec3};

use super::arrays::{HIGHEST_DEGREE, coefficients};

/// Rotation of harmonics: a matrix for each band except the first.
pub(super) struct Turn(Vec<Vec<Vec<f64>>>);

/// Terms up to degree 3 for a direction, without the common factor of each band.
fn terms([x, y, z]: [f64; 3]) -> [f64; 16] {
    let (xx, yy, zz) = (x * x, y * y, z * z);
    [
        1.0,
        -y,
        z,
        -x,
        1.092_548_430_592_079 * x * y,
        -1.092_548_430_592_079 * y * z,
        0.315_391_565_252_520 * (2.0 * zz - xx - yy),
        -1.092_548_430_592_079 * x * z,
        0.546_274_215_296_039 * (xx - yy),
        -0.590_043_589_926_644 * y * (3.0 * xx - yy),
        2.890_611_442_640_554 * x * y * z,
        -0.457_045_799_464_466 * y * (4.0 * zz - xx - yy),
        0.373_176_332_590_115 * z * (2.0 * zz - 3.0 * xx - 3.0 * yy),
        -0.457_045_799_464_466 * x * (4.0 * zz - xx - yy),
        1.445_305_721_320_277 * z * (xx - yy),
        -0.590_043_589_926_644 * x * (xx - 3.0 * yy),
    ]
}

/// Directions in which the terms of every band are linearly independent.
const DIRECTIONS: [[f64; 3]; 7] = [
    [0.36, 0.48, 0.8],
    [-0.48, 0.6, 0.64],
    [0.8, -0.36, 0.48],
    [0.6, 0.64, -0.48],
    [-0.64, -0.48, 0.6],
    [0.0, 0.6, -0.8],
    [-0.8, 0.0, -0.6],
];

impl Turn {
    pub(super) fn of(turn: DMat3) -> Self {
        let bands = (1..=HIGHEST_DEGREE).map(|degree| {
            let (first, count) = (coefficients(degree - 1), 2 * usize::from(degree) + 1);
            // A new term in a direction equals the old term in the original direction.
            let rows = DIRECTIONS[..count].iter().map(|direction| {
                let before = turn.transpose() * DVec3::from_array(*direction);
                let new = &terms(*direction)[first..first + count];
                let old = &terms(before.to_array())[first..first + count];
                [new, old].concat()
            });
            solved(rows.collect())
        });
        Self(bands.collect())
    }

    pub(super) fn apply(&self, harmonics: &mut [Vec3]) {
        let mut first = 1;
        for matrix in &self.0 {
            let end = first + matrix.len();
            let Some(band) = harmonics.get_mut(first..end) else {
                return;
            };
            let before = band.to_vec();
            for (term, row) in band.iter_mut().zip(matrix) {
                let sum = (row.iter().zip(&before)).map(|(part, of)| *part * of.as_dvec3());
                *term = sum.sum::<DVec3>().as_vec3();
            }
            first = end;
        }
    }
}

/// Solves linear equations by elimination; returns the right-hand sides.
fn solved(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = rows.len();
    for at in 0..count {
        let size = |row: &usize| rows[*row][at].abs();
        let pivot = (at..count).max_by(|a, b| size(a).total_cmp(&size(b)));
        rows.swap(at, pivot.unwrap_or(at));
        let factor = 1.0 / rows[at][at];
        rows[at].iter_mut().for_each(|value| *value *= factor);
        let own = rows[at].clone();
        for other in (0..count).filter(|other| *other != at) {
            let factor = rows[other][at];
            for (value, own) in rows[other].iter_mut().zip(&own) {
                *value -= factor * own;
            }
        }
    }
    rows.into_iter().map(|row| row[count..].to_vec()).collect()
}
