//! Mistakes of programs that write files: the reader guesses the obvious intention, with a remark on each guess.

use glam::Vec3;
use serde_json::{Value, json};
use wavelerp::model::files::InMemory;
use wavelerp::model::meshes;

use super::odd_files::whole;
use super::write::Writer;
use super::{CORNERS, corners_of, of_bytes, positions, read};
use crate::harness::says;

fn refused(bytes: &[u8]) -> String {
    of_bytes(bytes, "a.glb").expect_err("a refusal").message
}

/// The file with `by` added to the word at `at`.
fn changed(glb: &[u8], at: usize, by: i32) -> Vec<u8> {
    let mut bytes = glb.to_vec();
    let word = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word"));
    bytes[at..at + 4].copy_from_slice(&word.wrapping_add_signed(by).to_le_bytes());
    bytes
}

#[test]
fn lengths_of_a_glb_may_be_wrong_and_a_mark_may_stand_before_its_json() {
    let mut writer = whole();
    // The JSON is two blanks short of a multiple of four.
    let mut name = "x".to_owned();
    let glb = loop {
        writer.set("/asset/generator", json!(name));
        let glb = writer.glb();
        let data = glb.windows(4).position(|part| part == b"BIN\0");
        let json_end = data.expect("data") - 4;
        if glb[..json_end].ends_with(b"}  ") {
            break glb;
        }
        name.push('x');
    };
    let good = of_bytes(&glb, "a.glb").expect("a good file");
    let data = glb
        .windows(4)
        .position(|part| part == b"BIN\0")
        .expect("data")
        - 4;
    let cut = [&glb[..data - 2], &glb[data..]].concat();
    let marked = [
        &glb[..20],
        b"\xef\xbb\xbf",
        &glb[20..data - 2],
        b"   ",
        &glb[data..],
    ]
    .concat();
    let other = [&glb[..data], b"\x04\0\0\0ABCD....", &glb[data..]].concat();
    for bytes in [
        changed(&glb, 12, -2),
        changed(&cut, 12, -2),
        cut,
        changed(&marked, 12, 4),
        [b"\xef\xbb\xbf", &*glb].concat(),
        changed(&glb, 8, -1),
        changed(&glb, 8, 1000),
        changed(&glb, data, 1000),
        changed(&glb, data, -8),
        [&*glb, b"more"].concat(),
        other,
    ] {
        let read = of_bytes(&bytes, "a.glb");
        assert_eq!(read.map_err(|error| error.message), Ok(good.clone()));
    }
    let json = changed(&glb, 12, 1 << 20);
    says(
        refused(&json),
        "it ends too early: its JSON has | bytes, and ",
    );
    says(
        refused(&changed(&glb, 16, 1)),
        "its first chunk is not the JSON",
    );
    says(
        refused(&changed(&glb, 4, 1)),
        "it is GLB version 3; 2 can be read",
    );
    says(refused(&glb[..8]), "its header is cut off");
}

#[test]
fn the_first_version_of_gltf_is_named_as_text_and_as_binary() {
    let said = "it is glTF 1.0; 2.0 can be read; `gltf-pipeline -i";
    let old =
        br#"{"asset": {}, "meshes": {"a": {"primitives": []}}, "nodes": {"n": {"meshes": ["a"]}}}"#;
    says(of_bytes(old, "a.gltf").expect_err("old").message, said);
    let glb = [b"glTF\x01\0\0\0....\x02\0\0\0\0\0\0\0{}".as_slice()].concat();
    says(refused(&glb), said);
    // Negative control: a numeric version is valid, and other faults are not mistaken for version 1.
    let mut writer = whole();
    writer.set("/asset/version", json!(2));
    assert_eq!(read(&writer), read(&whole()));
    writer.set("/nodes", json!(3));
    says(refused(&writer.glb()), "its JSON: invalid type");
}

