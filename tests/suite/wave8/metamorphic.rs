//! Metamorphic tests: certain changes of a frame's input must not change the picture.

use wavelerp::frame::{Frame, FrameInput, frame_input};
use wavelerp::gpu::shader::Edit;
use wavelerp::gpu::{Pipelines, Profiler, Recorder};
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Inputs;
use wavelerp::model::scene::{Amount, MeshSpec, Scene};
use wavelerp::model::settings::Settings;

use crate::harness::{Harness, greatest, scene, settings, shown_splats, source};
use crate::oracles::Shown;

const SIZE: [u32; 2] = [83, 45];

/// Scenes with particles, fog, panes and solids of every kind, with quick settings.
fn scenes(size: [u32; 2]) -> Vec<(Scene, Settings)> {
    let with_settings = |scene: Scene| {
        let settings = settings(&scene, size, scene.particles.min(2000), 16);
        (scene, settings)
    };
    let names = ["temple", "stack", "panes", "stress"];
    names.map(scene).into_iter().map(with_settings).collect()
}

/// Input of a scene's frame, for a test to change.
pub fn input_of(harness: &Harness, scene: &Scene, settings: &Settings) -> FrameInput {
    let scene = harness.drawable(scene);
    frame_input(&scene, &scene.cameras[0], settings, &harness.gpu.caps)
}

/// Composite that the plain loop draws from an input, and the splats.
pub fn drawn(
    harness: &Harness,
    pipelines: &Pipelines,
    input: FrameInput,
    settings: &Settings,
) -> (Vec<[f32; 4]>, Vec<Shown>) {
    let gpu = &harness.gpu;
    let mut frame = Frame::new(gpu, pipelines, input).expect("a frame");
    let mut profiler = Profiler::untimed(gpu).expect("a profiler");
    let counters = frame.draw_scene_complete(gpu, &harness.pipelines, &mut profiler, Inputs::LISTS);
    let specialization = settings.options.specialize(Method::PixelLoop);
    let composite = frame.composite(gpu, pipelines, specialization, &counters.expect("drawn"));
    let composite = composite.expect("a composite");
    let (mut recorder, target) = (
        Recorder::new(gpu, &mut profiler, "composite"),
        &frame.target,
    );
    let label = composite.label();
    let recorded = frame.record_composite(&mut recorder, &composite, target, label, 1);
    recorded.expect("recorded");
    let recorded = recorder.finish();
    profiler.submit_and_wait(gpu, recorded).expect("computed");
    let pixels = frame.read_composite(gpu).expect("pixels");
    (pixels, shown_splats(gpu, &frame))
}

fn drawn_scene(harness: &Harness, scene: &Scene, settings: &Settings) -> Vec<[f32; 4]> {
    let input = input_of(harness, scene, settings);
    drawn(harness, &harness.pipelines, input, settings).0
}

fn mean_difference(a: &[[f32; 4]], b: &[[f32; 4]]) -> f64 {
    let channels = a.iter().flatten().zip(b.iter().flatten());
    let sum: f64 = channels.map(|(a, b)| f64::from((a - b).abs())).sum();
    sum / (4 * a.len()) as f64
}

/// The scene with uniform fog in uniform, ambient light.
fn with_even_fog(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.fog.noise.strength = 0.0;
    scene.fog.falloff = 0.0;
    scene.fog.extinction = scene.fog.extinction.max(0.03);
    scene.sun.irradiance = [0.0; 3];
    scene.lights.clear();
    scene
}

/// The input with slice `slice` split in the middle.
fn split(mut input: FrameInput, slice: usize) -> FrameInput {
    let bounds = &mut input.slice_bounds;
    bounds.insert(slice + 1, 0.5 * (bounds[slice] + bounds[slice + 1]));
    input.shape.slices += 1;
    input
}

#[test]
fn splitting_a_fog_slice_without_particles_changes_nothing() {
    let harness = Harness::with_fine_fog();
    for (scene, settings) in scenes(SIZE) {
        let mut scene = with_even_fog(&scene);
        // Slices nearer than the scene's own first slice are free of particles.
        scene.near *= 0.5;
        let input = input_of(&harness, &scene, &settings);
        let (reference, splats) = drawn(&harness, &harness.pipelines, input.clone(), &settings);
        let mut slices = 0..settings.fog_slices as usize;
        let is_empty = |slice: &usize| splats.iter().all(|splat| splat.slice as usize != *slice);
        let empty = slices.rfind(is_empty).expect("a slice without particles");
        let halves = split(input.clone(), empty);
        let (found, _) = drawn(&harness, &harness.pipelines, halves, &settings);
        let off = greatest(&reference, &found);
        assert!(off <= 1e-5, "{}, slice {empty}: {off:e}", scene.name);
        // Negative control: a slice is moved instead of split.
        let mut moved = input;
        moved.slice_bounds[0] *= 0.5;
        let (found, _) = drawn(&harness, &harness.pipelines, moved, &settings);
        assert!(greatest(&reference, &found) > 1e-4, "{}", scene.name);
    }
}

