//! What single controls do, found by their labels. What holds for all of them is in `walk`.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{
    UNAVAILABLE, alone, built, click, comparing, count, dock_of, find, harness, readings, says,
    state, type_into,
};
use clap::ValueEnum;
use wavelerp::error::Error;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{SplatSpec, Viewpoint};
use wavelerp::model::splats::SplatFilter;
use wavelerp::report::canvas::Canvas;
use wavelerp::report::comparison::RATIO_BASE;
use wavelerp::report::range::{DifferenceRange, Histogram, RangeChoice};
use wavelerp::viewer::action::Action;
use wavelerp::viewer::dock::{Arrangement, Dock, Pane};
use wavelerp::viewer::flip::Flip;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::picking::Pick;
use wavelerp::viewer::state::State;
use wavelerp::viewer::view::Layout;
use wavelerp::viewer::view::View;

fn fixed(low: i32, high: i32) -> RangeChoice {
    DifferenceRange::new(low, high).map_or(RangeChoice::Auto, RangeChoice::Fixed)
}

/// Buttons of the panes, and what they ask the window for.
const ASK: &[(&str, Action)] = &[
    ("measure all methods", Action::Measure),
    ("compare by FLIP", Action::Flip),
    ("open", Action::OpenRecord),
    ("run small benchmark", Action::SmallBenchmark),
    ("screenshot", Action::Screenshot),
    ("whole window", Action::ScreenshotOfWindow),
    ("comparison set", Action::ComparisonSet),
    ("copy command line", Action::CopyCommand),
    ("save preset", Action::SavePreset),
    ("load preset", Action::LoadPreset),
    ("open…", Action::Browse(Pick::Open)),
    ("browse file", Action::Browse(Pick::Open)),
    ("browse record", Action::Browse(Pick::OpenRecord)),
    ("browse preset", Action::Browse(Pick::OpenPreset)),
    ("add splats", Action::Browse(Pick::Add)),
    ("screenshot as…", Action::Browse(Pick::SavePicture)),
    ("set into…", Action::Browse(Pick::SaveSet)),
    ("save preset as…", Action::Browse(Pick::SavePreset)),
];

/// The window as it opens.
pub fn fresh() -> Harness<'static, State> {
    harness(state(), || Readings {
        presets: vec!["mine".to_owned()],
        ..Readings::default()
    })
}

