//! What the panes display, and the actions that they request.

use std::path::Path;

use clap::ValueEnum;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{built, click, comparing, count, dock_of, find, pane, readings, says, state};
use super::{type_into, unfold};
use wavelerp::error::Error;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::SplatSpec;
use wavelerp::report::comparison::RATIO_BASE;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::action::Pick;
use wavelerp::viewer::dock::{Arrangement, Dock, Pane};
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::state::State;
use wavelerp::viewer::view::View;

/// The default arrangement at a usual size.
fn usual(
    mut state: State,
    readings: impl Fn() -> Readings<'static> + 'static,
) -> Harness<'static, State> {
    state.panes.dock = Dock::default();
    built(
        Harness::builder().with_size([1280.0, 720.0]),
        state,
        readings,
    )
}

/// A move of the mouse, a press of its button and its release.
fn mouse(pos: egui::Pos2) -> [egui::Event; 3] {
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    [egui::Event::PointerMoved(pos), button(true), button(false)]
}

#[test]
fn the_bar_changes_the_arrangement_and_its_menu_of_panes_stays_open_while_panes_are_ticked() {
    let mut harness = usual(state(), Readings::default);
    for arrangement in Arrangement::value_variants() {
        let name = arrangement
            .to_possible_value()
            .expect("a value of the flag");
        click(&mut harness, Role::Button, name.get_name());
        let now = harness.state().panes.dock.arrangement();
        assert_eq!(now, Some(*arrangement));
    }
    click(&mut harness, Role::Button, "panes");
    for pane in [Pane::Errors, Pane::Log] {
        click(&mut harness, Role::CheckBox, pane.name());
        harness.run_ok();
        assert!(harness.state().panes.dock.has(pane), "the pane comes back");
    }
}

#[test]
fn the_card_of_the_first_start_says_what_the_program_is_for_and_leads_to_keys_and_words() {
    let mut first = state();
    first.panes.card_open = true;
    let builder = Harness::builder().with_size([2400.0, 1200.0]);
    let mut harness = built(builder, first, Readings::default);
    assert!(says(&harness, "composites translucent layers"));
    click(&mut harness, Role::Button, "all keys");
    let meaning = "One thread of a wave.";
    assert!(says(&harness, "pause or play") && !says(&harness, meaning));
    click(&mut harness, Role::Button, "words");
    assert!(!says(&harness, "pause or play") && says(&harness, meaning));
    click(&mut harness, Role::Button, "got it");
    assert!(!harness.state().panes.card_open);
}

#[test]
fn a_path_that_is_typed_opens_with_enter_and_stays_with_its_error_below_if_it_fails() {
    let opens = Action::Use(Pick::Open, "gone/a.ply".into());
    for (label, of, action) in [
        ("file", Pane::Scene, opens),
        ("preset", Pane::Files, Action::LoadPreset),
    ] {
        let mut empty = state();
        empty.panes.preset_name.clear();
        let mut harness = pane(of, empty, Readings::default);
        assert!(!harness.ctx.egui_wants_keyboard_input());
        type_into(&mut harness, label, "gone/a.ply");
        assert!(harness.ctx.egui_wants_keyboard_input());
        assert!(harness.state().asked.is_empty(), "{label}: before Enter");
        harness.key_press(egui::Key::Enter);
        harness.run_ok();
        assert_eq!(harness.state().asked, [action], "{label}");
        let failed = Err(Error::failed("gone/a.ply: there is no such file"));
        harness.state_mut().messages.end(Some(of), failed);
        harness.run_ok();
        let field = find(&harness, Role::TextInput, label);
        let typed = field.accesskit_node().value();
        assert_eq!(typed.as_deref(), Some("gone/a.ply"));
        let dismiss = find(&harness, Role::Button, "dismiss").rect();
        let below = dismiss.top() - field.rect().bottom();
        assert!((0.0..50.0).contains(&below), "{label}: {below}");
        click(&mut harness, Role::Button, "dismiss");
        assert!(harness.state().messages.faults.is_empty());
    }
}

#[test]
fn a_double_click_on_a_slider_goes_back_to_its_default() {
    // In other tests, frames are too far apart for a double click.
    let builder = Harness::builder().with_step_dt(0.01);
    let mut state = state();
    state.panes.dock = dock_of(&[Pane::Scene]);
    let builder = builder.with_size([1000.0, 1200.0]);
    let mut harness = built(builder, state, Readings::default);
    let before = harness.state().subject.settings.particles;
    find(&harness, Role::Slider, "particles").set_value_accesskit(500.0);
    harness.run_ok();
    assert_eq!(harness.state().subject.settings.particles, 500);
    for _ in 0..2 {
        let slider = find(&harness, Role::Slider, "particles").rect();
        for event in mouse(slider.left_center() + egui::vec2(20.0, 0.0)) {
            harness.event(event);
            harness.step();
        }
    }
    harness.run_ok();
    assert_eq!(harness.state().subject.settings.particles, before);
}

