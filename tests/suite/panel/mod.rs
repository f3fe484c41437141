//! The panes without a window: tests find controls by label, use them, and check the state.

use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable, by};
use egui_kittest::{Harness, HarnessBuilder, Node};

use wavelerp::input::Disk;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::Method;
use wavelerp::model::settings::{Purpose, default_settings};
use wavelerp::runs::verify::self_test::MethodStatus;
use wavelerp::viewer::dock::{Dock, Pane};
use wavelerp::viewer::panes::{apply_style, window};
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::state::State;

mod code;
mod errors;
mod files;
mod frame;
mod methods;
mod panes;
mod presets;
mod readings;
mod renderer;
mod settings;
mod snapshots;

/// An adapter that supports everything except the method that needs a native opcode.
pub fn adapter() -> Capabilities {
    Capabilities {
        name: "Test adapter".to_owned(),
        driver: "test driver 1.0".to_owned(),
        backend: "vulkan".to_owned(),
        kind: "discrete".to_owned(),
        wave_min: 32,
        wave_max: 32,
        waves: true,
        native_spirv: true,
        half_floats: true,
        blends_f32: true,
        timestamps: true,
        is_cpu: false,
        loop_turns: None,
        draws_with_depth: true,
        max_binding_bytes: 1 << 31,
        max_texture_edge: 16_384,
        max_texture_layers: 2048,
        max_workgroup_bytes: 32_768,
        features_found: Vec::new(),
        features_missing: Vec::new(),
    }
}

/// The method that the test adapter does not support.
pub const UNAVAILABLE: Method = Method::WaveLerpFindMsb;

/// Initial state of a window on the test adapter, with a stopped clock.
pub fn state() -> State {
    let caps = adapter();
    let settings = default_settings("temple", &Disk, &caps, Purpose::Window)
        .expect("temple is in the program");
    let (scene, _) = settings.load(&Disk).expect("temple is in the program");
    let statuses = Method::all()
        .map(|method| MethodStatus {
            method,
            unavailable: (method == UNAVAILABLE).then(|| "no such opcode here".to_owned()),
            wave_size: Some(32),
            is_untested: false,
        })
        .collect();
    let mut state = State::new(scene, settings, statuses, caps).expect("temple has a camera");
    state.subject.clock.running = false;
    state
}

/// Initial state of a window that compares the methods `a` and `b`.
pub fn comparing(a: Method, b: Method) -> State {
    let mut state = state();
    (state.comparison.chosen.a, state.comparison.chosen.b) = (a, b);
    state
}

/// A dock with the picture and the given panes side by side, none of them behind a tab.
pub fn dock_of(panes: &[Pane]) -> Dock {
    let others = panes.iter().filter(|pane| **pane != Pane::Picture);
    let row: String = others
        .map(|pane| format!("(1.0,Tabs(0,[{pane:?}])),"))
        .collect();
    Dock::parse(&format!("Row([{row}(1.0,Tabs(0,[Picture]))])")).expect("an arrangement")
}

/// A window with one pane next to the picture, so tall that nothing needs scrolling.
pub fn pane(
    pane: Pane,
    mut state: State,
    readings: impl Fn() -> Readings<'static> + 'static,
) -> Harness<'static, State> {
    state.panes.dock = dock_of(&[pane]);
    built(
        Harness::builder().with_size([1000.0, 1800.0]),
        state,
        readings,
    )
}

/// The window with its panes as in `state`, including overlays.
pub fn built(
    builder: HarnessBuilder<State>,
    state: State,
    readings: impl Fn() -> Readings<'static> + 'static,
) -> Harness<'static, State> {
    let builder = builder.with_max_steps(8).with_context_setup(apply_style);
    let show = move |ui: &mut egui::Ui, state: &mut State| {
        let readings = readings();
        // This keeps times new, however long the test takes.
        let taken = Instant::now() + Duration::from_secs(3600);
        let (settings, times) = (state.subject.settings.clone(), &mut state.times);
        let measured = readings.measurement.map(|of| (of, &settings));
        times.follow(&[], measured, &settings, taken);
        window(ui, state, &readings);
        for action in state.take_asked() {
            let more = state.act(action).expect("the action succeeds");
            state.asked.extend(more);
        }
    };
    let mut harness = builder.build_ui_state(show, state);
    harness.run_ok();
    harness
}

/// Roles of interactive widgets.
const ROLES: [Role; 9] = [
    Role::Button,
    Role::CheckBox,
    Role::RadioButton,
    Role::Slider,
    Role::SpinButton,
    Role::ComboBox,
    Role::TextInput,
    Role::Link,
    Role::ColorWell,
];

/// A control as screen readers see it.
pub struct Control {
    pub role: Role,
    pub label: String,
    pub is_disabled: bool,
}

/// All controls of the window.
pub fn controls<S>(harness: &Harness<S>) -> Vec<Control> {
    let nodes = harness.root().children_recursive();
    let nodes = nodes.map(|node| node.accesskit_node());
    let controls = nodes.filter(|node| ROLES.contains(&node.role()));
    let control = |node: egui_kittest::kittest::AccessKitNode| {
        let (role, label) = (node.role(), node.label());
        Control {
            role,
            label: label.unwrap_or_else(|| panic!("a {role:?} without a label")),
            is_disabled: node.is_disabled(),
        }
    };
    controls.map(control).collect()
}

/// The control with the given role and label.
pub fn find<'a>(harness: &'a Harness<State>, role: Role, label: &'a str) -> Node<'a> {
    harness.get(by().role(role).label(label))
}

/// Number of controls with the given role and label.
pub fn count(harness: &Harness<State>, role: Role, label: &str) -> usize {
    harness.query_all(by().role(role).label(label)).count()
}

/// True if something contains these words.
pub fn says(harness: &Harness<State>, words: &str) -> bool {
    harness.query_all_by_label_contains(words).next().is_some()
}

/// Clicks the control with the given role and label.
pub fn click(harness: &mut Harness<State>, role: Role, label: &str) {
    find(harness, role, label).click();
    harness.run_ok();
}

/// Types a text into the field with the given label.
pub fn type_into(harness: &mut Harness<State>, label: &str, text: &str) {
    find(harness, Role::TextInput, label).focus();
    harness.run_ok();
    find(harness, Role::TextInput, label).type_text(text);
    harness.run_ok();
}

pub fn steps<S>(harness: &mut Harness<S>, count: usize) {
    for _ in 0..count {
        harness.step();
    }
}

/// Opens or closes the collapsed part of the pane "Options".
pub fn unfold(harness: &mut Harness<State>) {
    harness.get_by_label("options of other methods").click();
    harness.run_ok();
}
