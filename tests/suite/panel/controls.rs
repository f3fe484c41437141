//! Every control of the panes by its label: used, then seen in the state, then reset.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{UNAVAILABLE, built, cheap_panes, click, dock_of, harness, labels, readings, state};
use clap::ValueEnum;
use wavelerp::error::Error;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{Hazard, LaneRead, Precision, Tail};
use wavelerp::model::scene::{Cull, MacroTile, Solids, SplatOrder, SplatSpec, Viewpoint};
use wavelerp::report::canvas::Canvas;
use wavelerp::report::comparison::RATIO_BASE;
use wavelerp::report::range::{DifferenceRange, Histogram, RangeChoice};
use wavelerp::viewer::action::Action;
use wavelerp::viewer::dock::{Arrangement, Dock, Pane};
use wavelerp::viewer::flip::Flip;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::picking::Pick;
use wavelerp::viewer::state::State;
use wavelerp::viewer::times::Order;
use wavelerp::viewer::view::{Layout, View};

/// How a control is used.
enum Use {
    /// Clicked.
    Click(Role),
    /// Set to a number.
    Number(f64),
    /// Opened, and this option chosen.
    Choose(&'static str),
}

/// A control, its use, and what must hold then and must not before.
struct Case(&'static str, Use, fn(&State) -> bool);

fn fixed(low: i32, high: i32) -> RangeChoice {
    DifferenceRange::new(low, high).map_or(RangeChoice::Auto, RangeChoice::Fixed)
}

/// Controls with a default, and so with a reset button.
const SETTINGS: &[Case] = &[
    Case("v-sync", Use::Click(Role::CheckBox), |s| !s.machine.vsync),
    Case("hazard", Use::Choose("division"), |s| {
        s.subject.settings.options.method.hazard == Hazard::Division
    }),
    Case("early-out", Use::Number(0.25), |s| {
        s.subject.settings.options.frame.early_out == 0.25
    }),
    Case("pixels per wave", Use::Choose("2"), |s| {
        s.subject.settings.options.method.pixels_per_wave == 2
    }),
    Case("pixels per thread", Use::Choose("4"), |s| {
        s.subject.settings.options.method.pixels_per_thread == 4
    }),
    Case("threads per pixel", Use::Choose("16"), |s| {
        s.subject.settings.options.method.threads_per_pixel == 16
    }),
    Case("layers per batch", Use::Choose("64"), |s| {
        s.subject.settings.options.method.layers_per_batch == 64
    }),
    Case("solids", Use::Choose("compute"), |s| {
        s.subject.settings.options.frame.solids == Solids::Compute
    }),
    Case("cull", Use::Choose("box"), |s| {
        s.subject.settings.options.frame.cull == Cull::Box
    }),
    Case("macro tile", Use::Choose("2x2"), |s| {
        s.subject.settings.options.frame.macro_tile == MacroTile::Two
    }),
    Case("tail", Use::Choose("padded"), |s| {
        s.subject.settings.options.method.tail == Tail::Padded
    }),
    Case("precision", Use::Choose("half"), |s| {
        s.subject.settings.options.frame.precision == Precision::Half
    }),
    Case("lane read", Use::Choose("broadcast"), |s| {
        s.subject.settings.options.method.lane_read == LaneRead::Broadcast
    }),
    Case("scene", Use::Choose("stress"), |s| {
        s.subject.settings.scene == "stress" && s.subject.scene.name == "stress"
    }),
    Case("seed", Use::Number(7.0), |s| s.subject.settings.seed == 7),
    Case("time", Use::Number(3.5), |s| s.subject.settings.time == 3.5),
    Case("speed", Use::Number(2.0), |s| s.subject.clock.speed == 2.0),
    Case("frame size", Use::Choose("1920x1080"), |s| {
        s.subject.settings.size == [1920, 1080]
    }),
    Case("particles", Use::Number(500.0), |s| {
        s.subject.settings.particles == 500
    }),
    Case("fog slices", Use::Number(12.0), |s| {
        s.subject.settings.fog_slices == 12
    }),
    Case("fog density", Use::Number(2.0), |s| {
        s.subject.settings.factors.fog_density == 2.0
    }),
    Case("opacity", Use::Number(0.5), |s| {
        s.subject.settings.factors.particle_opacity == 0.5
    }),
    Case("particle size", Use::Number(3.0), |s| {
        s.subject.settings.factors.particle_size == 3.0
    }),
    Case("splat order", Use::Choose("distance"), |s| {
        s.subject.settings.options.frame.splat_order == SplatOrder::Distance
    }),
    Case("tile size", Use::Choose("8 px"), |s| {
        s.subject.settings.options.frame.tile == 8 && !s.subject.settings.options.frame.auto_tile
    }),
    Case("method B", Use::Choose("wave-lerp-ballot"), |s| {
        s.comparison.chosen.b == Method::WaveLerpBallot
    }),
    Case("reference", Use::Choose("read-lane-loop"), |s| {
        s.comparison.chosen.reference == Method::ReadLaneLoop
    }),
    Case("baseline", Use::Choose("pixel-loop"), |s| {
        s.comparison.chosen.baseline == Method::PixelLoop
    }),
    Case("keep measuring", Use::Click(Role::CheckBox), |s| {
        !s.times.keeps_measuring
    }),
    Case("layout", Use::Choose("A, B, difference"), |s| {
        s.comparison.chosen.layout == Layout::SideBySide
    }),
    Case("labels", Use::Click(Role::CheckBox), |s| {
        !s.comparison.chosen.labels
    }),
    Case("labels in screenshots", Use::Click(Role::CheckBox), |s| {
        s.comparison.chosen.labels_saved
    }),
    Case("split", Use::Click(Role::CheckBox), |s| {
        !s.comparison.chosen.split_on
    }),
    Case("split at", Use::Number(0.25), |s| {
        s.comparison.chosen.split == 0.25
    }),
    Case("blink", Use::Click(Role::CheckBox), |s| {
        s.comparison.chosen.blink
    }),
    Case("view", Use::Choose("ULP"), |s| {
        s.comparison.chosen.view == View::Ulp
    }),
    Case("amplify", Use::Number(2.0), |s| {
        s.comparison.chosen.amplify_log10 == 2.0
    }),
    Case("range from", Use::Number(-7.0), |s| {
        s.comparison.chosen.difference_range == fixed(-7, 0)
    }),
    Case("range to", Use::Number(-3.0), |s| {
        s.comparison.chosen.difference_range == fixed(-9, -3)
    }),
    Case("metrics", Use::Click(Role::CheckBox), |s| {
        !s.comparison.chosen.metrics
    }),
    Case("threshold", Use::Number(-3.0), |s| {
        s.comparison.chosen.threshold_log10 == -3.0
    }),
    Case("probe", Use::Click(Role::CheckBox), |s| s.probe.on),
];

/// Controls that do something.
const ACTIONS: &[Case] = &[
    Case("nave", Use::Click(Role::Button), |s| {
        s.subject.settings.camera == "nave"
    }),
    Case("store", Use::Click(Role::Button), |s| {
        s.subject
            .camera()
            .is_ok_and(|camera| s.subject.cameras == [camera])
    }),
    Case("play", Use::Click(Role::Button), |s| {
        s.subject.clock.running
    }),
    Case("step", Use::Click(Role::Button), |s| {
        s.subject.settings.time > s.subject.scene.best_time
    }),
    Case("measure all methods", Use::Click(Role::Button), |s| {
        s.asked == [Action::Measure]
    }),
    Case("calibrate", Use::Click(Role::Button), |s| {
        s.asked == [Action::Calibrate]
    }),
    Case("compare by FLIP", Use::Click(Role::Button), |s| {
        s.asked == [Action::Flip]
    }),
    Case("open", Use::Click(Role::Button), |s| {
        s.asked == [Action::OpenRecord]
    }),
    Case("open…", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::Open)]
    }),
    Case("browse file", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::Open)]
    }),
    Case("browse record", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::OpenRecord)]
    }),
    Case("browse preset", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::OpenPreset)]
    }),
    Case("add splats", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::Add)]
    }),
    Case("screenshot as…", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::SavePicture)]
    }),
    Case("set into…", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::SaveSet)]
    }),
    Case("save preset as…", Use::Click(Role::Button), |s| {
        s.asked == [Action::Browse(Pick::SavePreset)]
    }),
    Case("run small benchmark", Use::Click(Role::Button), |s| {
        s.asked == [Action::SmallBenchmark]
    }),
    Case("screenshot", Use::Click(Role::Button), |s| {
        s.asked == [Action::Screenshot]
    }),
    Case("whole window", Use::Click(Role::Button), |s| {
        s.asked == [Action::ScreenshotOfWindow]
    }),
    Case("profile", Use::Click(Role::Button), |s| {
        s.panes.dock.arrangement() == Some(Arrangement::Profile)
    }),
    Case("compare", Use::Click(Role::Button), |s| {
        s.panes.dock.arrangement() == Some(Arrangement::Compare)
    }),
    Case("picture", Use::Click(Role::Button), |s| {
        s.panes.dock.arrangement() == Some(Arrangement::Picture)
    }),
    Case("light", Use::Click(Role::Button), |s| s.panes.is_light),
    Case("help", Use::Click(Role::Button), |s| s.panes.keys_open),
    Case("sort by median", Use::Click(Role::Button), |s| {
        s.panes.passes_by == Order::Time(1)
    }),
    Case("comparison set", Use::Click(Role::Button), |s| {
        s.asked == [Action::ComparisonSet]
    }),
    Case("copy command line", Use::Click(Role::Button), |s| {
        s.asked == [Action::CopyCommand]
    }),
    Case("save preset", Use::Click(Role::Button), |s| {
        s.asked == [Action::SavePreset]
    }),
    Case("load preset", Use::Click(Role::Button), |s| {
        s.asked == [Action::LoadPreset]
    }),
    Case("mine", Use::Click(Role::Button), |s| {
        s.panes.preset_name == "mine" && s.asked == [Action::LoadPreset]
    }),
];

