//! Overlays of the window (the help and messages), and the card of the first start.

use web_time::Instant;

use egui::{Align2, Key, RichText, Ui};

use super::style::message;
use crate::viewer::action::Action;
use crate::viewer::controls::action;
use crate::viewer::keys::{KEYS, key_for};
use crate::viewer::messages::Messages;
use crate::viewer::state::{HelpPage, Panes};

const HELP: egui::Vec2 = egui::vec2(760.0, 680.0);

/// Width of the card in points: the space that two pictures leave in a window of 1280x720.
const CARD: f32 = 270.0;
const KEY: f32 = 18.0;

const PURPOSE: &str = "wavelerp composites translucent layers such as smoke and fog with many methods, and shows \
    which is fastest here and how much their pictures differ.";

/// Six things to try: the key of each, and its effect.
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

pub fn card(ui: &mut Ui, panes: &mut Panes) {
    if !panes.card_open {
        return;
    }
    let width = CARD.min(ui.available_width() / 2.0);
    let panel = egui::Panel::right("card").resizable(false);
    panel.exact_size(width).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.label(PURPOSE);
            ui.separator();
            ui.strong("Six things to try");
            tries(ui);
            ui.horizontal(|ui| {
                let hover = "The list of keys and words. Key: F1";
                if action(ui, ("all keys", hover)) {
                    panes.keys_open = true;
                }
                let hover = "Close this card. Key: Esc. The help (F1) repeats its tips.";
                if action(ui, ("got it", hover)) {
                    panes.card_open = false;
                }
            });
        });
    });
}

fn tries(ui: &mut Ui) {
    for (tried, what) in &TRIES {
        ui.horizontal_top(|ui| {
            let key = RichText::new(key_for(tried)).monospace().strong();
            ui.add_sized([KEY, 0.0], egui::Label::new(key));
            ui.vertical(|ui| ui.label(*what));
        });
    }
}

pub fn help(ctx: &egui::Context, panes: &mut Panes) {
    // Frame and title need some of the window's space; the rest scrolls.
    let room = ctx.content_rect().size() - egui::vec2(16.0, 54.0);
    let page = &mut panes.help;
    egui::Window::new("Help")
        .default_pos([300.0, 4.0])
        .open(&mut panes.keys_open)
        .resizable(false)
        .scroll(true)
        .default_size(room.min(HELP))
        .max_size(room)
        .show(ctx, |ui| {
            ui.label(PURPOSE);
            ui.horizontal(|ui| {
                for (name, hover, this) in [
                    ("keys", "What keys and mouse do", HelpPage::Keys),
                    (
                        "words",
                        "Glossary: wave, lane, tail, hazard and others",
                        HelpPage::Words,
                    ),
                    ("six things to try", "Where to begin", HelpPage::Tries),
                ] {
                    ui.selectable_value(page, this, name).on_hover_text(hover);
                }
            });
            ui.separator();
            scroll_by_keys(ui);
            match *page {
                HelpPage::Keys => keys(ui),
                HelpPage::Words => words(ui),
                HelpPage::Tries => tries(ui),
            }
        });
}

/// Scrolls the help with keys, because it does not fit into a small window.
fn scroll_by_keys(ui: &Ui) {
    let pressed = |key| ui.input(|input| input.num_presses(key) as f32);
    let pages = pressed(Key::PageUp) - pressed(Key::PageDown);
    if pages != 0.0 {
        ui.scroll_with_delta(egui::vec2(0.0, pages * 0.8 * ui.clip_rect().height()));
    }
}

fn words(ui: &mut Ui) {
    let grid = egui::Grid::new("words").striped(true).num_columns(2);
    grid.show(ui, |ui| {
        for (word, meaning) in WORDS.lines().filter_map(|line| line.split_once(": ")) {
            ui.strong(word);
            ui.label(meaning);
            ui.end_row();
        }
    });
}

fn keys(ui: &mut Ui) {
    // Two columns are used, so that everything fits into a window 720 pixels high.
    let half = KEYS.len().div_ceil(2);
    egui::Grid::new("keys")
        .striped(true)
        .spacing([8.0, 1.0])
        .min_row_height(15.0)
        .show(ui, |ui| {
            for row in 0..half {
                for key in [KEYS.get(row), KEYS.get(row + half)].into_iter().flatten() {
                    ui.monospace(key.name);
                    ui.label(key.help());
                }
                ui.end_row();
            }
        });
    ui.label(
        RichText::new(
            "Mouse on the picture: left orbits or drags the split, right looks, middle pans, wheel moves.\n\
             Ctrl+wheel zooms in on the pixels under the mouse, Ctrl+left pans. While the probe is on, a click locks its pixel.\n\
             W A S D Q E fly, Shift faster, Alt slower.",
        )
        .weak(),
    );
}

pub fn above(ctx: &egui::Context, messages: &mut Messages) {
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

/// Glossary of this program's terms, with a sentence for each.
const WORDS: &str = "\
A, B: The two methods that are compared: A left of the yellow line, B right of it.
layer: One translucent thing as seen at a pixel: a colour, an opacity and a depth.
composite: Blend a pixel's layers into one colour; methods differ only in how they do this.
T: Transmittance: how much light the layers so far let through, from 1 (all) to 0 (none).
item: Anything projected and listed: a particle, a cell of a pane, or a Gaussian.
fog slice: The fog between two depths; every pixel has one layer of each slice.
tile: A square of 8x8 or 16x16 pixels that share one list of layers, sorted by depth.
wave: The threads that a GPU runs in lockstep, 4 to 128 of them; also called warp or subgroup.
lane: One thread of a wave.
carry: The T behind one group of layers, which the next group starts with.
tail: The last group of a list, which has fewer layers than the wave has lanes.
hazard: The division 0/0 that a method may run into behind an opaque layer, and the ways to avoid it.
dial: How work is divided: pixels per wave or thread, threads per pixel, or layers per batch.
early out: Stopping once T is so small that no further layer would be visible.
precision: Number format for compositing: 32-bit floats or 16-bit half floats.
baseline: The method that ratios compare with: its ratio is 1.
ULP: Unit in the last place: the step from one float to the next, used to count errors.";
