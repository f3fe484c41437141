//! The features that make up the picture: each has a key in the scene file, and switching it off is visible. Nothing
//! flickers: equal frames have equal bits, and a pan by a pixel changes almost nothing.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{Camera, EmitterSpec, PointLight, Scene, Shape, ToneCurve};
use wavelerp::report::Picture;
use wavelerp::report::metrics::Metrics;

use crate::harness::{Harness, scene, settings, source};

/// A feature of the temple, a camera that shows the feature, and a change that switches it off.
type Feature = (&'static str, &'static str, fn(&mut Scene));

fn each_emitter(scene: &mut Scene, off: impl Fn(&mut EmitterSpec)) {
    scene.emitters.iter_mut().for_each(off);
}

fn each_light(scene: &mut Scene, off: impl Fn(&mut PointLight)) {
    scene.lights.iter_mut().for_each(off);
}

const FEATURES: [Feature; 23] = [
    ("sun", "court", |it| it.sun.irradiance = [0.0; 3]),
    ("shadows", "court", |it| it.sun.shadows = false),
    ("soft shadows", "court", |it| it.sun.radius = 0.0),
    ("ground light", "court", |it| it.ground = None),
    ("fog", "court", |it| it.fog.extinction = 0.0),
    ("fog anisotropy", "court", |it| it.fog.anisotropy = 0.0),
    ("fog height falloff", "court", |it| it.fog.falloff = 0.0),
    ("fog noise", "court", |it| it.fog.noise.strength = 0.0),
    ("light of lamps in fog", "brazier", |it| {
        each_light(it, |of| of.glow = 0.0)
    }),
    ("flicker", "brazier", |it| {
        each_light(it, |of| of.flicker = 0.0)
    }),
    ("bloom", "brazier", |it| it.bloom.strength = 0.0),
    ("filmic curve", "court", |it| {
        it.tone_curve = ToneCurve::Linear
    }),
    ("stains", "court", |it| it.surface.stains = 0.0),
    ("bump", "court", |it| it.surface.bump = 0.0),
    ("masonry", "court", |it| it.surface.courses = 0.0),
    ("occlusion", "court", |it| it.surface.occlusion = 0.0),
    ("puffs", "smoke", |it| {
        each_emitter(it, |of| of.shape = Shape::Disc)
    }),
    ("turning puffs", "smoke", |it| {
        each_emitter(it, |of| of.spin = 0.0)
    }),
    ("erosion", "smoke", |it| {
        each_emitter(it, |of| of.erosion = 0.0)
    }),
    ("self-shadow", "smoke", |it| {
        each_emitter(it, |of| of.self_shadow = 0.0)
    }),
    ("stretched sparks", "embers", |it| {
        each_emitter(it, |of| of.stretch = 0.0)
    }),
    ("soft intersection", "nave", |it| {
        each_emitter(it, |of| of.soften = 0.0)
    }),
    ("antialiasing", "court", |it| it.antialias = false),
];

/// Pixels of the picture that the plain loop draws.
fn picture(harness: &Harness, scene: &Scene, camera: &str, size: [u32; 2]) -> Vec<[u8; 3]> {
    let mut settings = settings(scene, size, scene.particles.min(6000), 32);
    settings.camera = camera.to_owned();
    let mut capture = harness.capture(scene, &settings);
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    picture.resolved.pixels().to_vec()
}

/// Fraction of pixels that differ by more than 4 of 255 in any channel.
fn changed(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    let differs = |(a, b): &(&[u8; 3], &[u8; 3])| (0..3).any(|c| a[c].abs_diff(b[c]) > 4);
    let count = a.iter().zip(b).filter(differs).count();
    count as f64 / a.len() as f64
}

