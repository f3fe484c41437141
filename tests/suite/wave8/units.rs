//! Scenes in other units of light and length give the same picture, over the whole range of scene files: a frame
//! stores radiance and extinction in its own units, so that half floats can represent them
//! (`src/model/scene/units.rs`). All factors are powers of two, so every number keeps its digits and pictures are
//! exactly equal.

use wavelerp::frame::FrameInput;
use wavelerp::live::inspect::{Probed, ProbedLayer};
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{MeshSpec, PointLight, Scene, extinction_unit, names, radiance_unit};
use wavelerp::report::canvas::Canvas;

use super::metamorphic::{drawn, input_of};
use crate::harness::{Harness, greatest, pane, scene, settings};

const SIZE: [u32; 2] = [48, 27];
/// Factors that reach nearly to the ends of the allowed radiances, exposures and distances.
const FACTORS: [f32; 2] = [1.0 / 524_288.0, 524_288.0];
/// A loop, a method that continues from stored composites, and methods that blend and accumulate in half floats.
const METHODS: [Method; 4] = [
    Method::PixelLoop,
    Method::SplitBatches,
    Method::FixedFunctionF16,
    Method::WeightedDrawn,
];

/// The scene `two`, in which all light is `light` times as bright, and the exposure is lower by the same factor.
fn lit(light: f32) -> Scene {
    let mut scene = scene("two");
    scene.exposure = 1.0 / light;
    scene.bloom.strength = 0.5;
    scene.bloom.threshold = 0.25;
    scene.sun.direction_to_sun = [0.3, 0.8, 0.5];
    scene.sun.irradiance = [2.0 * light, 1.5 * light, light];
    for color in [
        &mut scene.ambient,
        &mut scene.sky.zenith,
        &mut scene.sky.horizon,
        &mut scene.emitters[1].emission,
    ] {
        *color = color.map(|channel| channel * light);
    }
    let lamp = PointLight {
        position: [1.0, 1.0, -4.0],
        radius: 0.5,
        intensity: [light, 0.5 * light, 0.25 * light],
        flicker: 0.0,
        glow: 1.0,
    };
    scene.lights.push(lamp);
    let mut sheet = pane([0.8, 0.6, -5.0], [0.5, 0.4], [0.5 * light; 3], 0.5);
    sheet.albedo = [0.5; 3];
    scene.sheets.push(sheet);
    scene.meshes.push(MeshSpec::Box {
        center: [-1.5, -1.0, -7.0],
        half_size: [1.0; 3],
        albedo: [0.5, 0.25, 0.75],
        emission: 0.5 * light,
    });
    scene
}

/// Sunlit fog in a scene `length` times as large, and accordingly thinner.
fn long(length: f32) -> Scene {
    let mut scene = scene("two");
    (scene.near, scene.far) = (scene.near * length, scene.far * length);
    let camera = &mut scene.cameras[0];
    (camera.eye, camera.target) = ([0.0, length, 0.0], [0.0, length, -length]);
    scene.sun.irradiance = [2.0, 1.5, 1.0];
    scene.emitters.clear();
    scene.fog.extinction /= length;
    scene.fog.falloff = 0.25 / length;
    scene.fog.noise.strength = 0.5;
    scene.fog.noise.scale = 0.5 / length;
    scene
}

/// An exposed composite, and the displayed picture.
type Shown = (Vec<[f32; 4]>, Canvas);

/// Pictures of a scene by all methods, and one of its pixels.
fn pictures(harness: &Harness, scene: &Scene) -> (Vec<Shown>, Probed) {
    let settings = settings(scene, SIZE, 2, 16);
    let mut capture = harness.capture_for(scene, &settings, &METHODS);
    let pictures = METHODS.map(|method| {
        let picture = capture.picture(method).expect("a picture");
        (exposed(picture.composite.pixels, scene), picture.resolved)
    });
    (pictures.into(), harness.probe(&capture.frame, [26, 11]))
}

fn exposed(pixels: Vec<[f32; 4]>, scene: &Scene) -> Vec<[f32; 4]> {
    let e = scene.exposure;
    let exposed = |[r, g, b, t]: [f32; 4]| [r * e, g * e, b * e, t];
    pixels.into_iter().map(exposed).collect()
}

