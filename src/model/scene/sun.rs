//! Projection of the shadow map: orthographic in the direction of sunlight, around all opaque solids.
//!
//! The projection depends only on the solids and the sun, so shadows do not swim when the camera moves.

use super::camera::view_axes;
use glam::DVec3;

/// Margin on every side relative to the solids' size, so that rounding clips no vertex.
const MARGIN: f64 = 0.01;
/// Minimum half-size of the volume, metres, so that flat and empty scenes have a valid projection too.
const LEAST_HALF_SIZE: f64 = 0.5;

/// Column-major matrix from world space to the sun's clip space that covers all positions: x and y in -1…1 (y up), z in
/// 0…1 away from the sun, w = 1. If there are no positions, the matrix covers a metre around the origin.
///
/// `direction_to_sun` is in world space, of any length but 0.
pub fn sun_clip_from_world(
    direction_to_sun: [f32; 3],
    positions: impl Iterator<Item = [f32; 3]>,
) -> [[f32; 4]; 4] {
    let to_sun = DVec3::from_array(direction_to_sun.map(f64::from));
    let axes = view_axes(-to_sun);
    let mut matrix = [[0.0; 4]; 4];
    matrix[3][3] = 1.0;
    let extents = extents_along(axes, positions);
    for (row, (axis, (middle, half))) in axes.into_iter().zip(extents).enumerate() {
        // z spans 0…1, x and y span -1…1.
        let (scale, offset) = match row {
            2 => (0.5 / half, 0.5),
            _ => (1.0 / half, 0.0),
        };
        for (column, part) in axis.to_array().into_iter().enumerate() {
            matrix[column][row] = (part * scale) as f32;
        }
        matrix[3][row] = (offset - middle * scale) as f32;
    }
    matrix
}

/// Centre and half-size of the positions along each of the given unit vectors, with a margin, metres.
fn extents_along(axes: [DVec3; 3], positions: impl Iterator<Item = [f32; 3]>) -> [(f64, f64); 3] {
    let along = |position: [f32; 3]| {
        let position = DVec3::from_array(position.map(f64::from));
        DVec3::from_array(axes.map(|axis| position.dot(axis)))
    };
    let bounds = positions.map(along).map(|at| (at, at));
    let bounds = bounds.reduce(|(low, high), (at, _)| (low.min(at), high.max(at)));
    let (low, high) = bounds.unwrap_or_default();
    let [middle, half] = [0.5 * (low + high), 0.5 * (high - low) * (1.0 + MARGIN)];
    std::array::from_fn(|axis| (middle[axis], half[axis].max(LEAST_HALF_SIZE)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::input::Disk;

    fn clip(matrix: [[f32; 4]; 4], position: [f32; 3]) -> [f32; 3] {
        let row = |r: usize| matrix[3][r] + (0..3).map(|c| matrix[c][r] * position[c]).sum::<f32>();
        assert_eq!(
            [matrix[0][3], matrix[1][3], matrix[2][3], matrix[3][3]],
            [0.0, 0.0, 0.0, 1.0]
        );
        [row(0), row(1), row(2)]
    }

    #[test]
    fn every_vertex_is_in_the_volume_and_the_volume_is_tight() {
        let scene = crate::model::scene::load("temple", &Disk).unwrap();
        let list = crate::model::scene::vertices(&scene.meshes);
        let positions = list.iter().map(|vertex| vertex.position);
        for direction in [
            scene.sun.direction_to_sun,
            [0.0, 1.0, 0.0],
            [1.0, -0.2, 0.0],
        ] {
            let matrix = sun_clip_from_world(direction, positions.clone());
            let mut most = [0.0f32; 3];
            for position in positions.clone() {
                let place = clip(matrix, position);
                assert!(place[0].abs() < 1.0 && place[1].abs() < 1.0, "{place:?}");
                assert!(place[2] > 0.0 && place[2] < 1.0, "{place:?}");
                most = std::array::from_fn(|i| most[i].max(place[i]));
            }
            assert!(most.iter().all(|c| *c > 0.97), "{most:?}");
        }
    }
}
