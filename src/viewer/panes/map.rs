//! Pane "Map": which method won at each number of outputs and layers of a benchmark record.

use egui::{Align2, Color32, FontId, Response, RichText, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use super::Readings;
use super::style::{Fault, ask, failed, note, rgb, warn};
use crate::model::format::{short, time, times};
use crate::model::methods::{Cost, ListKind};
use crate::model::options::Dial;
use crate::report::bench::format::NOT_A_GPU;
use crate::report::bench::map::{Cell, Map, Winner, pixels};
use crate::report::palette;
use crate::viewer::action::Action;
use crate::viewer::controls::{choice, path};
use crate::viewer::dock::Pane;
use crate::viewer::maps::{MapPage, Maps};
use crate::viewer::picking::Pick;

/// Points: height of a cell, width of the column of layers, width and gap that cells have at most.
const CELL_HEIGHT: f32 = 30.0;
const LAYERS_WIDTH: f32 = 34.0;
const WIDEST_CELL: f32 = 64.0;
const GAP: f32 = 2.0;
const UNTIMED: Color32 = Color32::from_gray(60);
/// Sizes of text in a cell: winner, dial.
const NUMBER_SIZE: f32 = 12.0;
const DIAL_SIZE: f32 = 9.5;

/// The record to open, the small benchmark, and the map of the record that is open.
pub fn map(
    ui: &mut Ui,
    page: &mut MapPage,
    fault: Fault,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    record(ui, &mut page.path, fault, asked);
    failed(ui, Pane::Map, fault.said, asked);
    ui.horizontal(|ui| {
        let named = !page.path.trim().is_empty();
        ui.add_enabled_ui(named, |ui| {
            let open = ("open", "Show the map of this record");
            ask(ui, asked, open, Action::OpenRecord);
        });
        let free = readings.busy.is_none() && !readings.is_measuring();
        ui.add_enabled_ui(free, |ui| {
            let hover = "Time all usable methods on synthetic lists of a few sizes, write record, \
                tables and charts to a new folder in bench/, and show the map. Takes seconds on a GPU, minutes on a CPU; the picture freezes meanwhile.";
            let run = ("run small benchmark", hover);
            ask(ui, asked, run, Action::SmallBenchmark);
        });
    });
    if let Some(maps) = page.maps.take() {
        choices(ui, page, &maps);
        page.maps = Some(maps);
    }
    let (Some(maps), Some(map)) = (&page.maps, page.shown()) else {
        let hint = "no record open; `wavelerp bench` writes one";
        ui.label(RichText::new(hint).weak());
        return;
    };
    grid(ui, map);
    legend(ui, map);
    if maps.is_cpu {
        warn(ui, NOT_A_GPU);
    }
    note(ui, &maps.caption);
}

fn record(ui: &mut Ui, typed: &mut String, fault: Fault, asked: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        let hover =
            "Path of a bench.json written by `wavelerp bench`; initially the newest one in bench/";
        let (open, browse) = (Action::OpenRecord, Action::Browse(Pick::OpenRecord));
        let text = ("record", hover);
        asked.extend(path(ui, text, typed, fault.is_new, |_| open, browse));
    });
}

/// Cost and kind of list, of those that the record has.
fn choices(ui: &mut Ui, page: &mut MapPage, maps: &Maps) {
    let Some(first) = maps.maps.first() else {
        return;
    };
    let mut costs: Vec<Cost> = maps.maps.iter().map(|map| map.cost).collect();
    costs.dedup();
    page.cost = one_of(page.cost, &costs);
    let options: Vec<_> = costs
        .iter()
        .map(|&cost| (cost, cost.to_string(), explained(cost).to_owned()))
        .collect();
    let text = ("cost", "Cost of evaluating a layer");
    choice(ui, text, (&mut page.cost, &first.cost), &options);
    let of_cost = maps.maps.iter().filter(|map| map.cost == page.cost);
    let kinds: Vec<ListKind> = of_cost.map(|map| map.kind).collect();
    page.kind = one_of(page.kind, &kinds);
    let options: Vec<_> = kinds
        .iter()
        .map(|&kind| (kind, kind.to_string(), String::new()))
        .collect();
    let hover = "Contents of the lists. On mixed lists, lanes that each hold a layer diverge.";
    let kind = (&mut page.kind, &one_of(first.kind, &kinds));
    choice(ui, ("kind", hover), kind, &options);
}

/// `wanted` where it is among `all`, else their first.
fn one_of<T: Copy + PartialEq>(wanted: T, all: &[T]) -> T {
    match all.first() {
        Some(first) if !all.contains(&wanted) => *first,
        _ => wanted,
    }
}

fn explained(cost: Cost) -> &'static str {
    match cost {
        Cost::Cheap => "A Gaussian",
        Cost::Textured => "A Gaussian and a texture fetch",
        Cost::Procedural => "A Gaussian and value noise computed in place",
    }
}