#[test]
fn the_picture_converges_when_slices_are_doubled() {
    let harness = Harness::with_fine_fog();
    let mut measured = 0;
    for (scene, mut settings) in scenes(SIZE) {
        let mut at = |slices| {
            settings.fog_slices = slices;
            drawn_scene(&harness, &scene, &settings)
        };
        let pictures = [8, 16, 32, 64].map(&mut at);
        let steps = pictures.windows(2);
        let steps = steps.map(|pair| mean_difference(&pair[0], &pair[1]));
        let steps: Vec<f64> = steps.collect();
        // Froxels are half floats, which some drivers truncate at 2^-11 of the value: a smaller difference does not
        // come from slices.
        let black = vec![[0.0; 4]; pictures[3].len()];
        let rounding = mean_difference(&pictures[3], &black) / 2048.0;
        for pair in steps.windows(2) {
            let halves = pair[1] <= 0.5 * pair[0];
            let what = format!("{}: {steps:?}, rounding {rounding}", scene.name);
            assert!(halves || pair[1] < rounding, "{what}");
            measured += usize::from(pair[1] >= rounding);
        }
    }
    // Shadows of solids make fog sufficiently uneven.
    assert!(measured >= 2, "{measured}");
}

/// The scene with a wall across the view, and additional particles behind it if `more`.
fn walled(scene: &Scene, more: bool) -> Scene {
    let mut scene = scene.clone();
    let camera = &scene.cameras[0];
    let across: [f32; 3] = std::array::from_fn(|axis| camera.target[axis] - camera.eye[axis]);
    let length = across.iter().map(|part| part * part).sum::<f32>().sqrt();
    let depth = 0.35 * scene.far;
    let middle = |depth: f32| -> [f32; 3] {
        std::array::from_fn(|axis| camera.eye[axis] + across[axis] / length * depth)
    };
    scene.meshes.push(MeshSpec::Box {
        center: middle(1.2 * depth),
        half_size: [0.2 * depth, 0.2 * depth, 0.2 * depth],
        albedo: [0.5; 3],
        emission: 0.0,
    });
    let mut emitter = scene.emitters[0].clone();
    // The emitter is farther from the camera than the box's far corner, and within the box's outline.
    emitter.origin = middle(1.2 * depth + 0.4 * depth);
    emitter.extent = [0.01; 3];
    emitter.amount = Amount::Exactly(if more { 200 } else { 0 });
    (emitter.lifetime, emitter.velocity, emitter.acceleration) = (0.0, [0.0; 3], [0.0; 3]);
    (emitter.spread, emitter.turbulence) = (0.0, 0.0);
    (emitter.opacity, emitter.emission) = (0.9, [50.0; 3]);
    (emitter.radius_start, emitter.radius_end) = (0.02 * depth, None);
    scene.emitters.push(emitter);
    scene
}

#[test]
fn particles_behind_opaque_surfaces_change_nothing() {
    let harness = Harness::new();
    for (mut scene, mut settings) in scenes(SIZE) {
        // All amounts are exact, so that the additional particles take none away from others.
        for emitter in &mut scene.emitters {
            if let Amount::Share(_) = emitter.amount {
                emitter.amount = Amount::Exactly(500);
            }
        }
        settings.particles = 1_000_000;
        let drawn = |with_wall: bool, more: bool| {
            let mut scene = walled(&scene, more);
            if !with_wall {
                scene.meshes.clear();
            }
            drawn_scene(&harness, &scene, &settings)
        };
        let bits = |pixels: &[[f32; 4]]| bytemuck::cast_slice::<[f32; 4], u32>(pixels).to_vec();
        let same = bits(&drawn(true, false)) == bits(&drawn(true, true));
        assert!(same, "{}", scene.name);
        // Negative control: without solids the additional particles are visible.
        let shown = greatest(&drawn(false, false), &drawn(false, true));
        assert!(shown > 1e-3, "{}: {shown}", scene.name);
    }
}

/// Edit with which the last invocation emits the first particle.
const BACKWARDS: Edit = Edit::new(
    "frame/simulate",
    "let index = workgroup_number(workgroup) * 256u + local;\n    if index >= item_count(PARTICLE) { return; }",
    "let number = workgroup_number(workgroup) * 256u + local;\n    if number >= item_count(PARTICLE) { return; }\n    let index = item_count(PARTICLE) - 1u - number;",
);
/// Edit that, together with [`BACKWARDS`], stores every particle at its index counted from the end.
const RENUMBERED: Edit = Edit::new(
    "frame/simulate",
    "particles[index * 3u + i]",
    "particles[(item_count(PARTICLE) - 1u - index) * 3u + i]",
);

#[test]
fn emitting_in_another_order_changes_nothing() {
    let harness = Harness::new();
    let [backwards, renumbered] =
        [BACKWARDS, RENUMBERED].map(|edit| Pipelines::new(source([edit])));
    let mut order_matters = false;
    for (scene, settings) in scenes(SIZE) {
        let input = input_of(&harness, &scene, &settings);
        let by = |pipelines: &Pipelines| {
            let (pixels, _) = drawn(&harness, pipelines, input.clone(), &settings);
            bytemuck::cast_slice::<[f32; 4], u32>(&pixels).to_vec()
        };
        let reference = by(&harness.pipelines);
        assert!(by(&backwards) == reference, "{}", scene.name);
        order_matters |= by(&renumbered) != reference;
    }
    assert!(
        order_matters,
        "other particle numbers give the same picture"
    );
}
