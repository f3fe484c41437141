//! What the panes say about what is chosen, and about what does nothing now.

use egui::accesskit::{Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{click, controls, harness, state};
use wavelerp::model::methods::Method;
use wavelerp::model::scene;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::state::State;

/// Whether a line with these words is there.
fn says(harness: &Harness<State>, words: &str) -> bool {
    harness.query_all(by().label_contains(words)).count() > 0
}

/// Rests the mouse on a control until it explains itself.
fn rest_on(harness: &mut Harness<State>, role: Role, label: &str) {
    // What is in a menu comes after what it is over.
    let named = harness.query_all(by().role(role).label(label)).last();
    let at = named.expect("it is there").rect().center();
    harness.event(egui::Event::PointerMoved(at));
    for _ in 0..3 {
        harness.step();
    }
}

fn explaining_at_once(state: State) -> Harness<'static, State> {
    let harness = harness(state, Readings::default);
    harness.ctx.all_styles_mut(|style| {
        style.interaction.tooltip_delay = 0.0;
        style.interaction.show_tooltips_only_when_still = false;
    });
    harness
}

#[test]
fn an_option_that_changes_nothing_on_screen_is_grey_and_says_why() {
    let mut shown = state();
    (shown.comparison.chosen.a, shown.comparison.chosen.b) =
        (Method::SplitDepth, Method::PixelLoop);
    let mut harness = explaining_at_once(shown);
    let is_grey = |harness: &Harness<State>, label: &str| {
        let mut all = controls(harness).into_iter();
        let found = all.find(|control| control.label == label);
        found.expect("it is there").is_disabled
    };
    for (option, is_idle) in [
        ("hazard", true),
        ("tail", true),
        ("pixels per wave", true),
        ("layers per batch", true),
        ("cull", true),
        ("threads per pixel", false),
        ("macro tile", false),
        ("tile size", false),
    ] {
        assert_eq!(is_grey(&harness, option), is_idle, "{option}");
    }
    rest_on(&mut harness, Role::ComboBox, "hazard");
    assert!(says(
        &harness,
        "No effect on what is shown (split-depth; pixel-loop)"
    ));
    let drawn = Method::FixedFunction;
    let chosen = &mut harness.state_mut().comparison.chosen;
    (chosen.a, chosen.b) = (drawn, drawn);
    harness.run_ok();
    assert!(is_grey(&harness, "tile size") && is_grey(&harness, "early-out"));
    harness.state_mut().comparison.chosen.b = Method::WaveLerpProduct;
    harness.run_ok();
    assert!(!is_grey(&harness, "hazard") && !is_grey(&harness, "tile size"));
}

#[test]
fn every_scene_of_the_menu_has_a_line_on_what_it_shows() {
    let mut harness = explaining_at_once(state());
    assert_eq!(scene::listed().len(), scene::names().len());
    for (name, shows) in scene::listed() {
        let is_shown = *name == "temple";
        assert_eq!(says(&harness, shows), is_shown, "{name}");
        if !is_shown {
            click(&mut harness, Role::ComboBox, "scene");
            rest_on(&mut harness, Role::Button, name);
            assert!(says(&harness, shows), "{name}");
            harness.key_press(egui::Key::Escape);
            harness.event(egui::Event::PointerMoved(egui::pos2(1.0, 1700.0)));
            harness.run_ok();
        }
    }
}

#[test]
fn the_camera_that_is_looked_from_is_marked() {
    let mut harness = harness(state(), Readings::default);
    let names: Vec<String> = {
        let cameras = &harness.state().subject.scene.cameras;
        cameras.iter().map(|camera| camera.name.clone()).collect()
    };
    let marked = |harness: &Harness<State>| {
        let is_marked = |name: &&String| {
            let button = harness.get(by().role(Role::Button).label(name));
            button.accesskit_node().toggled() == Some(Toggled::True)
        };
        names.iter().filter(is_marked).cloned().collect::<Vec<_>>()
    };
    assert_eq!(marked(&harness), names[..1]);
    click(&mut harness, Role::Button, &names[1]);
    harness.run_ok();
    assert_eq!(marked(&harness), names[1..2]);
    assert!(!says(&harness, "moved"));
    let subject = &mut harness.state_mut().subject;
    subject.move_camera(|camera| camera.orbit(50.0, 10.0));
    harness.run_ok();
    assert_eq!(marked(&harness), names[..0]);
    assert!(says(&harness, "moved"));
}
