//! Final steps for splats of any format: drops broken splats, moves far ones near, and converts to axes of training.

use glam::{DVec3, Mat3, Quat, Vec3};

use super::arrays::{Numbers, Splats};
use super::axes::Axes;
use super::filter::SplatFilter;
use super::reading::Reading;
use crate::model::files::{Fault, ensure};
use crate::model::kind::SplatKind;

/// Maximum number of splats sampled to find where most of them are.
const SAMPLES: usize = 100_000;
/// Splats are far away if their distance exceeds their extent by this factor and is at least this many units: at that
/// distance, floats are coarser than a pixel of the splats' picture.
const FAR: f64 = 1000.0;

pub(super) fn finish(
    mut splats: Splats,
    kind: SplatKind,
    reading: &mut Reading,
) -> Result<Splats, Fault> {
    splats.numbers.every = reading.how.keep_every;
    let every = reading.every();
    if every > 1 {
        let text = format!("1 of every {every} splats is shown: {}", splats.len());
        reading.remark(text);
    }
    let mut doubles = std::mem::take(&mut reading.doubles);
    leave_out_broken(&mut splats, &mut doubles, reading)?;
    move_near(&mut splats, &doubles, reading);
    let (guess, is_guess) = Axes::of_file(kind, reading.version, &reading.words);
    let axes = (reading.how.axes).or(reading.said).unwrap_or(guess);
    if is_guess && reading.how.axes.is_none() && reading.said.is_none() {
        let other = if guess.to_string() == "rdf" {
            "rub"
        } else {
            "rdf"
        };
        reading.remark(format!(
            "it does not declare its axes: taken as {guess}; if it is upside down, use --axes {other}"
        ));
    }
    turn(&mut splats, axes);
    splats.axes = axes;
    splats.filter = (reading.how.filter).or(reading.filter).unwrap_or_default();
    if reading.how.filter.is_none() && splats.filter == SplatFilter::Mip {
        reading.remark(
            "it was trained with the filter of Mip-Splatting: small Gaussians are fainter; --splat-filter classic \
             turns that off",
        );
    }
    splats.remarks = std::mem::take(&mut reading.remarks);
    Ok(splats)
}

fn leave_out_broken(
    splats: &mut Splats,
    doubles: &mut Vec<DVec3>,
    reading: &mut Reading,
) -> Result<(), Fault> {
    let all = splats.len();
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    let mut left_out = Vec::new();
    for index in 0..all {
        let Some(fault) = splats.fault_of(index) else {
            continue;
        };
        left_out.push(index as u32);
        match kinds.iter_mut().find(|(known, _)| *known == fault) {
            Some((_, count)) => *count += 1,
            None => kinds.push((fault, 1)),
        }
    }
    if left_out.is_empty() {
        return Ok(());
    }
    let kinds = kinds
        .iter()
        .map(|(fault, count)| format!("{count} with {fault}"));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    ensure!(
        left_out.len() != all,
        "none of its {all} splats can be shown: {kinds}"
    );
    reading.remark(format!(
        "{} of {all} splats are left out: {kinds}",
        left_out.len()
    ));
    let coefficients = splats.coefficients();
    drop_at(&mut splats.positions, 1, &left_out);
    drop_at(&mut splats.rotations, 1, &left_out);
    drop_at(&mut splats.scales, 1, &left_out);
    drop_at(&mut splats.opacities, 1, &left_out);
    drop_at(&mut splats.harmonics, coefficients, &left_out);
    drop_at(doubles, 1, &left_out);
    splats.numbers = Numbers {
        left_out,
        ..splats.numbers
    };
    Ok(())
}

/// Removes the values of the listed splats, `each` values per splat, from an array.
fn drop_at<T>(array: &mut Vec<T>, each: usize, splats: &[u32]) {
    let mut next = splats.iter().peekable();
    let mut index = 0;
    array.retain(|_| {
        let splat = (index / each) as u32;
        index += 1;
        while next.peek().is_some_and(|dropped| **dropped < splat) {
            next.next();
        }
        next.peek() != Some(&&splat)
    });
}

