//! The panes are compared with the reference pictures next to this file. No pixel may differ by more than 0.6 in
//! squared weighted YIQ distance (the default of egui's own tests). `UPDATE_SNAPSHOTS=1 cargo xtask test --only cpu`
//! rewrites the pictures; look at them. In that run the negative control fails, because no reference picture is compared.

use std::path::Path;

use egui::accesskit::Role;
use egui_kittest::kittest::{Queryable as _, by};
use egui_kittest::{Harness, SnapshotError, SnapshotOptions};

use super::renderer::Painter;
use super::{built, comparing, dock_of, readings, state};
use wavelerp::model::methods::Method;
use wavelerp::viewer::dock::{Arrangement, Dock, Pane};
use wavelerp::viewer::state::State;

const FOLDER: &str = "tests/suite/panel/snapshots";

fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(0.6).output_path(FOLDER)
}

fn harness(state: State, size: [f32; 2]) -> Harness<'static, State> {
    let builder = Harness::builder().with_size(size).renderer(Painter::new());
    built(builder, state, readings::rich)
}

fn looks_as_it_did(harness: &mut Harness<State>, name: &str) {
    let seen = harness.try_snapshot_options(name, &options());
    seen.unwrap_or_else(|error| panic!("{name}: {error}"));
}

fn with_auto() -> State {
    let mut state = state();
    state.comparison.chosen.a = Method::Auto;
    state
}

#[test]
fn the_arrangements_look_as_they_did_in_both_themes() {
    for (name, arrangement) in [
        ("compare", Arrangement::Compare),
        ("profile", Arrangement::Profile),
    ] {
        let mut state = with_auto();
        state.panes.dock = Dock::from(arrangement);
        state.panes.is_light = arrangement == Arrangement::Profile;
        let mut harness = harness(state, [1280.0, 720.0]);
        looks_as_it_did(&mut harness, name);
    }
}

#[test]
fn the_pane_of_the_probe_looks_as_it_did_with_the_layer_below_the_mouse() {
    // The plot has a curve for each approximate method.
    let mut state = comparing(Method::WaveLerpProduct, Method::Histogram);
    state.probe.lock(readings::PROBED);
    state.panes.dock = dock_of(&[Pane::Probe]);
    let mut harness = harness(state, [800.0, 820.0]);
    let bars = by().role(Role::Label).label_contains("bars: each layer");
    let below = harness.get(bars).rect().left_top();
    harness.hover_at(below + egui::vec2(150.0, -150.0));
    harness.run();
    looks_as_it_did(&mut harness, "probe-pane");
}

#[test]
fn a_changed_value_is_seen() {
    let mut state = with_auto();
    state.comparison.chosen.b = Method::PixelLoop;
    let mut harness = harness(state, [1280.0, 720.0]);
    // The test uses a copy, so that rewriting the pictures does not accept this one.
    let copy = tempfile::tempdir().expect("a folder for the copy");
    let [from, to] = [Path::new(FOLDER), copy.path()].map(|folder| folder.join("compare.png"));
    std::fs::copy(from, to).expect("the picture is in the repository");
    let seen = harness.try_snapshot_options("compare", &options().output_path(copy.path()));
    assert!(matches!(seen, Err(SnapshotError::Diff { .. })), "{seen:?}");
}
