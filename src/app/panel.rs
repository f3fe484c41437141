//! The panel: what State holds, as controls. Every control has a label, a hover text and, where it
//! has one, its unit. Draws with egui alone.

use egui::{Color32, RichText, Slider, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use crate::methods::{Hazard, Method};
use crate::render::{Counters, live::PassTimes};
use crate::scene;

use super::keys::KEYS;
use super::state::{State, View};

/// What the panel shows but does not change.
pub struct Readings<'a> {
    /// Recent GPU times per pass.
    pub times: &'a [PassTimes],
    /// What the newest counters said.
    pub counters: Counters,
    /// Layers missing from the picture on screen.
    pub missing_layers: u32,
    /// CPU time of the last frame, ms.
    pub cpu_ms: f64,
    /// Number of tiles.
    pub tiles: u32,
}

/// Colour of warnings.
const WARNING: Color32 = Color32::from_rgb(240, 180, 60);

/// The whole panel, top to bottom.
pub fn panel(ui: &mut Ui, state: &mut State, readings: &Readings) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        adapter(ui, state);
        section(ui, "Methods", |ui| methods(ui, state));
        section(ui, "Wave", |ui| wave(ui, state, readings));
        section(ui, "Scene", |ui| scene_controls(ui, state));
        section(ui, "Layers", |ui| layers(ui, state, readings));
        section(ui, "Compare", |ui| compare(ui, state));
        section(ui, "Timings", |ui| timings(ui, state, readings));
        section(ui, "Log", |ui| log(ui, state));
    });
}

fn section(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong())
        .default_open(true)
        .show(ui, contents);
}

fn adapter(ui: &mut Ui, state: &mut State) {
    let caps = &state.caps;
    ui.label(RichText::new(&caps.name).strong());
    ui.label(format!("{} · {}", caps.backend, caps.driver));
    match caps.waves {
        true if caps.wave_min == caps.wave_max => {
            ui.label(format!("wave of {} lanes", caps.wave_min))
        }
        true => ui.label(format!(
            "waves of {} to {} lanes",
            caps.wave_min, caps.wave_max
        )),
        false => ui.colored_label(WARNING, "no wave operations: wave methods are unavailable"),
    };
    if cfg!(debug_assertions) {
        ui.colored_label(
            WARNING,
            "debug build: shaders carry run-time checks, times mean little",
        );
    }
    if caps.is_cpu {
        ui.colored_label(
            WARNING,
            format!(
                "CPU adapter: starts at {}x{} with {} particles; times are not GPU measurements",
                state.settings.size[0], state.settings.size[1], state.settings.particles
            ),
        );
    }
    ui.checkbox(&mut state.vsync, "v-sync").on_hover_text(
        "Wait for the display before presenting. On: GPU clocks may drop and times rise.",
    );
    if state.vsync && !caps.is_cpu {
        ui.label(RichText::new("v-sync on: the GPU may idle and clock down between frames").weak());
    }
}

fn methods(ui: &mut Ui, state: &mut State) {
    for (number, method) in Method::all().enumerate() {
        let entry = method.entry();
        let reason = state
            .statuses
            .iter()
            .find(|status| status.method == method)
            .and_then(|status| status.unavailable.clone());
        let explanation = format!(
            "{}\n\n{}.\nCost: {}.\nGuarantee: {}.\nOrigin: {}.\nKey: {}",
            entry.name,
            entry.mapping,
            entry.cost,
            entry.guarantee,
            entry.origin,
            number + 1
        );
        ui.horizontal(|ui| {
            ui.add_enabled_ui(reason.is_none(), |ui| {
                ui.radio_value(&mut state.method, method, entry.name)
                    .on_hover_text(&explanation)
                    .on_disabled_hover_text(format!(
                        "{explanation}\n\nUnavailable: {}",
                        reason.as_deref().unwrap_or_default()
                    ));
            });
        });
        ui.indent(entry.name, |ui| {
            ui.label(RichText::new(entry.cost).weak().small())
        });
    }
}

