//! The scene file: one struct per RON struct, nothing computed. `check.rs` holds the ranges.
//!
//! World space: right-handed, y up, metres. Colours are linear RGB.

use serde::{Deserialize, Serialize};

use super::placed_meshes::PlacedMeshes;
use super::placed_splats::PlacedSplats;

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
    /// How radiance becomes the screen's light.
    #[serde(default)]
    pub tone_curve: ToneCurve,
    /// Whether the final picture's edges are smoothed.
    #[serde(default)]
    pub antialias: bool,
    /// Glow around what is bright.
    #[serde(default)]
    pub bloom: Bloom,
    /// What opaque solids are made of.
    #[serde(default)]
    pub surface: Surface,
    /// What is seen where nothing is drawn.
    pub sky: Sky,
    /// The medium.
    pub fog: Fog,
    /// Point lights.
    #[serde(default)]
    pub lights: Vec<PointLight>,
    /// Where particles come from.
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
            sun: Sun {
                direction_to_sun: [0.0, 1.0, 0.0],
                irradiance: [0.0; 3],
                radius: 0.0,
                shadows: false,
            },
            ambient: [0.0; 3],
            ground: None,
            tone_curve: ToneCurve::default(),
            antialias: false,
            bloom: Bloom::default(),
            surface: Surface::default(),
            sky: Sky {
                zenith: [0.0; 3],
                horizon: [0.0; 3],
            },
            fog: Fog {
                extinction: 0.0,
                albedo: [1.0; 3],
                anisotropy: 0.0,
                height: 0.0,
                falloff: 0.0,
                noise: Noise::default(),
            },
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

fn default_dilation() -> f32 {
    0.3
}

fn default_fog_slices() -> u32 {
    64
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
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Variation of the albedo by stains and grain, 0…1.
    #[serde(default)]
    pub stains: f32,
    /// Roughness, by turning normals, 0…1.
    #[serde(default)]
    pub bump: f32,
    /// Height of masonry courses, metres; 0: no joints.
    #[serde(default)]
    pub courses: f32,
    /// Darkening of ambient light in corners, 0…1.
    #[serde(default)]
    pub occlusion: f32,
}

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

/// A light at infinity.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sun {
    /// World space, any length but 0.
    pub direction_to_sun: [f32; 3],
    /// On a surface that faces the sun, W/m² up to the exposure.
    pub irradiance: [f32; 3],
    /// Angular radius, degrees: how soft shadows are.
    #[serde(default = "sun_radius")]
    pub radius: f32,
    /// Whether anything casts shadows.
    #[serde(default = "yes")]
    pub shadows: bool,
}

fn sun_radius() -> f32 {
    0.27
}

fn yes() -> bool {
    true
}

/// Radiance of the sky, horizon to zenith.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sky {
    /// Straight up.
    pub zenith: [f32; 3],
    /// At and below the horizon.
    pub horizon: [f32; 3],
}

/// The medium: density falls exponentially with height, times drifting noise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fog {
    /// Extinction at and below `height`, 1/m.
    pub extinction: f32,
    /// Single-scattering albedo, 0…1.
    pub albedo: [f32; 3],
    /// Henyey–Greenstein g; above 0 light goes on forwards.
    #[serde(default)]
    pub anisotropy: f32,
    /// World-space y below which fog is at its densest, metres.
    #[serde(default)]
    pub height: f32,
    /// Exponential falloff above `height`, 1/m; 0: none.
    #[serde(default)]
    pub falloff: f32,
    /// Variation of the density.
    #[serde(default)]
    pub noise: Noise,
}

/// Variation of the fog's density.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// 0: none, 1: from nothing to twice the density.
    pub strength: f32,
    /// Noise cells per metre.
    pub scale: f32,
    /// World-space velocity of the pattern, m/s.
    #[serde(default)]
    pub drift: [f32; 3],
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            strength: 0.0,
            scale: 1.0,
            drift: [0.0; 3],
        }
    }
}

