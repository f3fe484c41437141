//! Panes of the window and the bar above them, in one file each. A pane borrows the state that it shows and sets values
//! in it. It requests everything else through an action.

mod adapter;
mod bar;
mod code;
mod compare;
mod docking;
mod errors;
mod focus;
mod frame;
mod log;
mod method_card;
mod methods;
mod methods_table;
mod options;
mod overlays;
mod picture;
mod probe;
mod scale;
mod scene;
mod shown_methods;
mod style;
mod values;

use egui::Ui;

use super::dock::Pane;
use super::readings::Readings;
use super::state::State;
use super::window_state::LEAST_SIZE;

pub use style::apply_style;

pub fn window(ui: &mut Ui, state: &mut State, readings: &Readings) {
    style::follow_theme(ui.ctx(), state.panes.is_light);
    state.panes.picture.room = None;
    state.panes.picture.pixels_per_point = ui.ctx().pixels_per_point();
    focus::enter(ui, &mut state.panes.entered);
    let mut asked = state.take_asked();
    let size = ui.available_size();
    let has_room = size.x >= LEAST_SIZE[0] && size.y >= LEAST_SIZE[1];
    if state.panes.open && has_room {
        bar::bar(ui, state, &mut asked, readings);
        docking::dock(ui, state, &mut asked, readings);
    } else {
        docking::contents(ui, Pane::Picture, state, &mut asked, readings);
    }
    overlays::help(ui.ctx(), &mut state.panes);
    overlays::above(ui.ctx(), &mut state.messages);
    focus::ring(ui);
    state.asked = asked;
}
