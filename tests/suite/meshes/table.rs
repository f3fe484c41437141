//! The table of `cargo xtask models`: what the reader makes of every model below a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wavelerp::input::Disk;
use wavelerp::model::meshes;
use wavelerp::model::scene::is_mesh_file;

use super::write::Writer;

/// The models below a folder, by their paths.
fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder can be read");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            match path.is_dir() {
                true => open.push(path),
                false if is_mesh_file(&path.to_string_lossy()) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// Remarks without what undoes what they are about; those on what is left out have these words once.
fn in_short(remarks: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for remark in remarks {
        let line = remark.split("; `").next().unwrap_or(remark);
        // What many pictures have is said once.
        let of_picture = line.strip_prefix("images[");
        let of_picture = of_picture.and_then(|line| line.split_once("]: "));
        let line = of_picture.map_or(line.to_owned(), |(_, what)| format!("a picture: {what}"));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let left_out = lines
        .iter()
        .filter_map(|line| line.strip_suffix(": left out"));
    let left_out: Vec<&str> = left_out.collect();
    let mut parts: Vec<String> = (lines.iter())
        .filter(|line| !line.ends_with(": left out"))
        .cloned()
        .collect();
    if !left_out.is_empty() {
        parts.insert(0, format!("left out: {}", left_out.join(", ")));
    }
    parts.join("; ")
}

/// What is shown of a model and what is said of it, in words.
fn outcome(path: &Path) -> [String; 2] {
    let count = |what: &str, count: usize| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    };
    match meshes::read(path, &Disk, &mut |_| Ok(())) {
        Ok(model) => {
            let parts = [
                count("triangle", model.mesh.triangles.len()),
                count("pane", model.panes.len()),
                count("picture", model.pictures.len()),
            ];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            [parts.join(", "), in_short(&model.remarks)]
        }
        // Without the file's name and what makes it readable.
        Err(error) => {
            let reason = error.message.split_once(": ");
            let reason = reason.map_or(&*error.message, |(_, reason)| reason);
            let reason = reason.split("; `").next().unwrap_or(reason);
            ["refused".to_owned(), reason.to_owned()]
        }
    }
}

/// Markdown: a row for each model, the first folder of its path, and each outcome that its files have.
fn table(folder: &Path) -> String {
    let mut rows: BTreeMap<(String, [String; 2]), Vec<String>> = BTreeMap::new();
    for path in models_below(folder) {
        let inside = path.strip_prefix(folder).expect("it is below the folder");
        let parts: Vec<_> = (inside.iter())
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let kind = parts[parts.len().saturating_sub(2)].clone();
        let row = rows.entry((parts[0].clone(), outcome(&path)));
        row.or_default().push(kind);
    }
    let mut text = "| model | files | shown | remarks |\n|---|---|---|---|\n".to_owned();
    for ((model, [shown, remarks]), kinds) in rows {
        let cells = [model, kinds.join(", "), shown, remarks].map(|cell| cell.replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

#[test]
#[ignore = "reads a folder that is no part of the repository: cargo xtask models FOLDER"]
fn of_a_folder() {
    let [folder, at] = ["WAVELERP_MODELS", "WAVELERP_MODELS_AT"]
        .map(|name| std::env::var(name).expect("cargo xtask models sets it"));
    std::fs::write(at, table(Path::new(&folder))).expect("the table can be written");
}

#[test]
fn every_model_has_a_row_for_each_thing_that_becomes_of_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::new();
    writer.square(1.0, 0);
    writer.add("materials", serde_json::json!({}));
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        std::fs::write(path, bytes).expect("it is written");
    };
    write("Pane/glTF-Binary/Pane.glb", &writer.glb());
    write("Pane/glTF/Pane.gltf", &writer.gltf());
    write("Pane/screenshot/screenshot.png", b"no model");
    write("Broken/glTF/a.gltf", b"{}");
    let table = table(folder.path());
    let rows: Vec<&str> = table.lines().skip(2).collect();
    let [broken, good] = rows[..] else {
        panic!("{table}");
    };
    assert!(
        broken.starts_with("| Broken | glTF | refused | its JSON is not glTF"),
        "{broken}"
    );
    assert!(
        good.starts_with("| Pane | glTF, glTF-Binary | 2 triangles |"),
        "{good}"
    );
}
