//! Section "Timings" and the window of measured times.

use egui::{RichText, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};

use super::{Readings, WARNING};
use crate::app::action::Action;
use crate::app::controls::{action, text};
use crate::app::measured::Table;
use crate::app::state::State;
use crate::render::live::Measurement;

/// GPU times of every pass, CPU time, history, and the button that measures all methods.
pub fn timings(ui: &mut Ui, state: &mut State, readings: &Readings) {
    if let Some(clock) = readings.clock {
        let name = format!("by {}", clock.source.name());
        ui.label(name).on_hover_text(&clock.reason);
    }
    if state.caps.is_cpu {
        ui.colored_label(WARNING, "CPU adapter: these are no GPU measurements");
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
    ui.label(format!(
        "CPU, recording and presenting: {:.2} ms",
        readings.cpu_ms
    ));
    history(ui, state, readings);
    let running = readings.is_measuring();
    ui.horizontal(|ui| {
        let (label, hover) = if running {
            ("stop measuring", "Stop; what was measured so far is dropped. Key: M")
        } else {
            (
                "measure all methods",
                "Warm up, then run every usable method in turn, many rounds on the same lists. Key: M",
            )
        };
        let enabled = readings.busy.is_none();
        ui.add_enabled_ui(enabled || running, |ui| {
            if action(ui, text(label, hover)) {
                state.ask(Action::Measure);
            }
        });
        let measured = readings.measurement.is_some() && !state.measured_open;
        if measured && action(ui, text("show times", "Open the window of measured times")) {
            state.measured_open = true;
        }
    });
    if let Some(measurement) = readings.measurement.filter(|_| running) {
        progress(ui, measurement);
    }
}

fn progress(ui: &mut Ui, measurement: &Measurement) {
    let (done, all) = (measurement.rounds_done, measurement.rounds.max(1));
    let text = if done < all {
        format!("{done} of {all} rounds")
    } else {
        format!("{done} rounds, until medians settle")
    };
    ui.add(egui::ProgressBar::new(done as f32 / all as f32).text(text));
}

fn history(ui: &mut Ui, state: &State, readings: &Readings) {
    let shown = [state.left().name(), state.compare.b.name()];
    Plot::new("composite times")
        .height(110.0)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .include_y(0.0)
        .legend(Legend::default())
        .show_x(false)
        .show(ui, |plot| {
            let lines = readings.times.iter();
            for times in lines.filter(|times| shown.contains(&times.label.as_str())) {
                let samples = times.samples.iter().enumerate();
                let points: PlotPoints =
                    samples.map(|(frame, time)| [frame as f64, *time]).collect();
                plot.line(Line::new(&times.label, points));
            }
        });
    ui.label(
        RichText::new("composite pass, ms, over the last frames")
            .weak()
            .small(),
    );
}

/// The window of measured times.
pub fn measured(ctx: &egui::Context, state: &mut State, readings: &Readings) {
    let Some(measurement) = readings.measurement else {
        return;
    };
    let mut open = state.measured_open;
    egui::Window::new("Measured times")
        .open(&mut open)
        .default_pos([400.0, 60.0])
        .resizable(false)
        .show(ctx, |ui| {
            if !measurement.finished {
                progress(ui, measurement);
                return;
            }
            table(ui, state, measurement);
        });
    state.measured_open = open;
}

fn table(ui: &mut Ui, state: &mut State, measurement: &Measurement) {
    let table = Table::new(measurement, &state.settings, &state.shaders, &state.caps);
    egui::Grid::new("measured")
        .striped(true)
        .num_columns(7)
        .show(ui, |ui| {
            for title in [
                "method",
                "wave",
                "median ms",
                "p5",
                "p95",
                "to read-lane-loop",
                "",
            ] {
                ui.label(RichText::new(title).weak());
            }
            ui.end_row();
            for row in &table.rows {
                ui.label(row.method);
                ui.monospace(
                    row.wave_size
                        .map_or("–".to_owned(), |size| size.to_string()),
                );
                for value in [row.times.median, row.times.p5, row.times.p95] {
                    ui.monospace(format!("{value:.3}"));
                }
                ui.monospace(
                    row.ratio
                        .map_or("–".to_owned(), |ratio| format!("{ratio:.3}")),
                );
                match &row.warning {
                    Some(warning) => {
                        ui.colored_label(WARNING, "spread").on_hover_text(warning);
                    }
                    None => {
                        ui.label("");
                    }
                }
                ui.end_row();
            }
        });
    for note in &table.notes {
        ui.label(RichText::new(note).weak().small());
    }
    let mut asked = None;
    ui.horizontal(|ui| {
        let hover = "Copy the table as comma-separated values";
        if action(ui, text("copy CSV", hover)) {
            // Only a bug makes this fail.
            asked = table.csv().ok().map(Action::Copy);
        }
        if action(ui, text("copy Markdown", "Copy the table as Markdown")) {
            asked = Some(Action::Copy(table.markdown()));
        }
        let hover = "Write table, settings, adapter and all samples to a file";
        if action(ui, text("save JSON", hover)) {
            asked = Some(Action::SaveTimes);
        }
    });
    if let Some(asked) = asked {
        state.ask(asked);
    }
}