/// Controls that other tests of this file use.
const OTHERS: &[&str] = &[
    "fit",
    "fit range",
    "file",
    "open file",
    "recent",
    "lock",
    "preset",
    "record",
    "panes",
    "sort by pass",
    "sort by last ms",
    "sort by p95",
];

fn readings_with_preset() -> Readings<'static> {
    Readings {
        presets: vec!["mine".to_owned()],
        ..Readings::default()
    }
}

fn fresh() -> Harness<'static, State> {
    harness(state(), readings_with_preset)
}

/// As [`fresh`], without making everything anew.
fn start_again(harness: &mut Harness<State>) {
    *harness.state_mut() = state();
    harness.state_mut().panes.dock = cheap_panes();
    harness.run_ok();
}

fn perform(harness: &mut Harness<State>, label: &str, how: &Use) {
    match how {
        Use::Click(role) => click(harness, *role, label),
        Use::Number(number) => {
            harness
                .get(by().role(Role::Slider).label(label))
                .set_value_accesskit(*number);
            harness.run_ok();
        }
        Use::Choose(option) => {
            click(harness, Role::ComboBox, label);
            click(harness, Role::Button, option);
        }
    }
}

#[test]
fn every_control_is_found_by_its_label_and_changes_what_it_says() {
    let mut harness = fresh();
    for Case(label, how, holds) in SETTINGS.iter().chain(ACTIONS) {
        start_again(&mut harness);
        assert!(!holds(harness.state()), "{label}: holds before it is used");
        perform(&mut harness, label, how);
        assert!(holds(harness.state()), "{label}: used without effect");
    }
}

