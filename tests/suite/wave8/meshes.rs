//! Triangles of files appear where they should, with the right pictures, holes, mirrors and backs, and cast the right
//! shadows.

use serde_json::json;
use wavelerp::input::Disk;
use wavelerp::model::methods::Method;
use wavelerp::model::scene;
use wavelerp::model::scene::{CameraPreset, Scene, ToneCurve};

use crate::harness::{Harness, settings};
use crate::meshes::write::Writer;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255, 255, 255, 255];
const HOLE: [u8; 4] = [0, 0, 0, 0];
/// Pixels per metre in the plane z = 0.
const SCALE: f32 = 8.0;
const SIZE: [u32; 2] = [32, 32];

/// Texels of a picture in which each quarter has one colour: upper left, upper right, lower left, lower right.
fn quarters([a, b, c, d]: [[u8; 4]; 4]) -> Vec<[u8; 4]> {
    let place = |at: usize| [[a, b], [c, d]][at / 32][at % 8 / 4];
    (0..64).map(place).collect()
}

/// A scene with the model of a file, viewed along -z.
fn scene_of(writer: &Writer) -> Scene {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.glb");
    std::fs::write(&path, writer.glb()).expect("written");
    let mut scene = scene::load(path.to_str().expect("text"), &Disk).expect("a good file");
    scene.cameras = vec![CameraPreset {
        name: "front".to_owned(),
        eye: [0.0, 0.0, 5.0],
        target: [0.0; 3],
        fov_y: 2.0 * (2.0f32 / 5.0).atan().to_degrees(),
    }];
    (scene.near, scene.far) = (0.1, 100.0);
    (scene.tone_curve, scene.exposure) = (ToneCurve::Linear, 1.0);
    scene.antialias = false;
    scene
}

/// Colours at positions in the plane z = 0.
fn seen(harness: &Harness, scene: &Scene, places: &[[f32; 2]]) -> Vec<[u8; 3]> {
    let mut capture = harness.capture(scene, &settings(scene, SIZE, 0, 0));
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    let pixel = |[x, y]: &[f32; 2]| {
        let [column, row] = [x, &-y].map(|at| (16.0 + SCALE * at) as usize);
        picture.resolved.pixels()[row * SIZE[0] as usize + column]
    };
    places.iter().map(pixel).collect()
}

/// Initial of the colour nearest to each pixel; a dot for the sky.
fn names(pixels: &[[u8; 3]]) -> String {
    let name = |pixel: &[u8; 3]| match pixel.map(|channel| channel > 200) {
        [true, false, false] => 'r',
        [false, true, false] => 'g',
        [false, false, true] => 'b',
        [true, true, true] => 'w',
        _ => '.',
    };
    pixels.iter().map(name).collect()
}

/// Centres of the quarters of a one-metre square, in the order of [`quarters`].
fn around([x, y]: [f32; 2]) -> [[f32; 2]; 4] {
    [[-0.25, 0.25], [0.25, 0.25], [-0.25, -0.25], [0.25, -0.25]].map(|[dx, dy]| [x + dx, y + dy])
}

fn unlit(writer: &mut Writer, texture: usize, more: serde_json::Value) -> usize {
    let mut material = json!({
        "extensions": {"KHR_materials_unlit": {}},
        "pbrMetallicRoughness": {"baseColorTexture": {"index": texture}},
    });
    let more = more.as_object().expect("an object").clone();
    material.as_object_mut().expect("an object").extend(more);
    writer.add("materials", material)
}