#[test]
fn every_feature_of_the_look_can_be_switched_off_and_is_missed() {
    let harness = Harness::new();
    let size = [160, 90];
    let mut failures = Vec::new();
    let mut whole = BTreeMap::new();
    let on = scene("temple");
    for (name, camera, switch_off) in FEATURES {
        let before = whole.entry(camera);
        let before = before.or_insert_with(|| picture(&harness, &on, camera, size));
        let mut off = on.clone();
        switch_off(&mut off);
        let part = changed(before, &picture(&harness, &off, camera, size));
        println!("{name}: {:.1} %", 100.0 * part);
        if part < 0.02 {
            failures.push(format!("{name}: {:.2} %", 100.0 * part));
        }
    }
    // Control: without any change, the pictures are equal.
    let again = picture(&harness, &on, "court", size);
    assert_eq!(changed(&whole["court"], &again), 0.0);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The scene with the camera rotated to the right by `pixels` at the picture's centre; the horizon stays level.
fn panned(scene: &Scene, pixels: f64, size: [u32; 2]) -> Scene {
    let mut scene = scene.clone();
    let camera = &mut scene.cameras[0];
    let tan = (f64::from(camera.fov_y).to_radians() * 0.5).tan();
    let angle = (pixels * 2.0 * tan / f64::from(size[1])).atan();
    // If the camera is pitched, a rotation about the vertical moves the centre in proportion to the pitch's cosine.
    let [x, y, z] = [0, 1, 2].map(|axis| f64::from(camera.target[axis] - camera.eye[axis]));
    let angle = angle / (x.hypot(z) / (x.hypot(z)).hypot(y));
    let (sine, cosine) = angle.sin_cos();
    camera.target[0] = (f64::from(camera.eye[0]) + x * cosine - z * sine) as f32;
    camera.target[2] = (f64::from(camera.eye[2]) + z * cosine + x * sine) as f32;
    scene
}

/// Composite of the fog alone, without particles, and the camera.
struct Seen {
    camera: Camera,
    pixels: Vec<[f32; 4]>,
}

fn fog_alone(harness: &Harness, scene: &Scene) -> Seen {
    let settings = settings(scene, PAN_SIZE, 0, 64);
    let mut capture = harness.capture(scene, &settings);
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    Seen {
        camera: Camera::new(&scene.cameras[0], PAN_SIZE),
        pixels: picture.composite.pixels,
    }
}

const PAN_SIZE: [u32; 2] = [640, 360];

impl Seen {
    /// Right, up and forward axes of the camera.
    fn axes(&self) -> [DVec3; 3] {
        let camera = &self.camera;
        [camera.right, camera.up, camera.forward].map(|axis| Vec3::from_array(axis).as_dvec3())
    }

    fn at(&self, x: usize, y: usize) -> [f32; 4] {
        self.pixels[y * PAN_SIZE[0] as usize + x]
    }

    /// Position of a pixel of this picture in `other`, a picture from the same eye.
    fn place_in(&self, other: &Seen, x: usize, y: usize) -> [f64; 2] {
        let [width, height] = PAN_SIZE.map(f64::from);
        let across = (2.0 * (x as f64 + 0.5) / width - 1.0) * f64::from(self.camera.tan_x);
        let up = (1.0 - 2.0 * (y as f64 + 0.5) / height) * f64::from(self.camera.tan_y);
        let [right, up_axis, forward] = self.axes();
        let ray = forward + across * right + up * up_axis;
        let [x, y, depth] = other.axes().map(|axis| ray.dot(axis));
        let x = x / (depth * f64::from(other.camera.tan_x));
        let y = y / (depth * f64::from(other.camera.tan_y));
        [(x + 1.0) * 0.5 * width, (1.0 - y) * 0.5 * height]
    }

    /// Linear interpolation between the four pixels around a position; `None` at the frame's edge, and at the outline
    /// of a solid, where the rasteriser decides.
    fn between(&self, [x, y]: [f64; 2]) -> Option<[f64; 4]> {
        let (x, y) = (x - 0.5, y - 0.5);
        let inside = |place: f64, edge: u32| place >= 1.0 && place < f64::from(edge) - 3.0;
        if !inside(x, PAN_SIZE[0]) || !inside(y, PAN_SIZE[1]) {
            return None;
        }
        let (column, row) = (x.floor() as usize, y.floor() as usize);
        let around = (0..16).map(|i| self.at(column - 1 + i % 4, row - 1 + i / 4)[3]);
        let (low, high) = around.fold((f32::MAX, f32::MIN), |(low, high), t| {
            (low.min(t), high.max(t))
        });
        if high - low > 0.02 {
            return None;
        }
        let (fx, fy) = (x - x.floor(), y - y.floor());
        Some(std::array::from_fn(|c| {
            let at = |dx, dy| f64::from(self.at(column + dx, row + dy)[c]);
            let top = at(0, 0) * (1.0 - fx) + at(1, 0) * fx;
            let bottom = at(0, 1) * (1.0 - fx) + at(1, 1) * fx;
            top * (1.0 - fy) + bottom * fy
        }))
    }
}

/// Displayed value of a radiance after exposure and tone curve, in a screen's 255 steps.
fn steps(scene: &Scene, radiance: f64) -> f64 {
    let exposed = (radiance * f64::from(scene.exposure)).max(0.0);
    let curve = exposed * (2.51 * exposed + 0.03) / (exposed * (2.43 * exposed + 0.59) + 0.14);
    255.0 * curve.min(1.0).powf(1.0 / 2.2)
}

/// Fraction of pixels that differ by more than 4 steps from their previous position, and the number of pixels compared.
fn moved(scene: &Scene, before: &Seen, after: &Seen, reproject: bool) -> (f64, usize) {
    let (mut moved, mut count) = (0usize, 0usize);
    for y in 0..PAN_SIZE[1] as usize {
        for x in 0..PAN_SIZE[0] as usize {
            let place = match reproject {
                true => after.place_in(before, x, y),
                false => [x as f64 + 0.5, y as f64 + 0.5],
            };
            let Some(expected) = before.between(place) else {
                continue;
            };
            let found = after.at(x, y);
            count += 1;
            let off = |c: usize| steps(scene, expected[c]) - steps(scene, f64::from(found[c]));
            moved += usize::from((0..3).any(|c| off(c).abs() > 4.0));
        }
    }
    (moved as f64 / count as f64, count)
}

#[test]
fn fog_stays_where_it_is_when_the_camera_pans_by_a_pixel() {
    let harness = Harness::with_fine_fog();
    let scene = scene("temple");
    let before = fog_alone(&harness, &scene);
    let after = fog_alone(&harness, &panned(&scene, 1.0, PAN_SIZE));
    let (part, count) = moved(&scene, &before, &after, true);
    println!("moved: {:.3} % of {count}", 100.0 * part);
    assert!(count > 150_000, "{count} pixels are far from any outline");
    assert!(part <= 0.001, "{:.3} %", 100.0 * part);
    // Negative control: a pan of 24 pixels without reprojection.
    let far = fog_alone(&harness, &panned(&scene, 24.0, PAN_SIZE));
    assert!(moved(&scene, &before, &far, false).0 > 0.01);
}

/// Edits that decode the integers and fractions in a splat's packed words with conversions.
const CONVERSIONS: [Edit; 4] = [
    Edit::new(
        "layers/splat",
        "return bitcast<f32>(n | 0x4b000000u) - 8388608.0;",
        "return f32(n);",
    ),
    Edit::new(
        "layers/splat",
        "return (vec2f(x, y) - 8421376.0) * (1.0 / 32767.0);",
        "return unpack2x16snorm(word);",
    ),
    Edit::new(
        "layers/medium",
        "bitcast<f32>((((sprite - 1u) << 21u) & 0x600000u) | 0x3f800000u)",
        "1.0 + 0.25 * f32((sprite - 1u) & 3u)",
    ),
    Edit::new(
        "layers/medium",
        "bitcast<f32>((((sprite - 1u) << 20u) & 0x400000u) | 0x3f800000u)",
        "1.0 + 0.5 * f32((sprite - 1u) >> 2u)",
    ),
];

/// Two pictures of shaded particles: rotated and eroded puffs, and stretched sparks.
fn looks_by(harness: &Harness, edits: &[Edit]) -> [Picture; 2] {
    let pipelines = Pipelines::new(source(edits.iter().copied()));
    let scene = scene("temple");
    ["smoke", "embers"].map(|camera| {
        let mut settings = settings(&scene, [64, 36], 6000, 8);
        settings.camera = camera.to_owned();
        let mut capture = harness.capture_by(&pipelines, &scene, &settings);
        let picture = capture.picture(Method::PixelLoop).expect("a picture");
        picture.composite
    })
}

#[test]
fn packed_words_are_decoded_by_bits_as_conversions_decode_them() {
    let harness = Harness::new();
    let plain = looks_by(&harness, &[]);
    let off = |edits: &[Edit]| {
        let others = looks_by(&harness, edits);
        let pairs = plain.iter().zip(&others);
        let errors = pairs.map(|(a, b)| Metrics::between(a, b).expect("one size").max_abs);
        errors.fold(0.0, f64::max)
    };
    assert!(off(&CONVERSIONS) < 1e-5);
    // Negative controls: lost signs, and the wrong row of the atlas.
    let signs = Edit::new(
        "layers/splat",
        "& 0xffffu) ^ 0x4b008000u",
        "& 0x7fffu) ^ 0x4b008000u",
    );
    let row = Edit::new("layers/medium", "& 0x400000u", "& 0x200000u");
    for fault in [signs, row] {
        assert!(off(&[fault]) > 1e-3, "{} is not found", fault.replace);
    }
}
