//! Pane "Code": operation counts of methods A and B as dispatched, and the WGSL that is specific to each.

use std::rc::Rc;

use egui::{Label, RichText, ScrollArea, TextWrapMode, Ui};

use super::style::{ask, name_of_side, note, warn};
use crate::model::Capabilities;
use crate::model::options::Options;
use crate::runs::codegen::ops::{Counts, Section};
use crate::runs::codegen::{Sheet, cell, names};
use crate::viewer::action::Action;
use crate::viewer::code::CodePage;
use crate::viewer::preset::Compare;
use crate::viewer::readings::Readings;

/// Sections of counts that are displayed: those whose operations have a cost.
const SHOWN: [Section; 4] = [
    Section::Wave,
    Section::Arithmetic,
    Section::Memory,
    Section::Control,
];
const LISTING: f32 = 260.0;
const LISTING_TEXT: f32 = 10.0;

pub fn code(
    ui: &mut Ui,
    page: &mut CodePage,
    (chosen, options): (&Compare, &Options),
    caps: &Capabilities,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    let mut sheets: Vec<(&str, Rc<Sheet>)> = Vec::new();
    for (side, method) in [("A", chosen.a), ("B", chosen.b)] {
        let made = match method.missing_on(caps) {
            Some(reason) => Some(Err(format!("{method}: {reason}"))),
            None => (readings.runs(method, options)).map(|runs| page.sheet(caps, &runs)),
        };
        match made {
            Some(Ok(sheet)) => {
                ui.label(format!("{side}: {}", sheet.title))
                    .on_hover_text(format!("Counted: {}", sheet.runs));
                sheets.push((side, sheet));
            }
            Some(Err(reason)) => {
                warn(ui, format!("{side}: {reason}"));
            }
            None => {
                ui.label(format!(
                    "{side}: auto, which picks a method once it is shown"
                ));
            }
        }
    }
    counts(ui, &sheets);
    for (side, sheet) in &sheets {
        listing(ui, asked, side, sheet);
    }
}

pub fn brief(sheet: &Sheet) -> String {
    let counts = &sheet.counts;
    let of_section = |section: Section| {
        let rows = counts.rows.iter().filter(|row| row.section == section);
        let sites: usize = rows.map(|row| row.sites).sum();
        format!("{sites} {}", section.name())
    };
    SHOWN.map(of_section).join(", ")
}

fn counts(ui: &mut Ui, sheets: &[(&str, Rc<Sheet>)]) {
    let all: Vec<&Counts> = sheets.iter().map(|(_, sheet)| &sheet.counts).collect();
    egui::Grid::new("generated code")
        .striped(true)
        .num_columns(1 + sheets.len())
        .spacing([14.0, 4.0])
        .show(ui, |ui| {
            for section in SHOWN {
                let rows = names(&all, section);
                if rows.is_empty() {
                    continue;
                }
                ui.label(RichText::new(section.name()).weak());
                for (side, _) in sheets {
                    ui.label(name_of_side(ui, side));
                }
                ui.end_row();
                for name in rows {
                    ui.label(name);
                    for counts in &all {
                        ui.monospace(cell(counts, name));
                    }
                    ui.end_row();
                }
            }
        });
    let explanation = "Occurrences in the dispatched SPIR-V with calls expanded. In brackets: the deepest loop \
        nesting. `wavelerp shader METHOD --ops` shows more.";
    note(ui, explanation);
}

fn listing(ui: &mut Ui, asked: &mut Vec<Action>, side: &str, sheet: &Sheet) {
    ui.horizontal(|ui| {
        let label = format!("copy WGSL of {side}");
        let hover = format!("Copy the text of shaders/{}", sheet.file);
        let copy = Action::Copy(sheet.core.clone());
        ask(ui, asked, (&label, &hover), copy);
        note(ui, &sheet.file);
    });
    ScrollArea::both()
        .id_salt(("listing", side))
        .max_height(LISTING)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            let code = RichText::new(&sheet.core).monospace().size(LISTING_TEXT);
            ui.add(Label::new(code).wrap_mode(TextWrapMode::Extend));
        });
}
