//! The panes in their places: the contents of each pane, and the display of the tree with `egui_tiles`.

use egui::{Frame, ScrollArea, Ui, WidgetText};
use egui_tiles::{Behavior, SimplificationOptions, Tabs, Tile, TileId, Tiles, UiResponse};

use super::method_card::Methods;
use super::methods::head;
use super::shown_methods::ShownMethods;
use super::style::{PaneFault, failed};
use super::{
    adapter, code, compare, errors, focus, frame, log, options, overlays, picture, probe, scene,
};
use crate::viewer::action::Action;
use crate::viewer::dock::Pane;
use crate::viewer::keys::with_key;
use crate::viewer::readings::Readings;
use crate::viewer::state::State;

const TAB_BAR: f32 = 24.0;

/// Minimum width of a pane's contents in points. Narrower panes scroll sideways.
const LEAST_WIDTH: f32 = 270.0;

pub fn dock(ui: &mut Ui, state: &mut State, asked: &mut Vec<Action>, readings: &Readings) {
    let mut tree = state.panes.dock.take();
    let is_pane = |tile: &&Tile<Pane>| matches!(tile, Tile::Pane(_));
    let mut docking = Docking {
        state,
        asked,
        readings,
        is_alone: tree.tiles.tiles().filter(is_pane).count() == 1,
    };
    tree.ui(&mut docking, ui);
    state.panes.dock.give_back(tree);
}

pub fn contents(
    ui: &mut Ui,
    pane: Pane,
    state: &mut State,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    let State {
        subject,
        files,
        saved,
        comparison,
        probe: probed,
        times,
        machine,
        panes,
        messages,
        asked: _,
    } = state;
    let said = messages.faults.get(&pane).map(String::as_str);
    let is_new = said.is_some() && panes.named_in == Some(pane);
    if is_new {
        panes.named_in = None;
    }
    let fault = PaneFault { said, is_new };
    match pane {
        Pane::Picture => {
            overlays::card(ui, panes);
            picture::picture(ui, &mut panes.picture, comparison, probed, asked, readings);
        }
        Pane::Methods => Methods {
            subject,
            comparison,
            times,
            machine,
            order: &mut panes.methods_by,
            code: &mut panes.code,
            asked,
            readings,
        }
        .show(ui),
        Pane::Options => options::options(ui, subject, comparison, &machine.caps, readings),
        Pane::Scene => {
            let shown = ShownMethods::new(comparison, readings);
            let limits = (&shown, machine.caps.max_texture_edge);
            scene::scene(ui, subject, files, limits, fault, asked, readings);
        }
        Pane::Files => {
            let labels_saved = &mut comparison.chosen.labels_saved;
            let name = &mut panes.preset_name;
            log::files(ui, saved, (labels_saved, name), fault, asked, readings);
        }
        Pane::Adapter => adapter::adapter(ui, machine, &subject.defaults, readings),
        Pane::Frame => {
            let known = |method| Some(times.current(method, &subject.settings)?.statistics());
            frame::frame(ui, &mut panes.passes_by, comparison, known, readings);
        }
        Pane::Compare => {
            let (settings, usable) = (&subject.settings, machine.usable());
            compare::compare(ui, comparison, settings, &usable, asked, readings);
        }
        Pane::Probe => {
            probe::probe(ui, probed, subject, comparison, machine, asked, readings);
        }
        Pane::Errors => {
            let current = times.now(&subject.settings, readings.choice);
            let adapter = &machine.caps.name;
            errors::errors(ui, &current, &comparison.chosen, adapter, asked);
        }
        Pane::Code => {
            let shown = (&comparison.chosen, &subject.settings.options);
            let page = &mut panes.code;
            code::code(ui, page, shown, &machine.caps, asked, readings);
        }
        Pane::Log => log::log(ui, messages),
    }
}

struct Docking<'a, 'r> {
    state: &'a mut State,
    asked: &'a mut Vec<Action>,
    readings: &'a Readings<'r>,
    /// True if the picture is the only pane. It then has no tab.
    is_alone: bool,
}

impl Behavior<Pane> for Docking<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        if *pane == Pane::Picture {
            contents(ui, *pane, self.state, self.asked, self.readings);
            return UiResponse::None;
        }
        let fill = ui.visuals().panel_fill;
        Frame::new().fill(fill).inner_margin(6).show(ui, |ui| {
            focus::stay(ui, *pane);
            if *pane == Pane::Methods {
                head(ui, &mut self.state.panes.methods_by);
            }
            let is_narrow = ui.available_width() < LEAST_WIDTH;
            ScrollArea::new([is_narrow, true])
                .id_salt(*pane)
                .auto_shrink([false; 2])
                .show(ui, |ui| {
                    if is_narrow {
                        ui.set_max_width(LEAST_WIDTH);
                    }
                    let before = focus::focused(ui);
                    // Panes with a path field show failures below that field.
                    if !matches!(pane, Pane::Scene | Pane::Files) {
                        let fault = self.state.messages.faults.get(pane);
                        failed(ui, *pane, fault.map(String::as_str), self.asked);
                    }
                    contents(ui, *pane, self.state, self.asked, self.readings);
                    focus::follow(ui, before);
                });
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        pane.name().into()
    }

    fn on_tab_button(
        &mut self,
        tiles: &mut Tiles<Pane>,
        tile: TileId,
        button: egui::Response,
    ) -> egui::Response {
        let Some(Tile::Pane(pane)) = tiles.get(tile) else {
            return button;
        };
        let (_, what) = pane.texts();
        let hover =
            format!("{what}. Drag the tab to move the pane; close it in the menu \"panes\".");
        button.on_hover_text(with_key(&hover, &Action::OpenPane(*pane)))
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TAB_BAR
    }

    fn tab_title_spacing(&self, _: &egui::Visuals) -> f32 {
        6.0
    }

    fn is_tab_bar_visible(&self, _: TileId, _: &Tabs) -> bool {
        !self.is_alone
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        3.0
    }

    fn min_size(&self) -> f32 {
        48.0
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            flatten_tabs_in_tabs: true,
            ..SimplificationOptions::default()
        }
    }
}
