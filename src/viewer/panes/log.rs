//! Panes "Files" and "Log".

use std::path::PathBuf;

use egui::{RichText, Role, Ui, WidgetInfo};

use super::style::{PaneFault, ask, failed, message};
use crate::viewer::action::{Action, Pick};
use crate::viewer::controls::{action, path, toggle};
use crate::viewer::dock::Pane;
use crate::viewer::link::page;
use crate::viewer::messages::Messages;
use crate::viewer::readings::Readings;
use crate::viewer::window_state::Recent;

const SHOWN: usize = 30;

pub fn bytes(size: u64) -> String {
    match size {
        0..10_240 => format!("{size} B"),
        10_240..10_485_760 => format!("{:.1} KiB", size as f64 / 1024.0),
        _ => format!("{:.1} MiB", size as f64 / 1_048_576.0),
    }
}

pub fn files(
    ui: &mut Ui,
    saved: &Recent,
    (labels_saved, preset_name): (&mut bool, &mut String),
    fault: PaneFault,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    ui.add_enabled_ui(readings.busy.is_none(), |ui| {
        ui.horizontal_wrapped(|ui| {
            let hover = "Save the picture, without the panes";
            ask(ui, asked, ("screenshot", hover), Action::Screenshot);
            let hover = "Save the window with its panes";
            let window = Action::ScreenshotOfWindow;
            ask(ui, asked, ("whole window", hover), window);
            let hover = "Save the pictures of A, B and all exact methods, their differences from the reference, and the report \
                with times, like wavelerp capture";
            let set = Action::ComparisonSet;
            ask(ui, asked, ("comparison set", hover), set);
            let hover = "Save the picture to a file of your choice";
            let browse = Action::Browse(Pick::SavePicture);
            ask(ui, asked, ("screenshot as…", hover), browse);
            let hover = "Save the comparison set to a new folder inside a folder of your choice";
            let browse = Action::Browse(Pick::SaveSet);
            ask(ui, asked, ("set into…", hover), browse);
        });
    });
    let hover = "Save the picture as on screen, with names, scales and marks. If off, it is saved \
        without them, at its own resolution.";
    toggle(ui, ("labels in screenshots", hover), (labels_saved, &false));
    saved_files(ui, saved, asked);
    let copy = (
        "copy command line",
        "Copy the command line that reopens this view",
    );
    ask(ui, asked, copy, Action::CopyCommand);
    if page().is_some() {
        let copy = ("copy link", "Copy the address that reopens this view");
        ask(ui, asked, copy, Action::CopyLink);
    }
    ui.horizontal_wrapped(|ui| {
        let text = ("preset", "Name of a preset, or a path ending in .ron");
        let (load, browse) = (Action::LoadPreset, Action::Browse(Pick::OpenPreset));
        asked.extend(path(ui, text, preset_name, fault.is_new, |_| load, browse));
    });
    failed(ui, Pane::Files, fault.said, asked);
    ui.horizontal_wrapped(|ui| {
        let save = ("save preset", "Save all settings under this name");
        ask(ui, asked, save, Action::SavePreset);
        let hover = "Save all settings to a file of your choice";
        let browse = Action::Browse(Pick::SavePreset);
        ask(ui, asked, ("save preset as…", hover), browse);
        let load = ("load preset", "Load the preset of this name");
        ask(ui, asked, load, Action::LoadPreset);
        for name in &readings.presets {
            if action(ui, (name, "Load this preset")) {
                preset_name.clone_from(name);
                asked.push(Action::LoadPreset);
            }
        }
    });
}

/// Lists saved files, newest first, one per line, so that they can be copied and searched.
fn saved_files(ui: &mut Ui, saved: &Recent, asked: &mut Vec<Action>) {
    for path in saved.paths() {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(path).small());
            let mut button = |what: &str, hover: &str, task: Action| {
                let button = ui.small_button(what);
                let name = format!("{what} of {path}");
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                if button.on_hover_text(hover).clicked() {
                    asked.push(task);
                }
            };
            button("copy", "Copy this path", Action::Copy(path.clone()));
            let folder = Action::OpenFolder(PathBuf::from(path));
            button("open folder", "Open the folder in the file manager", folder);
        });
    }
}

pub fn log(ui: &mut Ui, messages: &Messages) {
    let mut newest = messages.log().rev().take(SHOWN).peekable();
    if newest.peek().is_none() {
        ui.label(RichText::new("nothing to report").weak());
    }
    for said in newest {
        ui.horizontal_top(|ui| {
            let time = said.at.strftime("%H:%M:%S").to_string();
            let time = RichText::new(time).weak().monospace();
            ui.label(time);
            ui.vertical(|ui| message(ui, said));
        });
    }
}