/// Difference between the plain loop's picture of a scene and `like`, after `held` has changed the frame's input.
fn apart_if(harness: &Harness, scene: &Scene, like: &[[f32; 4]], held: fn(&mut FrameInput)) -> f32 {
    let settings = settings(scene, SIZE, 2, 16);
    let mut input = input_of(harness, scene, &settings);
    held(&mut input);
    let (pixels, _) = drawn(harness, &harness.pipelines, input, &settings);
    greatest(like, &exposed(pixels, scene))
}

fn are_same(found: &[Shown], plain: &[Shown]) {
    for (method, (found, plain)) in METHODS.into_iter().zip(found.iter().zip(plain)) {
        let off = greatest(&plain.0, &found.0);
        assert!(off <= 1e-6, "{method}: {off:e}");
        assert!(found.1 == plain.1, "{method}");
    }
}

fn in_plain_radiance(input: &mut FrameInput) {
    let look = &mut input.moment.look;
    (look.radiance_unit, look.inverse_radiance_unit) = (1.0, 1.0);
}

fn in_plain_extinction(input: &mut FrameInput) {
    let look = &mut input.moment.look;
    (look.extinction_unit, look.inverse_extinction_unit) = (1.0, 1.0);
}

#[test]
fn a_scene_in_other_units_of_light_is_the_same_picture() {
    let harness = Harness::new();
    let (plain, probed) = pictures(&harness, &lit(1.0));
    for light in FACTORS {
        let scene = lit(light);
        let (pictures, layers) = pictures(&harness, &scene);
        are_same(&pictures, &plain);
        let lit = |color: [f32; 3]| color.map(|channel| channel * light);
        assert_eq!(layers.background, lit(probed.background));
        assert_eq!(layers.layers.len(), probed.layers.len());
        for (found, plain) in layers.layers.iter().zip(&probed.layers) {
            assert_eq!(found.color, lit(plain.color));
            assert_eq!(found.fog, lit(plain.fog));
            let fog = |of: &ProbedLayer| (of.extinction, of.path);
            assert_eq!(fog(found), fog(plain));
        }
        let off = apart_if(&harness, &scene, &plain[0].0, in_plain_radiance);
        assert!(off > 1e-3, "{light}: {off:e}");
    }
}

#[test]
fn light_far_above_what_the_exposure_shows_is_not_cut() {
    let harness = Harness::new();
    let (plain, _) = pictures(&harness, &lit(1.0));
    let mut scene = lit(FACTORS[1]);
    // Even so, thin fog in front of it would reveal it.
    scene.exposure = 1.0;
    let as_seen = |pixel: &[f32; 4]| [0, 1, 2].map(|channel| pixel[channel] * FACTORS[1]);
    let seen = plain[0].0.iter().map(as_seen).zip(&plain[0].0);
    let seen: Vec<[f32; 4]> = seen.map(|([r, g, b], of)| [r, g, b, of[3]]).collect();
    let off = apart_if(&harness, &scene, &seen, |_| ());
    assert!(off <= 1e-6, "{off:e}");
    let off = apart_if(&harness, &scene, &seen, in_plain_radiance);
    assert!(off > 1e-1, "{off:e}");
}

#[test]
fn built_in_scenes_are_held_as_they_are() {
    for name in names() {
        let scene = scene(name);
        let units = [radiance_unit(&scene), extinction_unit(&scene)];
        assert_eq!(units, [1.0, 1.0], "{name}");
    }
    assert!(radiance_unit(&lit(FACTORS[1])) > 1.0 && extinction_unit(&long(FACTORS[1])) < 1.0);
}

#[test]
fn a_scene_in_other_units_of_length_is_the_same_picture() {
    let harness = Harness::new();
    let (plain, probed) = pictures(&harness, &long(1.0));
    let scene = long(FACTORS[1]);
    let (pictures, layers) = pictures(&harness, &scene);
    // The weights of weighted-drawn, which is last, depend on metres.
    are_same(&pictures[..3], &plain[..3]);
    for (found, plain) in layers.layers.iter().zip(&probed.layers) {
        assert_eq!(found.extinction * FACTORS[1], plain.extinction);
        assert_eq!(found.path, plain.path * FACTORS[1]);
    }
    let off = apart_if(&harness, &scene, &plain[0].0, in_plain_extinction);
    assert!(off > 1e-3, "{off:e}");
}
