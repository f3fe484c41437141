//! Keyboard focus: draws a ring around the focused control and scrolls it into view.

use egui::{Id, Key, Sense, Stroke, StrokeKind, Ui};

use super::style::focus_color;
use crate::viewer::dock::Pane;

const WIDTH: f32 = 2.0;
const DISTANCE: f32 = 1.0;

pub fn focused(ui: &Ui) -> Option<Id> {
    ui.memory(|memory| memory.focused())
}

/// Focus target that precedes the first control of a pane.
fn entrance(pane: Pane) -> Id {
    Id::unique(("entrance", pane))
}

/// Lets Tab enter the pane that was opened with a key. Until then, the window's shortcuts keep working.
pub fn enter(ui: &Ui, pane: &mut Option<Pane>) {
    let [is_tab, is_mouse] =
        ui.input(|input| [input.key_pressed(Key::Tab), input.pointer.any_pressed()]);
    if let Some(pane) = pane.take_if(|_| is_tab || is_mouse).filter(|_| is_tab) {
        ui.memory_mut(|memory| memory.request_focus(entrance(pane)));
    }
}

/// Keeps the focus at the entrance of a pane, so that the same Tab continues inside the pane.
pub fn stay(ui: &Ui, pane: Pane) {
    let id = entrance(pane);
    if focused(ui) == Some(id) {
        ui.interact(ui.max_rect(), id, Sense::focusable_noninteractive());
    }
}

pub fn ring(ui: &Ui) {
    let response = focused(ui).and_then(|id| ui.ctx().read_response(id));
    // A control that is scrolled out of view has no ring.
    if let Some(response) = response.filter(|response| response.interact_rect.is_positive()) {
        let rect = response.interact_rect.expand(DISTANCE);
        let stroke = Stroke::new(WIDTH, focus_color(ui));
        let painter = ui.ctx().layer_painter(response.layer_id);
        painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Middle);
    }
}

/// Scrolls to the focused control, if the focus has moved to this pane since `before`.
pub fn follow(ui: &Ui, before: Option<Id>) {
    let now = focused(ui).filter(|now| Some(*now) != before);
    let response = now.and_then(|id| ui.ctx().read_response(id));
    if let Some(response) = response.filter(|of| ui.min_rect().contains_rect(of.rect)) {
        ui.scroll_to_rect(response.rect, None);
    }
}
