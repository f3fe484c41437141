//! What floats over the picture: probe, measured times, keys, toast.

use std::time::Instant;

use egui::{Align2, RichText};

use super::{Readings, probe, timings};
use crate::app::keys::KEYS;
use crate::app::state::State;

/// Everything that floats over the picture and is open.
pub fn overlays(ctx: &egui::Context, state: &mut State, readings: &Readings) {
    if state.probe.on {
        probe::window(ctx, state, readings);
    }
    timings::measured(ctx, state, readings);
    keys(ctx, state);
    toast(ctx, state);
}

/// The window that lists all keys.
fn keys(ctx: &egui::Context, state: &mut State) {
    egui::Window::new("Keys")
        .default_pos([400.0, 40.0])
        .open(&mut state.keys_open)
        .resizable(false)
        .show(ctx, |ui| {
            // Two columns: all of it fits a window of 720 pixels.
            let half = KEYS.len().div_ceil(2);
            egui::Grid::new("keys").striped(true).show(ui, |ui| {
                for row in 0..half {
                    for key in [KEYS.get(row), KEYS.get(row + half)].into_iter().flatten() {
                        ui.monospace(key.name);
                        ui.label(key.help);
                    }
                    ui.end_row();
                }
            });
            ui.label(
                RichText::new(
                    "Mouse: left orbits or drags the split, right looks, middle pans, wheel zooms.\n\
                     W A S D Q E fly, Shift faster, Ctrl slower.",
                )
                .weak(),
            );
        });
}

fn toast(ctx: &egui::Context, state: &mut State) {
    state.toast = state.toast.take().filter(|toast| Instant::now() < toast.1);
    let Some((line, _)) = &state.toast else {
        return;
    };
    egui::Area::new(egui::Id::unique("toast"))
        .anchor(Align2::CENTER_BOTTOM, [0.0, -24.0])
        .interactable(false)
        .show(ctx, |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| ui.label(line));
        });
}
