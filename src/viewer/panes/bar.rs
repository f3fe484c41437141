//! The bar along the top: files to open, how the panes are arranged, which there are, what the window is busy with, and
//! what it runs on.

use std::path::PathBuf;

use clap::ValueEnum;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Button, Layout, PopupCloseBehavior, RichText, Ui};

use super::Readings;
use super::style::{warn, warning};
use crate::gpu::checks_shaders;
use crate::model::Capabilities;
use crate::paths::last_part;
use crate::viewer::action::Action;
use crate::viewer::controls::{action, text};
use crate::viewer::dock::{Arrangement, Dock, Pane};
use crate::viewer::kept::Recent;
use crate::viewer::keys::{key_for, key_of_pane};
use crate::viewer::picking::Pick;
use crate::viewer::shaders::ShaderStatus;
use crate::viewer::state::State;

/// Height of the bar, points.
const HEIGHT: f32 = 26.0;
/// Where the buttons leave less width than this, there is no room for the adapter's name.
const WIDE: f32 = 380.0;

/// The whole bar.
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
            if action(ui, text(theme, "Light or dark theme. Key: T")) {
                asked.push(Action::ToggleTheme);
            }
            if action(ui, text("help", "Keys, mouse and words. Key: F1")) {
                asked.push(Action::ToggleKeys);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let sign = readings.shaders.and_then(ShaderStatus::sign);
                // What goes on goes before what the window runs on.
                let is_calm = readings.busy.is_none() && sign.is_none();
                if is_calm || ui.max_rect().width() > WIDE {
                    adapter(ui, &state.machine.caps);
                }
                broken(ui, sign, asked);
                busy(ui, asked, readings);
            });
        });
    });
}

/// Another file, in a dialog or of those that were opened last.
fn files(ui: &mut Ui, recent: &Recent, asked: &mut Vec<Action>) {
    let hover =
        "Open a scene, splats, a model or a preset, or drop the file on the window. Key: Ctrl+O";
    if action(ui, text("open…", hover)) {
        asked.push(Action::Browse(Pick::Open));
    }
    let menu = ui.menu_button("recent", |ui| {
        if recent.paths().is_empty() {
            ui.label(RichText::new("No file opened yet").weak());
            return;
        }
        for path in recent.paths() {
            if action(ui, text(last_part(path), path)) {
                asked.push(Action::Use(Pick::Open, PathBuf::from(path)));
            }
        }
        ui.separator();
        if action(
            ui,
            text("clear list", "Clear this list; the files stay on disk"),
        ) {
            asked.push(Action::ForgetRecent);
        }
    });
    menu.response.on_hover_text("Recently opened files");
}

fn arrangements(ui: &mut Ui, dock: &Dock, asked: &mut Vec<Action>) {
    let now = dock.arrangement();
    for arrangement in Arrangement::value_variants() {
        let (name, what) = arrangement.texts();
        let is_now = now == Some(*arrangement);
        let key = key_for(&Action::Arrange(*arrangement));
        let response = ui.selectable_label(is_now, name);
        let hover = format!("{what}. Resets moved and resized panes. Key: {key}");
        if response.on_hover_text(hover).clicked() {
            asked.push(Action::Arrange(*arrangement));
        }
    }
}

fn panes(ui: &mut Ui, dock: &Dock, asked: &mut Vec<Action>) {
    // It stays open while panes are ticked.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let menu = MenuButton::new("panes").config(config).ui(ui, |ui| {
        for pane in Pane::value_variants()
            .iter()
            .filter(|pane| **pane != Pane::Picture)
        {
            let mut is_there = dock.has(*pane);
            let (name, what) = pane.texts();
            if ui
                .checkbox(&mut is_there, name)
                .on_hover_text(format!("{what}.{}", key_of_pane(*pane)))
                .changed()
            {
                asked.push(Action::TogglePane(*pane));
            }
        }
    });
    let hover = "Show or hide panes. Drag a tab to move its pane, drag an edge to resize it. Key \
        P hides all but the picture.";
    menu.0.on_hover_text(hover);
}

/// A sign for as long as shaders are broken: the log says more.
fn broken(ui: &mut Ui, sign: Option<String>, asked: &mut Vec<Action>) {
    let Some(sign) = sign else { return };
    let button = Button::new(RichText::new(sign).color(warning(ui))).truncate();
    let key = key_of_pane(Pane::Log);
    let hover = format!("The last good shaders stay in use. A click opens the log.{key}");
    if ui.add(button).on_hover_text(hover).clicked() {
        asked.push(Action::OpenPane(Pane::Log));
    }
}

/// What the window is busy with, how far that is, how long it will take, and how to stop it. From the right.
fn busy(ui: &mut Ui, asked: &mut Vec<Action>, readings: &Readings) {
    let Some(busy) = &readings.busy else {
        return;
    };
    if action(ui, text("stop", "Stop and discard this. Key: Backspace")) {
        asked.push(Action::CancelWork);
    }
    let left = busy.left.map(|seconds| format!(", {seconds:.0} s left"));
    let part = format!("{:.0} %{}", busy.done * 100.0, left.unwrap_or_default());
    let bar = egui::ProgressBar::new(busy.done as f32).text(part);
    let room = ui.available_width().clamp(40.0, 130.0);
    ui.add(bar.desired_width(room));
    ui.add(egui::Label::new(&busy.next).truncate());
}

/// The adapter in a few words, with what makes its times mean little.
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
