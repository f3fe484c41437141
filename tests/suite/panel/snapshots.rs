//! What the panel looks like, against pictures kept beside this file. A pixel may differ by 0.6 in
//! squared weighted YIQ distance (the default of egui's own tests), none by more.
//! `UPDATE_SNAPSHOTS=1 cargo xtask test --only cpu` writes them anew (and fails in the negative
//! control, which then has nothing to differ from): look at them.

use egui::accesskit::Role;
use egui_kittest::{Harness, SnapshotError, SnapshotOptions};

use super::renderer::Painter;
use super::{built, click, map, readings, state};
use wavelerp::app::panel::PANEL_WIDTH;
use wavelerp::app::state::State;
use wavelerp::methods::Method;

const FOLDER: &str = "tests/suite/panel/snapshots";

fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(0.6).output_path(FOLDER)
}

fn harness(state: State, size: [f32; 2]) -> Harness<'static, State> {
    let builder = Harness::builder().with_size(size).renderer(Painter::new());
    built(builder, state, readings::rich)
}

#[test]
fn the_panel_looks_as_it_did() {
    let mut state = state();
    state.compare.a = Method::Auto;
    state.compare.metrics = true;
    let mut harness = harness(state, [PANEL_WIDTH, 2700.0]);
    harness.snapshot_options("panel", &options());
}

#[test]
fn the_map_looks_as_it_did() {
    let state = map::opened(state());
    let mut harness = harness(state, [PANEL_WIDTH, 2900.0]);
    harness.snapshot_options("map", &options());
}

#[test]
fn the_generated_code_looks_as_it_did() {
    let mut state = state();
    (state.compare.a, state.compare.b) = (Method::WaveLerpProduct, Method::ReadLaneLoop);
    let mut harness = harness(state, [PANEL_WIDTH, 3500.0]);
    click(&mut harness, Role::DisclosureTriangle, "Generated code");
    harness.snapshot_options("code", &options());
}

#[test]
fn the_windows_over_the_picture_look_as_they_did() {
    let mut state = state();
    state.probe.lock(readings::PROBED);
    let mut harness = harness(state, [1280.0, 720.0]);
    harness.snapshot_options("probe", &options());
}

#[test]
fn a_changed_value_is_seen() {
    let mut state = state();
    state.compare.a = Method::Auto;
    state.compare.metrics = true;
    state.settings.seed += 1;
    let mut harness = harness(state, [PANEL_WIDTH, 2700.0]);
    // Against a copy: writing the pictures anew must not take this one.
    let copy = tempfile::tempdir().expect("a folder for the copy");
    std::fs::copy(
        FOLDER.to_owned() + "/panel.png",
        copy.path().join("panel.png"),
    )
    .expect("the picture is in the repository");
    let seen = harness.try_snapshot_options("panel", &options().output_path(copy.path()));
    assert!(matches!(seen, Err(SnapshotError::Diff { .. })), "{seen:?}");
}
