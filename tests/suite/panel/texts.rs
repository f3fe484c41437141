//! What the panes say about what is chosen, and about what does nothing now.

use egui::accesskit::{Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{
    click, comparing, controls, explain_at_once, find, harness, says, state, steps, unfold,
};
use wavelerp::model::methods::Method;
use wavelerp::model::scene;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::state::State;

/// Rests the mouse on a control until it explains itself.
fn rest_on(harness: &mut Harness<State>, role: Role, label: &str) {
    // What is in a menu comes after what it is over.
    let named = harness.query_all(by().role(role).label(label)).last();
    let at = named.expect("it is there").rect().center();
    harness.event(egui::Event::PointerMoved(at));
    steps(harness, 3);
}

fn explaining_at_once(state: State) -> Harness<'static, State> {
    let harness = harness(state, Readings::default);
    explain_at_once(&harness.ctx);
    harness
}

/// Whether each of these controls is grey; nothing of one that is not there.
fn are_grey<const N: usize>(harness: &Harness<State>, labels: [&str; N]) -> [Option<bool>; N] {
    let all = controls(harness);
    labels.map(|label| {
        let found = all.iter().find(|control| control.label == label);
        found.map(|control| control.is_disabled)
    })
}

#[test]
fn options_that_act_on_neither_a_nor_b_are_behind_a_heading() {
    let mut harness = explaining_at_once(comparing(Method::SplitDepth, Method::Hybrid));
    let of_shown = ["threads per pixel", "kept", "core opacity", "rest", "order"];
    let of_others = ["hazard", "tail", "bins", "peels"];
    let of_lists = ["pixels per wave", "layers per batch"];
    assert_eq!(are_grey(&harness, of_shown), [Some(false); 5]);
    assert_eq!(are_grey(&harness, of_others), [None; 4]);
    assert_eq!(are_grey(&harness, of_lists), [None; 2]);
    unfold(&mut harness);
    assert_eq!(are_grey(&harness, of_others), [Some(false); 4]);
    assert_eq!(are_grey(&harness, of_lists), [Some(false); 2]);
    let why = "No effect on what is shown (split-depth; hybrid)";
    assert!(says(&harness, why));
    unfold(&mut harness);
    harness.state_mut().comparison.chosen.b = Method::WaveLerpProduct;
    harness.run_ok();
    let now = ["hazard", "tail", "pixels per wave", "kept", "order"];
    let is_there = [Some(false), Some(false), Some(false), None, None];
    assert_eq!(are_grey(&harness, now), is_there);
}

#[test]
fn an_option_of_the_frame_that_changes_nothing_on_screen_is_grey_and_says_why() {
    let mut harness = explaining_at_once(comparing(Method::SplitDepth, Method::PixelLoop));
    let of_lists = ["tile size", "early-out"];
    assert_eq!(are_grey(&harness, of_lists), [Some(false); 2]);
    let drawn = Method::FixedFunction;
    let chosen = &mut harness.state_mut().comparison.chosen;
    (chosen.a, chosen.b) = (drawn, drawn);
    harness.run_ok();
    assert_eq!(are_grey(&harness, of_lists), [Some(true); 2]);
    rest_on(&mut harness, Role::ComboBox, "tile size");
    let why = "No effect on what is shown (fixed-function): it acts on";
    assert!(says(&harness, why));
    harness.state_mut().comparison.chosen.b = Method::WaveLerpProduct;
    harness.run_ok();
    assert_eq!(are_grey(&harness, of_lists), [Some(false); 2]);
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
            let button = find(harness, Role::Button, name);
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