/// Outputs across, layers up, a cell coloured by its winner.
fn grid(ui: &mut Ui, map: &Map) {
    let columns = map.outputs.len().max(1) as f32;
    let room = (ui.available_width() - LAYERS_WIDTH) / columns - GAP;
    let size = vec2(room.clamp(1.0, WIDEST_CELL), CELL_HEIGHT);
    ui.spacing_mut().item_spacing = vec2(GAP, GAP);
    note(ui, "layers (down), output pixels (across)");
    for (row, layers) in map.layers.iter().enumerate().rev() {
        ui.horizontal(|ui| {
            let label = format!("{layers}");
            mark(ui, vec2(LAYERS_WIDTH, CELL_HEIGHT), &label)
                .on_hover_text(format!("{layers} layers per pixel"));
            for column in 0..map.outputs.len() {
                cell(ui, size, map, column, row);
            }
        });
    }
    ui.horizontal(|ui| {
        mark(ui, vec2(LAYERS_WIDTH, 14.0), "");
        for &[width, height] in &map.outputs {
            let label = short(pixels([width, height]));
            mark(ui, vec2(size.x, 14.0), &label).on_hover_text(format!("{width}x{height}"));
        }
    });
    ui.spacing_mut().item_spacing = ui.ctx().global_style().spacing.item_spacing;
}

/// A small text in the middle of a place.
fn mark(ui: &mut Ui, size: Vec2, label: &str) -> Response {
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    let colour = ui.visuals().weak_text_color();
    let font = FontId::proportional(DIAL_SIZE);
    let middle = place.center();
    ui.painter()
        .text(middle, Align2::CENTER_CENTER, label, font, colour);
    response
}

/// A cell: the winner's number and dial; who won by how much when the mouse rests on it.
fn cell(ui: &mut Ui, size: Vec2, map: &Map, column: usize, row: usize) {
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    let Some(cell) = map.cell(column, row) else {
        return;
    };
    let ([width, height], layers) = (map.outputs[column], map.layers[row]);
    let what = format!("{width}x{height}, {layers} layers");
    let painter = ui.painter();
    let fill = match &cell.winner {
        Some(winner) => colour(winner),
        None => [UNTIMED.r(), UNTIMED.g(), UNTIMED.b()],
    };
    painter.rect_filled(place, 2.0, rgb(fill));
    let ink = rgb(palette::on(fill));
    let (number, dial) = match &cell.winner {
        Some(winner) => (palette::number(winner.method), winner.dial.as_str()),
        None => ("–".to_owned(), ""),
    };
    let lift = if dial.is_empty() { 0.0 } else { 6.0 };
    for (text, size, down) in [
        (number.as_str(), NUMBER_SIZE, -lift),
        (dial, DIAL_SIZE, 8.0),
    ] {
        let at = place.center() + vec2(0.0, down);
        let font = FontId::proportional(size);
        painter.text(at, Align2::CENTER_CENTER, text, font, ink);
    }
    let words = format!("{what}\n{}", in_words(map, cell));
    let first_line = words.replace('\n', ": ");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &first_line));
    response.on_hover_text(words);
}

/// The winner, its lead over the next, and the map's ratio.
fn in_words(map: &Map, cell: &Cell) -> String {
    let Some(winner) = &cell.winner else {
        return format!("not timed ({} rows left out)", cell.skipped);
    };
    let mut words = format!("{}: {}", winner.runner, time(winner.median));
    if let Some((method, ratio)) = winner.second {
        words += &format!("\nnext {method}: {}", times(ratio));
    }
    if let (Some(rivals), Some(ratio)) = (map.rivals, cell.rivals) {
        words += &format!("\n{}: {}", rivals.name(), times(ratio));
    }
    words
}

/// The winners with the number of cells that each has.
fn legend(ui: &mut Ui, map: &Map) {
    let cells = || {
        let rows = 0..map.layers.len();
        rows.flat_map(|row| (0..map.outputs.len()).filter_map(move |at| map.cell(at, row)))
    };
    for method in map.winners() {
        let won = |cell: &&Cell| cell.winner.as_ref().is_some_and(|w| w.method == method);
        let wins = cells().filter(won).count();
        ui.horizontal(|ui| {
            let (place, _) = ui.allocate_exact_size(vec2(24.0, 14.0), Sense::hover());
            let colour = palette::colour(method);
            ui.painter().rect_filled(place, 2.0, rgb(colour));
            let (middle, font) = (place.center(), FontId::proportional(DIAL_SIZE));
            let ink = rgb(palette::on(colour));
            ui.painter().text(
                middle,
                Align2::CENTER_CENTER,
                palette::number(method),
                font,
                ink,
            );
            ui.label(format!("{method}: fastest in {wins}"));
        });
    }
    if let Some(rivals) = map.rivals {
        let words = format!(
            "Lighter: several pixels per thread. Hover over a cell for the ratio {}.",
            rivals.name()
        );
        note(ui, words);
    }
}

/// A winner's colour; lighter where a thread takes several pixels, as in the charts.
fn colour(winner: &Winner) -> [u8; 3] {
    let colour = palette::colour(winner.method);
    match winner.dial.parse() {
        Ok(Dial::Pixels(_)) => palette::lighter(colour),
        _ => colour,
    }
}
