//! Properties of all settings in all panes. Tests walk the panes to find controls, so a new one needs no change here.

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use egui::accesskit::Role;
use egui_kittest::Harness;
use serde_json::Value;

use super::{Control, click, controls, dock_of, find, pane, readings, state, unfold};
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{SplatColors, SplatSpec};
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::state::State;
use wavelerp::viewer::view::View;

/// All panes except the code pane, which compiles shaders.
fn panes() -> impl Iterator<Item = Pane> {
    let all = Pane::value_variants().iter().copied();
    all.filter(|pane| !matches!(pane, Pane::Code | Pane::Picture))
}

#[test]
fn every_control_has_a_name_that_no_other_has() {
    let mut seen = BTreeSet::new();
    let tabs: Vec<&str> = Pane::value_variants().iter().map(|of| of.name()).collect();
    let mut bar = BTreeSet::new();
    for of in panes() {
        let mut probing = state();
        probing.probe.lock([1, 2]);
        let harness = pane(of, probing, readings::rich);
        let all = controls(&harness).into_iter();
        let all = all.filter(|control| !tabs.contains(&&*control.label));
        // A slider and its number have the same name.
        let named = |control: Control| format!("{:?} {}", control.role, control.label);
        let all: Vec<String> = all.map(named).collect();
        if bar.is_empty() {
            // The bar and the labels of the picture are common to all windows.
            let mut none = state();
            none.panes.dock = dock_of(&[]);
            let alone = super::built(Harness::builder(), none, readings::rich);
            bar.extend(controls(&alone).into_iter().map(named));
        }
        for label in all.into_iter().filter(|label| !bar.contains(label)) {
            assert!(seen.insert(label.clone()), "{of:?}: {label}");
        }
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

/// Leaf values of a tree by path, such as `settings.options.frame.tile`.
fn leaves(path: &str, tree: &Value, into: &mut BTreeMap<String, String>) {
    match tree {
        Value::Object(fields) => {
            for (name, field) in fields {
                leaves(&format!("{path}.{name}"), field, into);
            }
        }
        leaf => drop(into.insert(path.to_owned(), leaf.to_string())),
    }
}

/// All values that settings change, by name.
fn kept(harness: &Harness<State>) -> BTreeMap<String, String> {
    let state = harness.state();
    let preset = serde_json::to_value(state.preset()).expect("a preset is saved");
    let mut kept = BTreeMap::from([("probe".to_owned(), state.probe.on.to_string())]);
    leaves("", &preset, &mut kept);
    kept
}

/// Names of the values that differ from `before`.
fn changed(before: &BTreeMap<String, String>, harness: &Harness<State>) -> Vec<String> {
    let now = kept(harness);
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differs = |name: &&String| before.get(*name) != now.get(*name);
    names.into_iter().filter(differs).cloned().collect()
}

/// True if a label contains a word of a value's name: "early-out" for `early_out`, "v-sync" for `vsync`.
fn names(label: &str, value: &str) -> bool {
    let value = value.rsplit('.').next().unwrap_or(value).replace('_', "");
    let label = label.to_lowercase().replace('-', "");
    let mut words = label.split(' ');
    words.any(|word| value == word || word.len() > 3 && value.contains(word))
}

/// Gives a setting another value.
fn change(harness: &mut Harness<State>, role: Role, label: &str) {
    let before = kept(harness);
    match role {
        Role::Slider => {
            let node = find(harness, role, label);
            let of = egui_kittest::kittest::NodeT::accesskit_node(&node);
            let [now, most] = [of.numeric_value(), of.max_numeric_value()];
            let between = now.zip(most).map(|(now, most)| (now + most) / 2.0);
            node.set_value_accesskit(between.expect("a slider has a value and a range"));
            harness.run_ok();
        }
        Role::ComboBox => {
            let buttons = |harness: &Harness<State>| -> Vec<String> {
                let buttons = controls(harness).into_iter();
                let buttons = buttons.filter(|control| control.role == Role::Button);
                buttons.map(|button| button.label).collect()
            };
            let closed = buttons(harness);
            click(harness, role, label);
            let mut options = buttons(harness);
            options.retain(|option| !closed.contains(option));
            harness.key_press(egui::Key::Escape);
            harness.run_ok();
            for option in options {
                if changed(&before, harness).is_empty() {
                    click(harness, role, label);
                    click(harness, Role::Button, &option);
                }
            }
        }
        _ => click(harness, role, label),
    }
}

/// Shows a pane with a scene that has every kind of content.
fn show(harness: &mut Harness<State>, of: Pane, (method, view): (Method, View)) {
    let mut state = state();
    let splats = SplatSpec::new("garden.ply", SplatColors::Srgb);
    state.subject.scene.splats.push(splats);
    state.comparison.chosen.a = method;
    if view != View::Picture {
        state.comparison.choose_view(view);
    }
    state.panes.dock = dock_of(&[of]);
    *harness.state_mut() = state;
    harness.run_ok();
}

#[test]
fn a_dial_at_auto_follows_the_frame_and_is_not_shown_as_changed() {
    let shown = |auto: bool| {
        let mut state = state();
        let settings = &mut state.subject.settings;
        settings.options.method.auto_pixels_per_wave = auto;
        settings.options.method.pixels_per_wave = 1;
        settings.size = [640, 360];
        state.comparison.chosen.a = Method::WaveLerpProduct;
        let harness = pane(Pane::Options, state, Readings::default);
        let mut all = controls(&harness).into_iter();
        let reset = all.find(|control| control.label == "reset pixels per wave");
        let is_changed = !reset.expect("a control").is_disabled;
        let method = harness.state().subject.settings.options.method;
        (method.pixels_per_wave, is_changed)
    };
    assert_eq!(shown(true), (16, false));
    // The number is still shown.
    assert_eq!(shown(false), (1, true));
}

#[test]
fn every_setting_changes_what_its_name_says_and_goes_back_to_its_default() {
    let mut owners: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for of in panes() {
        let mut harness = pane(of, state(), Readings::default);
        if of == Pane::Options {
            unfold(&mut harness);
        }
        let all = controls(&harness);
        let settings = all.iter().filter(|control| {
            let reset = format!("reset {}", control.label);
            let is_set = control.role != Role::SpinButton;
            is_set && all.iter().any(|control| control.label == reset)
        });
        for control in settings {
            let (role, label) = (control.role, &control.label);
            // Some settings need a method or a view that enables them.
            let methods = [Method::PixelLoop, Method::WaveLerpProduct];
            let methods = methods.into_iter().chain(Method::approximate());
            let methods = methods.map(|method| (method, View::Picture));
            let views = View::value_variants().iter();
            let mut shown = methods.chain(views.map(|view| (Method::PixelLoop, *view)));
            let acts = shown.find(|shown| {
                show(&mut harness, of, *shown);
                let now = controls(&harness).into_iter();
                let mut named = now.filter(|now| now.label == *label && now.role == role);
                named.any(|control| !control.is_disabled)
            });
            assert!(acts.is_some(), "{label} is always grey");
            let before = kept(&harness);
            let left = |harness: &_| find(harness, role, label).rect().left();
            let place = left(&harness);
            change(&mut harness, role, label);
            assert_eq!(left(&harness), place, "{label} moves away under the mouse");
            let values = changed(&before, &harness);
            let is_named = values.iter().any(|value| names(label, value));
            assert!(is_named, "{label} changes {values:?}");
            if let Some(owner) = owners.insert(values, label.clone()) {
                let first = |label: &str| label.split(' ').next().map(str::to_owned);
                assert_eq!(first(&owner), first(label), "both change the same");
            }
            click(&mut harness, Role::Button, &format!("reset {label}"));
            assert_eq!(changed(&before, &harness), [""; 0], "{label}: not reset");
        }
    }
    assert!(owners.len() > 30, "{owners:?}");
    // Negative control: labels of other controls do not match.
    assert!(names("tile size", "settings.options.frame.tile"));
    assert!(!names("method B", "compare.labels"));
}
