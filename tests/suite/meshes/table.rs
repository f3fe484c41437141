//! A table of what the reader makes of every model below a folder: docs/meshes.md has the command and a table.

use std::collections::BTreeMap;
use std::path::Path;

use wavelerp::input::Disk;
use wavelerp::model::meshes;
use wavelerp::model::scene::is_mesh_file;

use super::write::Writer;
use crate::harness::below;

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
    let (left_out, mut parts): (Vec<String>, Vec<String>) = lines
        .into_iter()
        .partition(|line| line.ends_with(": left out"));
    if !left_out.is_empty() {
        let left_out = left_out.join(", ").replace(": left out", "");
        parts.insert(0, format!("left out: {left_out}"));
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
            let triangles = count("triangle", model.mesh.triangles.len());
            let panes = count("pane", model.panes.len());
            let parts = [triangles, panes, count("picture", model.pictures.len())];
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
    let models = below(folder).into_iter();
    for path in models.filter(|path| path.is_file() && is_mesh_file(&path.to_string_lossy())) {
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
#[ignore = "reads a folder that is no part of the repository: docs/meshes.md has the command"]
fn of_a_folder() {
    let folder = std::env::var("WAVELERP_MODELS").expect("it names the folder");
    print!("{}", table(Path::new(&folder)));
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
    for (row, start) in [
        (broken, "| Broken | glTF | refused | its JSON is not glTF"),
        (good, "| Pane | glTF, glTF-Binary | 2 triangles |"),
    ] {
        assert!(row.starts_with(start), "{row}");
    }
}
