//! Model files with known content are read, and the result must match.

mod bad_files;
mod memory;
mod odd_files;
mod slips;
pub mod write;

use std::path::Path;

use glam::{Quat, Vec2, Vec3};
use proptest::prelude::*;
use serde_json::json;
use wavelerp::error::Error;
use wavelerp::model::files::{Folder, InMemory};
use wavelerp::model::meshes;
use wavelerp::model::meshes::{Corner, Model, Wrap};

use crate::harness::says;
use write::{Writer, bytes_of};

/// Reads bytes as a model.
pub fn of_bytes(bytes: &[u8], name: &str) -> Result<Model, Error> {
    let folder = Folder::of(Path::new(name), &InMemory(&[]));
    meshes::of_bytes(bytes, folder, name, &mut |_| Ok(()))
}

fn read(writer: &Writer) -> Model {
    of_bytes(&writer.glb(), "a.glb").expect("a good file")
}

/// A triangle whose front faces +z.
const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn positions(model: &Model) -> Vec<[Vec3; 3]> {
    let triangles = 0..model.mesh.triangles.len();
    triangles
        .map(|at| corners_of(model, at).map(|corner| corner.position))
        .collect()
}

fn corners_of(model: &Model, triangle: usize) -> [Corner; 3] {
    model.mesh.corners_of(&model.mesh.triangles[triangle])
}

/// Fails unless all corners are within `tolerance` of the expected corners.
#[track_caller]
fn near(found: [Vec3; 3], expected: [Vec3; 3], most: f32) {
    for (found, expected) in found.into_iter().zip(expected) {
        let is_near = found.distance(expected) < most;
        assert!(is_near, "{found} and not {expected}");
    }
}