#[test]
fn the_view_decides_which_controls_are_grey() {
    let enabled = |view: View, splits: bool, measures: bool| {
        let mut state = state();
        state.comparison.choose_view(view);
        let chosen = &mut state.comparison.chosen;
        (chosen.split_on, chosen.metrics) = (splits, measures);
        let harness = pane(Pane::Compare, state, readings::rich);
        let is_enabled = |label: &&str| {
            let slider = find(&harness, Role::Slider, label);
            !slider.accesskit_node().is_disabled()
        };
        let sliders = ["split at", "amplify", "range from", "range to", "threshold"];
        sliders.into_iter().filter(is_enabled).collect::<Vec<_>>()
    };
    let of_log = ["split at", "range from", "range to", "threshold"];
    assert_eq!(enabled(View::Log, true, true), of_log);
    assert_eq!(enabled(View::Signed, false, true), ["amplify", "threshold"]);
    assert!(enabled(View::Ulp, false, false).is_empty());
}

#[test]
fn the_worst_pixel_is_probed_at_a_click_on_its_label_or_button_and_can_be_moved_and_unlocked() {
    let mut harness = usual(state(), readings::rich);
    assert!(!harness.state().panes.dock.shows(Pane::Probe));
    click(&mut harness, Role::Button, "probe the worst pixel");
    let [x, y] = readings::WORST;
    assert_eq!(harness.state().probe.pixel(), Some([x, y]));
    assert!(harness.state().panes.dock.shows(Pane::Probe));
    harness.run_ok();
    for (label, number, pixel) in [("probe x", 5.0, [5, y]), ("probe y", 6.0, [5, 6])] {
        find(&harness, Role::SpinButton, label).set_value_accesskit(number);
        harness.run_ok();
        assert_eq!(harness.state().probe.pixel(), Some(pixel));
    }
    click(&mut harness, Role::Button, "unlock");
    assert!(!harness.state().probe.is_locked);
    let mut comparing = pane(Pane::Compare, state(), readings::rich);
    click(
        &mut comparing,
        Role::Button,
        &format!("worst pixel {x},{y}"),
    );
    assert_eq!(comparing.state().probe.pixel(), Some([x, y]));
}

#[test]
fn the_tables_of_a_probe_fit_their_pane_and_only_methods_that_approximate_have_curves() {
    for (b, curves) in [(Method::ReadLaneLoop, 0), (Method::Histogram, 1)] {
        let mut state = comparing(Method::PixelLoop, b);
        state.probe.lock(readings::PROBED);
        state.panes.dock.open(Pane::Probe);
        let builder = Harness::builder().with_size([1280.0, 1400.0]);
        let harness = built(builder, state, readings::rich);
        // The pane ends where the picture's pane begins.
        let picture = harness.get(by().role(Role::Image)).rect();
        let titles = harness.query_all(by().role(Role::Label).label("T"));
        let edges: Vec<f32> = titles.map(|title| title.rect().right()).collect();
        assert_eq!(edges.len(), 2, "two tables");
        assert!(edges.iter().all(|edge| *edge < picture.left()), "{edges:?}");
        for row in ["A", "B", "A - B"] {
            assert_eq!(count(&harness, Role::Label, row), 1, "{row}");
        }
        let about = by().role(Role::Label).label_contains("curves of methods");
        assert_eq!(harness.query_all(about).count(), curves, "{b}");
    }
}

