//! Each invalid file is rejected as a whole, with one line that states the fault and its place.

use std::path::Path;

use serde_json::json;
use wavelerp::error::ErrorKind;
use wavelerp::input::Disk;
use wavelerp::model::files::InMemory;
use wavelerp::model::meshes;

use super::of_bytes;
use super::write::Writer;
use crate::harness::{rows, says};
use crate::splats::bad_files::reason;

/// Message about an invalid file, a single line that includes the file's name.
fn refused(bytes: &[u8]) -> String {
    reason(of_bytes(bytes, "a.glb"), "a.glb")
}

/// A file of one triangle with indices, normals, texture coordinates, a material and a picture.
fn whole() -> Writer {
    let mut writer = Writer::new();
    let texture = writer.texture(1, &[[1, 2, 3, 4]]);
    let material = writer.textured(texture);
    let normals = writer.floats(&[[0.0, 0.0, 1.0]; 4]);
    writer.square(1.0, material);
    writer.set("/meshes/0/primitives/0/attributes/NORMAL", json!(normals));
    writer
}

#[test]
fn every_index_that_leads_nowhere_is_named() {
    let control = of_bytes(&whole().glb(), "a.glb");
    assert!(control.is_ok(), "negative control");
    let mut tried = 0;
    for [pointer, part] in rows(
        r#"
/scene | scenes[99] is referenced but missing
/scenes/0/nodes/0 | nodes[99] is referenced
/nodes/0/mesh | meshes[99] is referenced
/meshes/0/primitives/0/indices | meshes[0].primitives[0]: indices: accessors[99] does not exist; there are 4
/meshes/0/primitives/0/attributes/POSITION | meshes[0].primitives[0]: POSITION: accessors[99] does not exist
/meshes/0/primitives/0/attributes/NORMAL | NORMAL: accessors[99] does not exist
/meshes/0/primitives/0/material | materials[99] is referenced
/accessors/1/bufferView | accessors[1]: bufferViews[99] does not exist; there are 5
/bufferViews/2/buffer | bufferViews[2]: buffers[99] does not exist
/materials/0/pbrMetallicRoughness/baseColorTexture/index | materials[0]: textures[99] is referenced
/textures/0/source | images[99] is referenced
/textures/0/sampler | samplers[99] is referenced
/images/0/bufferView | images[0]: bufferViews[99] does not exist
"#,
    ) {
        let mut writer = whole();
        writer.set(pointer, json!(99));
        says(refused(&writer.glb()), part);
        tried += 1;
    }
    assert_eq!(tried, 13);
}