/// A light that shines alike in all directions and casts no shadow.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointLight {
    /// World space, metres.
    pub position: [f32; 3],
    /// Size of the light, metres; keeps its irradiance finite close by.
    pub radius: f32,
    /// Radiant intensity, W/sr up to the exposure.
    pub intensity: [f32; 3],
    /// Variation in time, as of a fire, 0…1.
    #[serde(default)]
    pub flicker: f32,
    /// Part of its light that fog and particles scatter, 0…1.
    #[serde(default = "one")]
    pub glow: f32,
}

/// How many particles an emitter gets.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub enum Amount {
    /// This many, before any share is dealt out; fewer if there are not as many.
    Exactly(u32),
    /// This part of the rest, relative to the other shares.
    Share(f32),
}

/// Where particles come from and what becomes of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmitterSpec {
    /// How many particles.
    pub amount: Amount,
    /// World-space centre of the spawn box, metres.
    pub origin: [f32; 3],
    /// Half-size of the spawn box, metres.
    #[serde(default)]
    pub extent: [f32; 3],
    /// Seconds; 0: particles stand still at the middle of their life.
    #[serde(default)]
    pub lifetime: f32,
    /// World-space velocity, m/s.
    #[serde(default)]
    pub velocity: [f32; 3],
    /// World-space acceleration, m/s².
    #[serde(default)]
    pub acceleration: [f32; 3],
    /// Random velocity per axis, ± m/s.
    #[serde(default)]
    pub spread: f32,
    /// Swing sideways at the end of life, metres.
    #[serde(default)]
    pub turbulence: f32,
    /// Albedo at birth, 0…1.
    pub albedo_start: [f32; 3],
    /// Albedo at the end of life, 0…1; the one at birth if left out.
    #[serde(default)]
    pub albedo_end: Option<[f32; 3]>,
    /// Radiance at birth, falling to 0 at the end of life.
    #[serde(default)]
    pub emission: [f32; 3],
    /// Opacity at the centre, 0…1.
    pub opacity: f32,
    /// 0: hard disc, 1: soft to the rim.
    #[serde(default = "one")]
    pub softness: f32,
    /// Part of life over which opacity rises at birth and falls at the end, 0…0.5.
    #[serde(default)]
    pub fade: f32,
    /// Radius at birth, metres.
    pub radius_start: f32,
    /// Radius at the end of life, metres; the one at birth if left out.
    #[serde(default)]
    pub radius_end: Option<f32>,
    /// Random part of the radius, 0…1.
    #[serde(default)]
    pub radius_variation: f32,
    /// What a particle looks like.
    #[serde(default)]
    pub shape: Shape,
    /// Turns per second of a puff, ± at random.
    #[serde(default)]
    pub spin: f32,
    /// Part of a puff that has thinned away at the end of life, 0…1.
    #[serde(default)]
    pub erosion: f32,
    /// Optical depth of the emitter's whole cloud to light that passes through it; 0: none.
    #[serde(default)]
    pub self_shadow: f32,
    /// Distance to a surface over which particles fade, metres; 0: cut off there.
    #[serde(default)]
    pub soften: f32,
    /// Seconds of its way that a particle is drawn out to; it gets thinner by as much.
    #[serde(default)]
    pub stretch: f32,
}

/// What a particle looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Shape {
    /// A disc with `softness`.
    #[default]
    Disc,
    /// One of eight puffs of smoke, each particle's turned its own way.
    Puff,
}

fn one() -> f32 {
    1.0
}

/// A flat translucent pane: a parallelogram. It casts no shadow; sheets that cross each other are sorted
/// by their cells' centres.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetSpec {
    /// World space, metres.
    pub center: [f32; 3],
    /// From the centre to the middle of an edge, metres.
    pub half_u: [f32; 3],
    /// From the centre to the middle of the edge beside it, metres.
    pub half_v: [f32; 3],
    /// Cells along `half_u` and `half_v`, each a layer at its centre's depth.
    #[serde(default = "default_cells")]
    pub cells: [u32; 2],
    /// 0…1.
    pub albedo: [f32; 3],
    /// Own light, radiance.
    #[serde(default)]
    pub emission: [f32; 3],
    /// 0…1.
    pub opacity: f32,
    /// Part of the scattered light that leaves on the far side, 0…1.
    #[serde(default = "half")]
    pub transmission: f32,
    /// Width over which the opacity falls to 0 at the edges, metres; 0: sharp.
    #[serde(default)]
    pub fade: f32,
    /// Width of a rim along the edges, metres; 0: none.
    #[serde(default)]
    pub rim: f32,
    /// Opacity of the rim, 0…1.
    #[serde(default = "one")]
    pub rim_opacity: f32,
}