#[test]
fn of_members_of_one_name_the_last_counts_with_a_line() {
    let text = String::from_utf8(whole().gltf()).expect("text");
    let twice = text.replace(
        "\"metallicFactor\":0.0",
        "\"metallicFactor\":1.0,\"metallicFactor\":0.0",
    );
    assert_ne!(twice, text);
    let mut model = of_bytes(twice.as_bytes(), "a.gltf").expect("a good file");
    let said = model.remarks.pop().expect("a line");
    assert_eq!(
        said,
        "members of its JSON that are repeated later: left out"
    );
    assert_eq!(model, read(&whole()));
}

#[test]
fn data_stands_in_uris_in_all_forms_of_the_standard() {
    let [_, binary] = whole().apart("");
    let percent: String = binary.iter().map(|byte| format!("%{byte:02x}")).collect();
    let text: String = (binary.iter())
        .map(|byte| match byte {
            b'0'..=b'9' | b'A'..=b'Z' => char::from(*byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    let base64 = whole().gltf();
    let base64 = String::from_utf8(base64).expect("text");
    let (_, base64) = base64.split_once("base64,").expect("data");
    let (base64, _) = base64.split_once('"').expect("an end");
    let (first, rest) = base64.split_at(40);
    for uri in [
        format!("data:,{percent}"),
        format!("data:application/gltf-buffer,{text}"),
        format!("data:;base64,{base64}"),
        format!("DATA:Image/PNG; charset=x; Base64,{first}\r\n {rest}"),
        format!("data:;base64,{}", base64.trim_end_matches('=')),
        format!(
            "data:;base64,{}",
            base64.replace('+', "%2b").replace('/', "%2F")
        ),
        format!(
            "data:;base64,{}",
            base64.replace('+', "-").replace('/', "_")
        ),
    ] {
        let [file, _] = whole().apart(&uri);
        let read = of_bytes(&file, "a.gltf");
        let read = read.unwrap_or_else(|error| panic!("{uri}: {error}"));
        assert!(read == super::read(&whole()) && read.is_whole, "{uri}");
    }
    for (uri, said) in [
        ("data:text/plain", "its data URI has no comma"),
        ("data:;base64,TW*u", "not valid base64"),
        ("data:;base64,T=Fu", "not valid base64"),
        ("data:,abc%", "it has 4 bytes, not"),
        ("database:,abc", "is an address"),
    ] {
        let [file, _] = whole().apart(uri);
        says(of_bytes(&file, "a.gltf").expect_err(uri).message, said);
    }
}

#[test]
fn files_are_found_whoever_escaped_their_names() {
    let [_, binary] = whole().apart("");
    for (uri, name) in [
        ("my%20parts.bin", "my parts.bin"),
        ("my%20parts.bin", "my%20parts.bin"),
        ("100%.bin", "100%.bin"),
        ("caf%E9.bin", "caf\u{e9}.bin"),
    ] {
        let [text, _] = whole().apart(uri);
        let files = [("b/a.gltf", &*text), (&*format!("b/{name}"), &*binary)];
        let path = std::path::Path::new("b/a.gltf");
        let read = meshes::read(path, &InMemory(&files), &mut |_| Ok(()));
        assert!(read.is_ok(), "{uri}: {read:?}");
    }
}

#[test]
fn indices_joints_and_colours_have_no_signs_whatever_their_types_say() {
    // More vertices than a signed byte can index.
    let triangle = |numbers: u32, bytes: &[u8]| {
        let mut writer = Writer::new();
        let mut places = vec![[9.0; 3]; 200];
        places[197..].copy_from_slice(&CORNERS);
        let places = writer.floats(&places);
        let indices = writer.accessor(bytes, numbers, 3, "SCALAR");
        let colors = writer.accessor(&[255, 0, 128].repeat(200), 5120, 200, "VEC3");
        let attributes = json!({"POSITION": places, "COLOR_0": colors});
        writer.mesh(json!({"attributes": attributes, "indices": indices}));
        writer
    };
    let words: Vec<u8> = [197u32, 198, 199]
        .iter()
        .flat_map(|of| of.to_le_bytes())
        .collect();
    for (numbers, bytes) in [
        (5120, &[197, 198, 199][..]),
        (5122, &[197, 0, 198, 0, 199, 0]),
        (5124, &words),
    ] {
        let model = read(&triangle(numbers, bytes));
        assert_eq!(positions(&model), [CORNERS.map(Vec3::from)], "{numbers}");
        let albedo = corners_of(&model, 0)[0].albedo;
        assert_eq!(albedo, Vec3::new(1.0, 0.0, 128.0 / 255.0));
    }
    let said = "indices: accessors[1] has no integers";
    says(refused(&triangle(5126, &words).glb()), said);
}

/// Reads a file with the given nodes, scene roots, and one triangle as mesh 0. Returns the position in x of each shown
/// triangle, and the remarks.
fn tree(roots: Value, nodes: &[Value]) -> Result<(Vec<f32>, Vec<String>), String> {
    let mut writer = Writer::new();
    writer.triangle(CORNERS);
    writer.set("/scenes/0/nodes", roots);
    writer.set("/nodes", json!(nodes));
    let model = of_bytes(&writer.glb(), "a.glb").map_err(|error| error.message)?;
    let places = positions(&model)
        .iter()
        .map(|corners| corners[0].x)
        .collect();
    Ok((places, model.remarks))
}

#[test]
fn hidden_nodes_are_left_out_with_all_below_them() {
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    let shown = json!({"KHR_node_visibility": {"visible": true}});
    let nodes = [
        json!({"mesh": 0, "children": [1]}),
        json!({"extensions": hidden, "children": [2], "mesh": 0}),
        json!({"extensions": shown, "mesh": 0}),
        json!({"extensions": {"KHR_node_visibility": {}}, "mesh": 0, "translation": [5, 0, 0]}),
    ];
    let expected = (
        vec![0.0, 5.0],
        vec!["meshes that the file hides (2): left out".to_owned()],
    );
    assert_eq!(tree(json!([0, 3]), &nodes), Ok(expected));
    let reason = tree(json!([1]), &nodes).expect_err("nothing is shown");
    says(
        reason,
        "no triangles that can be shown (meshes that the file hides (2): left out)",
    );
}

#[test]
fn a_node_below_several_others_is_shown_below_each_and_none_may_be_below_itself() {
    let at = |x: f32, children: &[usize]| json!({"translation": [x, 0, 0], "children": children});
    let mesh = json!({"mesh": 0});
    let below_each = "nodes with several parents: shown below each".to_owned();
    let below_alone = "root nodes that are also children: shown only as children";
    for (roots, nodes, places, said) in [
        (
            json!([0, 1]),
            vec![at(3.0, &[2]), at(5.0, &[2]), mesh.clone()],
            vec![3.0, 5.0],
            vec![below_each],
        ),
        (
            json!([2, 0]),
            vec![at(3.0, &[2]), at(5.0, &[2]), mesh.clone()],
            vec![3.0],
            vec![below_alone.to_owned()],
        ),
        // The other node is not in the scene.
        (
            json!([2]),
            vec![at(3.0, &[2]), at(5.0, &[]), mesh.clone()],
            vec![0.0],
            vec![],
        ),
    ] {
        assert_eq!(tree(roots, &nodes), Ok((places, said)));
    }
    for nodes in [
        [at(0.0, &[0]), mesh.clone()],
        [at(0.0, &[1]), json!({"mesh": 0, "children": [0]})],
    ] {
        says(
            tree(json!([0]), &nodes).expect_err("a circle"),
            "nodes[0] is its own descendant",
        );
    }
    let circle = [at(0.0, &[1]), json!({"children": [1, 2]}), mesh.clone()];
    says(
        tree(json!([0]), &circle).expect_err("a circle"),
        "is its own descendant, or the file has more than",
    );
    // Each node contains the next one twice, which makes 2^40 instances.
    let mut doubled: Vec<Value> = (1..41)
        .map(|next| json!({"children": [next, next]}))
        .collect();
    doubled.push(mesh);
    says(
        tree(json!([0]), &doubled).expect_err("too many"),
        "is its own descendant, or the file has more than",
    );
}
