//! Memory that the reader of models uses.

use serde_json::json;
use wavelerp::model::meshes::Model;

use super::of_bytes;
use super::write::Writer;
use crate::splats::memory::most_held;

/// Overhead of the reader: the JSON, tables of the picture decoder, and the vertices of meshes already seen.
const FIXED: usize = 1 << 20;

/// Bytes of memory that a model occupies.
fn held_by(model: &Model) -> usize {
    let texels = model.pictures.iter().map(|picture| picture.texels.len());
    let mesh = size_of_val(&model.mesh.triangles[..]) + size_of_val(&model.mesh.corners[..]);
    mesh + texels.sum::<usize>()
}

#[test]
fn the_reader_takes_no_more_than_twice_the_file_and_what_it_holds() {
    let mut writer = Writer::new();
    let rows: Vec<[f32; 3]> = (0..30_000)
        .map(|at| [at as f32, f32::from(u8::from(at % 3 == 2)), 0.0])
        .collect();
    let positions = writer.floats(&rows);
    let normals = writer.floats(&vec![[0.0, 1.0, 0.0]; rows.len()]);
    writer.mesh(json!({"attributes": {"POSITION": positions, "NORMAL": normals}}));
    // The same mesh appears at ten places.
    for place in 0..9 {
        writer.root(json!({"mesh": 0, "translation": [0, place, 0]}));
    }
    // The texels compress poorly.
    let texels: Vec<[u8; 4]> = (0..1u32 << 16)
        .map(|at| at.wrapping_mul(0x9e37_79b9).to_le_bytes())
        .collect();
    let texture = writer.texture(256, &texels);
    let material = writer.textured(texture);
    writer.square(1.0, material);
    for (name, bytes) in [("a.glb", writer.glb()), ("a.gltf", writer.gltf())] {
        let (model, held) = most_held(|| of_bytes(&bytes, name));
        let model = model.expect("a good file");
        assert_eq!(model.mesh.triangles.len(), 100_002);
        let allowed = 2 * bytes.len() + held_by(&model);
        assert!(held > held_by(&model), "{name}: the model is counted");
        let said = format!("{held} bytes held, {allowed} and {FIXED} allowed");
        assert!(held <= allowed + FIXED, "{name}: {said}");
    }
}