/// Sets a slider to a number.
fn slide(harness: &mut Harness<State>, label: &str, number: f64) {
    find(harness, Role::Slider, label).set_value_accesskit(number);
    harness.run_ok();
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
fn a_button_asks_for_what_it_says() {
    let mut harness = fresh();
    for (label, action) in ASK {
        harness.state_mut().asked.clear();
        click(&mut harness, Role::Button, label);
        let asked = &harness.state().asked;
        assert_eq!(asked, std::slice::from_ref(action), "{label}");
    }
    harness.state_mut().asked.clear();
    click(&mut harness, Role::Button, "mine");
    assert_eq!(harness.state().panes.preset_name, "mine");
    assert_eq!(harness.state().asked, [Action::LoadPreset]);
}

#[test]
fn the_bar_changes_arrangement_theme_and_the_list_of_keys() {
    let mut harness = fresh();
    for arrangement in Arrangement::value_variants() {
        let name = arrangement.to_possible_value().expect("it is a flag's");
        click(&mut harness, Role::Button, name.get_name());
        let now = harness.state().panes.dock.arrangement();
        assert_eq!(now, Some(*arrangement));
    }
    click(&mut harness, Role::Button, "light");
    assert!(harness.state().panes.is_light);
    click(&mut harness, Role::Button, "help");
    assert!(harness.state().panes.keys_open);
}

#[test]
fn a_method_is_picked_by_its_name_and_an_unavailable_one_cannot_be() {
    let mut harness = fresh();
    // Rows of approximate methods scroll: these are in sight.
    for method in Method::exact().filter(|method| *method != UNAVAILABLE) {
        click(&mut harness, Role::RadioButton, method.name());
        assert_eq!(harness.state().comparison.chosen.a, method);
        click(&mut harness, Role::RadioButton, &format!("B: {method}"));
        assert_eq!(harness.state().comparison.chosen.b, method);
    }
    let before = harness.state().comparison.chosen.a;
    click(&mut harness, Role::RadioButton, UNAVAILABLE.name());
    assert_eq!(harness.state().comparison.chosen.a, before);
    let node = find(&harness, Role::RadioButton, UNAVAILABLE.name());
    assert!(node.accesskit_node().is_disabled());
}

#[test]
fn a_failure_stays_in_the_pane_it_belongs_to_until_it_is_dismissed_or_mended() {
    let mut harness = fresh();
    let failed = || Err(Error::failed("no room for the record"));
    let shown = |harness: &_| count(harness, Role::Label, "no room for the record");
    let once = shown(&harness);
    harness.state_mut().messages.end(Some(Pane::Map), failed());
    harness.run_ok();
    // In the pane and in the pane Log; over the picture for some seconds.
    assert!(shown(&harness) >= once + 2);
    click(&mut harness, Role::Button, "dismiss");
    let messages = &mut harness.state_mut().messages;
    assert_eq!(messages.faults.get(&Pane::Map), None);
    messages.end(Some(Pane::Map), failed());
    messages.end(Some(Pane::Files), Ok(None));
    assert!(messages.faults.contains_key(&Pane::Map), "another pane");
    messages.end(Some(Pane::Map), Ok(None));
    assert!(messages.faults.is_empty());
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
    assert!(says(&harness, "FLIP 0.012500, at most 0.5000"));
    assert!(!says(&harness, "of an earlier picture"));
    harness.state_mut().subject.settings.seed += 1;
    harness.run_ok();
    assert!(says(&harness, "of an earlier picture"));
}

#[test]
fn a_pane_is_closed_and_comes_back_by_the_menu() {
    let mut harness = fresh();
    for is_there in [false, true] {
        click(&mut harness, Role::Button, "panes");
        click(&mut harness, Role::CheckBox, "Map");
        harness.run_ok();
        assert_eq!(harness.state().panes.dock.has(Pane::Map), is_there);
        let found = count(&harness, Role::TextInput, "record");
        assert_eq!(found > 0, is_there);
        harness.key_press(egui::Key::Escape);
        harness.run_ok();
    }
}

#[test]
fn the_menu_of_panes_stays_open_while_panes_are_ticked() {
    let mut harness = fresh();
    click(&mut harness, Role::Button, "panes");
    for pane in [Pane::Map, Pane::Log] {
        click(&mut harness, Role::CheckBox, pane.name());
        harness.run_ok();
        assert!(!harness.state().panes.dock.has(pane));
    }
}

#[test]
fn the_card_of_the_first_start_says_what_the_program_is_for_and_leads_to_keys_and_words() {
    let mut first = state();
    first.panes.card_open = true;
    let mut harness = harness(first, Readings::default);
    assert!(says(&harness, "composites translucent layers"));
    click(&mut harness, Role::Button, "all keys");
    assert!(harness.state().panes.keys_open);
    let meaning = "One thread of a wave.";
    assert!(says(&harness, "pause or play") && !says(&harness, meaning));
    click(&mut harness, Role::Button, "words");
    assert!(!says(&harness, "pause or play") && says(&harness, meaning));
    click(&mut harness, Role::Button, "got it");
    assert!(!harness.state().panes.card_open);
}

#[test]
fn a_double_click_on_a_slider_goes_back_to_its_default() {
    // Frames of other tests are too far apart for a double click.
    let builder = Harness::builder().with_step_dt(0.01);
    let mut state = state();
    state.panes.dock = dock_of(&[Pane::Scene]);
    let mut harness = built(
        builder.with_size([1600.0, 1200.0]),
        state,
        Readings::default,
    );
    let before = harness.state().subject.settings.particles;
    slide(&mut harness, "particles", 500.0);
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
fn typing_a_presets_name_changes_it_and_takes_the_keys() {
    let mut harness = fresh();
    type_into(&mut harness, "preset", "-2");
    assert!(harness.ctx.egui_wants_keyboard_input());
    assert!(harness.state().panes.preset_name.contains("-2"));
    // Negative control: elsewhere nobody wants the keys.
    assert!(!fresh().ctx.egui_wants_keyboard_input());
}

#[test]
fn a_path_that_is_typed_opens_with_enter_and_stays_with_its_error_below_if_it_fails() {
    let mut harness = fresh();
    let opens = |path: &str| Action::Use(Pick::Open, path.into());
    for (label, pane, action) in [
        ("file", Pane::Scene, opens("gone/a.ply")),
        ("record", Pane::Map, Action::OpenRecord),
        ("preset", Pane::Files, Action::LoadPreset),
    ] {
        let state = harness.state_mut();
        state.asked.clear();
        state.panes.map.path.clear();
        state.panes.preset_name.clear();
        harness.run_ok();
        type_into(&mut harness, label, "gone/a.ply");
        assert!(harness.state().asked.is_empty(), "{label}: before Enter");
        harness.key_press(egui::Key::Enter);
        harness.run_ok();
        assert_eq!(harness.state().asked, [action], "{label}");
        let failed = Err(Error::failed("gone/a.ply: there is no such file"));
        harness.state_mut().messages.end(Some(pane), failed);
        harness.run_ok();
        let field = find(&harness, Role::TextInput, label);
        let typed = field.accesskit_node().value();
        assert_eq!(typed.as_deref(), Some("gone/a.ply"));
        let dismiss = find(&harness, Role::Button, "dismiss").rect();
        let below = dismiss.top() - field.rect().bottom();
        assert!((0.0..50.0).contains(&below), "{label}: {below}");
        click(&mut harness, Role::Button, "dismiss");
    }
}

#[test]
fn a_value_that_is_dragged_a_little_changes_a_little() {
    let mut harness = alone(Pane::Scene, state(), [1280.0, 720.0], Readings::default);
    let density = |harness: &Harness<State>| harness.state().subject.settings.factors.fog_density;
    let slider = |harness: &_| find(harness, Role::Slider, "fog density").rect();
    let (rect, before) = (slider(&harness), density(&harness));
    // The handle: the value is 1 in 0.01 to 16, on a rail of 110 points with a logarithmic scale and 0 at its left.
    let mut handles = (0..110).map(|x| rect.left_center() + egui::vec2(x as f32, 0.0));
    let press = |harness: &mut Harness<State>, at: egui::Pos2| {
        let [there, down, up] = mouse(at);
        harness.event(there);
        harness.event(down);
        harness.step();
        up
    };
    // Where a press sets what is set already is the handle.
    let handle = handles.find(|at| {
        let up = press(&mut harness, *at);
        harness.event(up);
        harness.step();
        density(&harness) >= before
    });
    let handle = handle.expect("the default is on the rail");
    harness.state_mut().subject.settings.factors.fog_density = before;
    harness.run_ok();
    press(&mut harness, handle);
    let mut last = density(&harness);
    for step in 1..=4 {
        let at = handle + egui::vec2(step as f32, 0.0);
        harness.event(egui::Event::PointerMoved(at));
        harness.step();
        harness.step();
        let now = density(&harness);
        assert!(now >= last && now < 1.2 * last, "{last} to {now}");
        last = now;
        assert_eq!(slider(&harness), rect, "the row moves under the mouse");
    }
    assert!(last > before, "{before} to {last}");
}

#[test]
fn the_pane_compare_names_the_difference_that_the_picture_shows() {
    let mut harness = fresh();
    for layout in Layout::value_variants() {
        harness.state_mut().comparison.chosen.layout = *layout;
        for _ in 0..7 {
            let asked = harness.state_mut().act(Action::NextDifference);
            assert_eq!(asked.expect("it can be done"), None);
            harness.run_ok();
            let shown = harness.state().comparison.view_shown();
            let view = find(&harness, Role::ComboBox, "view");
            let named = view.accesskit_node().value();
            assert_eq!(named.as_deref(), Some(shown.name()), "{layout:?}");
        }
    }
}

#[test]
fn the_table_of_a_probe_fits_its_pane_and_has_a_b_and_their_difference() {
    for size in [[1280.0, 720.0], [1920.0, 1080.0]] {
        let harness = probing(Method::ReadLaneLoop, size);
        // Its pane ends where the picture's begins.
        let picture = harness.get(by().role(Role::Image)).rect();
        let titles = harness.query_all(by().role(Role::Label).label("T"));
        let edges: Vec<f32> = titles.map(|title| title.rect().right()).collect();
        assert_eq!(edges.len(), 2, "two tables");
        assert!(edges.iter().all(|edge| *edge < picture.left()), "{edges:?}");
        for row in ["A", "B", "A - B"] {
            assert_eq!(count(&harness, Role::Label, row), 1, "{row}");
        }
    }
}

/// The pane of the probe with what it has found, of the plain loop and B.
fn probing(b: Method, size: [f32; 2]) -> Harness<'static, State> {
    let mut state = comparing(Method::PixelLoop, b);
    state.probe.lock(readings::PROBED);
    state.panes.dock.open(Pane::Probe);
    built(Harness::builder().with_size(size), state, readings::rich)
}

#[test]
fn a_probe_has_curves_of_those_of_a_and_b_that_approximate() {
    for (b, curves) in [(Method::ReadLaneLoop, 0), (Method::Histogram, 1)] {
        let harness = probing(b, [1280.0, 1400.0]);
        let about = by().role(Role::Label).label_contains("curves of methods");
        assert_eq!(harness.query_all(about).count(), curves, "{b}");
    }
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
    let mut state = state();
    state.comparison.choose_view(View::Absolute);
    let mut harness = harness(state, readings::rich);
    click(&mut harness, Role::Button, "fit amplification");
    let amplified = 4.2e-7 * 10f32.powf(harness.state().comparison.chosen.amplify_log10);
    assert!((amplified - 1.0).abs() < 1e-3, "{amplified}");
}

#[test]
fn what_the_view_does_not_show_is_grey() {
    let enabled = |view: View, splits: bool, measures: bool| {
        let mut state = state();
        state.comparison.choose_view(view);
        let chosen = &mut state.comparison.chosen;
        (chosen.split_on, chosen.metrics) = (splits, measures);
        let harness = harness(state, readings::rich);
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
    for (end, number, range) in [
        ("range from", 2.0, fixed(2, 3)),
        ("range to", -4.0, fixed(-5, -4)),
    ] {
        slide(&mut harness, end, number);
        let now = harness.state().comparison.chosen.difference_range;
        assert_eq!(now, range, "{end}");
    }
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
fn the_clock_is_started_paused_and_stepped() {
    let mut harness = fresh();
    click(&mut harness, Role::Button, "play");
    assert!(harness.state().subject.clock.running);
    click(&mut harness, Role::Button, "pause");
    assert!(!harness.state().subject.clock.running);
    let before = harness.state().subject.settings.time;
    click(&mut harness, Role::Button, "step");
    assert_eq!(harness.state().subject.settings.time, before + 1.0 / 60.0);
}

#[test]
fn the_worst_pixel_is_probed_at_a_click_and_the_probe_can_be_moved_and_unlocked() {
    let mut state = state();
    state.comparison.chosen.metrics = true;
    let mut harness = harness(state, readings::rich);
    let [x, y] = readings::WORST;
    click(&mut harness, Role::Button, &format!("worst pixel {x},{y}"));
    assert_eq!(harness.state().probe.pixel(), Some([x, y]));
    for (label, number, pixel) in [("probe x", 5.0, [5, y]), ("probe y", 6.0, [5, 6])] {
        find(&harness, Role::SpinButton, label).set_value_accesskit(number);
        harness.run_ok();
        assert_eq!(harness.state().probe.pixel(), Some(pixel));
    }
    click(&mut harness, Role::Button, "unlock");
    assert!(!harness.state().probe.is_locked);
    // The mouse is on the pane: the pixel stays.
    click(&mut harness, Role::Button, "lock");
    let probe = harness.state().probe;
    assert!(probe.is_locked && probe.pixel() == Some([5, 6]));
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
    let names =
        format!("method,wave size,median ms,low ms,high ms,n,ratio to {RATIO_BASE},rmse,clock\n");
    assert!(csv.starts_with(&names), "{csv}");
    assert!(csv.contains("\nread-lane-loop,32,2,"), "{csv}");
    let words: String = markdown.split_whitespace().collect();
    let row = "|wave-lerp-deferred|32|1.000|";
    assert!(words.contains(row), "{markdown}");
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
    type_into(&mut harness, "file", "bust.ply");
    click(&mut harness, Role::Button, "open file");
    click(&mut harness, Role::Button, "add splats");
    assert_eq!(harness.state().files.typed, "bust.ply", "until it is there");
    let named = Path::new("bust.ply");
    let asked = [Pick::Open, Pick::Add].map(|pick| Action::Use(pick, named.to_owned()));
    assert_eq!(harness.state().asked, asked);
    harness.state_mut().add_file(named).expect("it is text");
    // It is read on a thread, which the window starts.
    assert!(to_read(&mut harness));
    harness.run_ok();
    let added = harness.state().files.splats.clone();
    assert_eq!(added.len(), 1, "{added:?}");
    assert!(added[0].file.ends_with("bust.ply"), "{added:?}");
    type Set = fn(&mut SplatSpec);
    let sliders: [(&str, Set); 8] = [
        ("x 1", |at| at.position[0] = 0.5),
        ("y 1", |at| at.position[1] = 0.5),
        ("z 1", |at| at.position[2] = 0.5),
        ("turn x 1", |at| at.rotation[0] = 0.5),
        ("turn y 1", |at| at.rotation[1] = 0.5),
        ("turn z 1", |at| at.rotation[2] = 0.5),
        ("scale 1", |at| at.scale = 0.5),
        ("opacity 1", |at| at.opacity = 0.5),
    ];
    for (label, set) in sliders {
        slide(&mut harness, label, 0.5);
        let mut expected = added.clone();
        set(&mut expected[0]);
        assert_eq!(harness.state().files.splats, expected, "{label}");
        assert_ne!(added, expected, "{label}");
        click(&mut harness, Role::Button, &format!("reset {label}"));
        assert_eq!(harness.state().files.splats, added, "{label}");
    }
    slide(&mut harness, "keep every 1", 4.0);
    click(&mut harness, Role::ComboBox, "axes 1");
    click(&mut harness, Role::Button, "rfu");
    click(&mut harness, Role::ComboBox, "filter 1");
    click(&mut harness, Role::Button, "mip");
    let chosen = SplatSpec {
        axes: Some("rfu".parse().expect("axes")),
        filter: Some(SplatFilter::Mip),
        keep_every: 4,
        ..added[0].clone()
    };
    assert_eq!(harness.state().files.splats, [chosen]);
    assert!(to_read(&mut harness));
    for label in ["keep every 1", "axes 1", "filter 1"] {
        click(&mut harness, Role::Button, &format!("reset {label}"));
    }
    assert_eq!(harness.state().files.splats, added);
    click(&mut harness, Role::Button, "remove 1");
    assert!(!to_read(&mut harness));
}
