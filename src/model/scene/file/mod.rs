//! The scene file: one struct per RON struct with the ranges of its fields, nothing computed.
//!
//! World space: right-handed, y up, metres. Colours are linear RGB.

mod emitter;
mod fog;
mod light;
mod mesh;
mod ranges;
mod sheet;
mod splat;

pub use emitter::{Amount, EmitterSpec, Shape};
pub use fog::{Fog, Noise};
pub use light::{PointLight, Sky, Sun};
pub use mesh::MeshSpec;
pub(crate) use ranges::{Checked, Fault};
pub(super) use ranges::{FARTHEST, LONGEST_NAME};
pub use sheet::SheetSpec;
pub(super) use sheet::{default_cells, half};
pub(super) use splat::SPLAT_FILES;
pub use splat::{SplatColors, SplatSpec};

use std::collections::HashSet;

use glam::Vec3;
use serde::Deserialize;

use super::camera::Viewpoint;
use super::placed_meshes::PlacedMeshes;
use super::placed_splats::PlacedSplats;
use super::{MOST_SHEETS, MOST_SLICES};
use light::MOST_LIGHTS;
use ranges::{
    ANY, CAMERA, EACH, LENGTH, List, NAME, OWN, PART, RADIANCE, Rule as _, SENTENCE, above, from,
    ranges,
};

/// A scene file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// One word.
    pub name: String,
    /// One sentence: what the scene shows.
    pub shows: String,
    /// The moment that looks best, seconds.
    pub best_time: f32,
    /// Default number of particles.
    pub particles: u32,
    /// Default number of fog slices.
    #[serde(default = "default_fog_slices")]
    pub fog_slices: u32,
    /// Factor from radiance to the tone curve's input.
    pub exposure: f32,
    /// View depth of the first fog slice's near side, metres; no particle is nearer.
    pub near: f32,
    /// View depth of the last fog slice's far side, metres; no particle is farther.
    pub far: f32,
    /// At least one; the first is the default.
    pub cameras: Vec<CameraPreset>,
    pub sun: Sun,
    /// Radiance from above, and from everywhere without `ground`.
    pub ambient: [f32; 3],
    /// Radiance from below; `ambient` if left out.
    #[serde(default)]
    pub ground: Option<[f32; 3]>,
    #[serde(default)]
    pub tone_curve: ToneCurve,
    /// Whether the final picture's edges are smoothed.
    #[serde(default)]
    pub antialias: bool,
    #[serde(default)]
    pub bloom: Bloom,
    #[serde(default)]
    pub surface: Surface,
    /// What is seen where nothing is drawn.
    pub sky: Sky,
    pub fog: Fog,
    #[serde(default)]
    pub lights: Vec<PointLight>,
    #[serde(default)]
    pub emitters: Vec<EmitterSpec>,
    /// Translucent panes.
    #[serde(default)]
    pub sheets: Vec<SheetSpec>,
    /// Opaque solids.
    #[serde(default)]
    pub meshes: Vec<MeshSpec>,
    /// Files of Gaussian splats.
    #[serde(default)]
    pub splats: Vec<SplatSpec>,
    /// What is added to the variances of those splats on the screen, square pixels.
    #[serde(default = "default_dilation")]
    pub splat_dilation: f32,
    /// What those files hold, where they are placed: [`Scene::load_splats`] reads them.
    #[serde(skip)]
    pub placed_splats: PlacedSplats,
    /// What the files among the meshes hold, where they are placed: [`Scene::load_meshes`] reads them.
    #[serde(skip)]
    pub placed_meshes: PlacedMeshes,
}

ranges!(Scene: Self {
    name: NAME,
    shows: SENTENCE,
    best_time: from(0.0, 1e5, " s"),
    particles: ANY,
    fog_slices: 0..=MOST_SLICES,
    exposure: above(0.0, 1e6, ""),
    near: from(1e-3, 1e4, " m"),
    far: from(1.01 * near, FARTHEST, " m (from 1.01 times `near`)"),
    cameras: (EACH, |cameras: &Vec<_>| told_apart(cameras)),
    sun: OWN,
    ambient: RADIANCE,
    ground: RADIANCE,
    tone_curve: ANY,
    antialias: ANY,
    bloom: OWN,
    surface: OWN,
    sky: OWN,
    fog: OWN,
    lights: List { most: MOST_LIGHTS, of: "lights" },
    emitters: EACH,
    sheets: List { most: MOST_SHEETS, of: "sheets" },
    meshes: (EACH, |meshes: &Vec<_>| mesh::few_triangles(meshes)),
    splats: SPLAT_FILES,
    splat_dilation: from(0.0, 100.0, " px²"),
    placed_splats: ANY,
    placed_meshes: ANY,
});

