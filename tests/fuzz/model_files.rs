//! Model files for the fuzzer: valid files with changes to JSON values (so that indices and lengths change), to numbers,
//! and to arbitrary bytes.

use std::path::Path;
use std::sync::OnceLock;

use fastrand::Rng;
use serde_json::{Value, json};
use wavelerp::error::Error;
use wavelerp::input::Disk;
use wavelerp::model::files::Folder;
use wavelerp::model::meshes;
use wavelerp::model::meshes::{MOST_PICTURES, MOST_TRIANGLES, Model};

use super::mutate;
use crate::meshes::write::{Writer, bytes_of};

/// Reads a changed model file, and calls `scene` with an accepted one, which must satisfy the reader's guarantees.
pub fn read(
    random: &mut Rng,
    folder: &Path,
    scene: fn(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let (name, bytes) = changed(random);
    let [path, beside] = [name, "beside.bin"].map(|name| folder.join(name));
    std::fs::write(&path, bytes).expect("the case's file is written");
    std::fs::write(&beside, [0; 400]).expect("the file beside it is written");
    let outcome = meshes::read(&path, &Disk, &mut |_| Ok(()));
    let outcome = outcome.and_then(|model| {
        check(&model);
        scene(&path)
    });
    for path in [path, beside] {
        std::fs::remove_file(path).expect("the case's files are removed");
    }
    outcome
}

/// Checks the reader's guarantees.
fn check(model: &Model) {
    assert!(model.mesh.triangles.len() <= MOST_TRIANGLES && model.pictures.len() <= MOST_PICTURES);
    assert!(!model.mesh.triangles.is_empty() || !model.panes.is_empty());
    for triangle in &model.mesh.triangles {
        assert!((triangle.material as usize) < model.materials.len());
        for corner in model.mesh.corners_of(triangle) {
            assert!(corner.position.is_finite() && corner.place.is_finite());
            assert!((corner.normal.length() - 1.0).abs() < 1e-3, "{corner:?}");
            assert!((0.0..=1.0).contains(&corner.albedo.min_element()));
            assert!((0.0..=1.0).contains(&corner.albedo.max_element()));
        }
    }
    for material in &model.materials {
        assert!(material.emission.is_finite() && material.alpha.is_finite());
        for layer in [material.picture, material.glow].into_iter().flatten() {
            assert!((layer.picture as usize) < model.pictures.len());
        }
    }
    for picture in &model.pictures {
        let [width, height] = picture.size;
        assert_eq!(picture.texels.len(), (4 * width * height) as usize);
    }
    for pane in &model.panes {
        assert!(pane.center.is_finite() && pane.half_u.is_finite() && pane.half_v.is_finite());
    }
}

/// Valid files that together contain every kind of content.
fn good() -> &'static [Writer; 3] {
    static GOOD: OnceLock<[Writer; 3]> = OnceLock::new();
    GOOD.get_or_init(|| {
        let mut all = Writer::new();
        let texture = all.texture(2, &[[9, 20, 200, 255], [0; 4], [255; 4], [1, 2, 3, 128]]);
        let sampler = all.add("samplers", json!({"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}));
        all.set("/textures/0/sampler", json!(sampler));
        let moved = json!({"KHR_texture_transform": {"offset": [0.5, 0.0], "rotation": 0.5, "scale": [2.0, 3.0]}});
        let info = json!({"index": texture, "extensions": moved});
        for material in [
            json!({"alphaMode": "MASK", "alphaCutoff": 0.3, "doubleSided": true,
                "pbrMetallicRoughness": {"baseColorTexture": info}}),
            json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.5]}}),
            json!({"emissiveFactor": [1.0, 0.5, 0.0], "emissiveTexture": info, "normalTexture": info,
                "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 3.0}}}),
        ] {
            let material = all.add("materials", material);
            all.square(1.0, material);
        }
        all.set("/nodes/0/rotation", json!([0.5, 0.5, 0.5, 0.5]));
        all.set("/nodes/1/scale", json!([-2.0, 1.0, 3.0]));
        all.set("/nodes/2/children", json!([0]));
        all.set("/scenes/0/nodes", json!([1, 2]));
        all.set("/scene", json!(0));
        let mut sparse = Writer::new();
        let which = sparse.view(&[1, 2]);
        let moved = sparse.view(&bytes_of(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
        let positions = sparse.add(
            "accessors",
            json!({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
                "count": 2, "indices": {"bufferView": which, "componentType": 5121}, "values": {"bufferView": moved}}}),
        );
        let colors = sparse.normalized(&[255, 0, 51, 255].repeat(3), 5121, "VEC4");
        let attributes = json!({"POSITION": positions, "COLOR_0": colors});
        sparse.mesh(json!({"attributes": attributes, "mode": 5}));
        sparse.mesh(json!({"attributes": attributes, "mode": 6}));
        [all, sparse, moved_by_joints()]
    })
}

/// A file with a skin, morph targets, instances, glass and extension materials.
fn moved_by_joints() -> Writer {
    let mut writer = Writer::new();
    let texture = writer.texture(2, &[[9, 20, 200, 90], [9; 4], [200; 4], [1, 2, 3, 128]]);
    let glossy =
        json!({"diffuseFactor": [0.5, 0.5, 1.0, 0.5], "diffuseTexture": {"index": texture}});
    let glass = json!({"alphaMode": "BLEND", "extensions": {"KHR_materials_pbrSpecularGlossiness": glossy}});
    let glass = writer.add("materials", glass);
    let webp = json!({"extensions": {"EXT_texture_webp": {"source": 0}}});
    writer.set("/textures/0", webp);
    let skinned = writer.square(1.0, glass);
    let joints = writer.accessor(&[0, 1, 0, 0].repeat(4), 5121, 4, "VEC4");
    let weights = writer.floats(&[[0.5, 0.5, 0.0, 0.0]; 4]);
    let shades = writer.floats(&[[1.0, 0.5, 0.5, 0.5]; 4]);
    let up = writer.floats(&[[0.0, 0.0, 1.0]; 4]);
    let sizes = writer.floats(&[[1.0, 2.0, 3.0]; 4]);
    let primitive = "/meshes/0/primitives/0";
    for (name, index) in [
        ("JOINTS_0", joints),
        ("WEIGHTS_0", weights),
        ("COLOR_0", shades),
    ] {
        writer.set(&format!("{primitive}/attributes/{name}"), json!(index));
    }
    let targets = json!([{"POSITION": up, "NORMAL": up}]);
    writer.set(&format!("{primitive}/targets"), targets);
    let mappings = json!({"mappings": [{"material": glass, "variants": [0, 1]}]});
    let mappings = json!({"KHR_materials_variants": mappings});
    writer.set(&format!("{primitive}/extensions"), mappings);
    writer.set("/meshes/0/weights", json!([0.5]));
    let copied = writer.add("nodes", json!({"mesh": 0, "weights": [1.0, 2.0], "extensions":
        {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": up, "ROTATION": weights, "SCALE": sizes}}}}));
    let joint = json!({"translation": [1e6, 0.0, 0.0], "children": [copied]});
    let joint = writer.add("nodes", joint);
    let matrices = [glam::Mat4::IDENTITY.to_cols_array(); 2];
    let matrix = writer.accessor(&bytes_of(matrices.as_flattened()), 5126, 2, "MAT4");
    let skin = json!({"joints": [joint, skinned], "inverseBindMatrices": matrix});
    writer.set("/skins", json!([skin]));
    writer.set(&format!("/nodes/{skinned}/skin"), json!(0));
    writer.set("/scenes/0/nodes", json!([skinned, joint]));
    writer
}

/// Name and bytes of a changed file.
fn changed(random: &mut Rng) -> (&'static str, Vec<u8>) {
    let mut writer = good()[random.usize(..3)].clone();
    for _ in 0..random.u32(..3) {
        change(random, &mut writer.json);
    }
    let (name, bytes) = match random.u32(..3) {
        0 => ("my.gltf", writer.gltf()),
        1 => ("my.gltf", writer.apart("beside.bin")[0].clone()),
        _ => ("my.glb", writer.glb()),
    };
    match random.bool() {
        true => (name, mutate::changed(random, &[bytes.as_slice()])),
        false => (name, bytes),
    }
}

/// Changes a value somewhere in the JSON.
fn change(random: &mut Rng, json: &mut Value) {
    let count = match &*json {
        Value::Array(list) => list.len(),
        Value::Object(object) => object.len(),
        _ => 0,
    };
    if count > 0 && random.u32(..8) > 0 {
        let at = random.usize(..count);
        let inner = match json {
            Value::Array(list) => list.get_mut(at),
            Value::Object(object) => object.values_mut().nth(at),
            _ => None,
        };
        return change(random, inner.expect("the index is below the count"));
    }
    *json = match random.u32(..10) {
        0 => Value::Null,
        1 => json!(random.u32(..6)),
        2 => json!(random.u64(..)),
        3 => json!(1u64 << random.u32(..64)),
        4 => json!(-1),
        5 => json!([1e30, -1e30, 1e38, 0.5][random.usize(..4)]),
        6 => json!([5120, 5121, 5122, 5123, 5125, 5126][random.usize(..6)]),
        7 => json!(["VEC2", "SCALAR", "MASK", "../x", "data:;base64,AAAA"][random.usize(..5)]),
        8 => json!([]),
        _ => json!({}),
    };
}

#[test]
fn the_files_that_are_changed_are_good_ones() {
    for writer in good() {
        let folder = Folder::of(Path::new("a.glb"), &Disk);
        let model = meshes::of_bytes(&writer.glb(), folder, "a.glb", &mut |_| Ok(()));
        check(&model.expect("the unchanged file is read"));
    }
}
