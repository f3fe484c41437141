//! Fog as layers is compared with fog integrated up to every particle (`oracles::fog`). Simpler approaches must show pops.

use wavelerp::frame::Frame;
use wavelerp::gpu::shader::{Edit, ShaderSource, Variant};
use wavelerp::gpu::{Binds, Pipelines, filled_buffer, read_buffer};
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{Amount, Scene, Shape};

use crate::harness::{Harness, edited, error_over_bound, scene, settings, shown_splats};
use crate::oracles::Shown;
use crate::oracles::fog::{FogParticle, FogRay, FogSlice, composite, error_bound};

/// Pipelines of shaders that ignore the fog in front of a particle in the particle's own slice: c' = c.
fn without_split() -> Pipelines {
    edited(
        "layers/sources/frame",
        "color = mix(own, fog.rgb, opacity_from_optical_depth(fog.a * path));",
        "color = own + 0.0 * path * fog.rgb;",
    )
}

/// A pixel in the form that the oracle needs.
struct Pixel {
    position: [u32; 2],
    slices: Vec<FogSlice>,
    particles: Vec<FogParticle>,
    nominal: Vec<f64>,
    ray: FogRay,
}

/// Metres of path per metre of view depth at a pixel's centre.
fn path_per_depth(frame: &Frame, position: [u32; 2]) -> f64 {
    let uniform = frame.input().uniform();
    let tangents = [uniform.tan_x, uniform.tan_y].map(f64::from);
    let across = [0, 1].map(|axis| {
        let place = (f64::from(position[axis]) + 0.5) / f64::from(uniform.size[axis]);
        (2.0 * place - 1.0) * tangents[axis]
    });
    (1.0 + across[0] * across[0] + across[1] * across[1]).sqrt()
}

/// Opacity of a splat at a pixel's centre; `None` if rounding decides on which side of a hard disc's rim the pixel is.
fn opacity_at(splat: &Shown, position: [u32; 2]) -> Option<f64> {
    let offset = [0, 1].map(|axis| {
        let distance = f64::from(position[axis]) + 0.5 - f64::from(splat.center[axis]);
        distance * f64::from(splat.inverse_radius)
    });
    let inside = 1.0 - offset[0] * offset[0] - offset[1] * offset[1];
    if inside.abs() < 1e-5 {
        return None;
    }
    let softness = f64::from(splat.softness);
    let soft = 1.0 - softness + softness * inside * inside;
    let shown = if inside > 0.0 { soft } else { 0.0 };
    Some(f64::from(splat.opacity) * shown)
}

/// A pixel with slices from its froxels and particles from all splats of the frame. Lists are read only for the fog's
/// values.
fn pixel_of(
    harness: &Harness,
    frame: &Frame,
    splats: &[Shown],
    position: [u32; 2],
) -> Option<Pixel> {
    let probed = harness.probe(frame, position);
    let bounds = &frame.input().slice_bounds;
    let mut surface = f64::INFINITY;
    let mut slices = Vec::new();
    for layer in probed.layers.iter().filter(|layer| layer.is_fog()) {
        let slice = layer.index() as usize;
        if layer.depth < bounds[slice + 1] {
            surface = surface.min(f64::from(layer.depth));
        }
        slices.push(FogSlice {
            near: f64::from(bounds[slice]),
            far: f64::from(bounds[slice + 1]),
            source: layer.fog.map(f64::from),
            extinction: f64::from(layer.extinction),
        });
    }
    let mut particles = Vec::new();
    let mut nominal = Vec::new();
    for splat in splats {
        let opacity = opacity_at(splat, position)?;
        if opacity > 0.0 && f64::from(splat.depth) < surface {
            nominal.push(f64::from(splat.opacity));
            particles.push(FogParticle {
                depth: f64::from(splat.depth),
                radiance: splat.color.map(f64::from),
                opacity,
            });
        }
    }
    Some(Pixel {
        position,
        slices,
        particles,
        nominal,
        ray: FogRay {
            path_per_depth: path_per_depth(frame, position),
            surface,
        },
    })
}