#[test]
fn the_camera_that_is_looked_from_is_marked_and_stored_ones_are_gone_back_to_and_forgotten() {
    use egui::accesskit::Toggled;
    let mut harness = pane(Pane::Scene, state(), Readings::default);
    let camera = |harness: &Harness<State>| harness.state().subject.camera().expect("a camera");
    let is_marked = |harness: &Harness<State>, name: &str| {
        let button = find(harness, Role::Button, name);
        button.accesskit_node().toggled() == Some(Toggled::True)
    };
    for preset in state().subject.scene.cameras {
        click(&mut harness, Role::Button, &preset.name);
        harness.run_ok();
        assert_eq!(camera(&harness), preset.viewpoint());
        assert!(is_marked(&harness, &preset.name) && !says(&harness, "moved"));
    }
    let subject = &mut harness.state_mut().subject;
    subject.move_camera(|camera| camera.orbit(50.0, 10.0));
    harness.run_ok();
    assert!(says(&harness, "moved"));
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
fn measured_times_are_copied_and_saved() {
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    for button in ["copy CSV", "copy Markdown", "save record"] {
        click(&mut harness, Role::Button, button);
    }
    let tasks = &harness.state().asked;
    let [Action::Copy(csv), Action::Copy(markdown), Action::SaveTimes] = &tasks[..] else {
        panic!("{tasks:?}");
    };
    let names = format!(
        "method,wave size,median ms,low ms,high ms,n,ratio to {RATIO_BASE},picture rmse,clock\n"
    );
    assert!(csv.starts_with(&names), "{csv}");
    assert!(csv.contains("\nread-lane-loop,32,2,"), "{csv}");
    let words: String = markdown.split_whitespace().collect();
    assert!(
        words.contains("|wave-lerp-deferred|32|1.000|"),
        "{markdown}"
    );
}

#[test]
fn a_file_of_splats_is_added_put_elsewhere_and_taken_away() {
    let mut harness = pane(Pane::Scene, state(), Readings::default);
    type_into(&mut harness, "file", "bust.ply");
    click(&mut harness, Role::Button, "open file");
    click(&mut harness, Role::Button, "add splats");
    let named = Path::new("bust.ply");
    let asked = [Pick::Open, Pick::Add].map(|pick| Action::Use(pick, named.to_owned()));
    assert_eq!(harness.state().asked, asked);
    harness
        .state_mut()
        .add_file(named)
        .expect("the path is text");
    // True if a request to read files is pending; the window reads them on a thread.
    let to_read = |harness: &mut Harness<State>| {
        let state = harness.state_mut();
        state.files.placing(&state.subject.scene).is_some()
    };
    assert!(to_read(&mut harness));
    harness.run_ok();
    let added = harness.state().files.splats.clone();
    assert!(
        added.len() == 1 && added[0].file.ends_with("bust.ply"),
        "{added:?}"
    );
    for (label, number) in [("turn y 1", 0.5), ("keep every 1", 4.0)] {
        find(&harness, Role::Slider, label).set_value_accesskit(number);
        harness.run_ok();
    }
    click(&mut harness, Role::ComboBox, "axes 1");
    click(&mut harness, Role::Button, "rfu");
    let chosen = SplatSpec {
        rotation: [0.0, 0.5, 0.0],
        axes: Some("rfu".parse().expect("axes")),
        keep_every: 4,
        ..added[0].clone()
    };
    assert_eq!(harness.state().files.splats, [chosen]);
    click(&mut harness, Role::Button, "remove 1");
    assert!(!to_read(&mut harness));
}

#[test]
fn while_the_window_is_busy_nothing_else_is_measured_and_the_work_can_be_stopped() {
    let busy = || Readings {
        busy: Some(wavelerp::progress::Progress::step(
            "set: drawing temple",
            1,
            4,
        )),
        ..readings::rich()
    };
    let is_disabled = |harness: &Harness<State>| {
        let button = find(harness, Role::Button, "measure all methods");
        button.accesskit_node().is_disabled()
    };
    assert!(!is_disabled(&usual(state(), readings::rich)));
    let mut harness = usual(state(), busy);
    assert!(is_disabled(&harness));
    harness.get_by_label("set: drawing temple");
    click(&mut harness, Role::Button, "stop");
    assert_eq!(harness.state().asked, [Action::CancelWork]);
    // In a narrow bar, current activity replaces the adapter's name.
    for (readings, is_named) in [(busy as fn() -> _, false), (readings::rich, true)] {
        let narrow = Harness::builder().with_size([1000.0, 600.0]);
        let harness = built(narrow, state(), readings);
        assert_eq!(says(&harness, "Test adapter"), is_named);
    }
}

#[test]
fn options_that_act_on_neither_a_nor_b_are_behind_a_heading_and_those_of_no_list_are_grey() {
    let mut harness = pane(
        Pane::Options,
        comparing(Method::SplitDepth, Method::PixelLoop),
        Readings::default,
    );
    let is_there = |harness: &Harness<State>, label| count(harness, Role::ComboBox, label) > 0;
    let both = |harness: &_| ["threads per pixel", "hazard"].map(|label| is_there(harness, label));
    assert_eq!(both(&harness), [true, false]);
    unfold(&mut harness);
    assert_eq!(both(&harness), [true, true]);
    assert!(says(
        &harness,
        "No effect on the methods shown (split-depth; pixel-loop)"
    ));
    let early_out = |harness: &Harness<State>| {
        let slider = find(harness, Role::Slider, "early-out");
        slider.accesskit_node().is_disabled()
    };
    assert!(!early_out(&harness));
    let chosen = &mut harness.state_mut().comparison.chosen;
    (chosen.a, chosen.b) = (Method::FixedFunction, Method::FixedFunction);
    harness.run_ok();
    assert!(early_out(&harness));
}