#[test]
fn every_setting_goes_back_to_its_default() {
    let mut harness = fresh();
    for Case(label, how, holds) in SETTINGS {
        start_again(&mut harness);
        let before = harness.state().preset();
        perform(&mut harness, label, how);
        click(&mut harness, Role::Button, &format!("reset {label}"));
        assert!(!holds(harness.state()), "{label}: not reset");
        assert_eq!(harness.state().preset(), before, "{label}");
    }
}

#[test]
fn no_control_is_without_a_test() {
    let mut tested: BTreeSet<String> = OTHERS.iter().map(|label| (*label).to_owned()).collect();
    tested.extend(SETTINGS.iter().chain(ACTIONS).map(|case| case.0.to_owned()));
    tested.extend(SETTINGS.iter().map(|case| format!("reset {}", case.0)));
    tested.extend(
        state()
            .subject
            .scene
            .cameras
            .into_iter()
            .map(|camera| camera.name),
    );
    tested.extend(Method::all().map(|method| method.name().to_owned()));
    tested.extend(Method::all().map(|method| format!("B: {method}")));
    let panes = Pane::value_variants().iter();
    let panes = panes.filter(|pane| **pane != Pane::Code);
    tested.extend(panes.map(|pane| pane.name().to_owned()));
    assert_eq!(labels(&fresh()), tested);
}

