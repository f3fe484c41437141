//! Where the keyboard is: a ring around the control that has it, whatever that is, in sight.

use egui::{Id, Key, Sense, Stroke, StrokeKind, Ui};

use super::style::focus_color;
use crate::viewer::dock::Pane;

const WIDTH: f32 = 2.0;
const DISTANCE: f32 = 1.0;

pub fn focused(ui: &Ui) -> Option<Id> {
    ui.memory(|memory| memory.focused())
}

/// What has the keyboard before the first control of a pane.
fn entrance(pane: Pane) -> Id {
    Id::unique(("entrance", pane))
}

/// Lets Tab go into the pane that was opened by a key. Until then the keys of the window go on.
pub fn enter(ui: &Ui, pane: &mut Option<Pane>) {
    let [is_tab, is_mouse] =
        ui.input(|input| [input.key_pressed(Key::Tab), input.pointer.any_pressed()]);
    if let Some(pane) = pane.take_if(|_| is_tab || is_mouse).filter(|_| is_tab) {
        ui.memory_mut(|memory| memory.request_focus(entrance(pane)));
    }
}

/// The entrance of a pane, where it has the keyboard: the same Tab goes on inside.
pub fn stay(ui: &Ui, pane: Pane) {
    let id = entrance(pane);
    if focused(ui) == Some(id) {
        ui.interact(ui.max_rect(), id, Sense::focusable_noninteractive());
    }
}

pub fn ring(ui: &Ui) {
    let response = focused(ui).and_then(|id| ui.ctx().read_response(id));
    // What is scrolled out of sight has no ring.
    if let Some(response) = response.filter(|response| response.interact_rect.is_positive()) {
        let rect = response.interact_rect.expand(DISTANCE);
        let stroke = Stroke::new(WIDTH, focus_color(ui));
        let painter = ui.ctx().layer_painter(response.layer_id);
        painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Middle);
    }
}

/// Scrolls to what has the keyboard, if that went to a control of this pane since `before`.
pub fn follow(ui: &Ui, before: Option<Id>) {
    let now = focused(ui).filter(|now| Some(*now) != before);
    let response = now.and_then(|id| ui.ctx().read_response(id));
    if let Some(response) = response.filter(|of| ui.min_rect().contains_rect(of.rect)) {
        ui.scroll_to_rect(response.rect, None);
    }
}