#[test]
fn pictures_holes_mirrors_and_backs_are_seen_where_they_should_be() {
    let harness = Harness::new();
    let mut writer = Writer::new();
    let plain = writer.texture(8, &quarters([RED, GREEN, BLUE, WHITE]));
    let holes = writer.texture(8, &quarters([HOLE, GREEN, BLUE, HOLE]));
    let clamp = writer.add("samplers", json!({"wrapS": 33071, "wrapT": 33071}));
    for texture in [plain, holes] {
        writer.set(&format!("/textures/{texture}/sampler"), json!(clamp));
    }
    let one_sided = unlit(&mut writer, plain, json!({}));
    let masked = unlit(&mut writer, holes, json!({"alphaMode": "MASK"}));
    let double = unlit(&mut writer, plain, json!({"doubleSided": true}));
    let back = json!([0.0, 1.0, 0.0, 0.0]);
    let materials = [one_sided, masked, one_sided, one_sided, double];
    let places = [
        [-1.5, 1.0],
        [0.0, 1.0],
        [1.5, 1.0],
        [-1.5, -1.0],
        [0.0, -1.0],
    ];
    for (material, [x, y]) in materials.into_iter().zip(places) {
        let node = writer.square(0.5, material);
        writer.move_to(node, [x, y, 0.0]);
    }
    writer.set("/nodes/2/scale", json!([-1.0, 1.0, 1.0]));
    writer.set("/nodes/3/rotation", back.clone());
    writer.set("/nodes/4/rotation", back);
    let scene = scene_of(&writer);
    let remarks: Vec<_> = scene.remarks().collect();
    assert_eq!(remarks.len(), 1, "metals alone: {remarks:?}");
    let all: Vec<[f32; 2]> = places.iter().flat_map(|place| around(*place)).collect();
    let found = names(&seen(&harness, &scene, &all));
    // The square as written, with holes, mirrored, from behind, and two-sided from behind.
    assert_eq!(found, "rgbw.gb.grwb....grwb");
    // Negative control: without the mask the square has no holes.
    writer.set("/materials/1/alphaMode", json!("OPAQUE"));
    let found = names(&seen(&harness, &scene_of(&writer), &around(places[1])));
    assert_eq!(found.chars().filter(|c| "gb".contains(*c)).count(), 2);
    let shown = seen(&harness, &scene_of(&writer), &around(places[1]));
    assert_eq!(shown[0], [0; 3], "what was hidden is black");
}

/// True for each lit pixel.
fn lit(pixels: &[[u8; 3]]) -> Vec<bool> {
    pixels.iter().map(|[red, ..]| *red > 128).collect()
}

#[test]
fn a_mask_casts_the_shadow_of_what_is_seen_of_it_and_colours_of_vertices_are_mixed() {
    let harness = Harness::new();
    let mut writer = Writer::new();
    let holes = writer.texture(8, &quarters([HOLE, GREEN, HOLE, GREEN]));
    let base = json!({"baseColorTexture": {"index": holes}});
    let masked = writer.add(
        "materials",
        json!({"alphaMode": "MASK", "pbrMetallicRoughness": base}),
    );
    let square = writer.square(0.5, masked);
    writer.move_to(square, [0.5, 1.0, 1.0]);
    let wall = writer.add("materials", json!({}));
    writer.square(4.0, wall);
    let mut scene = scene_of(&writer);
    scene.sun.direction_to_sun = [1.0, 0.0, 1.0];
    scene.sun.irradiance = [40.0; 3];
    scene.sun.radius = 0.0;
    (scene.ambient, scene.ground) = ([0.0; 3], None);
    let places = [[-0.75, 1.0], [-0.25, 1.0], [-0.75, -1.0], [-0.25, -1.0]];
    let light = lit(&seen(&harness, &scene, &places));
    // Points in the hole, on the leaf, and below both.
    assert_eq!(light, [true, false, true, true]);
    let mut opaque = writer.clone();
    opaque.set("/materials/0/alphaMode", json!("OPAQUE"));
    let mut whole = scene_of(&opaque);
    (whole.sun, whole.ambient, whole.ground) = (scene.sun, [0.0; 3], None);
    let light = lit(&seen(&harness, &whole, &places));
    assert_eq!(light, [false, false, true, true], "without the hole");

    let mut writer = Writer::new();
    let material = json!({"extensions": {"KHR_materials_unlit": {}}});
    let material = writer.add("materials", material);
    let node = writer.square(2.0, material);
    let (red, blue) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let colors = writer.floats(&[red, blue, blue, red]);
    let place = format!("/meshes/{node}/primitives/0/attributes/COLOR_0");
    writer.set(&place, json!(colors));
    let scene = scene_of(&writer);
    let found = seen(&harness, &scene, &[[-1.9, 0.5], [0.0, 0.5], [1.9, 0.5]]);
    assert!(found[0][0] > 240 && found[2][2] > 240, "{found:?}");
    let [red, _, blue] = found[1];
    let is_mixed = red > 170 && blue > 170 && red.abs_diff(blue) < 12;
    assert!(is_mixed, "{found:?}");
}