#[test]
fn every_control_explains_itself_when_the_mouse_rests_on_it() {
    let mut harness = fresh();
    for Case(label, how, _) in SETTINGS.iter().chain(ACTIONS) {
        let role = match how {
            Use::Click(role) => *role,
            Use::Number(_) => Role::Slider,
            Use::Choose(_) => Role::ComboBox,
        };
        // Away from every control.
        harness.event(egui::Event::PointerMoved(egui::pos2(1.0, 1700.0)));
        for _ in 0..3 {
            harness.step();
        }
        let before = harness.root().children_recursive().count();
        harness.get(by().role(role).label(label)).hover();
        for _ in 0..6 {
            harness.step();
        }
        let after = harness.root().children_recursive().count();
        assert!(after > before, "{label}: no hover text");
    }
}

#[test]
fn a_method_is_picked_by_its_name_and_an_unavailable_one_cannot_be() {
    let mut harness = fresh();
    for method in Method::all().filter(|method| *method != UNAVAILABLE) {
        click(&mut harness, Role::RadioButton, method.name());
        assert_eq!(harness.state().comparison.chosen.a, method);
        click(&mut harness, Role::RadioButton, &format!("B: {method}"));
        assert_eq!(harness.state().comparison.chosen.b, method);
    }
    let before = harness.state().comparison.chosen.a;
    click(&mut harness, Role::RadioButton, UNAVAILABLE.name());
    assert_eq!(harness.state().comparison.chosen.a, before);
    let node = harness.get(by().role(Role::RadioButton).label(UNAVAILABLE.name()));
    assert!(node.accesskit_node().is_disabled());
}

#[test]
fn a_failure_stays_in_the_pane_it_belongs_to_until_it_is_dismissed_or_mended() {
    let mut harness = fresh();
    let failed = || Err(Error::failed("no room for the record"));
    let shown = |harness: &Harness<State>| {
        let found = harness.query_all(by().role(Role::Label).label("no room for the record"));
        found.count()
    };
    let once = shown(&harness);
    harness.state_mut().messages.end(Some(Pane::Map), failed());
    harness.run_ok();
    // In the pane and in the pane Log; over the picture for some seconds.
    assert!(shown(&harness) >= once + 2);
    click(&mut harness, Role::Button, "dismiss");
    assert_eq!(harness.state().messages.faults.get(&Pane::Map), None);
    harness.state_mut().messages.end(Some(Pane::Map), failed());
    harness
        .state_mut()
        .messages
        .end(Some(Pane::Files), Ok(None));
    assert!(
        harness.state().messages.faults.contains_key(&Pane::Map),
        "another pane"
    );
    harness.state_mut().messages.end(Some(Pane::Map), Ok(None));
    assert!(harness.state().messages.faults.is_empty());
}

#[test]
fn flip_shows_its_mean_and_says_when_the_picture_has_changed_since() {
    let mut harness = fresh();
    let state = harness.state_mut();
    let of = [state.comparison.left(), state.comparison.chosen.b];
    state.comparison.flip = Some(Flip {
        of,
        settings: state.subject.settings.clone(),
        mean: 0.0125,
        greatest: 0.5,
        map: Arc::new(Canvas::filled([32, 18], [40, 49, 156])),
    });
    harness.run_ok();
    let has = |harness: &Harness<State>, words: &str| {
        let found = harness.query_all(by().role(Role::Label).label_contains(words));
        found.count() > 0
    };
    assert!(has(&harness, "FLIP 0.012500, at most 0.5000"));
    assert!(!has(&harness, "of an earlier picture"));
    harness.state_mut().subject.settings.seed += 1;
    harness.run_ok();
    assert!(has(&harness, "of an earlier picture"));
}

