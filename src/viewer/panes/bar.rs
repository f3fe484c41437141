//! The bar at the top of the window: opening files, arrangement and list of panes, current activity, and adapter.

use std::path::PathBuf;

use clap::ValueEnum;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Button, Layout, PopupCloseBehavior, RichText, Ui};

use super::style::{ask, warn, warning};
use crate::gpu::checks_shaders;
use crate::model::Capabilities;
use crate::paths::last_part;
use crate::progress::left_in_words;
use crate::viewer::action::{Action, Pick};
use crate::viewer::controls::{action, choices};
use crate::viewer::dock::{Arrangement, Dock, Pane};
use crate::viewer::keys::with_key;
use crate::viewer::readings::Readings;
use crate::viewer::shaders::ShaderStatus;
use crate::viewer::state::State;
use crate::viewer::window_state::Recent;

const HEIGHT: f32 = 26.0;
/// Minimum width that the buttons leave for the adapter's name.
const WIDE: f32 = 380.0;

pub fn bar(ui: &mut Ui, state: &State, asked: &mut Vec<Action>, readings: &Readings) {
    egui::Panel::top("bar").exact_size(HEIGHT).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            files(ui, &state.files.recent, asked);
            arrangements(ui, &state.panes.dock, asked);
            panes(ui, &state.panes.dock, asked);
            let theme = if state.panes.is_light {
                "dark"
            } else {
                "light"
            };
            let hover = "Light or dark theme";
            ask(ui, asked, (theme, hover), Action::ToggleTheme);
            let hover = "Help: keys, mouse, glossary";
            ask(ui, asked, ("help", hover), Action::ToggleKeys);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let sign = readings.shaders.and_then(ShaderStatus::sign);
                // Activity takes precedence over the adapter.
                let is_calm = readings.busy.is_none() && sign.is_none();
                if is_calm || ui.max_rect().width() > 2.0 * WIDE {
                    adapter(ui, &state.machine.caps);
                }
                broken(ui, sign, asked);
                busy(ui, asked, readings);
            });
        });
    });
}

fn files(ui: &mut Ui, recent: &Recent, asked: &mut Vec<Action>) {
    let hover = "Open a scene, splats, a model or a preset, or drop the file on the window";
    ask(ui, asked, ("open…", hover), Action::Browse(Pick::Open));
    let menu = ui.menu_button("recent", |ui| {
        if recent.paths().is_empty() {
            ui.label(RichText::new("No file opened yet").weak());
            return;
        }
        for path in recent.paths() {
            if action(ui, (last_part(path), path)) {
                asked.push(Action::Use(Pick::Open, PathBuf::from(path)));
            }
        }
        ui.separator();
        let hover = "Clear this list; the files stay on disk";
        ask(ui, asked, ("clear list", hover), Action::ForgetRecent);
    });
    menu.response.on_hover_text("Recently opened files");
}

fn arrangements(ui: &mut Ui, dock: &Dock, asked: &mut Vec<Action>) {
    let now = dock.arrangement();
    for (arrangement, name, what) in choices::<Arrangement>() {
        let response = ui.selectable_label(now == Some(arrangement), name);
        let arrange = Action::Arrange(arrangement);
        let hover = with_key(&format!("{what}. Resets moved and resized panes"), &arrange);
        if response.on_hover_text(hover).clicked() {
            asked.push(arrange);
        }
    }
}

fn panes(ui: &mut Ui, dock: &Dock, asked: &mut Vec<Action>) {
    // The menu stays open while panes are ticked.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let menu = MenuButton::new("panes").config(config).ui(ui, |ui| {
        for pane in Pane::value_variants()
            .iter()
            .filter(|pane| **pane != Pane::Picture)
        {
            let mut is_there = dock.has(*pane);
            let (name, what) = pane.texts();
            let hover = with_key(what, &Action::OpenPane(*pane));
            let ticked = ui.checkbox(&mut is_there, name).on_hover_text(hover);
            if ticked.changed() {
                asked.push(Action::TogglePane(*pane));
            }
        }
    });
    let hover = "Show or hide panes. Drag a tab to move its pane, drag an edge to resize it. Key \
        P hides all but the picture.";
    menu.0.on_hover_text(hover);
}

fn broken(ui: &mut Ui, sign: Option<String>, asked: &mut Vec<Action>) {
    let Some(sign) = sign else { return };
    let button = Button::new(RichText::new(sign).color(warning(ui))).truncate();
    let open = Action::OpenPane(Pane::Log);
    let hover = "The last good shaders stay in use. A click opens the log.";
    let hover = with_key(hover, &open);
    if ui.add(button).on_hover_text(hover).clicked() {
        asked.push(open);
    }
}

fn busy(ui: &mut Ui, asked: &mut Vec<Action>, readings: &Readings) {
    let Some(busy) = &readings.busy else {
        return;
    };
    let stop = ("stop", "Stop this task and discard its result");
    ask(ui, asked, stop, Action::CancelWork);
    let part = format!("{:.0} %{}", busy.done * 100.0, left_in_words(busy.left));
    let bar = egui::ProgressBar::new(busy.done as f32).text(part);
    let room = ui.available_width().clamp(40.0, 130.0);
    ui.add(bar.desired_width(room));
    ui.add(egui::Label::new(&busy.next).truncate());
}

fn adapter(ui: &mut Ui, caps: &Capabilities) {
    if ui.max_rect().width() > WIDE {
        let waves = caps.wave_sizes();
        let waves = waves.unwrap_or_else(|| "operations missing".to_owned());
        let name = format!("{}, wave {waves}", caps.name);
        ui.add(egui::Label::new(RichText::new(name).weak()).truncate());
    }
    if checks_shaders() {
        let hover = "Run-time checks in shaders make times unreliable";
        warn(ui, "debug build").on_hover_text(hover);
    }
    if caps.is_cpu {
        warn(ui, "CPU adapter").on_hover_text("Times are not GPU measurements");
    }
}
