//! Camera movement (orbit, look, pan, zoom and fly), and the cameras of past frames.

use std::collections::VecDeque;

use glam::{Quat, Vec3};

use crate::model::scene::{Camera, Viewpoint};

/// Radians per pixel of mouse movement.
const TURN: f32 = 0.005;
/// Flight speed per second, as a fraction of the scene's size.
const SPEED: f32 = 0.1;
/// Minimum distance from the target, in metres and as a fraction of the scene's size. The smaller distance applies.
const NEAREST: f32 = 0.2;
const NEAREST_PART: f32 = 0.01;
/// Steepest viewing direction, as the sine of its angle to the horizon.
const STEEPEST: f32 = 0.99;

/// Cameras of recent frames, newest last.
#[derive(Default)]
pub(super) struct LastCameras(VecDeque<Camera>);

impl LastCameras {
    /// Adds a frame's camera, and returns the camera of `frames` frames ago, or the oldest.
    pub(super) fn follow(&mut self, camera: Camera, frames: u32) -> Camera {
        self.0.push_back(camera);
        let most = frames as usize + 1;
        self.0.drain(..self.0.len().saturating_sub(most));
        self.0.front().copied().unwrap_or(camera)
    }
}

impl Viewpoint {
    fn forward(&self) -> Vec3 {
        (self.target - self.eye).normalize_or(Vec3::NEG_Z)
    }

    fn right(&self) -> Vec3 {
        self.forward().cross(Vec3::Y).normalize_or(Vec3::X)
    }

    /// Rotates `direction` by a mouse movement in pixels, and keeps it away from the vertical.
    fn turned(&self, direction: Vec3, dx: f32, dy: f32) -> Vec3 {
        let yawed = Quat::from_rotation_y(-dx * TURN) * direction;
        let pitched = Quat::from_axis_angle(self.right(), -dy * TURN) * yawed;
        let steep = pitched.normalize_or(Vec3::Z).y.abs() > STEEPEST;
        if steep { yawed } else { pitched }
    }

    pub fn orbit(&mut self, dx: f32, dy: f32) {
        self.eye = self.target + self.turned(self.eye - self.target, dx, dy);
    }

    pub fn look(&mut self, dx: f32, dy: f32) {
        self.target = self.eye + self.turned(self.target - self.eye, dx, dy);
    }

    pub fn pan(&mut self, dx: f32, dy: f32) {
        let right = self.right();
        let up = right.cross(self.forward());
        let scale = self.eye.distance(self.target) * 0.001;
        let step = (up * dy - right * dx) * scale;
        self.eye += step;
        self.target += step;
    }

    /// Moves the camera towards the target (`steps` > 0) or away from it, in a scene of `size` metres.
    pub fn zoom(&mut self, steps: f32, size: f32) {
        let away = (self.eye - self.target) * (-0.1 * steps).exp();
        if away.length() > NEAREST.min(NEAREST_PART * size) {
            self.eye = self.target + away;
        }
    }

    /// Flies through a scene of `size` metres. `direction` is right, up, forward, each -1…1.
    pub fn fly(&mut self, direction: Vec3, seconds: f32, size: f32) {
        let step =
            self.right() * direction.x + Vec3::Y * direction.y + self.forward() * direction.z;
        let step = step * (SPEED * size * seconds);
        self.eye += step;
        self.target += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_of_frames_ago_is_the_first_until_there_are_as_many_and_the_newest_at_rest() {
        let at = |x| Camera {
            eye: [x, 0.0, 0.0],
            ..Camera::default()
        };
        let mut last = LastCameras::default();
        let ago = [0.0, 1.0, 2.0, 3.0, 3.0, 3.0].map(|x| last.follow(at(x), 2).eye[0]);
        assert_eq!(ago, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!(last.follow(at(4.0), 0), at(4.0));
    }

    #[test]
    fn no_movement_makes_the_view_vertical_or_not_a_number() {
        let mut camera = Viewpoint {
            eye: Vec3::new(0.0, 1.0, 5.0),
            target: Vec3::new(0.0, 1.0, 0.0),
            fov_y: 50.0,
        };
        camera.orbit(120.0, 40.0);
        assert!((camera.eye.distance(camera.target) - 5.0).abs() < 1e-4);
        for _ in 0..1000 {
            camera.orbit(3.0, 50.0);
            camera.zoom(1.0, 30.0);
        }
        assert!(camera.forward().y.abs() < 0.999 && camera.eye.is_finite());
        assert!(camera.eye.distance(camera.target) >= NEAREST);
        // In a scene of a few centimetres the camera can get closer.
        (0..1000).for_each(|_| camera.zoom(1.0, 0.1));
        let distance = camera.eye.distance(camera.target);
        assert!((0.001..0.002).contains(&distance), "{distance}");
    }
}
