//! Pane "Probe": the probed pixel, with its layers, groups and results.

use egui::{Color32, Response, RichText, Ui};
use egui_plot::{Bar, BarChart, HoverPosition, Line, LineStyle, Plot, PlotPoints, VLine};

use super::style::{colors_of_sides, legend, note, rgb};
use super::values::{CHANNELS, difference, of_both, plain};
use crate::live::inspect::{LayerId, ProbedLayer};
use crate::live::{LiveProbe, ProbeResult};
use crate::model::items::ItemKind;
use crate::model::methods::Method;
use crate::model::scene::{Scene, Splatted};
use crate::viewer::action::Action;
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::{action, toggle};
use crate::viewer::machine::Machine;
use crate::viewer::readings::Readings;
use crate::viewer::state::ProbeState;
use crate::viewer::subject::Subject;

const LISTED: usize = 64;
const TRANSMITTANCE: Color32 = Color32::from_rgb(70, 150, 80);
const GROUPS: Color32 = Color32::from_gray(120);
/// Upper limit of the plotted curves: weighted blending may assume any multiple of the available light.
const MOST_LIGHT: f64 = 1.25;

pub fn probe(
    ui: &mut Ui,
    probed: &mut ProbeState,
    subject: &Subject,
    comparison: &Comparison,
    machine: &Machine,
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    controls(ui, probed, subject.settings.size, asked);
    match readings.probe.filter(|_| probed.on) {
        Some(probe) => {
            let methods = [comparison.left(), comparison.chosen.b];
            pixel(ui, &subject.scene, methods, machine, readings, probe);
        }
        None if probed.on => {
            ui.label("move the mouse over the picture; a click there locks the pixel");
        }
        None => {}
    }
}

fn controls(
    ui: &mut Ui,
    probed: &mut ProbeState,
    [width, height]: [u32; 2],
    asked: &mut Vec<Action>,
) {
    let hover = "Show the layers of the pixel under the mouse and every method's result. Key: I";
    toggle(ui, ("probe", hover), (&mut probed.on, &false));
    ui.horizontal(|ui| {
        match (probed.at, probed.is_locked) {
            (Some([x, y]), true) => ui.label(format!("locked at {x},{y}")),
            (Some([x, y]), false) => ui.label(format!("at {x},{y}")),
            (None, _) => ui.label("no pixel"),
        };
        let label = if probed.is_locked { "unlock" } else { "lock" };
        let hover = "Lock the probe at its pixel, or let it follow the mouse. A click on the \
            picture locks it there. Key: L";
        let button = |ui: &mut Ui| action(ui, (label, hover));
        if ui.add_enabled_ui(probed.at.is_some(), button).inner {
            asked.push(Action::LockProbe);
        }
    });
    if let Some([x, y]) = probed.at.as_mut().filter(|_| probed.is_locked) {
        ui.horizontal(|ui| {
            for (label, now, most) in [("probe x", x, width), ("probe y", y, height)] {
                let label_response = ui.label(label);
                ui.add(egui::DragValue::new(now).range(0..=most.saturating_sub(1)))
                    .labelled_by(label_response.id)
                    .on_hover_text("Pixel, counted from 0,0 in the top left corner");
            }
        });
    }
}

fn pixel(
    ui: &mut Ui,
    scene: &Scene,
    methods: [Method; 2],
    machine: &Machine,
    readings: &Readings,
    probe: &LiveProbe,
) {
    let [x, y] = probe.pixel;
    let lanes = readings.wave_sizes[0]
        .unwrap_or(machine.caps.wave_max)
        .max(1);
    let groups = match probe.list_length.div_ceil(lanes) {
        1 => format!("one group of {lanes}"),
        groups => format!("{groups} groups of {lanes}"),
    };
    ui.label(format!(
        "pixel {x},{y}: {} layers, {groups}",
        probe.list_length
    ));
    if (probe.layers.len() as u32) < probe.list_length {
        ui.label(format!(
            "only the first {} layers are shown",
            probe.layers.len()
        ));
    }
    both(ui, methods, probe);
    let curves = curves(colors_of_sides(ui), methods, probe);
    plot(ui, scene, readings, probe, lanes, &curves);
    let mut lines = vec![
        (TRANSMITTANCE, "transmittance to each depth"),
        (GROUPS, "starts of groups"),
    ];
    lines.extend(curves.iter().map(|(color, name, _)| (*color, *name)));
    legend(ui, &lines);
    if !curves.is_empty() {
        let about = "curves of methods: the transmittance that they assume, up to 1.25";
        note(ui, about);
    }
    note(ui, "bars: each layer's opacity, in its colour");
    results(ui, &machine.compared(&methods), probe);
    egui::CollapsingHeader::new("layers, front to back")
        .show(ui, |ui| layers(ui, scene, readings, probe, lanes));
}

