//! What holds for every control of every pane. The controls are found by a walk over the window: a new one needs no
//! line here.

use std::collections::{BTreeMap, BTreeSet};

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};
use serde_json::Value;

use super::controls::fresh;
use super::{
    cheap_panes, click, controls, explain_at_once, find, harness, map, readings, state, steps,
    unfold,
};
use clap::ValueEnum;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::{SplatColors, SplatSpec};
use wavelerp::report::range::{DifferenceRange, RangeChoice};
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::state::State;
use wavelerp::viewer::times::Order;
use wavelerp::viewer::view::View;

/// Controls that egui brings along: the buttons in the frame of a window.
const BROUGHT: [(Role, &str); 2] = [(Role::Button, "Close window"), (Role::Button, "Hide")];

/// A state in which nothing is as when the window opens, for readings of all kinds.
fn other() -> State {
    let mut other = map::opened(state());
    other.probe.lock([1, 2]);
    other.subject.go_to_camera(1);
    other.subject.store_camera();
    other.subject.move_camera(|camera| camera.orbit(50.0, 10.0));
    other.panes.passes_by = Order::Time(0);
    let range = DifferenceRange::new(-9, -3).expect("a range");
    other.comparison.chosen.difference_range = RangeChoice::Fixed(range);
    other.files.typed = "two".to_owned();
    other.panes.dock = cheap_panes();
    other
}

/// The window as it opens, with the options of methods that are not shown.
fn unfolded() -> Harness<'static, State> {
    let mut harness = fresh();
    unfold(&mut harness);
    harness
}

/// With what floats over the panes.
fn covered() -> State {
    let mut covered = state();
    (covered.panes.card_open, covered.panes.keys_open) = (true, true);
    covered
}

/// The number of nodes while the mouse rests at a point.
fn nodes_with_the_mouse_at<S>(harness: &mut Harness<S>, at: egui::Pos2) -> usize {
    harness.event(egui::Event::PointerMoved(at));
    steps(harness, 3);
    harness.root().children_recursive().count()
}

/// Whether a text appears while the mouse rests on a control.
fn explains_itself<S>(harness: &mut Harness<S>, role: Role, label: &str) -> bool {
    let away = nodes_with_the_mouse_at(harness, egui::pos2(1.0, 1700.0));
    let at = harness.get(by().role(role).label(label)).rect().center();
    nodes_with_the_mouse_at(harness, at) > away
}

#[test]
fn every_control_has_a_name_of_its_own_and_explains_itself_when_the_mouse_rests_on_it() {
    let mut seen = BTreeSet::new();
    for mut harness in [
        unfolded(),
        harness(other(), readings::rich),
        harness(covered(), readings::rich),
    ] {
        explain_at_once(&harness.ctx);
        for control in controls(&harness) {
            let (role, label) = (control.role, control.label.as_str());
            let is_known = seen.contains(&format!("{role:?} {label}"));
            // Rows that are scrolled out of sight are made like those in sight.
            let is_out_of_sight = |method: Method| label.ends_with(method.name());
            let is_scrolled =
                role == Role::RadioButton && Method::approximate().any(is_out_of_sight);
            if control.is_disabled || is_known || is_scrolled || BROUGHT.contains(&(role, label)) {
                continue;
            }
            seen.insert(format!("{role:?} {label}"));
            let explains = explains_itself(&mut harness, role, label);
            assert!(explains, "{role:?} {label}: no hover text");
        }
    }
    // Negative control.
    let mut silent = Harness::new_ui(|ui| drop(ui.button("silent")));
    explain_at_once(&silent.ctx);
    assert!(!explains_itself(&mut silent, Role::Button, "silent"));
}

/// All that is seen of the panes, and all that they have asked for.
fn shown(harness: &Harness<State>) -> Vec<String> {
    let nodes = harness.root().children_recursive();
    let nodes = nodes.map(|node| {
        let node = node.accesskit_node();
        format!("{:?} {:?} {:?}", node.label(), node.value(), node.toggled())
    });
    let asked = harness.state().asked.iter();
    nodes
        .chain(asked.map(|action| format!("{action:?}")))
        .collect()
}

/// Another state, without making everything anew.
fn start_again(harness: &mut Harness<State>, state: State) {
    harness.key_press(egui::Key::Escape);
    harness.run_ok();
    *harness.state_mut() = state;
    harness.state_mut().panes.dock = cheap_panes();
    harness.run_ok();
}

/// The labels of the buttons that can be clicked and are not `known`, in two parts: those that do something, and those that do
/// nothing.
fn buttons(
    state: fn() -> State,
    mut harness: Harness<State>,
    known: &BTreeSet<String>,
) -> [BTreeSet<String>; 2] {
    // The mouse rests where it has clicked.
    let never = |style: &mut egui::Style| style.interaction.tooltip_delay = f32::MAX;
    harness.ctx.all_styles_mut(never);
    let all = controls(&harness).into_iter();
    let all = all.filter(|control| control.role == Role::Button && !control.is_disabled);
    let labels = all
        .map(|button| button.label)
        .filter(|label| !known.contains(label));
    let (active, idle) = labels.partition(|label| {
        start_again(&mut harness, state());
        let before = (shown(&harness), harness.state().preset());
        click(&mut harness, Role::Button, label);
        before != (shown(&harness), harness.state().preset())
    });
    [active, idle]
}

