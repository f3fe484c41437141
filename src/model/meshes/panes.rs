//! Which translucent triangles are panes: two of them that make a parallelogram.

use glam::Vec3;

use super::materials::Looks;
use super::remarks::Remarks;
use super::{Corner, Model, Pane};

/// How far the fourth corner of a pane may be from where it would be in a parallelogram, as a part of its diagonal.
const TOLERANCE: f32 = 0.01;

/// Adds the panes that triangles of a translucent material make, two by two in the order of the file. Others are left
/// out, with a remark.
pub fn add(
    triangles: &[[Corner; 3]],
    looks: &Looks,
    material: usize,
    remarks: &mut Remarks,
    model: &mut Model,
) {
    let mut rest = triangles;
    while let Some((first, after)) = rest.split_first() {
        let found = after
            .first()
            .and_then(|second| parallelogram(first, second));
        rest = match found {
            None => {
                let what = "translucent triangles that are not parts of flat panes";
                remarks.add(what, "left out");
                after
            }
            Some([center, half_u, half_v]) => {
                let is_lit = !looks.is_unlit(material);
                model.panes.push(Pane {
                    center,
                    half_u,
                    half_v,
                    albedo: if is_lit { first[0].albedo } else { Vec3::ZERO },
                    emission: looks.emission(material),
                    opacity: looks.opacity(material),
                });
                &after[1..]
            }
        };
    }
}

/// Centre and halves of the parallelogram that two triangles make, if they make one.
fn parallelogram(first: &[Corner; 3], second: &[Corner; 3]) -> Option<[Vec3; 3]> {
    let [first, second] = [first, second].map(|corners| corners.map(|corner| corner.position));
    // The corners that one of them does not share with the other.
    let alone = |of: [Vec3; 3], other: [Vec3; 3]| {
        let lone: Vec<usize> = (0..3).filter(|at| !other.contains(&of[*at])).collect();
        match lone[..] {
            [at] => Some(at),
            _ => None,
        }
    };
    let at = alone(first, second)?;
    let opposite = second[alone(second, first)?];
    let [corner, next, last] = [first[at], first[(at + 1) % 3], first[(at + 2) % 3]];
    let expected = next + last - corner;
    let diagonal = corner.distance(opposite).max(next.distance(last));
    let near = expected.distance(opposite) <= TOLERANCE * diagonal;
    near.then(|| {
        let center = 0.25 * (corner + next + last + opposite);
        [center, 0.5 * (next - corner), 0.5 * (last - corner)]
    })
}