#[test]
fn pictures_go_on_beyond_their_edges_as_asked_and_small_ones_are_means() {
    let harness = Harness::new();
    let mut writer = Writer::new();
    let texels = quarters([RED, GREEN, BLUE, WHITE]);
    let twice = json!({"KHR_texture_transform": {"scale": [2.0, 2.0]}});
    let places = [[-1.25, 1.0], [0.0, 1.0], [1.25, 1.0]];
    let wraps = [[10497, 10497], [33648, 33071], [33071, 33648]];
    for (place, wraps) in places.into_iter().zip(wraps) {
        let texture = writer.texture(8, &texels);
        let sampler = json!({"wrapS": wraps[0], "wrapT": wraps[1]});
        let sampler = writer.add("samplers", sampler);
        writer.set(&format!("/textures/{texture}/sampler"), json!(sampler));
        let material = unlit(&mut writer, texture, json!({}));
        let info = format!("/materials/{material}/pbrMetallicRoughness/baseColorTexture");
        writer.set(&(info + "/extensions"), twice.clone());
        let node = writer.square(0.5, material);
        writer.move_to(node, [place[0], place[1], 0.0]);
    }
    // Stripes of 64 x 64 texels cover 8 x 8 pixels; the centre of each pixel is in a black stripe.
    let stripe = |at: usize| match (at + 2) % 8 {
        0..4 => WHITE,
        _ => [0, 0, 0, 255],
    };
    let stripes: Vec<[u8; 4]> = (0..64 * 64).map(stripe).collect();
    let fine = writer.texture(64, &stripes);
    let fine = unlit(&mut writer, fine, json!({}));
    let node = writer.square(0.5, fine);
    writer.move_to(node, [0.0, -1.0, 0.0]);
    let scene = scene_of(&writer);
    // Each pixel shows a quarter of one of four pictures.
    let grid = |[x, y]: [f32; 2]| -> Vec<[f32; 2]> {
        let steps = [-0.375, -0.125, 0.125, 0.375];
        let rows = steps.iter().rev();
        rows.flat_map(|dy| steps.map(|dx| [x + dx, y + dy]))
            .collect()
    };
    let expected = ["rgrgbwbwrgrgbwbw", "rggrbwwbbwwbbwwb", "rgggbwwwbwwwrggg"];
    for (place, expected) in places.into_iter().zip(expected) {
        assert_eq!(names(&seen(&harness, &scene, &grid(place))), expected);
    }
    for [red, green, blue] in seen(&harness, &scene, &grid([0.0, -1.0])) {
        // Half the light is 188 in sRGB.
        assert!(red.abs_diff(188) < 12, "{red}");
        assert_eq!([red; 2], [green, blue]);
    }
}

#[test]
fn the_back_of_what_is_seen_from_both_sides_is_lit_from_behind() {
    let harness = Harness::new();
    let mut writer = Writer::new();
    let double = writer.add("materials", json!({"doubleSided": true}));
    for (x, rotation) in [(-1.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, 1.0, 0.0, 0.0])] {
        let node = writer.square(0.5, double);
        writer.move_to(node, [x, 0.0, 0.0]);
        writer.set(&format!("/nodes/{node}/rotation"), json!(rotation));
    }
    let mut scene = scene_of(&writer);
    (scene.ambient, scene.ground) = ([0.0; 3], None);
    scene.sun.irradiance = [40.0; 3];
    for (z, expected) in [(1.0, [true, true]), (-1.0, [false, false])] {
        scene.sun.direction_to_sun = [0.0, 0.0, z];
        let found = lit(&seen(&harness, &scene, &[[-1.0, 0.0], [1.0, 0.0]]));
        assert_eq!(found, expected, "the sun at z = {z}");
    }
}
