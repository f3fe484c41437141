//! Panes "Files" and "Log".

use egui::{RichText, Ui};

use super::Readings;
use super::style::{failed, message};
use crate::viewer::action::Action;
use crate::viewer::controls::{PathUse, action, path, text, toggle, value};
use crate::viewer::dock::Pane;
use crate::viewer::messages::Messages;
use crate::viewer::picking::Pick;

/// Lines of the log that are shown.
const SHOWN: usize = 30;

/// A size for people.
pub fn bytes(size: u64) -> String {
    match size {
        0..10_240 => format!("{size} B"),
        10_240..10_485_760 => format!("{:.1} KiB", size as f64 / 1024.0),
        _ => format!("{:.1} MiB", size as f64 / 1_048_576.0),
    }
}

/// Screenshots, the command line, presets.
pub fn files(
    ui: &mut Ui,
    labels_saved: &mut bool,
    preset_name: &mut String,
    fault: Option<&str>,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    let pictures = [
        (
            "screenshot",
            "Save the picture, without the panes. Key: F2",
            Action::Screenshot,
        ),
        (
            "whole window",
            "Save the window with its panes. Key: Ctrl+F2",
            Action::ScreenshotOfWindow,
        ),
        (
            "comparison set",
            "Save every method's picture and its difference from the reference, a sheet and the \
            report, like wavelerp capture. Key: Shift+F2",
            Action::ComparisonSet,
        ),
        (
            "screenshot as…",
            "Save the picture to a file of your choice",
            Action::Browse(Pick::SavePicture),
        ),
        (
            "set into…",
            "Save the comparison set to a new folder inside a folder of your choice",
            Action::Browse(Pick::SaveSet),
        ),
    ];
    ui.add_enabled_ui(readings.busy.is_none(), |ui| {
        ui.horizontal_wrapped(|ui| {
            for (label, hover, task) in pictures {
                if action(ui, text(label, hover)) {
                    asked.push(task);
                }
            }
        });
    });
    let hover = "Save the picture as on screen, with names, scales and marks. Without them it is \
        saved in its own pixels.";
    toggle(
        ui,
        text("labels in screenshots", hover),
        value(labels_saved, &false),
    );
    let hover = "Copy the command line that reopens this view. Key: Ctrl+C";
    if action(ui, text("copy command line", hover)) {
        asked.push(Action::CopyCommand);
    }
    ui.horizontal_wrapped(|ui| {
        let hover = "Name of a preset, or a path ending in .ron";
        match path(ui, text("preset", hover), preset_name) {
            Some(PathUse::Browse) => asked.push(Action::Browse(Pick::OpenPreset)),
            Some(PathUse::Open) => asked.push(Action::LoadPreset),
            None => {}
        }
    });
    failed(ui, Pane::Files, fault, asked);
    ui.horizontal_wrapped(|ui| {
        if action(
            ui,
            text("save preset", "Save all settings under this name. Key: F5"),
        ) {
            asked.push(Action::SavePreset);
        }
        let hover = "Save all settings to a file of your choice";
        if action(ui, text("save preset as…", hover)) {
            asked.push(Action::Browse(Pick::SavePreset));
        }
        if action(
            ui,
            text("load preset", "Load the preset of this name. Key: F9"),
        ) {
            asked.push(Action::LoadPreset);
        }
        for name in &readings.presets {
            if action(ui, text(name, "Load this preset")) {
                preset_name.clone_from(name);
                asked.push(Action::LoadPreset);
            }
        }
    });
}

/// What happened, newest first.
pub fn log(ui: &mut Ui, messages: &Messages) {
    let mut newest = messages.log().rev().take(SHOWN).peekable();
    if newest.peek().is_none() {
        ui.label(RichText::new("nothing to report").weak());
    }
    for said in newest {
        message(ui, said);
    }
}
