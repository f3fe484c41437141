//! The panel without a window: every control is found by its label, used, and seen in the state.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable, by};
use egui_kittest::{Harness, HarnessBuilder};

use wavelerp::app::panel::{PANEL_WIDTH, Readings, apply_style, overlays, panel};
use wavelerp::app::state::State;
use wavelerp::gpu::Capabilities;
use wavelerp::methods::Method;
use wavelerp::settings::{Purpose, default_settings};
use wavelerp::verify::self_test::MethodStatus;

mod code;
mod controls;
mod map;
mod methods;
mod presets;
mod readings;
mod renderer;
mod shaders;
mod snapshots;

/// An adapter that can do everything but run the method that needs a native opcode.
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
        half_floats: false,
        blends_f32: true,
        timestamps: true,
        is_cpu: false,
        loop_turns: None,
        draws_with_depth: true,
        max_binding_bytes: 1 << 31,
        max_texture_edge: 16_384,
        max_workgroup_bytes: 32_768,
        features_found: Vec::new(),
        features_missing: Vec::new(),
    }
}

/// The method that the test adapter cannot run.
pub const UNAVAILABLE: Method = Method::WaveLerpFindMsb;

/// The state that a window opens with on that adapter; the clock stands still.
pub fn state() -> State {
    let caps = adapter();
    let settings =
        default_settings("temple", &caps, Purpose::Window).expect("temple is in the program");
    let (scene, _) = settings.load().expect("temple is in the program");
    let statuses = Method::all()
        .map(|method| MethodStatus {
            method,
            unavailable: (method == UNAVAILABLE).then(|| "no such opcode here".to_owned()),
            wave_size: Some(32),
        })
        .collect();
    let mut state = State::new(scene, settings, statuses, caps).expect("temple has a camera");
    state.clock.running = false;
    state
}

/// The panel over `state`, tall enough that nothing has to be scrolled to.
pub fn harness(
    state: State,
    readings: impl Fn() -> Readings<'static> + 'static,
) -> Harness<'static, State> {
    let builder = Harness::builder().with_size([PANEL_WIDTH + 700.0, 3200.0]);
    built(builder, state, readings)
}

/// The panel as the window shows it, with what floats over the picture.
pub fn built(
    builder: HarnessBuilder<State>,
    state: State,
    readings: impl Fn() -> Readings<'static> + 'static,
) -> Harness<'static, State> {
    let builder = builder.with_max_steps(8).with_context_setup(apply_style);
    let show = move |ui: &mut egui::Ui, state: &mut State| {
        let readings = readings();
        egui::Panel::left("panel")
            .exact_size(PANEL_WIDTH)
            .resizable(false)
            .show(ui, |ui| panel(ui, state, &readings));
        overlays(ui.ctx(), state, &readings);
    };
    let mut harness = builder.build_ui_state(show, state);
    harness.run_ok();
    harness
}

/// Roles of what can be acted on.
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

/// Labels of all controls that can be acted on now.
pub fn labels(harness: &Harness<State>) -> BTreeSet<String> {
    let nodes = harness.root().children_recursive();
    let controls = nodes.filter(|node| ROLES.contains(&node.accesskit_node().role()));
    controls
        .map(|node| {
            let label = node.accesskit_node().label();
            let role = node.accesskit_node().role();
            label.unwrap_or_else(|| panic!("a {role:?} without a label"))
        })
        .collect()
}

/// Clicks the control of this role and label.
pub fn click(harness: &mut Harness<State>, role: Role, label: &str) {
    harness.get(by().role(role).label(label)).click();
    harness.run_ok();
}
