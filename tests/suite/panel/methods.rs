//! What the panel says about `auto`, and the dials as far as the adapter goes.

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{adapter, click, harness, readings, state};
use wavelerp::model::Capabilities;
use wavelerp::model::methods::Method;
use wavelerp::model::options::Dial;
use wavelerp::progress::Progress;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::state::State;

fn auto() -> State {
    let mut state = state();
    state.comparison.chosen.a = Method::Auto;
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
fn as_many_threads_share_a_pixel_as_the_adapter_has_memory_for() {
    let offered = |max_workgroup_bytes: u32| {
        let caps = Capabilities {
            max_workgroup_bytes,
            ..adapter()
        };
        let most = Dial::most_threads(&caps);
        let mut state = state();
        state.subject.settings.options.method.threads_per_pixel = 256;
        state.machine.caps = caps;
        let mut harness = harness(state, Readings::default);
        let set = harness
            .state()
            .subject
            .settings
            .options
            .method
            .threads_per_pixel;
        click(&mut harness, Role::ComboBox, "threads per pixel");
        let shown = |power: &u32| {
            let name = (1u32 << power).to_string();
            let found = harness.query_all(by().role(Role::Button).label(&name));
            found.count() > 0
        };
        (set, (1..=8).filter(shown).count() as u32, most)
    };
    // A number that the adapter does not have becomes the last that it has.
    assert_eq!(offered(32_768), (256, 8, 256));
    assert_eq!(offered(16_384), (128, 7, 128));
}
