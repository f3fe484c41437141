//! From a scene and settings to what a frame draws.

use std::borrow::Cow;

use crate::gpu::Capabilities;
use crate::gpu::layout::{Emitter, FrameUniform, PointLight, Sheet, Vertex};
use crate::methods::{Kinds, Source, Stored};
use crate::scene::{
    self, Camera, CameraPreset, Factors, MacroTile, PlacedMeshes, PlacedSplats, Scene, Solids,
    UniformInputs,
};
use crate::settings::Settings;

/// Entries that lists get room for at first; a frame that needs more grows its buffers.
const FIRST_ENTRY_CAPACITY: u32 = 1 << 16;

/// Everything a frame draws, as the GPU sees it.
#[derive(Clone, Debug, Default)]
pub struct FrameInput {
    /// Camera, light, fog and counts.
    pub uniform: FrameUniform,
    /// Sorted by first particle; at least one (may have no particles).
    pub emitters: Vec<Emitter>,
    /// Point lights at full intensity; see [`crate::scene::flickering`].
    pub lights: Vec<PointLight>,
    pub sheets: Vec<Sheet>,
    /// Gaussians.
    pub splats: PlacedSplats,
    /// Opaque triangles: solids, and behind them those of files.
    pub vertices: Vec<Vertex>,
    /// What the triangles of files are made of.
    pub meshes: PlacedMeshes,
    /// F + 1 ascending view depths, metres.
    pub slice_bounds: Vec<f32>,
    /// Tile edge in pixels.
    pub tile: u32,
    /// Tiles of a macro tile, or that the frame's counters say.
    pub macro_tile: MacroTile,
    /// How splats are stored; in half floats only of a frame that has nothing else.
    pub stored: Stored,
    /// Whether it is found by compute which triangle the camera sees (`shaders/solids.wesl`).
    pub computes_solids: bool,
}

/// Most triangles of solids that are found by compute, where every block of pixels looks at all of them.
const MOST_COMPUTED: usize = 1 << 14;

/// Whether solids are found by compute.
fn computes(solids: Solids, caps: &Capabilities, vertices: &[Vertex], of: &PlacedMeshes) -> bool {
    let can = (1..=MOST_COMPUTED).contains(&(vertices.len() / 3)) && of.coats.is_empty();
    can && match solids {
        Solids::Auto => caps.rasterises_slowly(),
        Solids::Draw => false,
        Solids::Compute => true,
    }
}

impl FrameInput {
    /// What the frame's lists hold, which methods are compiled for.
    #[must_use]
    pub fn layers(&self) -> Source {
        let uniform = &self.uniform;
        // In 64 bits: sizes beyond the adapter are refused later.
        let tiles = uniform.tiles.map(u64::from).iter().product::<u64>().max(1);
        let has_others = [uniform.particles, uniform.cells, uniform.slices]
            .iter()
            .any(|of| *of > 0);
        let ellipses = uniform.ellipsoids > 0;
        if ellipses && !has_others && self.vertices.is_empty() {
            return Source::Ellipses(self.stored);
        }
        Source::Frame(Kinds {
            sheets: uniform.cells > 0,
            ellipses,
            crowd: u64::from(uniform.particles) / tiles > uniform.slices.into(),
        })
    }
}

/// Edge of the shadow map, texels.
pub fn shadow_edge(caps: &Capabilities) -> u32 {
    if caps.is_cpu { 1024 } else { 2048 }
}

/// The scene with the settings' factors on its layers; most settings have none, and nothing is copied.
fn scaled<'a>(scene: &'a Scene, settings: &Settings) -> Cow<'a, Scene> {
    if settings.factors == Factors::default() {
        Cow::Borrowed(scene)
    } else {
        Cow::Owned(scene.scaled(&settings.factors))
    }
}

/// Everything that a frame of `scene` under `settings` draws; the settings' factors are applied here.
pub fn frame_input(
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
    caps: &Capabilities,
) -> FrameInput {
    let scene = &*scaled(scene, settings);
    let (emitters, particles) = scene::emitters(scene, settings.particles);
    let vertices = scene.vertices();
    let ellipsoids = scene.placed_splats.count();
    let inputs = UniformInputs {
        size: settings.size,
        tile: settings.knobs.tile,
        time: settings.time,
        seed: settings.seed,
        particles,
        slices: settings.fog_slices,
        entry_capacity: FIRST_ENTRY_CAPACITY
            .max(particles.saturating_mul(4))
            .max(ellipsoids.saturating_mul(2)),
        splat_order: settings.splat_order,
        cull: settings.cull,
        macro_shift: settings.macro_tile.first_shift(),
        shadow_texel: 1.0 / shadow_edge(caps) as f32,
        sun_clip_from_world: scene::sun_clip_from_world(scene.sun.direction_to_sun, &vertices),
    };
    let mut input = FrameInput {
        macro_tile: settings.macro_tile,
        stored: Stored::Whole,
        computes_solids: computes(settings.solids, caps, &vertices, &scene.placed_meshes),
        uniform: scene::frame_uniform(scene, &Camera::new(camera, settings.size), &inputs),
        emitters,
        lights: scene::lights(scene),
        sheets: scene::sheets(scene).0,
        splats: scene.placed_splats.clone(),
        vertices,
        meshes: scene.placed_meshes.clone(),
        slice_bounds: scene::slice_bounds(scene.near, scene.far, settings.fog_slices),
        tile: settings.knobs.tile,
    };
    if matches!(input.layers(), Source::Ellipses(_)) {
        input.stored = settings.knobs.precision.stored();
    }
    input
}

/// The constants and the emitters of `input`'s frame at another moment, from another camera, with other settings
/// that change no size and no count: there are as many emitters as before, each with as many particles as
/// before. The settings' factors are applied here.
pub fn at_moment(
    input: &FrameInput,
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
) -> (FrameUniform, Vec<Emitter>) {
    let scene = &*scaled(scene, settings);
    let before = &input.uniform;
    let inputs = UniformInputs {
        size: before.size,
        tile: input.tile,
        time: settings.time,
        seed: settings.seed,
        particles: before.particles,
        slices: before.slices,
        entry_capacity: before.entry_capacity,
        splat_order: settings.splat_order,
        cull: settings.cull,
        macro_shift: before.macro_shift,
        shadow_texel: before.shadow_texel,
        sun_clip_from_world: before.sun_clip_from_world,
    };
    let uniform = scene::frame_uniform(scene, &Camera::new(camera, before.size), &inputs);
    (uniform, scene::emitters(scene, before.particles).0)
}