/// Gives splats that are far from the origin of their file a near origin.
fn move_near(splats: &mut Splats, doubles: &[DVec3], reading: &mut Reading) {
    let place = |index: usize| match doubles.get(index) {
        Some(place) => *place,
        None => splats.positions[index].as_dvec3(),
    };
    let step = (splats.len() / SAMPLES).max(1);
    let usual =
        |of: &dyn Fn(usize) -> f64| middle_of((0..splats.len()).step_by(step).map(of).collect());
    let middle = DVec3::from_array([0, 1, 2].map(|axis| usual(&|index| place(index)[axis])));
    let size = usual(&|index| f64::from(splats.scales[index].max_element()));
    let extent = usual(&|index| place(index).distance(middle)) + size;
    let distance = middle.abs().max_element();
    if distance < FAR || distance < FAR * extent {
        return;
    }
    let origin = middle.round();
    let [x, y, z] = origin.to_array();
    reading.remark(format!(
        "its splats are around ({x}, {y}, {z}): shown around the origin"
    ));
    let coarse = 2.0_f64.powi((distance.log2().floor() as i32) - 23);
    if doubles.is_empty() && 4.0 * coarse > size {
        reading.remark(format!(
            "its coordinates are floats in steps of {coarse}, more than a quarter of its splats' size of {size:.2e}; \
             use doubles, or a nearer origin"
        ));
    }
    let near: Vec<Vec3> = (0..splats.len())
        .map(|index| (place(index) - origin).as_vec3())
        .collect();
    splats.positions = near;
    splats.origin = origin;
}

fn middle_of(mut numbers: Vec<f64>) -> f64 {
    let at = numbers.len() / 2;
    match numbers.is_empty() {
        true => 0.0,
        false => *numbers.select_nth_unstable_by(at, f64::total_cmp).1,
    }
}

/// Rotates or mirrors splats to the axes of training by changes of sign; [`Splats::turn`] is the remaining rotation.
fn turn(splats: &mut Splats, axes: Axes) {
    let matrix = axes.matrix();
    let signs = Vec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z);
    if signs.abs() == Vec3::ONE {
        change_signs(splats, signs);
        return;
    }
    let signs = Vec3::new(1.0, 1.0, matrix.determinant());
    change_signs(splats, signs);
    splats.turn = Quat::from_mat3(&(matrix * Mat3::from_diagonal(signs)));
}

/// Rotates or mirrors splats by changing the signs of their axes.
fn change_signs(splats: &mut Splats, signs: Vec3) {
    if signs == Vec3::ONE {
        return;
    }
    let Vec3 { x, y, z } = signs;
    splats.origin *= signs.as_dvec3();
    // This avoids negative zeros.
    splats.origin += DVec3::ZERO;
    for position in &mut splats.positions {
        *position *= signs;
    }
    // The axis of a rotation is an axial vector: the signs of the other two axes apply.
    for rotation in &mut splats.rotations {
        let [a, b, c, w] = rotation.to_array();
        *rotation = Quat::from_xyzw(a * y * z, b * x * z, c * x * y, w);
    }
    // Each term is a polynomial, so the signs of its coordinates give the sign of the term.
    let terms = [
        1.0,
        y,
        z,
        x,
        x * y,
        y * z,
        1.0,
        x * z,
        1.0,
        y,
        x * y * z,
        y,
        z,
        x,
        z,
        x,
    ];
    let coefficients = splats.coefficients();
    for harmonics in splats.harmonics.chunks_exact_mut(coefficients) {
        for (term, sign) in harmonics.iter_mut().zip(terms) {
            *term *= sign;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forty_eight_axes_take_every_direction_of_the_file_where_their_letters_say() {
        let mut met = 0;
        for word in 0..6_usize.pow(3) {
            let letters = [word % 6, word / 6 % 6, word / 36].map(|at| b"rludfb"[at]);
            let name = String::from_utf8_lossy(&letters).into_owned();
            let Ok(axes) = name.parse::<Axes>() else {
                continue;
            };
            met += 1;
            for (axis, letter) in letters.into_iter().enumerate() {
                let mut along = Vec3::ZERO;
                along[axis] = 1.0;
                let mut splats = Splats {
                    positions: vec![along],
                    rotations: vec![Quat::IDENTITY],
                    harmonics: vec![Vec3::ONE],
                    ..Splats::default()
                };
                turn(&mut splats, axes);
                let there = splats.turn * splats.positions[0];
                let expected = match letter {
                    b'r' => Vec3::X,
                    b'l' => -Vec3::X,
                    b'd' => Vec3::Y,
                    b'u' => -Vec3::Y,
                    b'f' => Vec3::Z,
                    _ => -Vec3::Z,
                };
                assert!(there.distance(expected) < 1e-6, "{name} {axis}: {there}");
            }
        }
        assert_eq!(met, 48);
        for wrong in ["", "rd", "rdfu", "rrf", "rdx", "xyz", "rüf"] {
            assert!(wrong.parse::<Axes>().is_err(), "{wrong}");
        }
        assert_eq!(
            "RUB".parse::<Axes>().map(|axes| axes.to_string()),
            Ok("rub".to_owned())
        );
    }
}
