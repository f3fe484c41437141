//! Presets: saved values are restored, and an unusable file changes nothing.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::state;
use crate::harness::{rows, says};
use wavelerp::model::methods::Method;
use wavelerp::viewer::dock::{Arrangement, Dock};
use wavelerp::viewer::preset::Preset;
use wavelerp::viewer::view::View;

#[test]
fn a_preset_brings_back_all_that_the_panel_changes() {
    let mut changed = state();
    changed.go_to_scene("stress").unwrap();
    changed.subject.settings.size = [640, 360];
    changed.subject.settings.factors.fog_density = 0.5;
    changed.subject.settings.time = 4.125;
    changed.subject.clock.speed = 0.5;
    changed
        .subject
        .move_camera(|camera| camera.orbit(33.0, -7.0));
    changed.subject.store_camera();
    changed.comparison.chosen.a = Method::WaveLerpBallot;
    changed.comparison.chosen.view = View::Log;
    changed.comparison.chosen.split = 0.125;
    changed.comparison.chosen.difference_range = "1e-8..1e-3".parse().unwrap();
    changed.machine.vsync = false;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("new/folder/mine.ron");
    changed.preset().save(&path).unwrap();

    let mut other = state();
    assert_ne!(other.preset(), changed.preset());
    other.apply(Preset::load(&path).unwrap()).unwrap();
    assert_eq!(other.preset(), changed.preset());
    assert_eq!(other.subject.scene.name, "stress");
    assert_eq!(other.command(), changed.command());
    says(changed.command(), " --difference-range 1e-8..1e-3");
}

#[test]
fn a_broken_preset_is_refused_with_the_file_and_the_reason_and_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("broken.ron");
    state().preset().save(&path).unwrap();
    let good = std::fs::read_to_string(&path).unwrap();
    let refused = |text: &str, expected: &str| {
        assert_ne!(text, good, "{expected}");
        std::fs::write(&path, text).unwrap();
        let message = Preset::load(&path).unwrap_err().message;
        says(message, format!("broken.ron | {expected}"));
    };
    refused(&good[..good.len() / 2], "");
    refused("hello", "");
    // An unknown field, numbers out of range, and an invalid range.
    for [old, new, expected] in rows(
        r#"
vsync | wsync | wsync
 tile: 16 |  tile: 9 | 8 or 16
split: 0.5 | split: 1.5 | 0 to 1
"auto" | "1e-3..1e-8" | less than the second
"#,
    ) {
        refused(&good.replace(old, new), expected);
    }
    // Negative control: the unchanged preset is accepted.
    std::fs::write(&path, good).unwrap();
    assert!(Preset::load(&path).is_ok());
}

#[test]
fn a_preset_of_a_scene_that_is_gone_changes_nothing() {
    let mut preset = state().preset();
    preset.settings.scene = "no-such-scene".to_owned();
    let mut unchanged = state();
    assert!(unchanged.apply(preset).is_err());
    assert_eq!(unchanged.preset(), state().preset());
}

#[test]
fn a_method_that_cannot_run_here_is_not_taken_from_a_preset() {
    let mut preset = state().preset();
    preset.compare.a = super::UNAVAILABLE;
    preset.compare.view = View::Ulp;
    let mut state = state();
    let before = state.comparison.chosen.a;
    state.apply(preset).unwrap();
    assert_eq!(state.comparison.chosen.a, before);
    assert_eq!(state.comparison.chosen.view, View::Ulp);
    assert!(state.messages.has("cannot run here"));
}

#[test]
fn a_broken_arrangement_of_a_preset_is_replaced_by_the_default_one_and_all_else_is_taken() {
    let mut preset = state().preset();
    preset.panes = "Row([(1.0,Garden)])".to_owned();
    preset.compare.view = View::Ulp;
    let mut state = state();
    state.panes.dock = Dock::from(Arrangement::Profile);
    state.apply(preset).unwrap();
    assert_eq!(state.panes.dock, Dock::default());
    assert_eq!(state.comparison.chosen.view, View::Ulp);
    assert!(state.messages.has("the default arrangement is used"));
}
