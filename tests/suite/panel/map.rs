//! The page of the crossover map: what it draws of a record, and which of its maps.

use std::path::Path;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use super::{click, count, harness, readings, says, state, steps};
use wavelerp::model::Adapter;
use wavelerp::model::methods::{Cost, ListKind, Method};
use wavelerp::report::bench::record::{Record, Row, SCHEMA, Work};
use wavelerp::viewer::maps::Maps;
use wavelerp::viewer::state::State;

fn row(
    outputs: [u32; 2],
    layers: u32,
    (cost, kind): (Cost, ListKind),
    runner: &str,
    time: f64,
) -> Row {
    let work = Work::Lists {
        outputs,
        layers,
        cost,
        kind,
    };
    let (name, _) = runner.split_once(' ').expect("a dial");
    let method = Method::by_name(name).expect("a method");
    Row {
        wave_size: Some(32),
        dispatches: 16,
        samples: vec![time; 5],
        ..Row::new(work, Some(method), runner.to_owned())
    }
}

/// Two sizes by two lengths of cheap particles, and one cell of textured fog; made up.
pub fn record() -> Record {
    let cheap = (Cost::Cheap, ListKind::Particles);
    let mut rows = Vec::new();
    for (outputs, layers, padded, staged) in [
        ([64, 64], 8, 5.0, 4.0),
        ([64, 64], 256, 10.0, 20.0),
        ([1920, 1080], 8, 90.0, 30.0),
    ] {
        for (runner, time) in [
            ("wave-lerp-deferred P=1", padded),
            ("pixel-loop-staged 4p", staged),
        ] {
            rows.push(row(outputs, layers, cheap, runner, time));
        }
    }
    let mut skipped = row([1920, 1080], 256, cheap, "wave-lerp-deferred P=1", 0.0);
    skipped.samples.clear();
    skipped.skipped = Some("predicted over 200 ms".to_owned());
    rows.push(skipped);
    let fog = (Cost::Textured, ListKind::Fog);
    rows.push(row([32, 32], 16, fog, "split-depth 8", 3.0));
    Record {
        schema: SCHEMA,
        program: "wavelerp 0".to_owned(),
        git: "unknown".to_owned(),
        shaders: None,
        unchecked_shaders: true,
        date: "2026-01-31".to_owned(),
        adapter: Adapter {
            name: "Made-up adapter".to_owned(),
            wave_min: 32,
            wave_max: 32,
            ..Adapter::default()
        },
        clock: None,
        command: String::new(),
        rounds: 5,
        notes: Vec::new(),
        rows,
    }
}

/// The state with that record open.
pub fn opened(mut state: State) -> State {
    let maps = Maps::of(&record(), Path::new("bench/bench.json")).expect("it has maps");
    state.panes.map.open(maps);
    state
}

#[test]
fn every_cell_names_its_winner_and_by_how_much() {
    let harness = harness(opened(state()), readings::rich);
    for cell in [
        "64x64, 8 layers: pixel-loop-staged 4p: 4.00 µs: next wave-lerp-deferred: 1.25x: \
         wave-lerp-deferred : pixel-loop-staged: 1.25x",
        "64x64, 256 layers: wave-lerp-deferred P=1: 10.0 µs: next pixel-loop-staged: 2.00x: \
         wave-lerp-deferred : pixel-loop-staged: 0.50x",
        "1920x1080, 256 layers: not timed (1 rows left out)",
        "pixel-loop-staged: fastest in 2",
        "wave-lerp-deferred: fastest in 1",
    ] {
        harness.get_by_label(cell);
    }
    harness.get_by_label_contains("Made-up adapter");
    // Negative control: a cell of the other map.
    assert!(!says(&harness, "32x32, 16 layers"));
}

#[test]
fn a_cells_numbers_are_told_when_the_mouse_rests_on_it() {
    let mut harness = harness(opened(state()), readings::rich);
    let told = |harness: &egui_kittest::Harness<State>| {
        let lines = harness.query_all_by_label_contains("next wave-lerp-deferred: 3.00x");
        lines.count()
    };
    let before = told(&harness);
    let cell = "1920x1080, 8 layers: pixel-loop-staged";
    harness.get_by_label_contains(cell).hover();
    steps(&mut harness, 6);
    assert!(told(&harness) > before);
}

#[test]
fn cost_and_kind_choose_among_the_maps_that_there_are_and_go_back() {
    let mut harness = harness(opened(state()), readings::rich);
    click(&mut harness, Role::ComboBox, "cost");
    click(&mut harness, Role::Button, "textured");
    // The only kind that was measured at this cost.
    assert_eq!(harness.state().panes.map.kind, ListKind::Fog);
    harness.get_by_label_contains("32x32, 16 layers: split-depth 8");
    click(&mut harness, Role::Button, "reset cost");
    assert_eq!(harness.state().panes.map.cost, Cost::Cheap);
    harness.run_ok();
    assert_eq!(harness.state().panes.map.kind, ListKind::Particles);
}

#[test]
fn without_a_record_the_page_says_how_to_get_one() {
    let harness = harness(state(), readings::rich);
    harness.get_by_label_contains("no record open");
    for label in ["cost", "kind"] {
        assert_eq!(count(&harness, Role::ComboBox, label), 0, "{label}");
    }
}