#[test]
fn a_pane_is_closed_and_comes_back_by_the_menu() {
    let mut harness = fresh();
    for is_there in [false, true] {
        click(&mut harness, Role::Button, "panes");
        click(&mut harness, Role::CheckBox, "pane Map");
        harness.run_ok();
        assert_eq!(harness.state().panes.dock.has(Pane::Map), is_there);
        let found = harness.query_all(by().role(Role::TextInput).label("record"));
        assert_eq!(found.count() > 0, is_there);
        harness.key_press(egui::Key::Escape);
        harness.run_ok();
    }
}

#[test]
fn the_card_of_the_first_start_goes_away_and_leads_to_all_keys() {
    let mut first = state();
    first.panes.card_open = true;
    let mut harness = harness(first, Readings::default);
    click(&mut harness, Role::Button, "all keys");
    assert!(harness.state().panes.keys_open);
    click(&mut harness, Role::Button, "got it");
    assert!(!harness.state().panes.card_open);
}

#[test]
fn a_double_click_on_a_slider_goes_back_to_its_default() {
    // Frames of other tests are too far apart for a double click.
    let builder = Harness::builder().with_size([1600.0, 1200.0]);
    let mut state = state();
    state.panes.dock = dock_of(&[Pane::Scene]);
    let mut harness = built(builder.with_step_dt(0.01), state, Readings::default);
    let before = harness.state().subject.settings.particles;
    perform(&mut harness, "particles", &Use::Number(500.0));
    assert_eq!(harness.state().subject.settings.particles, 500);
    for _ in 0..2 {
        let slider = harness.get(by().role(Role::Slider).label("particles"));
        let left = slider.rect().left_center() + egui::vec2(20.0, 0.0);
        let click = |pressed| egui::Event::PointerButton {
            pos: left,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        for event in [egui::Event::PointerMoved(left), click(true), click(false)] {
            harness.event(event);
            harness.step();
        }
    }
    harness.run_ok();
    assert_eq!(harness.state().subject.settings.particles, before);
}

#[test]
fn typing_a_presets_name_changes_it_and_takes_the_keys() {
    let mut harness = fresh();
    click(&mut harness, Role::TextInput, "preset");
    assert!(harness.ctx.egui_wants_keyboard_input());
    harness
        .get(by().role(Role::TextInput).label("preset"))
        .type_text("-2");
    harness.run_ok();
    assert!(harness.state().panes.preset_name.contains("-2"));
    // Negative control: elsewhere nobody wants the keys.
    assert!(!fresh().ctx.egui_wants_keyboard_input());
}

/// Where the camera is.
fn camera(harness: &Harness<State>) -> Viewpoint {
    let camera = harness.state().subject.camera();
    camera.expect("the settings name a camera of the scene")
}

#[test]
fn a_click_on_the_greatest_difference_shows_the_layers_of_its_pixel() {
    let mut state = state();
    state.panes.dock = Dock::default();
    let builder = Harness::builder().with_size([1280.0, 720.0]);
    let mut harness = built(builder, state, readings::rich);
    assert!(!harness.state().panes.dock.shows(Pane::Probe));
    click(&mut harness, Role::Button, "probe the worst pixel");
    assert_eq!(harness.state().probe.pixel(), Some(readings::WORST));
    assert!(harness.state().panes.dock.shows(Pane::Probe));
}

#[test]
fn the_amplification_is_fitted_to_the_greatest_difference() {
    let mut harness = harness(state(), readings::rich);
    click(&mut harness, Role::Button, "fit");
    let amplified = 4.2e-7 * 10f32.powf(harness.state().comparison.chosen.amplify_log10);
    assert!((amplified - 1.0).abs() < 1e-3, "{amplified}");
}

#[test]
fn a_fixed_range_of_differences_goes_back_to_the_one_that_fits() {
    let mut harness = fresh();
    let compared = harness.state().compared().expect("two methods");
    let measured = Histogram::of(&[3e-7; 50]);
    let held = &mut harness.state_mut().comparison.fitted_range;
    held.follow(compared, &measured);
    let range =
        |harness: &Harness<State>| harness.state().comparison.difference_range().exponents();
    assert_eq!(range(&harness), [-7, -6]);
    harness.state_mut().comparison.chosen.difference_range = fixed(-9, -3);
    harness.run_ok();
    assert_eq!(range(&harness), [-9, -3]);
    assert!(!harness.state().is_to_fit());
    click(&mut harness, Role::Button, "fit range");
    let state = harness.state();
    assert_eq!(state.comparison.chosen.difference_range, RangeChoice::Auto);
    assert!(state.is_to_fit(), "to the next result");
    assert_eq!(range(&harness), [-7, -6], "until it is there");
}

#[test]
fn an_end_of_the_range_that_is_moved_past_the_other_takes_it_along() {
    let mut harness = fresh();
    perform(&mut harness, "range from", &Use::Number(2.0));
    assert_eq!(
        harness.state().comparison.chosen.difference_range,
        fixed(2, 3)
    );
    perform(&mut harness, "range to", &Use::Number(-4.0));
    assert_eq!(
        harness.state().comparison.chosen.difference_range,
        fixed(-5, -4)
    );
}

#[test]
fn stored_cameras_are_gone_back_to_and_forgotten() {
    let mut harness = fresh();
    let turn = |camera: &mut Viewpoint| camera.orbit(50.0, 10.0);
    harness.state_mut().subject.move_camera(turn);
    click(&mut harness, Role::Button, "store");
    let stored = camera(&harness);
    click(&mut harness, Role::Button, "court");
    assert_ne!(camera(&harness), stored);
    click(&mut harness, Role::Button, "stored 1");
    assert_eq!(camera(&harness), stored);
    click(&mut harness, Role::Button, "forget");
    assert!(harness.state().subject.cameras.is_empty());
}

#[test]
fn every_camera_of_the_scene_has_a_button() {
    let mut harness = fresh();
    for preset in state().subject.scene.cameras {
        click(&mut harness, Role::Button, &preset.name);
        assert_eq!(camera(&harness), preset.viewpoint());
    }
}

#[test]
fn the_clock_can_be_paused_again() {
    let mut harness = fresh();
    click(&mut harness, Role::Button, "play");
    click(&mut harness, Role::Button, "pause");
    assert!(!harness.state().subject.clock.running);
}

#[test]
fn the_worst_pixel_is_probed_at_a_click_and_the_probe_can_be_moved_and_unlocked() {
    let mut state = state();
    state.comparison.chosen.metrics = true;
    let mut harness = harness(state, readings::rich);
    let [x, y] = readings::WORST;
    click(&mut harness, Role::Button, &format!("worst pixel {x},{y}"));
    assert_eq!(harness.state().probe.pixel(), Some([x, y]));
    harness
        .get(by().role(Role::SpinButton).label("probe x"))
        .set_value_accesskit(5.0);
    harness.run_ok();
    assert_eq!(harness.state().probe.pixel(), Some([5, y]));
    harness
        .get(by().role(Role::SpinButton).label("probe y"))
        .set_value_accesskit(6.0);
    harness.run_ok();
    assert_eq!(harness.state().probe.pixel(), Some([5, 6]));
    click(&mut harness, Role::Button, "unlock");
    assert_eq!(harness.state().probe.locked, None);
    click(&mut harness, Role::Button, "lock");
    assert_eq!(harness.state().probe.locked, Some(readings::PROBED));
}

#[test]
fn measured_times_are_copied_and_saved() {
    let mut harness = harness(state(), readings::rich);
    click(&mut harness, Role::Button, "copy CSV");
    click(&mut harness, Role::Button, "copy Markdown");
    click(&mut harness, Role::Button, "save JSON");
    let tasks = &harness.state().asked;
    let [Action::Copy(csv), Action::Copy(markdown), Action::SaveTimes] = &tasks[..] else {
        panic!("{tasks:?}");
    };
    let names = format!("method,wave size,median ms,p5 ms,p95 ms,ratio to {RATIO_BASE},clock\n");
    assert!(csv.starts_with(&names), "{csv}");
    assert!(csv.contains("\nread-lane-loop,32,2,"), "{csv}");
    let words: String = markdown.split_whitespace().collect();
    assert!(
        words.contains("|`wave-lerp-deferred`|32|1.000|"),
        "{markdown}"
    );
    assert!(words.contains("|0.500|"), "{markdown}");
}

/// Whether files are to be read for the scene.
fn to_read(harness: &mut Harness<State>) -> bool {
    let state = harness.state_mut();
    state.files.placing(&state.subject.scene).is_some()
}

#[test]
fn a_file_of_splats_is_added_put_elsewhere_and_taken_away() {
    let mut harness = fresh();
    let path = || by().role(Role::TextInput).label("file");
    harness.get(path()).focus();
    harness.run_ok();
    harness.get(path()).type_text("bust.ply");
    harness.run_ok();
    click(&mut harness, Role::Button, "open file");
    click(&mut harness, Role::Button, "add splats");
    assert!(harness.state().files.typed.is_empty());
    let named = Path::new("bust.ply");
    let asked = [Pick::Open, Pick::Add].map(|pick| Action::Use(pick, named.to_owned()));
    assert_eq!(harness.state().asked, asked);
    harness.state_mut().add_file(named).expect("it is text");
    // It is read on a thread, which the window starts.
    assert!(to_read(&mut harness));
    harness.run_ok();
    let added = harness.state().files.splats.clone();
    assert!(
        added.len() == 1 && added[0].file.ends_with("bust.ply"),
        "{added:?}"
    );
    let value = |at: &SplatSpec, label: &str| match label {
        "x 1" => at.position[0],
        "y 1" => at.position[1],
        "z 1" => at.position[2],
        "turn x 1" => at.rotation[0],
        "turn y 1" => at.rotation[1],
        "turn z 1" => at.rotation[2],
        "scale 1" => at.scale,
        _ => at.opacity,
    };
    let labels = [
        "x 1",
        "y 1",
        "z 1",
        "turn x 1",
        "turn y 1",
        "turn z 1",
        "scale 1",
        "opacity 1",
    ];
    for label in labels {
        perform(&mut harness, label, &Use::Number(0.5));
        assert_eq!(
            value(&harness.state().files.splats[0], label),
            0.5,
            "{label}"
        );
        let differs = labels
            .map(|label| value(&harness.state().files.splats[0], label) != value(&added[0], label));
        assert_eq!(
            differs.iter().filter(|differs| **differs).count(),
            1,
            "{label}"
        );
        click(&mut harness, Role::Button, &format!("reset {label}"));
        assert_eq!(harness.state().files.splats, added, "{label}");
    }
    click(&mut harness, Role::Button, "remove 1");
    assert!(!to_read(&mut harness));
}

#[test]
fn what_comes_and_goes_has_no_control_without_a_test() {
    let mut state = state();
    state.comparison.chosen.metrics = true;
    state.probe.lock([1, 2]);
    state.panes.keys_open = true;
    state.panes.card_open = true;
    state.subject.cameras.extend(state.subject.camera());
    let with = labels(&harness(state, readings::rich));
    let [x, y] = readings::WORST;
    let worst = format!("worst pixel {x},{y}");
    let tested = [
        worst.as_str(),
        "probe the worst pixel",
        "probe x",
        "probe y",
        "unlock",
        "copy CSV",
        "copy Markdown",
        "save JSON",
        "stored 1",
        "forget",
        "all keys",
        "got it",
    ];
    let plain = labels(&fresh());
    let new: BTreeSet<&str> = with.difference(&plain).map(String::as_str).collect();
    // What plots and windows bring along: legends and the button that closes.
    let brought = [
        "max abs",
        "RMSE",
        "transmittance",
        "group",
        "wave-lerp-deferred",
        "Close window",
        "Hide",
    ];
    for label in &new {
        assert!(
            tested.contains(label) || brought.contains(label),
            "{label} has no test"
        );
    }
    for label in tested {
        assert!(new.contains(label), "{label} is not there");
    }
}
