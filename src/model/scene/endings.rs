//! File name extensions of splat and model files, which can be opened as scenes.

use std::path::Path;

pub const SPLAT_ENDINGS: [&str; 5] = ["ply", "splat", "spz", "sog", "ksplat"];
pub const MESH_ENDINGS: [&str; 2] = ["glb", "gltf"];

pub fn is_splat_file(path: &str) -> bool {
    ends_in(path, &SPLAT_ENDINGS) || path.ends_with("meta.json")
}

pub fn is_mesh_file(path: &str) -> bool {
    ends_in(path, &MESH_ENDINGS)
}

pub fn is_file_alone(path: &str) -> bool {
    is_splat_file(path) || is_mesh_file(path)
}

fn ends_in(path: &str, endings: &[&str]) -> bool {
    let ending = Path::new(path).extension();
    let ending = ending.and_then(|ending| ending.to_str());
    ending.is_some_and(|of| endings.iter().any(|known| of.eq_ignore_ascii_case(known)))
}