fn wave(ui: &mut Ui, state: &mut State, readings: &Readings) {
    let wave = state
        .statuses
        .iter()
        .find(|status| status.method == state.method)
        .and_then(|status| status.wave_size);
    let size = wave.map_or("unknown".to_owned(), |size| size.to_string());
    ui.label(format!("wave size it ran at: {size}"));
    let groups = readings
        .counters
        .longest_list
        .div_ceil(wave.unwrap_or(1).max(1));
    ui.label(format!("groups of the longest list: {groups}"));
    egui::ComboBox::from_label("hazard")
        .selected_text(state.settings.hazard.name())
        .show_ui(ui, |ui| {
            for hazard in [Hazard::Driver, Hazard::Division, Hazard::Guarded] {
                ui.selectable_value(&mut state.settings.hazard, hazard, hazard.name());
            }
        })
        .response
        .on_hover_text(
            "The exclusive prefix product: as the driver gives it, as inclusive / (1-t) (NaN at t = 1, \
             shown in magenta), or the same guarded by max(1-t, 1e-5)",
        );
    ui.add(Slider::new(&mut state.settings.early_out, 0.0..=0.5).logarithmic(true).smallest_positive(1e-4).text("early-out"))
        .on_hover_text("Transmittance below which a pixel may stop; 0 is off. The error is at most this times the largest radiance skipped.");
    egui::ComboBox::from_label("pixels per wave")
        .selected_text(state.settings.pixels_per_wave.to_string())
        .show_ui(ui, |ui| {
            for power in 0..=(state.settings.tile * state.settings.tile).ilog2() {
                let pixels = 1 << power;
                ui.selectable_value(&mut state.settings.pixels_per_wave, pixels, pixels.to_string());
            }
        })
        .response
        .on_hover_text("Pixels of its tile that a wave walks. Changes times several-fold: compare methods at the same value.");
}

fn scene_controls(ui: &mut Ui, state: &mut State) {
    let mut chosen = state.settings.scene.clone();
    egui::ComboBox::from_label("scene")
        .selected_text(state.settings.scene_name())
        .show_ui(ui, |ui| {
            for name in scene::names() {
                ui.selectable_value(&mut chosen, name.to_owned(), name);
            }
        })
        .response
        .on_hover_text(state.scene.shows.clone());
    if chosen != state.settings.scene
        && let Err(error) = state.go_to_scene(&chosen)
    {
        state.say(error.to_string());
    }
    let cameras: Vec<String> = state
        .scene
        .cameras
        .iter()
        .map(|camera| camera.name.clone())
        .collect();
    ui.horizontal(|ui| {
        for (index, name) in cameras.iter().enumerate() {
            if ui
                .button(name)
                .on_hover_text("Go to this camera preset")
                .clicked()
            {
                state.go_to_camera(index);
            }
        }
    });
    ui.horizontal(|ui| {
        let label = if state.clock.running { "pause" } else { "run" };
        if ui
            .button(label)
            .on_hover_text("Stop or start the scene's clock")
            .clicked()
        {
            state.clock.running = !state.clock.running;
        }
        if ui
            .button("step")
            .on_hover_text("One frame of 1/60 s forward")
            .clicked()
        {
            state.clock.step();
        }
        if ui
            .button("best moment")
            .on_hover_text("The moment the scene was made for")
            .clicked()
        {
            state.clock.time = state.scene.best_time;
        }
    });
    ui.add(
        Slider::new(&mut state.clock.time, 0.0..=60.0)
            .clamping(egui::SliderClamping::Never)
            .suffix(" s")
            .text("time"),
    )
    .on_hover_text("The scene's clock. Particles are a function of time: any moment can be shown.");
    ui.add(
        Slider::new(&mut state.clock.speed, 0.0..=4.0)
            .suffix(" x")
            .text("speed"),
    )
    .on_hover_text("Scene seconds per second");
    ui.add(egui::DragValue::new(&mut state.settings.seed).prefix("seed "))
        .on_hover_text("Seed of all randomness");
}

fn layers(ui: &mut Ui, state: &mut State, readings: &Readings) {
    let settings = &mut state.settings;
    ui.add(
        Slider::new(&mut settings.particles, 0..=2_000_000)
            .logarithmic(true)
            .text("particles"),
    )
    .on_hover_text("Number of particles simulated");
    ui.add(Slider::new(&mut settings.fog_slices, 0..=256).text("fog slices"))
        .on_hover_text("Fog layers at every pixel");
    ui.horizontal(|ui| {
        ui.label("tile");
        for tile in [8, 16] {
            ui.radio_value(&mut settings.tile, tile, format!("{tile} px"))
                .on_hover_text("Edge of the tiles that share a list");
        }
    });
    settings.pixels_per_wave = settings.pixels_per_wave.min(settings.tile * settings.tile);
    let counters = readings.counters;
    let mean = f64::from(counters.entries) / f64::from(readings.tiles.max(1))
        + f64::from(settings.fog_slices);
    ui.label(format!(
        "{} visible particles, {} tile entries",
        counters.visible, counters.entries
    ));
    ui.label(format!(
        "{mean:.1} layers in a list on average, {} in the longest",
        counters.longest_list
    ));
    if readings.missing_layers > 0 {
        ui.colored_label(
            WARNING,
            format!(
                "{} layers are missing from this frame",
                readings.missing_layers
            ),
        );
    }
}

