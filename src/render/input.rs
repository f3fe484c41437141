//! From a scene and settings to what a frame draws.

use crate::gpu::Capabilities;
use crate::gpu::layout::{Emitter, FrameUniform, Vertex};
use crate::scene::{self, Camera, CameraPreset, FrameInputs, Scene};
use crate::settings::Settings;

use super::resources::{FrameInput, shadow_edge};

/// Entries that lists get room for at first; a frame that needs more grows its buffers.
const FIRST_ENTRY_CAPACITY: u32 = 1 << 16;

/// Everything that a frame of `scene` under `settings` draws; the settings' factors are applied here.
pub fn frame_input(
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
    caps: &Capabilities,
) -> FrameInput {
    let scene = &scene.scaled(&settings.factors);
    let (emitters, particles) = scene::emitters(scene, settings.particles);
    let vertices = scene::vertices(&scene.meshes);
    FrameInput {
        uniform: uniform(scene, camera, settings, caps, particles, &vertices),
        emitters,
        lights: scene::lights(scene),
        sheets: scene::sheets(scene).0,
        vertices,
        slice_bounds: scene::slice_bounds(scene.near, scene.far, settings.fog_slices),
        tile: settings.knobs.tile,
    }
}

fn uniform(
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
    caps: &Capabilities,
    particles: u32,
    vertices: &[Vertex],
) -> FrameUniform {
    let inputs = FrameInputs {
        size: settings.size,
        tile: settings.knobs.tile,
        time: settings.time,
        seed: settings.seed,
        particles,
        slices: settings.fog_slices,
        entry_capacity: FIRST_ENTRY_CAPACITY.max(particles.saturating_mul(4)),
        shadow_texel: 1.0 / shadow_edge(caps) as f32,
        sun_clip_from_world: scene::sun_clip_from_world(scene.sun.direction_to_sun, vertices),
    };
    scene::frame_uniform(scene, &Camera::new(camera, settings.size), &inputs)
}

/// The constants of `input`'s frame at another moment, from another camera, with other settings that
/// change no size and no count. Factors are among them: what they do to particles is in
/// [`emitters_at`].
pub fn uniform_at(
    input: &FrameInput,
    scene: &Scene,
    camera: &CameraPreset,
    settings: &Settings,
) -> FrameUniform {
    let before = &input.uniform;
    let inputs = FrameInputs {
        size: before.size,
        tile: input.tile,
        time: settings.time,
        seed: settings.seed,
        particles: before.particles,
        slices: before.slices,
        entry_capacity: before.entry_capacity,
        shadow_texel: before.shadow_texel,
        sun_clip_from_world: before.sun_clip_from_world,
    };
    let scene = scene.scaled(&settings.factors);
    scene::frame_uniform(&scene, &Camera::new(camera, before.size), &inputs)
}

/// The emitters of `input`'s frame under other settings that change no size and no count: as many as
/// before, each with as many particles as before.
pub fn emitters_at(input: &FrameInput, scene: &Scene, settings: &Settings) -> Vec<Emitter> {
    scene::emitters(&scene.scaled(&settings.factors), input.uniform.particles).0
}
