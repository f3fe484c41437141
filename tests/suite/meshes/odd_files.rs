//! Files as programs really write them: each is shown as the one without the fault.

use std::path::Path;

use serde_json::json;
use wavelerp::input::Disk;
use wavelerp::model::files::InMemory;
use wavelerp::model::meshes;
use wavelerp::model::meshes::Model;

use super::write::Writer;
use super::{of_bytes, read};

/// A square with a picture, moved by a matrix.
fn whole() -> Writer {
    let mut writer = Writer::new();
    let texture = writer.texture(1, &[[200, 100, 50, 255]]);
    let base = json!({"baseColorTexture": {"index": texture}, "metallicFactor": 0.0});
    let material = writer.add("materials", json!({"pbrMetallicRoughness": base}));
    writer.square(1.0, material);
    let matrix = json!([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]);
    writer.set("/nodes/0/matrix", matrix);
    writer
}

/// What is read of a text in which parts are other ones.
fn with(changes: &[(&str, &[u8])]) -> Model {
    let mut text = whole().gltf();
    for (old, new) in changes {
        let old = old.as_bytes();
        let at = text.windows(old.len()).position(|part| part == old);
        let at = at.unwrap_or_else(|| panic!("{changes:?}"));
        text.splice(at..at + old.len(), new.iter().copied());
    }
    let model = of_bytes(&text, "a.gltf");
    model.unwrap_or_else(|error| panic!("{changes:?}: {error}"))
}

#[test]
fn json_as_programs_write_it_is_read_as_what_it_means() {
    let good = read(&whole());
    assert_eq!(good.remarks, Vec::<String>::new());
    for changes in [
        &[("{", b"\xef\xbb\xbf {".as_slice())][..],
        &[("\"byteLength\":48", b"\"byteStride\":0,\"byteLength\":48")],
        &[("\"byteLength\":48", b"\"byteStride\":4.0,\"byteLength\":48")],
        // Of indices, which stand one behind the other whatever it says.
        &[("\"byteLength\":12", b"\"byteStride\":12,\"byteLength\":12")],
        &[
            ("5126", b"5126.0"),
            ("5123", b"5.123e3"),
            ("\"mesh\":0", b"\"mesh\":0.00"),
        ],
        &[("\"asset\":{", b"\"asset\":{\"generator\":\"caf\xe9\tx\",")],
        &[
            ("6,7,1]", b"6,7,0.9999999]"),
            ("[2,0,0,0,", b"[2,0,0,1e-9,"),
        ],
        &[("\"matrix\"", b"\"rotation\":[0,0,0,0],\"matrix\"")],
        &[
            (
                "\"metallicFactor\"",
                b"\"baseColorFactor\":null,\"metallicFactor\"",
            ),
            ("\"nodes\":[0]", b"\"nodes\":[0,]"),
        ],
    ] {
        assert_eq!(with(changes), good, "{changes:?}");
    }
    let unset = with(&[(
        "\"metallicFactor\"",
        b"\"baseColorFactor\":[NaN,0,-Infinity,1],\"metallicFactor\"",
    )]);
    assert_eq!(
        unset.remarks,
        ["numbers such as NaN in its JSON (2): taken as missing"]
    );
    assert_eq!(
        (unset.triangles, unset.materials),
        (good.triangles.clone(), good.materials.clone())
    );
    let mut padded = whole().glb();
    let end = padded
        .windows(4)
        .position(|part| part == b"BIN\0")
        .expect("a chunk")
        - 4;
    padded[12..16].copy_from_slice(&((end - 20 + 4) as u32).to_le_bytes());
    padded.splice(end..end, [0; 4]);
    let length = padded.len() as u32;
    padded[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(of_bytes(&padded, "a.glb").expect("read"), good);
}

#[test]
fn files_are_found_by_names_of_another_system_and_never_outside_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("Parts")).expect("a folder");
    let path = folder.path().join("a.gltf");
    let [_, binary] = whole().apart("");
    std::fs::write(folder.path().join("Parts/Square.BIN"), &binary).expect("written");
    for (uri, is_found) in [
        ("Parts/Square.BIN", true),
        ("parts\\square.bin", true),
        (".\\PARTS%5cSQUARE.BIN", true),
        ("parts/circle.bin", false),
        ("parts\\..\\..\\square.bin", false),
    ] {
        let [text, _] = whole().apart(uri);
        std::fs::write(&path, &text).expect("written");
        let on_disk = meshes::read(&path, &Disk, &mut |_| Ok(()));
        assert_eq!(on_disk.is_ok(), is_found, "{uri}");
        let files = [("b/a.gltf", &*text), ("b/Parts/Square.BIN", &*binary)];
        let in_memory = meshes::read(Path::new("b/a.gltf"), &InMemory(&files), &mut |_| Ok(()));
        assert_eq!(in_memory.is_ok(), is_found, "{uri}");
    }
}