pub(super) fn default_cells() -> [u32; 2] {
    [8, 8]
}

pub(super) fn half() -> f32 {
    0.5
}

/// A file of Gaussian splats, and where it stands in the scene. Unlit: its splats have their own colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplatSpec {
    /// Path, relative to the folder of the scene file.
    pub file: String,
    /// Where the file's origin is, world space, metres.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub position: [f32; 3],
    /// Degrees about x, then y, then z of the world; without any turn the file's y, which points down, is the
    /// world's -y, and its z is the world's -z.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rotation: [f32; 3],
    /// Metres per unit of the file.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f32,
    /// Factor on every splat's opacity, 0…1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub opacity: f32,
    /// Radiance of what the file calls 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub radiance: f32,
    /// What the file's colours are.
    #[serde(default, skip_serializing_if = "SplatColors::is_srgb")]
    pub colors: SplatColors,
    /// Whether the colours are albedos, lit as particles are, and not light of their own.
    #[serde(default)]
    pub lit: bool,
}

impl SplatSpec {
    /// A file where it stands by itself.
    pub fn new(file: &str, colors: SplatColors) -> Self {
        Self {
            file: file.to_owned(),
            position: [0.0; 3],
            rotation: [0.0; 3],
            scale: 1.0,
            opacity: 1.0,
            radiance: 1.0,
            lit: false,
            colors,
        }
    }
}

fn is_one(value: &f32) -> bool {
    *value == 1.0
}

fn is_zero(values: &[f32; 3]) -> bool {
    *values == [0.0; 3]
}

/// What the colours of a splat file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplatColors {
    /// As in the photographs that the splats were trained on.
    #[default]
    Srgb,
    /// Taken as they are.
    Linear,
}

impl SplatColors {
    fn is_srgb(&self) -> bool {
        *self == Self::Srgb
    }
}

/// An opaque solid, or a file of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MeshSpec {
    /// A box along the axes.
    Box {
        /// World space, metres.
        center: [f32; 3],
        /// Half its edges, metres.
        half_size: [f32; 3],
        /// 0…1.
        albedo: [f32; 3],
        /// Factor on the albedo that glows by itself.
        #[serde(default)]
        emission: f32,
    },
    /// An upright closed cylinder.
    Cylinder {
        /// World-space centre of its lower disc, metres.
        base: [f32; 3],
        /// Metres.
        radius: f32,
        /// Metres.
        height: f32,
        /// Number of flat sides.
        #[serde(default = "default_segments")]
        segments: u32,
        /// Grooves from top to bottom; 0: none.
        #[serde(default)]
        flutes: u32,
        /// 0…1.
        albedo: [f32; 3],
        /// Factor on the albedo that glows by itself.
        #[serde(default)]
        emission: f32,
    },
    /// A level rectangle that is seen from above.
    Plane {
        /// World space, metres.
        center: [f32; 3],
        /// Half its edges along x and z, metres.
        half_size: [f32; 2],
        /// 0…1.
        albedo: [f32; 3],
    },
    /// A model of a file of glTF.
    File {
        /// Path, relative to the folder of the scene file.
        file: String,
        /// Where the file's origin is, world space, metres.
        #[serde(default)]
        position: [f32; 3],
        /// Degrees about x, then y, then z of the world.
        #[serde(default)]
        rotation: [f32; 3],
        /// Metres per unit of the file.
        #[serde(default = "one")]
        scale: f32,
    },
}

fn default_segments() -> u32 {
    24
}
