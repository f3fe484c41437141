//! What the panel says about `auto`, and the dials as far as the adapter goes.

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{adapter, click, harness, readings, state};
use wavelerp::app::action::Action;
use wavelerp::app::panes::Readings;
use wavelerp::app::state::State;
use wavelerp::gpu::Capabilities;
use wavelerp::methods::{Dial, Method};
use wavelerp::progress::Progress;

fn auto() -> State {
    let mut state = state();
    state.compare.a = Method::Auto;
    state
}

#[test]
fn what_auto_chose_why_and_by_which_rule_is_shown() {
    let harness = harness(auto(), readings::rich);
    harness.get_by_label("auto runs split-depth 4");
    harness.get_by_label_contains("4 threads per pixel, so that few pixels fill the GPU");
    harness.get_by_label("auto: built-in rule");
    harness.get_by_label("auto: split-depth 4");
    harness.get_by_label("pixel-loop-staged: pixel-loop-staged 1");
    // Of the method that runs, not of auto.
    harness.get_by_label_contains("runs differ in length by the remainder");
}

#[test]
fn without_a_choice_nothing_is_said_of_one() {
    let readings = || Readings {
        choice: None,
        ..readings::rich()
    };
    let harness = harness(state(), readings);
    assert!(harness.query_by_label_contains("auto runs").is_none());
    assert!(
        harness
            .query_by_label_contains("auto: split-depth")
            .is_none()
    );
    harness.get_by_label("auto: built-in rule");
}

#[test]
fn nothing_is_calibrated_while_the_window_is_busy() {
    let disabled = |state: State, readings: fn() -> Readings<'static>| {
        let harness = harness(state, readings);
        let buttons = ["calibrate", "run small benchmark"];
        buttons.map(|label| {
            let button = harness.get(by().role(Role::Button).label(label));
            button.accesskit_node().is_disabled()
        })
    };
    assert_eq!(disabled(auto(), readings::rich), [false; 2]);
    let busy = || Readings {
        busy: Some(Progress::step("set: drawing temple", 1, 4)),
        ..readings::rich()
    };
    assert_eq!(disabled(auto(), busy), [true; 2]);
    // What the window is busy with can be stopped.
    let mut harness = harness(auto(), busy);
    harness.get_by_label("set: drawing temple");
    click(&mut harness, Role::Button, "stop");
    assert_eq!(harness.state().asked, [Action::CancelWork]);
}

#[test]
fn the_dial_goes_as_far_as_the_adapter_does() {
    let offered = |max_workgroup_bytes: u32| {
        let caps = Capabilities {
            max_workgroup_bytes,
            ..adapter()
        };
        let most = Dial::most_threads(&caps);
        let mut state = state();
        state.settings.knobs.dial = Dial::Threads(256);
        state.caps = caps;
        let mut harness = harness(state, Readings::default);
        let set = harness.state().settings.knobs.dial;
        click(&mut harness, Role::ComboBox, "dial");
        let names = Dial::all().filter_map(|dial| match dial {
            Dial::Threads(threads) if threads > 1 => Some(format!("{threads} threads per pixel")),
            _ => None,
        });
        let shown = |name: &String| {
            let found = harness.query_all(by().role(Role::Button).label(name));
            found.count() > 0
        };
        (set, names.filter(shown).count() as u32, most)
    };
    // A place that the adapter does not have becomes the last that it has.
    assert_eq!(offered(32_768), (Dial::Threads(256), 8, 256));
    assert_eq!(offered(16_384), (Dial::Threads(128), 7, 128));
}