/// Normal of a triangle, from its winding.
fn facing([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize()
}

#[test]
fn the_same_model_is_read_of_one_file_of_text_and_of_two_files() {
    let mut writer = Writer::new();
    let texture = writer.texture(2, &[[255, 0, 0, 255], [0, 255, 0, 255], [0; 4], [9; 4]]);
    let material = writer.textured(texture);
    writer.square(1.0, material);
    let model = read(&writer);
    assert_eq!(model.mesh.triangles.len(), 2);
    assert_eq!(model.pictures[0].size, [2, 2]);
    assert_eq!(model.pictures[0].texels[4..8], [0, 255, 0, 255]);
    assert!(model.is_whole);
    let text = of_bytes(&writer.gltf(), "a.gltf").expect("a good file");
    assert_eq!(text, model);
    let [text, binary] = writer.apart("my%20parts/a.bin");
    let files = [("b/a.gltf", &*text), ("b/my parts/a.bin", &*binary)];
    let apart = meshes::read(Path::new("b/a.gltf"), &InMemory(&files), &mut |_| Ok(()));
    let mut apart = apart.expect("a good file");
    assert!(!apart.is_whole, "it names another file");
    apart.is_whole = true;
    assert_eq!(apart, model);
}

#[test]
fn nodes_move_what_is_below_them_and_mirrors_keep_fronts_in_front() {
    let mut writer = Writer::new();
    let normals = writer.floats(&[[0.0, 0.0, 1.0]; 3]);
    let node = writer.triangle(CORNERS);
    writer.set("/meshes/0/primitives/0/attributes/NORMAL", json!(normals));
    let turn = Quat::from_rotation_y(0.5).to_array();
    let above = json!({"children": [node], "translation": [1.0, 2.0, 3.0], "rotation": turn});
    writer.set("/nodes/0/scale", json!([-2.0, 1.0, 3.0]));
    let above = writer.add("nodes", above);
    writer.set("/scenes/0/nodes", json!([above]));
    let model = read(&writer);
    let turn = Quat::from_rotation_y(0.5);
    let moved =
        |[x, y, z]: [f32; 3]| Vec3::new(1.0, 2.0, 3.0) + turn * Vec3::new(-2.0 * x, y, 3.0 * z);
    let [a, b, c] = CORNERS.map(moved);
    let [triangle] = positions(&model)[..] else {
        panic!("one triangle");
    };
    near(triangle, [a, c, b], 1e-5);
    // The mirror does not turn the triangle's front to the back.
    let normal = turn * Vec3::Z;
    assert!(facing(triangle).dot(normal) > 0.9999);
    for corner in corners_of(&model, 0) {
        assert!(corner.normal.dot(normal) > 0.9999, "{}", corner.normal);
    }
    // Negative control: without the mirror the corners are in file order.
    writer.set("/nodes/0/scale", json!([2.0, 1.0, 3.0]));
    let plain = positions(&read(&writer))[0];
    assert!(plain[1].distance(c) > 1.0 && facing(plain).dot(normal) > 0.9999);
}

#[test]
fn normals_go_by_the_inverse_of_the_transpose_and_are_flat_where_there_are_none() {
    let mut writer = Writer::new();
    let slope = Vec3::new(0.0, 1.0, 1.0).normalize().to_array();
    let normals = writer.floats(&[slope, [0.0; 3], [f32::NAN, 0.0, 0.0]]);
    writer.triangle([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    writer.set("/nodes/0/scale", json!([1.0, 4.0, 1.0]));
    let flat = corners_of(&read(&writer), 0);
    // The plane y + z = 1 becomes y / 4 + z = 1.
    let expected = Vec3::new(0.0, 1.0, 4.0).normalize();
    for corner in flat {
        let apart = corner.normal.abs().distance(expected);
        assert!(apart < 1e-5, "{}", corner.normal);
        let front = facing(flat.map(|corner| corner.position));
        assert!(corner.normal.dot(front) > 0.9999);
    }
    writer.set("/meshes/0/primitives/0/attributes/NORMAL", json!(normals));
    let smooth = corners_of(&read(&writer), 0);
    assert!(smooth[0].normal.distance(expected) < 1e-5);
    assert_eq!(smooth[1].normal, flat[1].normal, "a normal of length 0");
    assert_eq!(smooth[2].normal, flat[2].normal, "not finite");
}

#[test]
fn strips_and_fans_become_triangles_of_one_winding_and_points_a_remark() {
    let strip = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let fan = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    for (mode, corners) in [(5, strip), (6, fan)] {
        let mut writer = Writer::new();
        let places = writer.floats(&corners.map(|[x, y]| [x, y, 0.0]));
        writer.mesh(json!({"attributes": {"POSITION": places}, "mode": mode}));
        writer.mesh(json!({"attributes": {"POSITION": places}, "mode": 0}));
        let model = read(&writer);
        assert_eq!(model.mesh.triangles.len(), 2, "mode {mode}");
        assert_eq!(model.remarks, ["points and lines: left out"]);
        for triangle in positions(&model) {
            assert_eq!(facing(triangle), Vec3::Z, "mode {mode}");
        }
    }
}

#[test]
fn numbers_are_read_in_every_type_also_apart_and_with_a_stride() {
    let mut writer = Writer::new();
    let rows = [[0u16, 0, 0, 7], [65535, 0, 0, 7], [0, 65535, 0, 7]];
    let numbers = rows.as_flattened().iter();
    let bytes: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).collect();
    let small = writer.normalized(&bytes, 5123, "VEC3");
    writer.set("/bufferViews/0/byteStride", json!(8));
    let colors = writer.normalized(&[255, 0, 51, 255].repeat(3), 5121, "VEC4");
    writer.mesh(json!({"attributes": {"POSITION": small, "COLOR_0": colors}}));
    // Three corners at the origin, two of them overridden.
    let which = writer.view(&[1, 2]);
    let moved = writer.view(&bytes_of(CORNERS[1..].as_flattened()));
    let sparse = writer.add(
        "accessors",
        json!({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
            "count": 2, "indices": {"bufferView": which, "componentType": 5121}, "values": {"bufferView": moved}}}),
    );
    writer.mesh(json!({"attributes": {"POSITION": sparse}}));
    let model = read(&writer);
    let expected = CORNERS.map(Vec3::from_array);
    assert_eq!(positions(&model), [expected, expected]);
    assert_eq!(corners_of(&model, 0)[0].albedo, Vec3::new(1.0, 0.0, 0.2));
    assert_eq!(corners_of(&model, 1)[0].albedo, Vec3::ONE);
}

#[test]
fn materials_say_what_is_masked_seen_from_behind_and_glows_and_how_pictures_go_on() {
    let mut writer = Writer::new();
    let texture = writer.texture(1, &[[1, 2, 3, 4]]);
    let unused = writer.texture(1, &[[5, 6, 7, 8]]);
    let sampler = writer.add("samplers", json!({"wrapS": 33071, "wrapT": 33648}));
    writer.set(&format!("/textures/{texture}/sampler"), json!(sampler));
    let moved = json!({"offset": [0.5, 0.0], "scale": [2.0, 3.0]});
    let info = json!({"index": texture, "extensions": {"KHR_texture_transform": moved}});
    let leaf = json!({
        "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true,
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 1.0, 1.0, 0.75], "baseColorTexture": info, "metallicFactor": 0.0},
    });
    let lamp = json!({
        "emissiveFactor": [1.0, 0.5, 0.0], "extensions": {
            "KHR_materials_emissive_strength": {"emissiveStrength": 4.0}, "KHR_materials_unlit": {}},
        "pbrMetallicRoughness": {"metallicFactor": 0.0},
    });
    let other = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": unused}}});
    for material in [leaf, lamp, other] {
        writer.add("materials", material);
    }
    writer.square(1.0, 0);
    writer.square(1.0, 1);
    let model = read(&writer);
    let [leaf, lamp, ..] = model.materials[..] else {
        panic!("two materials");
    };
    assert_eq!((leaf.cutoff, leaf.alpha), (Some(0.25), 0.75));
    assert!(leaf.double_sided);
    let picture = leaf.picture.expect("a picture");
    assert_eq!(picture.picture, 0);
    assert_eq!(picture.wrap, [Wrap::Clamp, Wrap::Mirror]);
    // Pictures of unused materials are not read.
    assert_eq!(model.pictures.len(), 1);
    let corner = corners_of(&model, 0)[1];
    assert_eq!(corner.place, Vec2::new(2.5, 3.0));
    assert_eq!(corner.albedo, Vec3::new(0.5, 1.0, 1.0));
    assert_eq!(lamp.emission, Vec3::new(4.0, 2.0, 0.0));
    assert_eq!((lamp.unlit, lamp.cutoff), (true, None));
    assert_eq!(model.remarks, [""; 0]);
}

