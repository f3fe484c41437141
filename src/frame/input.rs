//! Converts a scene and settings to a frame's shape, moment and contents. Independent of the GPU.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::adapter::drawing_part;
use crate::model::items::{ItemCounts, ItemKind};
use crate::model::layout::{Emitter, FrameUniform, PointLight, Sheet, Vertex};
use crate::model::methods::{Source, Stored};
use crate::model::options::{FogMode, Solids};
use crate::model::passes::Inputs;
use crate::model::scene::{Camera, CameraPreset, Factors, PlacedMeshes, PlacedSplats, Scene};
use crate::model::settings::Settings;
use crate::model::{Capabilities, scene};

use super::macro_tiles::MACRO_SHIFTS;
use super::moment::{Moment, frame_uniform, look_of};
use super::shape::{FrameShape, froxels};

/// Initial capacity of lists in entries. A frame that needs more grows the buffers.
const FIRST_ENTRY_CAPACITY: u32 = 1 << 16;
/// Number of cells per froxel column. Light is sampled once in each cell.
const LIGHT_CELLS: u32 = 128;

#[derive(Clone, Debug, Default)]
pub struct FrameInput {
    /// Counts match the fields below.
    pub shape: FrameShape,
    pub moment: Moment,
    /// Emitters sorted by first particle. There is at least one, which may have no particles.
    pub emitters: Vec<Emitter>,
    /// Point lights at full intensity; see [`crate::model::scene::flickering`].
    pub lights: Vec<PointLight>,
    pub sheets: Vec<Sheet>,
    pub splats: Arc<PlacedSplats>,
    /// Opaque triangles of solids, three vertices each.
    pub vertices: Vec<Vertex>,
    /// Triangles of files, in buffers after the triangles of solids.
    pub meshes: Arc<PlacedMeshes>,
    /// View depths in metres that bound the F slices: F + 1 ascending values.
    pub slice_bounds: Vec<f32>,
}

impl FrameInput {
    pub fn uniform(&self) -> FrameUniform {
        frame_uniform(&self.moment, &self.shape)
    }
}

/// Maximum number of triangles if compute finds solids. Every block of pixels tests all triangles.
const MOST_COMPUTED: u32 = 1 << 14;

fn computes(solids: Solids, caps: &Capabilities, shape: &FrameShape) -> bool {
    let can = (1..=MOST_COMPUTED).contains(&shape.solids) && shape.model_triangles == 0;
    can && match solids {
        // Compute GPUs find the triangles of a few solids faster in compute. docs/results.md has times of an H200.
        Solids::Auto => drawing_part(&caps.name).is_some(),
        Solids::Draw => false,
        Solids::Compute => true,
    }
}

/// Edge of the shadow map, texels.
pub fn shadow_edge(caps: &Capabilities) -> u32 {
    if caps.is_cpu { 1024 } else { 2048 }
}

/// The scene scaled by the settings' factors. If all factors are 1, nothing is copied.
fn scaled<'a>(scene: &'a Scene, settings: &Settings) -> Cow<'a, Scene> {
    if settings.factors == Factors::default() {
        Cow::Borrowed(scene)
    } else {
        Cow::Owned(scene.scaled(&settings.factors))
    }
}

/// The content of a frame of `scene` with `settings`.
pub fn frame_input(
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
    caps: &Capabilities,
) -> FrameInput {
    let scene = &*scaled(scene, settings);
    let (emitters, particles) = scene::emitters(scene, settings.particles);
    let vertices = scene::vertices(&scene.meshes);
    let (sheets, cells) = scene::sheets(scene);
    let lights = scene::lights(scene);
    let (splats, meshes) = (&scene.placed_splats, &scene.placed_meshes);
    let options = &settings.options.frame;
    let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let counts = ItemCounts::new(|kind| match kind {
        ItemKind::Particle => particles,
        ItemKind::Cell => cells,
        ItemKind::Gaussian => splats.count(),
    });
    let mut shape = FrameShape {
        size: settings.size,
        tile: options.tile,
        near: scene.near,
        far: scene.far,
        counts,
        emitters: count(emitters.len()),
        lights: count(lights.len()),
        slices: settings.fog_slices,
        integrates_fog: options.fog == FogMode::Integrated && settings.fog_slices > 0,
        columns: froxels(settings.size),
        light_cells: LIGHT_CELLS,
        sheets_lit_every: 1,
        sheets: count(sheets.len()),
        splat_sets: count(splats.sets.len()),
        solids: count(vertices.len() / 3),
        model_triangles: count(meshes.count()),
        entry_capacity: FIRST_ENTRY_CAPACITY
            .max(particles.saturating_mul(4))
            .max(splats.count().saturating_mul(2)),
        macro_shift: MACRO_SHIFTS[0],
        shadow_edge: shadow_edge(caps),
        splat_order: options.splat_order.of(splats),
        mip: splats.sets.iter().any(|set| set.mip > 0),
        stored: Stored::Whole,
        computes_solids: false,
        lists: Inputs::LISTS,
        shuffled: options.order.is_shuffled(),
        key_bits: options.key_bits,
        by_order_camera: options.order_age > 0,
        glows: scene.bloom.strength > 0.0,
        smooths: scene.antialias,
    };
    shape.computes_solids = computes(options.solids, caps, &shape);
    if matches!(shape.layers(), Source::Gaussians(_)) {
        shape.stored = options.precision.stored();
    }
    let positions = vertices.iter().map(|vertex| vertex.position);
    let positions = positions.chain(meshes.positions());
    FrameInput {
        shape,
        moment: Moment {
            camera: Camera::new(camera, settings.size),
            order_camera: Camera::new(&camera.frames_ago(options.order_age), settings.size),
            time: settings.time,
            sun_clip_from_world: scene::sun_clip_from_world(scene.sun.direction_to_sun, positions),
            look: look_of(scene, settings.seed),
        },
        emitters,
        lights,
        sheets,
        splats: splats.clone(),
        vertices,
        meshes: meshes.clone(),
        slice_bounds: scene::slice_bounds(scene.near, scene.far, settings.fog_slices),
    }
}

/// Moment and emitters of `input` at another time, from another camera, or with other settings. The settings must keep
/// the frame's shape, its emitters and their numbers of particles. Lists are ordered for the new camera.
pub fn at_moment(
    input: &FrameInput,
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
) -> (Moment, Vec<Emitter>) {
    let scene = &*scaled(scene, settings);
    let camera = Camera::new(camera, input.shape.size);
    let moment = Moment {
        camera,
        order_camera: camera,
        time: settings.time,
        look: look_of(scene, settings.seed),
        ..input.moment
    };
    (
        moment,
        scene::emitters(scene, input.shape.counts.of(ItemKind::Particle)).0,
    )
}