impl Default for Scene {
    /// Nothing, without light: what scenes made by the program begin with.
    fn default() -> Self {
        Self {
            name: String::new(),
            shows: String::new(),
            best_time: 0.0,
            particles: 0,
            fog_slices: 0,
            exposure: 1.0,
            near: 0.01,
            far: 100.0,
            cameras: Vec::new(),
            sun: Sun::default(),
            ambient: [0.0; 3],
            ground: None,
            tone_curve: ToneCurve::default(),
            antialias: false,
            bloom: Bloom::default(),
            surface: Surface::default(),
            sky: Sky::default(),
            fog: Fog::default(),
            lights: Vec::new(),
            emitters: Vec::new(),
            sheets: Vec::new(),
            meshes: Vec::new(),
            splats: Vec::new(),
            splat_dilation: default_dilation(),
            placed_splats: PlacedSplats::default(),
            placed_meshes: PlacedMeshes::default(),
        }
    }
}

/// How exposed radiance becomes the screen's light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum ToneCurve {
    /// Highlights roll off and lose colour, as on film.
    #[default]
    Filmic,
    /// As it is, up to white.
    Linear,
    /// None: what is composited is what the screen shows, in sRGB, up to white.
    Encoded,
}

/// Glow around what is bright.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bloom {
    /// Part of the light above `threshold` that glows; 0: no bloom.
    pub strength: f32,
    /// Exposed radiance above which light glows.
    #[serde(default = "one")]
    pub threshold: f32,
}

ranges!(Bloom: Self {
    strength: PART,
    threshold: RADIANCE,
});

impl Default for Bloom {
    fn default() -> Self {
        Self {
            strength: 0.0,
            threshold: 1.0,
        }
    }
}

/// What opaque solids are made of; all 0: plain.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// Variation of the albedo by stains and grain, 0…1.
    pub stains: f32,
    /// Roughness, by turning normals, 0…1.
    pub bump: f32,
    /// Height of masonry courses, metres; 0: no joints.
    pub courses: f32,
    /// Darkening of ambient light in corners, 0…1.
    pub occlusion: f32,
}

ranges!(Surface: Self {
    stains: PART,
    bump: PART,
    courses: LENGTH,
    occlusion: PART,
});

/// A camera by name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraPreset {
    /// One word, unique in the scene.
    pub name: String,
    /// World-space position, metres.
    pub eye: [f32; 3],
    /// World-space point in the middle of the picture, metres.
    pub target: [f32; 3],
    /// Vertical field of view, degrees.
    pub fov_y: f32,
}

impl Checked for CameraPreset {
    fn check(&self) -> Result<(), Fault> {
        let Self {
            name,
            eye: _,
            target: _,
            fov_y: _,
        } = self;
        let named = NAME.check(name);
        named.map_err(|fault| fault.within("name"))?;
        self.viewpoint().check()
    }
}

ranges!(Viewpoint: Self {
    eye: CAMERA,
    target: (CAMERA, |target: &Vec3| apart(*eye, *target)),
    fov_y: from(1.0, 170.0, "°"),
});

/// Eye and target must not be the same place.
fn apart(eye: Vec3, target: Vec3) -> Result<(), Fault> {
    if (eye - target).abs().max_element() >= 1e-3 {
        return Ok(());
    }
    let [x, y, z] = target.to_array();
    let value = format!("{x},{y},{z}, the same as `eye`");
    Err(Fault::of(value, "1 mm or more away from it"))
}

/// There must be a camera, and no two of one name.
fn told_apart(cameras: &[CameraPreset]) -> Result<(), Fault> {
    if cameras.is_empty() {
        return Err(Fault::of("empty", "a list of at least one camera"));
    }
    let mut names = HashSet::new();
    for (index, camera) in cameras.iter().enumerate() {
        if !names.insert(&camera.name) {
            let value = format!("`{}`, the name of an earlier camera", camera.name);
            let fault = Fault::of(value, "unique in the scene");
            return Err(fault.within("name").at(index));
        }
    }
    Ok(())
}

fn default_dilation() -> f32 {
    0.3
}

fn default_fog_slices() -> u32 {
    64
}

fn one() -> f32 {
    1.0
}