#[test]
fn translucent_parallelograms_are_panes_and_other_translucent_triangles_a_remark() {
    let mut writer = Writer::new();
    let glass = json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4]}});
    let glass = writer.add("materials", glass);
    let solid = writer.add("materials", json!({"alphaMode": "BLEND"}));
    writer.square(1.0, glass);
    writer.square(1.0, solid);
    writer.set("/nodes/0/translation", json!([0.0, 5.0, 0.0]));
    writer.set("/nodes/0/scale", json!([3.0, 1.0, 1.0]));
    let model = read(&writer);
    // A fully opaque surface is no pane.
    assert_eq!(model.mesh.triangles.len(), 2);
    let [pane] = model.panes[..] else {
        panic!("one pane: {:?}", model.panes);
    };
    assert_eq!(pane.center, Vec3::new(0.0, 5.0, 0.0));
    let mut halves = [pane.half_u, pane.half_v].map(Vec3::abs);
    halves.sort_by(|a, b| a.x.total_cmp(&b.x));
    assert_eq!(halves, [Vec3::Y, 3.0 * Vec3::X]);
    assert_eq!((pane.albedo, pane.opacity), (Vec3::new(0.1, 0.2, 0.3), 0.4));
    // Negative control: a kite is not a parallelogram.
    let kite = [[0.0, 0.0], [1.0, 0.0], [2.0, 2.0], [0.0, 1.0]];
    let kite = writer.floats(&kite.map(|[x, y]| [x, y, 0.0]));
    let indices = writer.indices(&[0, 1, 2, 0, 2, 3]);
    let kite = json!({"attributes": {"POSITION": kite}, "indices": indices, "material": glass});
    writer.mesh(kite);
    let model = read(&writer);
    assert_eq!(model.panes.len(), 1);
    let left_out = "translucent triangles that are not parts of flat panes (2): left out";
    says(model.remarks.join("\n"), left_out);
}

