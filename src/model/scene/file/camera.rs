//! The cameras of a scene.

use std::collections::HashSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::ranges::{CAMERA, Checked, NAME, OutOfRange, Rule as _, from, ranges};

/// World-space position and direction of a camera, from a scene, a preset or the user.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Viewpoint {
    /// Position, metres.
    pub eye: Vec3,
    /// Point in the middle of the picture, metres.
    pub target: Vec3,
    /// Vertical field of view, degrees.
    pub fov_y: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraPreset {
    /// One word, unique in the scene.
    pub name: String,
    pub eye: [f32; 3],
    pub target: [f32; 3],
    pub fov_y: f32,
}

impl Checked for CameraPreset {
    fn check(&self) -> Result<(), OutOfRange> {
        let named = NAME.check(&self.name);
        named.map_err(|fault| fault.within("name"))?;
        self.viewpoint().check()
    }
}

ranges!(Viewpoint: Self {
    eye: CAMERA,
    target: (CAMERA, |target: &Vec3| apart(*eye, *target)),
    fov_y: from(1.0, 170.0, "°"),
});

/// Eye and target must be far enough apart for 32-bit numbers to resolve the direction between them.
fn apart(eye: Vec3, target: Vec3) -> Result<(), OutOfRange> {
    let size = eye.abs().max(target.abs()).max_element();
    if (eye - target).abs().max_element() > 1e-6 * size {
        return Ok(());
    }
    let [x, y, z] = target.to_array();
    let value = format!("{x},{y},{z}, the same as `eye`");
    let allowed = "apart from it by more than a millionth of their coordinates";
    Err(OutOfRange::of(value, allowed))
}

/// There must be at least one camera, and all names must be distinct.
pub(super) fn told_apart(cameras: &[CameraPreset]) -> Result<(), OutOfRange> {
    if cameras.is_empty() {
        return Err(OutOfRange::of("empty", "a list of at least one camera"));
    }
    let mut names = HashSet::new();
    for (index, camera) in cameras.iter().enumerate() {
        if !names.insert(&camera.name) {
            let value = format!("`{}`, the name of an earlier camera", camera.name);
            let fault = OutOfRange::of(value, "unique in the scene");
            return Err(fault.within("name").at(index));
        }
    }
    Ok(())
}
