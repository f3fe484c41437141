//! The panel: controls for what the state holds, one file per group of sections. Draws with egui alone; what
//! the panel cannot do itself it asks the state for.

mod code;
mod compare;
mod log;
mod map;
mod methods;
mod overlays;
mod probe;
mod scene;
mod shaders;
mod style;
mod timings;

use std::collections::VecDeque;

use egui::{Color32, RichText, Ui};

use crate::auto::Choice;
use crate::gpu::{Clock, checks_shaders};
use crate::render::Counters;
use crate::render::live::{LiveMetrics, LiveProbe, Measurement, PassTimes};

use super::controls::{text, toggle, value};
use super::shaders::ShaderStatus;
use super::state::State;

pub use overlays::overlays;
pub use style::apply_style;

/// Width of the panel in points.
pub const PANEL_WIDTH: f32 = 360.0;
/// Colour of warnings.
const WARNING: Color32 = Color32::from_rgb(240, 180, 60);

/// What the panel shows but does not change.
#[derive(Default)]
pub struct Readings<'a> {
    /// What times are read from.
    pub clock: Option<&'a Clock>,
    /// Recent times per pass.
    pub times: &'a [PassTimes],
    /// What the newest counters said.
    pub counters: Counters,
    /// Layers missing from the picture on screen.
    pub missing_layers: u32,
    /// CPU time of the last frame, ms.
    pub cpu_ms: f64,
    /// Number of tiles.
    pub tiles: u32,
    /// Number of particles of the frame.
    pub particles: u32,
    /// Wave sizes that A and B ran at.
    pub wave_sizes: [Option<u32>; 2],
    /// A measured against B.
    pub metrics: Option<&'a LiveMetrics>,
    /// Greatest and root-mean-square difference of the last frames.
    pub metrics_history: VecDeque<[f64; 2]>,
    /// The probed pixel.
    pub probe: Option<&'a LiveProbe>,
    /// Times of all methods, taken or being taken.
    pub measurement: Option<&'a Measurement>,
    /// What `auto` chose, where it is shown.
    pub choice: Option<&'a Choice>,
    /// Where the rule of `auto` comes from.
    pub rule: String,
    /// Label and bytes of buffers and textures.
    pub memory: Vec<(&'static str, u64)>,
    /// The values at the ends of a debug view's colours.
    pub debug_range: [f32; 2],
    /// What the window is busy with.
    pub busy: Option<String>,
    /// Names of the presets that are there.
    pub presets: Vec<String>,
    /// Where the shaders come from, and what the last change of their files led to.
    pub shaders: Option<&'a ShaderStatus>,
}

impl Readings<'_> {
    /// Whether methods are being measured.
    pub fn is_measuring(&self) -> bool {
        self.measurement
            .is_some_and(|measurement| !measurement.finished)
    }
}

/// The whole panel, top to bottom.
pub fn panel(ui: &mut Ui, state: &mut State, readings: &Readings) {
    egui::ScrollArea::vertical()
        .auto_shrink([false; 2])
        .show(ui, |ui| {
            adapter(ui, state, readings);
            section(ui, "Methods", |ui| methods::methods(ui, state, readings));
            section(ui, "Wave", |ui| methods::wave(ui, state, readings));
            section(ui, "Scene", |ui| scene::scene(ui, state));
            section(ui, "Layers", |ui| scene::layers(ui, state, readings));
            section(ui, "Compare", |ui| compare::compare(ui, state, readings));
            section(ui, "Probe", |ui| probe::controls(ui, state, readings));
            section(ui, "Timings", |ui| timings::timings(ui, state, readings));
            section(ui, "Generated code", |ui| code::code(ui, state, readings));
            section(ui, "Map", |ui| map::map(ui, state, readings));
            section(ui, "Memory", |ui| log::memory(ui, readings));
            section(ui, "Pictures and presets", |ui| {
                log::files(ui, state, readings)
            });
            section(ui, "Log", |ui| log::log(ui, state));
        });
}

fn section(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong())
        .default_open(!["Memory", "Generated code"].contains(&title))
        .show_unindented(ui, contents);
}

fn adapter(ui: &mut Ui, state: &mut State, readings: &Readings) {
    let caps = &state.caps;
    ui.label(RichText::new(&caps.name).strong());
    ui.label(format!("{} · {}", caps.backend, caps.driver));
    let (least, most) = (caps.wave_min, caps.wave_max);
    if !caps.waves {
        ui.colored_label(WARNING, "no wave operations: wave methods are unavailable");
    } else if least == most {
        ui.label(format!("wave of {least} lanes"));
    } else {
        ui.label(format!("waves of {least} to {most} lanes"));
    }
    if checks_shaders() {
        ui.colored_label(
            WARNING,
            "debug build: shaders carry run-time checks, times mean little",
        );
    } else {
        ui.label("release build");
    }
    if let Some(status) = readings.shaders {
        shaders::dot(ui, status);
    }
    if caps.is_cpu {
        let defaults = &state.defaults;
        let [width, height] = defaults.size;
        ui.colored_label(
            WARNING,
            format!(
                "CPU adapter: starts at {width}x{height}, {} particles and {} slices to stay \
                 interactive; times are not GPU measurements",
                defaults.particles, defaults.fog_slices
            ),
        );
    }
    let hover = "Wait for the display before presenting. On: the GPU idles between frames, its \
                 clocks may drop and times rise.";
    toggle(ui, text("v-sync", hover), value(&mut state.vsync, &true));
    if state.vsync && !state.caps.is_cpu {
        ui.colored_label(WARNING, "v-sync is on: GPU times may be too long");
    }
    if let Some(busy) = &readings.busy {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(busy);
        });
    }
}
