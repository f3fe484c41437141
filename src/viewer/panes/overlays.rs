//! What floats over the window: six things to try, the list of keys, and the lines that say what happened.

use std::time::Instant;

use egui::{Align2, RichText, Ui};

use super::style::message;
use crate::viewer::action::Action;
use crate::viewer::controls::{action, text};
use crate::viewer::keys::{KEYS, key_for};
use crate::viewer::messages::Messages;
use crate::viewer::state::Panes;

/// Size of what is in the list of keys, points.
const HELP: egui::Vec2 = egui::vec2(760.0, 680.0);

/// Everything that floats over the window and is open.
pub fn overlays(ctx: &egui::Context, panes: &mut Panes, messages: &mut Messages) {
    card(ctx, panes);
    keys(ctx, panes);
    above(ctx, messages);
}

/// Six things to try: a key each, and what is seen then.
const TRIES: [(Action, &str); 6] = [
    (
        Action::NextOther,
        "switches to the next method B; click a name in the table to make it A",
    ),
    (
        Action::ToggleSplit,
        "splits the picture; drag the yellow line between A and B",
    ),
    (
        Action::NextDifference,
        "shows the next view of the difference of A and B, with its scale",
    ),
    (
        Action::Measure,
        "measures all methods in turn and fills the table",
    ),
    (
        Action::ToggleProbe,
        "shows the layers of the pixel under the mouse; Ctrl+wheel zooms",
    ),
    (
        Action::Screenshot,
        "saves the picture, with the command that reproduces it",
    ),
];

/// The card that a window shows when it is opened for the first time.
fn card(ctx: &egui::Context, panes: &mut Panes) {
    let mut is_open = panes.card_open;
    egui::Window::new("Six things to try")
        .anchor(Align2::RIGHT_TOP, [-24.0, 72.0])
        .open(&mut is_open)
        .resizable(false)
        .collapsible(false)
        .show(ctx, |ui| {
            tries(ui);
            ui.horizontal(|ui| {
                if action(ui, text("all keys", "The list of keys. Key: F1")) {
                    panes.keys_open = true;
                }
                let hover = "Close this card. Key: Esc. F1 reopens it.";
                if action(ui, text("got it", hover)) {
                    panes.card_open = false;
                }
            });
        });
    panes.card_open &= is_open;
}

fn tries(ui: &mut Ui) {
    egui::Grid::new("tries").num_columns(2).show(ui, |ui| {
        for (tried, what) in &TRIES {
            ui.label(RichText::new(key_for(tried)).monospace().strong());
            ui.label(*what);
            ui.end_row();
        }
    });
}

/// The window that lists all keys.
fn keys(ctx: &egui::Context, panes: &mut Panes) {
    // Its frame and title need some of the window's room; what does not fit is scrolled to.
    let room = ctx.content_rect().size() - egui::vec2(16.0, 54.0);
    egui::Window::new("Help")
        .default_pos([300.0, 4.0])
        .open(&mut panes.keys_open)
        .resizable(false)
        .scroll(true)
        .default_size(room.min(HELP))
        .max_size(room)
        .show(ctx, |ui| {
            tries(ui);
            ui.separator();
            // Two columns: all of it fits a window of 720 pixels.
            let half = KEYS.len().div_ceil(2);
            egui::Grid::new("keys")
                .striped(true)
                .spacing([8.0, 1.0])
                .min_row_height(15.0)
                .show(ui, |ui| {
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
                    "Mouse on the picture: left orbits or drags the split, right looks, middle pans, wheel moves.\n\
                     Ctrl+wheel zooms in on the pixels under the mouse, Ctrl+left pans.\n\
                     W A S D Q E fly, Shift faster, Alt slower.",
                )
                .weak(),
            );
        });
}

/// The lines that say what happened.
fn above(ctx: &egui::Context, messages: &mut Messages) {
    let mut above = messages.above(Instant::now()).peekable();
    if above.peek().is_none() {
        return;
    }
    egui::Area::new(egui::Id::unique("toast"))
        .anchor(Align2::CENTER_BOTTOM, [0.0, -24.0])
        .interactable(false)
        .show(ctx, |ui| {
            for said in above {
                egui::Frame::popup(ui.style()).show(ui, |ui| message(ui, said));
            }
        });
}
