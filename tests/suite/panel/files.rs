//! Files: opening any kind, recent files, and dialogs.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};

use egui::accesskit::Role;

use super::{click, count, pane, state};
use crate::splats::fixture;
use wavelerp::model::scene::is_file_alone;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::action::Pick;
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::picking::Choice;
use wavelerp::viewer::readings::Readings;

/// Paths of a built-in scene as a file, and of a preset of that scene.
fn scene_and_preset(folder: &Path) -> [PathBuf; 2] {
    let [scene, preset] = ["mine.ron", "view.ron"].map(|name| folder.join(name));
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/two.ron");
    std::fs::copy(ours, &scene).unwrap();
    let mut changed = state();
    changed.go_to_scene("stress").unwrap();
    changed.preset().save(&preset).unwrap();
    [scene, preset]
}

#[test]
fn a_file_is_opened_as_what_it_is_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let [scene, preset] = scene_and_preset(folder.path());
    let mut state = state();
    state.open(&scene).unwrap();
    assert_eq!(state.subject.scene.name, "two");
    state.open(&preset).unwrap();
    assert_eq!(state.subject.scene.name, "stress");
    assert_eq!(Path::new(&state.panes.preset_name), preset);
    state.open(Path::new("panes")).unwrap();
    assert_eq!(state.subject.scene.name, "panes");
    // A file is recognised by its content, whatever its name.
    let record = folder.path().join("mine");
    std::fs::copy("tests/fuzz/record.json", &record).unwrap();
    let refused = state.open(&record).unwrap_err().message;
    assert!(refused.contains("wavelerp page"), "{refused}");
    // Splats are read on a thread, and remembered once read.
    state.open(&fixture("inria-3.ply")).unwrap();
    assert!(state.files.next.take().is_some());
    let remembered: Vec<&Path> = state.files.recent.paths().iter().map(Path::new).collect();
    assert_eq!(remembered, [preset.as_path(), scene.as_path()]);
    // A built-in scene is not a file.
    let mut other = super::state();
    other.go_to_scene("stress").unwrap();
    assert!(other.files.recent.paths().is_empty());
}

#[test]
fn a_wrong_file_changes_nothing_and_one_that_is_gone_leaves_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let [scene, _] = scene_and_preset(folder.path());
    let mut state = state();
    let notes = folder.path().join("notes.ron");
    std::fs::write(&notes, "(these: \"are my notes\")").unwrap();
    let refused = state.open(&notes).unwrap_err().message;
    assert!(refused.contains("notes.ron"), "{refused}");
    assert!(state.files.recent.paths().is_empty());
    // This JSON is not a record.
    let contents = folder.path().join("lod-meta.json");
    std::fs::write(&contents, "{\"lodLevels\": 3}").unwrap();
    let refused = state.open(&contents).unwrap_err().message;
    assert!(refused.contains("streamed SOG"), "{refused}");
    assert!(state.asked.is_empty());
    state.open(&scene).unwrap();
    std::fs::remove_file(&scene).unwrap();
    let gone = state.open(&scene).unwrap_err().message;
    assert!(gone.contains("is gone"), "{gone}");
    assert!(state.files.recent.paths().is_empty());
    assert_eq!(state.subject.scene.name, "two", "the scene stays");
}

#[test]
fn recent_files_are_one_menu_away_and_can_be_forgotten() {
    let mut first = state();
    first.files.recent.note("/scenes/garden.ply");
    first.files.recent.note("/scenes/hall.ron");
    let mut harness = pane(Pane::Files, first, Readings::default);
    click(&mut harness, Role::Button, "recent");
    click(&mut harness, Role::Button, "garden.ply");
    let asked = Action::Use(Pick::Open, PathBuf::from("/scenes/garden.ply"));
    assert_eq!(harness.state().asked, [asked]);
    click(&mut harness, Role::Button, "recent");
    click(&mut harness, Role::Button, "clear list");
    assert!(harness.state().files.recent.paths().is_empty());
    click(&mut harness, Role::Button, "recent");
    assert_eq!(count(&harness, Role::Label, "No file opened yet"), 1);
}

#[test]
fn every_dialog_asks_for_what_its_use_takes() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = state();
    let here = folder.path().join("garden.ply");
    std::fs::write(&here, "").unwrap();
    state.files.recent.note(here.to_str().unwrap());
    let open = Pick::Open.dialog(&state);
    assert_eq!(open.choice, Choice::File);
    assert_eq!(open.folder.as_deref(), Some(folder.path()));
    let (_, endings) = open.filter.unwrap();
    let all = ["ron", "ply", "splat", "spz", "sog", "ksplat", "glb", "gltf"];
    assert_eq!(endings, all);
    for ending in &all[1..] {
        assert!(is_file_alone(&format!("a.{ending}")), "{ending}");
    }
    // A missing folder is not suggested.
    state.files.recent.note("/no/such/folder/a.ply");
    assert_eq!(Pick::Add.dialog(&state).folder, None);

    let picture = Pick::SavePicture.dialog(&state);
    assert_eq!(picture.choice, Choice::NewFile);
    assert!(picture.name.ends_with(".png"), "{picture:?}");
    assert!(picture.name.contains("court"), "{picture:?}");
    assert_eq!(Pick::SavePreset.dialog(&state).name, "my-preset.ron");
    assert_eq!(Pick::SaveSet.dialog(&state).choice, Choice::Folder);
    let completed = |pick: Pick, name: &str| {
        let path = pick.completed(folder.path().join(name));
        path.strip_prefix(folder.path()).unwrap().to_owned()
    };
    assert_eq!(completed(Pick::SavePicture, "a"), Path::new("a.png"));
    assert_eq!(completed(Pick::SavePreset, "v1.2"), Path::new("v1.2.ron"));
    assert_eq!(completed(Pick::Open, "a"), Path::new("a"));
    // Only a name typed in full replaces a file.
    std::fs::write(folder.path().join("a.png"), "").unwrap();
    assert_eq!(completed(Pick::SavePicture, "a"), Path::new("a-2.png"));
    assert_eq!(completed(Pick::SavePicture, "a.png"), Path::new("a.png"));
}