/// Largest error of a composited pixel's four channels, each divided by its bound.
fn excess(pixel: &Pixel, found: [f32; 4]) -> f64 {
    let expected = composite(&pixel.slices, &pixel.particles, pixel.ray);
    let bound = error_bound(&pixel.slices, &pixel.particles, &pixel.nominal);
    error_over_bound(expected.channels(), bound, found)
}

/// Pixels in a fixed pattern over the frame, in which rows and columns repeat late.
fn spread(size: [u32; 2], count: u32) -> impl Iterator<Item = [u32; 2]> {
    (0..count).map(move |i| [i * 97 % size[0], i * 59 % size[1]])
}

/// The scene with only plain discs, because the oracle has no sprites. The interaction of fog and particles does not
/// depend on how a particle looks.
fn plain(mut scene: Scene) -> Scene {
    for emitter in &mut scene.emitters {
        emitter.shape = Shape::Disc;
        (emitter.stretch, emitter.soften, emitter.self_shadow) = (0.0, 0.0, 0.0);
    }
    scene
}

/// Asserts that with every method, pixels of a scene with particles are within their bounds. Returns the largest
/// error, divided by the bound, of a renderer that does not split slices.
fn agrees(name: &str, slices: u32, extra: &[[u32; 2]]) -> f64 {
    let harness = Harness::new();
    let scene = plain(scene(name));
    let size = [161, 91];
    let settings = settings(&scene, size, 12_000, slices);
    let mut capture = harness.capture(&scene, &settings);
    let pixels: Vec<Pixel> = {
        let frame = &capture.frame;
        let splats = shown_splats(&harness.gpu, frame);
        let positions = spread(size, 40).chain(extra.iter().copied());
        positions
            .filter_map(|position| pixel_of(&harness, frame, &splats, position))
            .collect()
    };
    let with_particles = pixels.iter().filter(|pixel| !pixel.particles.is_empty());
    assert!(pixels.len() >= 36 && with_particles.count() >= 12, "{name}");
    for method in harness.methods_in_f32() {
        let picture = capture.picture(method).expect("a picture").composite;
        for pixel in &pixels {
            let excess = excess(pixel, picture.at(pixel.position));
            let what = format!("{name}, {method} at {:?}", pixel.position);
            assert!(excess <= 1.0, "{what}: {excess} of the bound");
        }
    }
    let pipelines = without_split();
    let mut broken = harness.capture_by(&pipelines, &scene, &settings);
    let picture = broken.picture(Method::PixelLoop).expect("a picture");
    let mut worst = 0.0f64;
    for pixel in &pixels {
        worst = worst.max(excess(pixel, picture.composite.at(pixel.position)));
    }
    worst
}

#[test]
fn fog_as_layers_equals_fog_integrated_to_every_particle_in_the_temple() {
    let broken = agrees("temple", 24, &[]);
    assert!(broken > 10.0, "{broken} of the bound");
}

#[test]
fn fog_as_layers_equals_fog_integrated_to_every_particle_under_stress() {
    // Pixels next to the needle, with over a thousand layers.
    let broken = agrees("stress", 16, &[[81, 46], [82, 47]]);
    assert!(broken > 10.0, "{broken} of the bound");
}

#[test]
fn fog_as_one_layer_equals_fog_integrated_to_every_particle() {
    let broken = agrees("temple", 1, &[]);
    assert!(broken > 10.0, "{broken} of the bound");
}

#[test]
fn a_single_slice_holds_the_fog_that_the_scene_asks_for() {
    let harness = Harness::new();
    let scene = scene("two");
    for slices in [1, 2, 3] {
        let capture = harness.capture(&scene, &settings(&scene, [16, 9], 0, slices));
        let probed = harness.probe(&capture.frame, [8, 4]);
        assert_eq!(probed.layers.len() as u32, slices);
        for layer in &probed.layers {
            assert_eq!((layer.extinction, layer.fog), (0.0625, [0.125, 0.25, 0.5]));
        }
    }
}

/// The scene `two` with one large disc straight ahead, in dense fog.
fn one_disc(depth: f32) -> Scene {
    let mut scene = scene("two");
    scene.fog.extinction = 1.0;
    scene.emitters.truncate(1);
    let emitter = &mut scene.emitters[0];
    emitter.amount = Amount::Exactly(1);
    emitter.origin = [0.0, 0.0, -depth];
    emitter.radius_start = 1.0;
    emitter.emission = [8.0, 4.0, 2.0];
    scene
}