#[test]
fn values_that_cannot_be_are_refused_with_their_place() {
    let cases = r#"
/asset | null | `asset` is missing
/asset/version | "3.1" | it is glTF 3.1; 2.0 can be read
/asset/version | "1.0" | it is glTF 1.0; 2.0 can be read; `gltf-pipeline
/asset/minVersion | "2.1" | it needs a reader of glTF 2.1; 2.0 can be read
/extensionsRequired | ["KHR_draco_mesh_compression", "KHR_materials_unlit", "EXT_x"] | its meshes are compressed (KHR_draco_mesh_compression); `gltf-transform copy
/extensionsRequired | ["KHR_mesh_quantization", "KHR_meshopt_compression"] | its meshes are compressed (KHR_meshopt_compression); `gltfpack -noq
/nodes/0/children | [0] | nodes[0] is its own descendant
/nodes/0/children | [7] | nodes[7] is referenced
/nodes/0/matrix | [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] | nodes[0] has a matrix that is not an affine
/nodes/0/scale | [1e300, 1, 1] | triangles with a corner that is not finite (2): left out)
/nodes/0/mesh | -1 | its JSON: invalid value
/accessors/1/count | 5 | accessors[1]: its 5 elements do not fit the 48 bytes of bufferViews[2]
/accessors/1/count | 18446744073709551615 | elements, which are too many
/accessors/1/count | 3 | NORMAL has 4 elements, and POSITION has 3
/accessors/1/byteOffset | 18446744073709551615 | do not fit
/accessors/1/type | "VEC2" | accessors[1]: its type is VEC2, not VEC3
/accessors/1/componentType | 5124 | its component type is 5124
/bufferViews/2/byteLength | 4000 | bufferViews[2]: bytes
/bufferViews/2/byteStride | 16 | accessors[1]: its 4 elements do not fit the 48 bytes of bufferViews[2]
/meshes/0/primitives/0/mode | 7 | its mode is 7; 0 to 6 are known
/materials/0/alphaMode | "GLASS" | materials[0]: its alphaMode is GLASS
/materials/0/alphaCutoff | 1e300 | its JSON: number out of range
"#;
    for [pointer, value, part] in rows(cases) {
        let mut writer = whole();
        writer.set(pointer, value.parse().expect("JSON"));
        says(refused(&writer.glb()), part);
    }
}

#[test]
fn an_index_without_a_vertex_is_named() {
    let mut writer = Writer::new();
    let places = writer.floats(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let indices = writer.indices(&[0, 1, 2, 0, 3, 1]);
    writer.mesh(json!({"attributes": {"POSITION": places}, "indices": indices}));
    let said = "index 4 is 3, and there are 3 vertices";
    says(refused(&writer.glb()), said);
}

#[test]
fn files_that_are_cut_off_anywhere_are_refused() {
    let bytes = whole().glb();
    for length in 0..bytes.len() {
        refused(&bytes[..length]);
    }
    assert_eq!(refused(b""), "it is empty");
    assert_eq!(refused(b"ply\n"), "it contains splats, not a model");
    says(refused(b"v 1 2 3\n"), "it is text that is not a scene");
    says(
        refused(b"{\"asset\": {\"version\": \"2.0\"}, \"nodes\": 3}"),
        "its JSON: invalid type",
    );
    let nothing = "it has no triangles that can be shown";
    let empty = b"{\"asset\":{\"version\":\"2.0\"}}";
    assert_eq!(refused(empty), nothing);
    let mut cameras = Writer::new();
    cameras.set("/cameras", json!([{}]));
    let said = format!("{nothing} (cameras: left out)");
    assert_eq!(refused(&cameras.glb()), said);
}

#[test]
fn buffers_and_pictures_outside_the_folder_or_not_there_are_refused() {
    let reason = |uri: &str| {
        let [text, binary] = whole().apart(uri);
        let files = [
            ("inner/a.gltf", text.as_slice()),
            ("inner/good.bin", &binary),
            ("inner/short.bin", &binary[..20]),
            ("a.bin", &binary),
            ("inner/../a.bin", &binary),
            ("/etc/passwd", &binary),
        ];
        let path = Path::new("inner/a.gltf");
        let read = meshes::read(path, &InMemory(&files), &mut |_| Ok(()));
        read.map_err(|error| error.message)
    };
    assert!(reason("good.bin").is_ok(), "negative control");
    for [uri, part] in rows(
        r#"
../a.bin | buffers[0]: `../a.bin` leaves the file's folder
%2e%2e/a.bin | leaves the file's folder
/etc/passwd | is an absolute path
https://example.org/a.bin | is an address, not a file name
file:///etc/passwd | is an address, not a file name
none.bin | buffers[0]: none.bin:
short.bin | it has 20 bytes, not
data:text/plain,hello | it has 5 bytes, not
data:;base64,T | not valid base64
data:;base64,AAAA | it has 3 bytes, not
"#,
    ) {
        says(reason(uri).expect_err(uri), part);
    }
    let mut writer = whole();
    writer.set("/images/0", json!({"uri": "../a.png"}));
    let said = "images[0]: `../a.png` leaves the file's folder";
    says(refused(&writer.glb()), said);
}

#[test]
fn a_folder_and_a_device_are_refused_as_a_model_and_beside_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.gltf");
    let [text, _] = whole().apart(".");
    std::fs::write(&path, text).expect("written");
    for (path, part) in [
        (path.as_path(), "buffers[0]: .: it is a folder"),
        (folder.path(), "it is a folder"),
        (Path::new("/dev/null"), ""),
    ] {
        let error = meshes::read(path, &Disk, &mut |_| Ok(())).expect_err("no file");
        assert_eq!(error.kind, ErrorKind::Usage);
        says(error.message, part);
    }
}

#[test]
fn counts_that_no_file_should_have_are_refused_before_room_is_made_for_them() {
    let mut writer = Writer::new();
    let which = writer.view(&[0]);
    let zeros = writer.view(&[0; 12]);
    let sparse = json!({
        "count": 1, "indices": {"bufferView": which, "componentType": 5121}, "values": {"bufferView": zeros}});
    let many =
        json!({"componentType": 5126, "count": 4_000_000_000u32, "type": "VEC3", "sparse": sparse});
    let many = writer.add("accessors", many);
    writer.mesh(json!({"attributes": {"POSITION": many}}));
    let said = "nodes[0]: 1333333333 triangles so far; the limit is 1000000";
    says(refused(&writer.glb()), said);
    // The mesh is small but has very many instances.
    let mut writer = Writer::new();
    let places = writer.floats(&vec![[0.0; 3]; 30_000]);
    writer.mesh(json!({"attributes": {"POSITION": places}}));
    for _ in 0..100 {
        writer.root(json!({"mesh": 0}));
    }
    let said = "nodes[100]: 1010000 triangles so far";
    says(refused(&writer.glb()), said);
    let empty = "{},".repeat(1_000_001);
    let objects = format!("{{\"asset\": {{\"version\": 2}}, \"nodes\": [{empty}{{}}]}}");
    let said = "1000004 objects; the limit is 1000000";
    says(refused(objects.as_bytes()), said);
}
