//! Camera viewpoints, and the world-space axes and tangents derived from them.

use glam::{DVec3, Quat, Vec3};

use super::file::{CameraPreset, Scene, Viewpoint};

/// Rotation of a slow camera around its target per frame, degrees: moves near objects by about a pixel at 1080p.
pub const SLOW_TURN: f32 = 0.05;

impl CameraPreset {
    /// The camera's position `frames` frames earlier, if it is a slow camera.
    pub fn frames_ago(&self, frames: u32) -> Self {
        let turned = self.viewpoint().around_target(-SLOW_TURN * frames as f32);
        turned.named(&self.name)
    }

    pub fn viewpoint(&self) -> Viewpoint {
        Viewpoint {
            eye: Vec3::from(self.eye),
            target: Vec3::from(self.target),
            fov_y: self.fov_y,
        }
    }
}

impl Scene {
    /// Diagonal of the box around the scene's cameras and their targets, metres.
    pub fn size(&self) -> f32 {
        let places = self.cameras.iter().flat_map(|of| [of.eye, of.target]);
        let bounds = places.map(Vec3::from).map(|place| (place, place));
        let bounds = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        bounds.map_or(0.0, |(low, high)| low.distance(high))
    }
}

impl Viewpoint {
    /// The viewpoint rotated around its target, about the vertical.
    pub fn around_target(self, degrees: f32) -> Self {
        let turn = Quat::from_rotation_y(degrees.to_radians());
        Self {
            eye: self.target + turn * (self.eye - self.target),
            ..self
        }
    }

    pub fn named(&self, name: &str) -> CameraPreset {
        CameraPreset {
            name: name.to_owned(),
            eye: self.eye.to_array(),
            target: self.target.to_array(),
            fov_y: self.fov_y,
        }
    }
}

/// A pinhole camera with square pixels, in world space; its axes are unit vectors. For a view along a world axis they
/// consist of exact 0 and ±1, so particles in a plane across the view have bitwise equal view depths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Camera {
    /// World-space position, metres.
    pub eye: [f32; 3],
    pub right: [f32; 3],
    pub up: [f32; 3],
    pub forward: [f32; 3],
    /// Tangent of half the horizontal field of view.
    pub tan_x: f32,
    /// Tangent of half the vertical field of view.
    pub tan_y: f32,
}

impl Camera {
    /// The preset's camera for a frame of `size` pixels: width and height, both above 0.
    pub fn new(preset: &CameraPreset, size: [u32; 2]) -> Self {
        let eye = DVec3::from_array(preset.eye.map(f64::from));
        let target = DVec3::from_array(preset.target.map(f64::from));
        let [right, up, forward] = view_axes(target - eye);
        let tan_y = (f64::from(preset.fov_y).to_radians() * 0.5).tan();
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        Self {
            eye: preset.eye,
            right: narrowed(right),
            up: narrowed(up),
            forward: narrowed(forward),
            tan_x: (tan_y * aspect) as f32,
            tan_y: tan_y as f32,
        }
    }

    /// Forward axis of `other` in world space, and this camera's view depth from `other`, metres. A point at view depth d
    /// along a ray that advances by 1 in view depth has view depth `w + d dot(ray, xyz)` from `other`.
    pub fn axis_of(&self, other: &Self) -> [f32; 4] {
        let wide = |of: [f32; 3]| DVec3::from_array(of.map(f64::from));
        let away = (wide(self.eye) - wide(other.eye)).dot(wide(other.forward));
        let [x, y, z] = other.forward;
        [x, y, z, away as f32]
    }
}

/// Right, up and forward unit vectors for a view along `direction` (any length but 0) with a level horizon. When
/// looking straight down, -z is up in the picture; when looking straight up, +z is.
pub(super) fn view_axes(direction: DVec3) -> [DVec3; 3] {
    let forward = direction.normalize();
    let sideways = forward.cross(DVec3::Y);
    // Below a millionth, the direction of the horizon is only rounding error.
    let right = if sideways.length() > 1e-6 {
        sideways.normalize()
    } else {
        DVec3::X
    };
    let up = right.cross(forward).normalize();
    // Adding 0 turns -0 into 0.
    [right, up, forward].map(|axis| axis + DVec3::ZERO)
}

fn narrowed(axis: DVec3) -> [f32; 3] {
    axis.as_vec3().to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looking(eye: [f32; 3], target: [f32; 3]) -> Camera {
        let preset = CameraPreset {
            name: "test".into(),
            eye,
            target,
            fov_y: 90.0,
        };
        Camera::new(&preset, [160, 90])
    }

    #[test]
    fn a_view_along_a_world_axis_has_exact_axes() {
        let eye = [0.3, 1.7, -2.9];
        for axis in 0..3 {
            for step in [-7.3f32, 0.7, 1234.5] {
                let mut target = eye;
                target[axis] += step;
                let camera = looking(eye, target);
                for vector in [camera.right, camera.up, camera.forward] {
                    let ones = vector.iter().filter(|c| c.abs() == 1.0).count();
                    let zeros = vector.iter().filter(|c| c.to_bits() == 0).count();
                    assert_eq!((ones, zeros), (1, 2), "{camera:?}");
                }
                assert_eq!(camera.forward[axis], step.signum());
            }
        }
    }

    #[test]
    fn the_axes_are_a_right_handed_orthonormal_basis_with_a_level_horizon() {
        for target in [[1.0, 2.0, -3.0], [-4.0, -0.1, 0.2], [1e-7, 5.0, 0.0]] {
            let camera = looking([0.0; 3], target);
            let [right, up, forward] = [camera.right, camera.up, camera.forward]
                .map(|v| DVec3::from_array(v.map(f64::from)));
            assert!((right.cross(up) + forward).length() < 1e-6, "{camera:?}");
            assert!((right.cross(forward) - up).length() < 1e-6, "{camera:?}");
            assert!(right.y.abs() < 1e-6 && up.y > -1e-6, "{camera:?}");
            assert!((forward.length() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn straight_up_and_down_are_views_like_others() {
        assert_eq!(looking([0.0; 3], [0.0, -3.0, 0.0]).up, [0.0, 0.0, -1.0]);
        assert_eq!(looking([0.0; 3], [0.0, 3.0, 0.0]).up, [0.0, 0.0, 1.0]);
    }
}