/// Red of the middle pixel with each method while the disc moves from 1.9 m to 2.1 m, through the slice bound at 2 m,
/// a centimetre per step.
fn passing_a_bound(
    harness: &Harness,
    pipelines: &Pipelines,
    methods: &[Method],
) -> Vec<(Method, Vec<f64>)> {
    let mut reds: Vec<_> = methods.iter().map(|&method| (method, Vec::new())).collect();
    for step in 0..22 {
        let scene = one_disc(1.895 + 0.01 * step as f32);
        let settings = settings(&scene, [8, 8], 1, 4);
        let mut capture = harness.capture_by(pipelines, &scene, &settings);
        for (method, reds) in &mut reds {
            let picture = capture.picture(*method).expect("a picture");
            reds.push(f64::from(picture.composite.pixels[4 * 8 + 4][0]));
        }
    }
    reds
}

/// Largest change in a step, divided by the larger change of the two neighbouring steps.
fn greatest_jump(values: &[f64]) -> f64 {
    let steps = values.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let steps: Vec<f64> = steps.collect();
    let jumps = steps.windows(3).map(|of| of[1] / of[0].max(of[2]));
    jumps.fold(0.0, f64::max)
}

#[test]
fn a_particle_that_passes_into_the_next_slice_makes_no_jump() {
    let harness = Harness::new();
    for (method, reds) in passing_a_bound(&harness, &harness.pipelines, &harness.methods_in_f32()) {
        let jump = greatest_jump(&reds);
        assert!(jump < 1.05, "{method}: {jump} times its neighbours");
    }
    let broken = passing_a_bound(&harness, &without_split(), &[Method::PixelLoop]);
    let jump = greatest_jump(&broken[0].1);
    assert!(jump > 10.0, "no jump without the split either: {jump}");
}

/// Kernel with one invocation per number.
const OPACITY_KERNEL: &str = "
import package::layers::medium::opacity_from_optical_depth;

@group(0) @binding(0) var<storage, read_write> numbers: array<f32>;

@compute @workgroup_size(64)
fn opacities(@builtin(global_invocation_id) id: vec3u) {
    numbers[id.x] = opacity_from_optical_depth(numbers[id.x]);
}
";

/// Largest relative error of opacity for optical depths from 1e-8 to 20.
fn opacity_error(harness: &Harness, edits: Vec<Edit>) -> f64 {
    let own = [("opacities".to_owned(), OPACITY_KERNEL.to_owned())];
    let pipelines = Pipelines::new(ShaderSource {
        texts: own.into(),
        edits,
        ..crate::shaders::source()
    });
    let pipeline = pipelines
        .compute(&harness.gpu, &Variant::new("opacities"), "opacities")
        .expect("the kernel compiles");
    let count = 16_384;
    let depths: Vec<f32> = (0..count)
        .map(|i| (1e-8f64 * 2e9f64.powf(f64::from(i) / f64::from(count - 1))) as f32)
        .collect();
    let buffer = filled_buffer(&harness.gpu, "numbers", &depths);
    let binds = Binds::new([("numbers", buffer.as_entire_binding())]);
    let dispatch = |pass: &mut wgpu::ComputePass| pipeline.dispatch(pass, &[&binds], count / 64);
    let done = harness.gpu.compute_and_wait("opacities", dispatch);
    done.expect("computed");
    let found: Vec<f32> = read_buffer(&harness.gpu, &buffer, count as usize).expect("numbers");
    let errors = depths.iter().zip(found).map(|(&depth, found)| {
        let expected = -(-f64::from(depth)).exp_m1();
        (f64::from(found) / expected - 1.0).abs()
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn opacity_is_right_to_a_millionth_at_any_optical_depth() {
    let harness = Harness::new();
    let error = opacity_error(&harness, vec![]);
    assert!(error < 1e-6, "relative error {error:e}");
    let plain = Edit::new("layers/medium", "tau < 0.", "tau < 0.0 && tau < 0.");
    let error = opacity_error(&harness, vec![plain]);
    assert!(error > 1e-3, "the plain form is as good: {error:e}");
}
