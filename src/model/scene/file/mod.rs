//! The scene file: one struct per RON struct, with the ranges of its fields. Nothing is computed here.
//!
//! World space: right-handed, y up, metres. Colours are linear RGB.

mod camera;
mod emitter;
mod fog;
mod light;
mod mesh;
mod ranges;
mod sheet;
mod splat;

pub use camera::{CameraPreset, Viewpoint};
pub use emitter::{Amount, EmitterSpec, Shape};
pub use fog::{Fog, Noise};
pub use light::{PointLight, Sky, Sun};
pub use mesh::MeshSpec;
pub(super) use mesh::SIDES_PER_FLUTE;
pub(crate) use ranges::{Checked, OutOfRange};
pub(super) use ranges::{FARTHEST, LEAST_NEAR, LONGEST_NAME};
pub use sheet::{MOST_SHEETS, SheetSpec};
pub(super) use splat::SPLAT_FILES;
pub use splat::{SplatColors, SplatSpec};

use std::sync::Arc;

use serde::Deserialize;

use super::placed_meshes::PlacedMeshes;
use super::placed_splats::PlacedSplats;
use super::slices::MOST_SLICES;
use light::MOST_LIGHTS;
use ranges::{
    EACH, LENGTH, List, NAME, PART, RADIANCE, SENTENCE, above, any, from, one, own, part,
};

part! {
    /// A scene file. The default is empty and dark, as a basis for scenes that the program makes.
    pub struct Scene {
        /// One word.
        pub name: String = String::new() => NAME;
        /// One sentence describing the scene.
        pub shows: String = String::new() => SENTENCE;
        /// The moment at which the scene looks best, seconds.
        pub best_time: f32 = 0.0 => from(0.0, 1e5, " s");
        pub particles: u32 = 0 => any;
        #[serde(default = "default_fog_slices")]
        pub fog_slices: u32 = 0 => 0..=MOST_SLICES;
        /// Factor from radiance to the tone curve's input.
        pub exposure: f32 = 1.0 => above(0.0, 1e6, "");
        /// View depth of the first fog slice's near side, metres; particles in front of it are not drawn.
        pub near: f32 = 0.01 => from(LEAST_NEAR, 1e4, " m");
        /// View depth of the last fog slice's far side, metres; particles behind it are not drawn.
        pub far: f32 = 100.0 => from(1.01 * near, FARTHEST.min(1e10 * near), " m (from 1.01 to 1e10 times `near`)");
        /// At least one camera; the first is the default.
        pub cameras: Vec<CameraPreset> = Vec::new() => (EACH, |cameras: &Vec<_>| camera::told_apart(cameras));
        pub sun: Sun = Sun::default() => own;
        /// Radiance from above, or from everywhere if there is no `ground`.
        pub ambient: [f32; 3] = [0.0; 3] => RADIANCE;
        /// Radiance from below; defaults to `ambient`.
        #[serde(default)]
        pub ground: Option<[f32; 3]> = None => RADIANCE;
        #[serde(default)]
        pub tone_curve: ToneCurve = ToneCurve::default() => any;
        #[serde(default)]
        pub antialias: bool = false => any;
        #[serde(default)]
        pub bloom: Bloom = Bloom::default() => own;
        #[serde(default)]
        pub surface: Surface = Surface::default() => own;
        pub sky: Sky = Sky::default() => own;
        pub fog: Fog = Fog::default() => own;
        #[serde(default)]
        pub lights: Vec<PointLight> = Vec::new() => List { most: MOST_LIGHTS, of: "lights" };
        #[serde(default)]
        pub emitters: Vec<EmitterSpec> = Vec::new() => EACH;
        #[serde(default)]
        pub sheets: Vec<SheetSpec> = Vec::new() => List { most: MOST_SHEETS, of: "sheets" };
        #[serde(default)]
        pub meshes: Vec<MeshSpec> = Vec::new() => (EACH, |meshes: &Vec<_>| mesh::few_triangles(meshes));
        #[serde(default)]
        pub splats: Vec<SplatSpec> = Vec::new() => SPLAT_FILES;
        /// Added to the screen-space variances of the splats in those files, square pixels.
        #[serde(default = "default_dilation")]
        pub splat_dilation: f32 = default_dilation() => from(0.0, 100.0, " px²");
        /// Contents of those files, placed in the scene by [`Scene::load_splats`].
        #[serde(skip)]
        pub placed_splats: Arc<PlacedSplats> = Arc::default() => any;
        /// Models from the files among the meshes, placed in the scene by [`Scene::load_meshes`].
        #[serde(skip)]
        pub placed_meshes: Arc<PlacedMeshes> = Arc::default() => any;
    }
}

/// Mapping of exposed radiance to the display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum ToneCurve {
    /// Highlights roll off and desaturate, as on film.
    #[default]
    Filmic,
    /// Linear, up to white.
    Linear,
    /// No curve: composites directly in the display's sRGB encoding, up to white.
    Encoded,
}

part! {
    /// Glow around bright areas.
    pub struct Bloom {
        /// Fraction of the light above `threshold` that glows; 0 for no bloom.
        pub strength: f32 = 0.0 => PART;
        /// Exposed radiance above which light glows.
        #[serde(default = "one")]
        pub threshold: f32 = 1.0 => RADIANCE;
    }
}

part! {
    /// Surface of opaque solids; plain if all values are 0.
    #[serde(default)]
    pub struct Surface {
        /// Variation of the albedo through stains and grain, 0…1.
        pub stains: f32 = 0.0 => PART;
        /// Roughness through tilted normals, 0…1.
        pub bump: f32 = 0.0 => PART;
        /// Height of masonry courses, metres; 0 for no joints.
        pub courses: f32 = 0.0 => LENGTH;
        /// Darkening of ambient light in corners, 0…1.
        pub occlusion: f32 = 0.0 => PART;
    }
}

fn default_dilation() -> f32 {
    0.3
}

fn default_fog_slices() -> u32 {
    64
}