fn both(ui: &mut Ui, methods: [Method; 2], probe: &LiveProbe) {
    let [Some(a), Some(b)] = methods.map(|method| probe.result(method)) else {
        return;
    };
    let values = [a.value, b.value];
    let [of_a, of_b] = of_both(values);
    let [left, right] = methods.map(|method| method.name());
    let apart = format!("{left} minus {right}");
    let rows = [
        ("A", left, of_a),
        ("B", right, of_b),
        ("A - B", apart.as_str(), difference(values)),
    ];
    let [r, g, b, t] = CHANNELS;
    table(ui, "A and B", &["", r, g, b, t], |ui| {
        for (name, hover, values) in rows {
            ui.label(name).on_hover_text(hover);
            for value in values {
                small(ui, value);
            }
            ui.end_row();
        }
    });
}

fn table(ui: &mut Ui, name: &str, titles: &[&str], rows: impl FnOnce(&mut Ui)) {
    egui::ScrollArea::horizontal().id_salt(name).show(ui, |ui| {
        egui::Grid::new(name)
            .striped(true)
            .num_columns(titles.len())
            .min_col_width(0.0)
            .spacing([6.0, 1.0])
            .min_row_height(15.0)
            .show(ui, |ui| {
                for title in titles {
                    note(ui, *title);
                }
                ui.end_row();
                rows(ui);
            });
    });
}

fn small(ui: &mut Ui, text: impl Into<String>) -> Response {
    ui.label(RichText::new(text).small())
}

/// Colour, name and curve of A and of B, if they are approximate.
fn curves(
    colors: [Color32; 2],
    methods: [Method; 2],
    probe: &LiveProbe,
) -> Vec<(Color32, &'static str, &[[f64; 2]])> {
    let of = |(color, method): (Color32, Method)| {
        let result = probe.result(method)?;
        (!result.curve.is_empty()).then_some((color, method.name(), &*result.curve))
    };
    colors.into_iter().zip(methods).filter_map(of).collect()
}

fn plot(
    ui: &mut Ui,
    scene: &Scene,
    readings: &Readings,
    probe: &LiveProbe,
    lanes: u32,
    curves: &[(Color32, &str, &[[f64; 2]])],
) {
    // Leaves out invisible layers, such as layers behind the opaque surface.
    let shows = probe.layers.iter().filter(|layer| layer.opacity > 0.0);
    let shows: Vec<_> = shows.collect();
    let depths = || shows.iter().map(|layer| f64::from(layer.depth));
    let nearest = depths().fold(f64::MAX, f64::min);
    let width = (depths().fold(nearest, f64::max) - nearest) / 200.0;
    let mut transmittance = 1.0;
    let mut line = Vec::new();
    let mut bars = Vec::new();
    for layer in &shows {
        let (depth, opacity) = (f64::from(layer.depth), f64::from(layer.opacity));
        line.push([depth, transmittance]);
        transmittance *= 1.0 - opacity;
        line.push([depth, transmittance]);
        let bar = Bar::new(depth, opacity).width(width.max(1e-3));
        bars.push(bar.fill(shown(layer.color)).stroke(egui::Stroke::NONE));
    }
    let counts = &readings.counts;
    // The layer nearest in depth, no matter which curve is under the mouse.
    let at = |hovered: &HoverPosition| {
        let depth = match hovered {
            HoverPosition::NearDataPoint { position, .. }
            | HoverPosition::Elsewhere { position } => position.x,
        };
        let off = |layer: &&&ProbedLayer| (f64::from(layer.depth) - depth).abs();
        let nearest = shows.iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let (name, _) = kind_name(scene, nearest.id(counts));
        Some(format!(
            "{name}\n{:.3} m, opacity {:.3e}",
            nearest.depth, nearest.opacity
        ))
    };
    Plot::new("probe")
        .label_formatter(at)
        .height(200.0)
        .include_y(0.0)
        .include_y(1.0)
        .x_axis_label("view depth, m")
        .allow_scroll(false)
        .show(ui, |plot| {
            plot.bar_chart(BarChart::new("opacity", bars));
            for (index, layer) in probe.layers.iter().enumerate().skip(lanes as usize) {
                if index % lanes as usize == 0 {
                    plot.vline(
                        VLine::new("group", f64::from(layer.depth))
                            .color(GROUPS)
                            .style(LineStyle::dashed_loose()),
                    );
                }
            }
            plot.line(
                Line::new("transmittance", PlotPoints::from(line))
                    // Draws real steps instead of the band that encloses them.
                    .allow_band(false)
                    .color(TRANSMITTANCE),
            );
            for (color, name, curve) in curves {
                let points = curve
                    .iter()
                    .map(|[depth, light]| [*depth, light.min(MOST_LIGHT)]);
                let line = Line::new(*name, PlotPoints::from_iter(points));
                plot.line(line.allow_band(false).color(*color));
            }
        });
}