fn compare(ui: &mut Ui, state: &mut State) {
    let usable: Vec<Method> = Method::all()
        .filter(|method| state.is_usable(*method))
        .collect();
    for (label, hover, value) in [
        (
            "B",
            "The method on the right, and the one that differences are taken from",
            &mut state.other,
        ),
        (
            "reference",
            "What the reference key shows while it is held",
            &mut state.reference,
        ),
    ] {
        egui::ComboBox::from_label(label)
            .selected_text(value.name())
            .show_ui(ui, |ui| {
                for method in &usable {
                    ui.selectable_value(value, *method, method.name());
                }
            })
            .response
            .on_hover_text(hover);
    }
    ui.checkbox(&mut state.split_on, "split")
        .on_hover_text("Method A left, method B right; drag the line in the picture");
    ui.add_enabled(
        state.split_on,
        Slider::new(&mut state.split, 0.0..=1.0).text("split at"),
    )
    .on_hover_text("Part of the width");
    egui::ComboBox::from_label("view")
        .selected_text(
            View::ALL
                .iter()
                .find(|row| row.0 == state.view)
                .map_or("", |row| row.1),
        )
        .show_ui(ui, |ui| {
            for (view, name, explanation) in View::ALL {
                ui.selectable_value(&mut state.view, view, name)
                    .on_hover_text(explanation);
            }
        })
        .response
        .on_hover_text("The picture, or the difference of A and B from their float results");
    ui.add(
        Slider::new(&mut state.amplify_log10, 0.0..=7.0)
            .custom_formatter(|value, _| format!("{:.3e}", 10f64.powf(value)))
            .text("amplify"),
    )
    .on_hover_text("Factor on differences in the absolute, signed and red-on-grey views, 1 to 10⁷");
}

fn timings(ui: &mut Ui, state: &State, readings: &Readings) {
    if !state.caps.timestamps {
        ui.colored_label(WARNING, "this adapter has no timestamps");
    }
    egui::Grid::new("pass times")
        .striped(true)
        .num_columns(4)
        .show(ui, |ui| {
            for title in ["pass", "last ms", "median", "p95"] {
                ui.label(RichText::new(title).weak());
            }
            ui.end_row();
            for times in readings.times {
                let Some(statistics) = times.statistics() else {
                    continue;
                };
                ui.label(&times.label);
                for value in statistics {
                    ui.monospace(format!("{value:.3}"));
                }
                ui.end_row();
            }
        });
    ui.label(format!("CPU, recording a frame: {:.2} ms", readings.cpu_ms));
    let shown = [state.left().name(), state.other.name()];
    Plot::new("composite times")
        .height(110.0)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .include_y(0.0)
        .show(ui, |plot| {
            for times in readings
                .times
                .iter()
                .filter(|times| shown.contains(&times.label.as_str()))
            {
                let points: PlotPoints = times
                    .samples
                    .iter()
                    .enumerate()
                    .map(|(frame, time)| [frame as f64, *time])
                    .collect();
                plot.line(Line::new(&times.label, points));
            }
        });
    ui.label(
        RichText::new("composite time in ms over the last frames")
            .weak()
            .small(),
    );
}

fn log(ui: &mut Ui, state: &State) {
    if state.log.is_empty() {
        ui.label(RichText::new("nothing to report").weak());
    }
    for line in state.log.iter().rev().take(20) {
        ui.label(line);
    }
}

/// The window that lists all keys.
pub fn keys(ctx: &egui::Context, state: &mut State) {
    egui::Window::new("Keys")
        .default_pos([380.0, 40.0])
        .open(&mut state.keys_open)
        .resizable(false)
        .show(ctx, |ui| {
            egui::Grid::new("keys").striped(true).show(ui, |ui| {
                for key in KEYS {
                    ui.monospace(key.name);
                    ui.label(key.help);
                    ui.end_row();
                }
            });
            ui.label("Mouse: left orbits, right looks, middle pans, wheel zooms. W A S D Q E fly.");
        });
}