#[test]
fn every_button_does_something() {
    // What a button does may be done already in one state, and is not in the other.
    let [active, idle] = buttons(state, unfolded(), &BTreeSet::new());
    let [active_too, idle_too] = buttons(other, harness(other(), readings::rich), &active);
    let mut broken = &(&idle | &idle_too) - &(&active | &active_too);
    // A tab goes in front of others, and here each stands alone.
    let is_tab = |label: &String| {
        Pane::value_variants()
            .iter()
            .any(|pane| pane.name() == label)
    };
    broken.retain(|label| !is_tab(label));
    assert!(broken.is_empty(), "{broken:?}");
}

/// The values of a tree by their paths, such as `settings.options.frame.solids`.
fn leaves(path: &str, tree: &Value, into: &mut BTreeMap<String, String>) {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    match tree {
        Value::Object(fields) => {
            for (name, field) in fields {
                leaves(&below(name), field, into);
            }
        }
        leaf => drop(into.insert(path.to_owned(), leaf.to_string())),
    }
}

/// All that settings change, by name.
fn kept(harness: &Harness<State>) -> BTreeMap<String, String> {
    let state = harness.state();
    let preset = serde_json::to_value(state.preset()).expect("a preset is saved");
    let mut kept = BTreeMap::from([("probe".to_owned(), state.probe.on.to_string())]);
    leaves("", &preset, &mut kept);
    kept
}

/// The names of what differs.
fn changed(before: &BTreeMap<String, String>, harness: &Harness<State>) -> Vec<String> {
    let now = kept(harness);
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differs = |name: &&String| before.get(*name) != now.get(*name);
    names.into_iter().filter(differs).cloned().collect()
}

/// Whether a label has a word of the name of a value: "early-out" of `early_out`, "v-sync" of `vsync`.
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
            let of = node.accesskit_node();
            let [now, most] = [of.numeric_value(), of.max_numeric_value()];
            let between = now.zip(most).map(|(now, most)| (now + most) / 2.0);
            node.set_value_accesskit(between.expect("a slider has a value and a range"));
            harness.run_ok();
        }
        Role::ComboBox => {
            let labels = |harness: &Harness<State>| -> Vec<String> {
                let buttons = controls(harness).into_iter();
                let buttons = buttons.filter(|control| control.role == Role::Button);
                buttons.map(|button| button.label).collect()
            };
            let closed = labels(harness);
            click(harness, role, label);
            let mut options = labels(harness);
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

/// A method A, and perhaps a view.
type Shown = (Method, Option<View>);

/// Shows these in a scene that has a bit of everything.
fn start_with(harness: &mut Harness<State>, (method, view): Shown) {
    let mut state = state();
    let splats = SplatSpec::new("garden.ply", SplatColors::Srgb);
    state.subject.scene.splats.push(splats);
    state.comparison.chosen.a = method;
    if let Some(view) = view {
        state.comparison.choose_view(view);
    }
    start_again(harness, state);
}

/// For every control the first method, or else the first view, with which it is not grey.
fn where_they_act(harness: &mut Harness<State>) -> BTreeMap<String, Shown> {
    let mut found = BTreeMap::new();
    let methods = Method::all().map(|method| (method, None));
    let views = View::value_variants().iter();
    let views = views.map(|view| (Method::PixelLoop, Some(*view)));
    for shown in methods.chain(views) {
        start_with(harness, shown);
        for control in controls(harness) {
            if !control.is_disabled {
                found.entry(control.label).or_insert(shown);
            }
        }
    }
    found
}

#[test]
fn every_setting_changes_what_its_name_says_and_goes_back_to_its_default() {
    let mut harness = unfolded();
    let all = controls(&harness);
    let settings = all.iter().filter(|control| {
        let reset = format!("reset {}", control.label);
        let is_set = control.role != Role::SpinButton;
        is_set && all.iter().any(|control| control.label == reset)
    });
    let acts = where_they_act(&mut harness);
    let mut owners: BTreeMap<Vec<String>, &str> = BTreeMap::new();
    for control in settings {
        let label = &control.label;
        let shown = acts.get(label);
        let shown = shown.unwrap_or_else(|| panic!("{label} is grey whatever is shown"));
        start_with(&mut harness, *shown);
        let before = kept(&harness);
        let left = |harness: &_| find(harness, control.role, label).rect().left();
        let place = left(&harness);
        change(&mut harness, control.role, label);
        assert_eq!(left(&harness), place, "{label} moves away under the mouse");
        let values = changed(&before, &harness);
        let is_named = values.iter().any(|value| names(label, value));
        assert!(is_named, "{label} changes {values:?}");
        if let Some(owner) = owners.insert(values, label) {
            let first = |label: &str| label.split(' ').next().map(str::to_owned);
            assert_eq!(first(owner), first(label), "both change the same");
        }
        click(&mut harness, Role::Button, &format!("reset {label}"));
        assert_eq!(changed(&before, &harness), [""; 0], "{label}: not reset");
    }
    assert!(owners.len() > 30, "{owners:?}");
    // Negative control: a label on another control.
    assert!(names("key bits", "settings.options.frame.key_bits"));
    assert!(!names("solids", "settings.options.frame.key_bits"));
    assert!(!names("method B", "compare.labels"));
}