#[test]
fn what_is_not_shown_is_remarked_on_once_for_each_kind() {
    let mut writer = Writer::new();
    let texture = writer.texture(2, &[[1, 2, 3, 255], [0; 4]]);
    let info = json!({"index": texture});
    let material = json!({
        "alphaMode": "BLEND", "normalTexture": info, "occlusionTexture": info,
        "pbrMetallicRoughness": {"baseColorTexture": info, "metallicRoughnessTexture": info},
    });
    for _ in 0..2 {
        let material = writer.add("materials", material.clone());
        writer.square(1.0, material);
    }
    writer.set("/animations", json!([{}, {}]));
    writer.set("/cameras", json!([{}]));
    let used = [
        "KHR_lights_punctual",
        "KHR_materials_sheen",
        "KHR_materials_unlit",
    ];
    writer.set("/extensionsUsed", json!(used));
    let expected = [
        "animations (2): left out",
        "cameras: left out",
        "extensions KHR_lights_punctual, KHR_materials_sheen: left out",
        "normal textures (2): left out",
        "occlusion textures (2): left out",
        "metallic-roughness textures (2): left out",
        "translucent materials with a picture (2): shown opaque where their alpha is at least a half",
    ];
    assert_eq!(read(&writer).remarks, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn triangles_come_back_as_they_were_written_and_moved(
        corners in prop::collection::vec(prop::array::uniform9(-100.0f32..100.0), 1..20),
        scale in prop::array::uniform3(prop_oneof![-3.0f32..-0.2, 0.2f32..3.0]),
        turn in prop::array::uniform3(-3.0f32..3.0),
        offset in prop::array::uniform3(-50.0f32..50.0),
    ) {
        let rows: Vec<[f32; 3]> = corners.as_flattened().as_chunks().0.to_vec();
        let mut writer = Writer::new();
        let places = writer.floats(&rows);
        writer.mesh(json!({"attributes": {"POSITION": places}}));
        let turn = Quat::from_euler(glam::EulerRot::XYZ, turn[0], turn[1], turn[2]);
        writer.set("/nodes/0/rotation", json!(turn.to_array()));
        writer.set("/nodes/0/scale", json!(scale));
        writer.set("/nodes/0/translation", json!(offset));
        let model = read(&writer);
        let is_mirrored = scale.iter().product::<f32>() < 0.0;
        let moved = |row: &[f32; 3]| {
            Vec3::from_array(offset) + turn * (Vec3::from_array(scale) * Vec3::from_array(*row))
        };
        let expected: Vec<[Vec3; 3]> = rows
            .chunks(3)
            .map(|three| {
                let [a, b, c] = [0, 1, 2].map(|at| moved(&three[at]));
                if is_mirrored { [a, c, b] } else { [a, b, c] }
            })
            .filter(|[a, b, c]| (b - a).cross(c - a) != Vec3::ZERO)
            .collect();
        let found = positions(&model);
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            prop_assert!(found.distance(*expected) < 1e-3, "{} and not {}", found, expected);
        }
    }
}