/// Converts linear radiance to a displayable colour, with a brightest channel of at most 1.
fn shown(color: [f32; 3]) -> Color32 {
    let most = color
        .iter()
        .fold(1e-6f32, |most, channel| most.max(*channel));
    let byte = |channel: f32| ((channel / most).max(0.0).powf(1.0 / 2.2) * 255.0) as u8;
    rgb(color.map(byte))
}

fn results(ui: &mut Ui, methods: &[Method], probe: &LiveProbe) {
    let [r, g, b, t] = CHANNELS;
    let titles = ["method", "wave", "ULP", r, g, b, t];
    table(ui, "probe results", &titles, |ui| {
        // Every method has a row from the start, because the results arrive one by one.
        for method in methods {
            small(ui, method.name());
            match probe.result(*method) {
                Some(result) => columns(ui, result),
                None => drop(ui.label("…")),
            }
            ui.end_row();
        }
    });
    let about = "ULP: largest error of the channels, against f64 on the same layers";
    note(ui, about);
}

fn columns(ui: &mut Ui, result: &ProbeResult) {
    let wave = result.wave_size;
    small(ui, wave.map_or("–".to_owned(), |size| size.to_string()));
    // A half-float error may have six digits before the point. Leaving out decimals keeps the columns narrow.
    let error = result.error_ulp.map(|error| match error {
        0.0..1e3 => format!("{error:.2}"),
        _ => format!("{error:.0}"),
    });
    small(ui, error.unwrap_or_else(|| "–".to_owned()));
    for channel in result.value {
        small(ui, plain(channel));
    }
}

/// Description of a layer; for a Gaussian, also the values that its file gives.
fn kind_name(scene: &Scene, id: LayerId) -> (String, Option<Splatted>) {
    match id {
        LayerId::Slice(slice) => (format!("slice {slice}"), None),
        LayerId::Item(ItemKind::Gaussian, number) => {
            let splat = scene.splatted(number);
            let index = splat.as_ref().map_or(number, |splat| splat.index);
            (format!("Gaussian {index}"), splat)
        }
        LayerId::Item(kind, number) => (format!("{} {number}", kind.name()), None),
    }
}

fn layers(ui: &mut Ui, scene: &Scene, readings: &Readings, probe: &LiveProbe, lanes: u32) {
    let counts = &readings.counts;
    let titles = ["layer", "group", "kind", "depth m", "opacity", "rgb"];
    let list = egui::ScrollArea::vertical().max_height(180.0);
    list.show(ui, |ui| {
        table(ui, "layers", &titles, |ui| {
            for (index, layer) in probe.layers.iter().enumerate().take(LISTED) {
                small(ui, index.to_string());
                small(ui, (index as u32 / lanes).to_string());
                let (kind, splat) = kind_name(scene, layer.id(counts));
                let label = small(ui, kind);
                splat.map(|splat| label.on_hover_text(splat.to_string()));
                small(ui, format!("{:.3}", layer.depth));
                small(ui, format!("{:.3e}", layer.opacity));
                let [r, g, b] = layer.color;
                small(ui, format!("{r:.3} {g:.3} {b:.3}"));
                ui.end_row();
            }
        });
        if probe.layers.len() > LISTED {
            ui.label(format!("… and {} more", probe.layers.len() - LISTED));
        }
    });
}
