//! Sections "Methods" and "Wave": which method, and the dials of its waves.

use egui::{RichText, Ui};

use super::{Readings, WARNING};
use crate::app::controls::{choice, slider, text, value};
use crate::app::keys::key_of;
use crate::app::state::State;
use crate::methods::{Hazard, Method};

/// The list of methods; unavailable ones are greyed and say why.
pub fn methods(ui: &mut Ui, state: &mut State) {
    for method in Method::all() {
        let entry = method.entry();
        let status = state.statuses.iter().find(|status| status.method == method);
        let reason = status.and_then(|status| status.unavailable.clone());
        let explanation = format!(
            "{}: {}.\n\nCost: {}.\nGuarantee: {}.\nOrigin: {}.\nKey: {}.",
            entry.name,
            entry.mapping,
            entry.cost,
            entry.guarantee,
            entry.origin,
            key_of(method)
        );
        ui.add_enabled_ui(reason.is_none(), |ui| {
            ui.radio_value(&mut state.compare.a, method, entry.name)
                .on_hover_text(&explanation)
                .on_disabled_hover_text(format!(
                    "{explanation}\n\nUnavailable: {}",
                    reason.as_deref().unwrap_or_default()
                ));
        });
        ui.indent(entry.name, |ui| {
            ui.label(RichText::new(entry.cost).weak().small());
        });
    }
}

/// Wave details (shown) and dials (switchable).
pub fn wave(ui: &mut Ui, state: &mut State, readings: &Readings) {
    let (method, other) = (state.left(), state.right());
    let size =
        |size: Option<u32>| size.map_or("unknown".to_owned(), |size| format!("{size} lanes"));
    let [ran, other_ran] = readings.wave_sizes;
    if method.uses_waves() {
        ui.label(format!("{method} ran at a wave of {}", size(ran)));
    } else {
        ui.label(format!("{method} uses no waves"));
    }
    if let Some(other) = other.filter(|other| other.uses_waves() && method.uses_waves())
        && let (Some(a), Some(b)) = (ran, other_ran)
        && a != b
    {
        ui.colored_label(
            WARNING,
            format!("{other} ran at a wave of {b} lanes: compare their times with care"),
        );
    }
    ui.label(format!("tail: {}", method.entry().tail));
    ui.label(format!("carry: {}", method.entry().carry));
    let longest = readings.counters.longest_list;
    let lanes = ran.unwrap_or(state.caps.wave_max).max(1);
    ui.label(format!(
        "longest list: {longest} layers, {} groups of {lanes}",
        longest.div_ceil(lanes)
    ));
    let settings = &mut state.settings;
    let hazards = [
        (
            Hazard::Driver,
            "The exclusive product as the driver gives it",
        ),
        (
            Hazard::Division,
            "Inclusive product / (1-t): not a number where t = 1, shown in magenta",
        ),
        (Hazard::Guarded, "Inclusive product / max(1-t, 1e-5)"),
    ];
    let hazards =
        hazards.map(|(hazard, hover)| (hazard, hazard.name().to_owned(), hover.to_owned()));
    choice(
        ui,
        text("hazard", "How the exclusive prefix product is formed"),
        value(&mut settings.hazard, &state.defaults.hazard),
        &hazards,
    );
    slider(
        ui,
        text(
            "early-out",
            "Transmittance below which a pixel may stop; 0 is off. The error is at most this times \
             the largest radiance skipped. Keep it off when comparing.",
        ),
        value(&mut settings.early_out, &state.defaults.early_out),
        0.0..=0.5,
        |slider| slider.logarithmic(true).smallest_positive(1e-4),
    );
    let most = settings.tile * settings.tile;
    settings.pixels_per_wave = settings.pixels_per_wave.min(most);
    let counts: Vec<_> = (0..=most.ilog2())
        .map(|power| (1 << power, (1 << power).to_string(), String::new()))
        .collect();
    choice(
        ui,
        text(
            "pixels per wave",
            "Pixels of its tile that a wave walks. Changes times several-fold: compare methods at \
             the same value.",
        ),
        value(
            &mut settings.pixels_per_wave,
            &state.defaults.pixels_per_wave.min(most),
        ),
        &counts,
    );
}
