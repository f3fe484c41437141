//! Pane "Frame": the frame's passes as a stacked bar, as a history and in numbers; CPU time; and memory.

use egui::{Color32, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::log::bytes;
use super::style::{color_of_pass, colors_of_sides, explain, note, numbers};
use crate::live::PassTimes;
use crate::model::ClockSource;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::viewer::comparison::Comparison;
use crate::viewer::readings::Readings;
use crate::viewer::times::Order;

const BAR: f32 = 22.0;
const HISTORY: f32 = 64.0;
const FRAMES: usize = 120;
const FEWEST: usize = 20;

struct Timed<'a> {
    times: &'a PassTimes,
    /// Method that a composite belongs to: 0 for A, 1 for B.
    side: Option<usize>,
    statistics: [f64; 3],
    color: Color32,
}

/// The times of methods come from `known`, as in all other panes.
pub fn frame(
    ui: &mut Ui,
    order: &mut Order,
    comparison: &Comparison,
    known: impl Fn(Method) -> Option<[f64; 3]>,
    readings: &Readings,
) {
    ui.spacing_mut().item_spacing.y = 3.0;
    let (passes, besides): (Vec<_>, Vec<_>) = readings
        .times
        .iter()
        .filter(|times| is_in_newest(times, comparison, readings))
        .partition(|times| !is_besides(times, comparison));
    let mut passes = timed(ui, passes, comparison);
    for pass in &mut passes {
        let label = pass.times.label;
        let own = label.method.filter(|_| label.part.is_none());
        pass.statistics = own.and_then(&known).unwrap_or(pass.statistics);
    }
    let total = |column: usize| {
        passes
            .iter()
            .map(|pass| pass.statistics[column])
            .sum::<f64>()
    };
    ui.horizontal_wrapped(|ui| {
        let line = match passes.is_empty() {
            true => "no times yet".to_owned(),
            false => format!("{:.3} ms in all passes", total(0)),
        };
        ui.label(RichText::new(line).strong());
        let hover = "CPU time to record and present the last frame";
        ui.label(format!("CPU {:.2} ms", readings.cpu_ms))
            .on_hover_text(hover);
        if let Some(clock) = readings.clock {
            let name = format!("by {}", clock.source.name());
            ui.label(RichText::new(name).weak())
                .on_hover_text(&clock.reason);
        }
    });
    bar(ui, &passes, total(0));
    history(ui, &passes);
    table(ui, order, &passes);
    if !readings.unchanged.is_empty() {
        let names: Vec<&str> = readings.unchanged.iter().map(|pass| pass.label()).collect();
        let line = format!("unchanged, not drawn again: {}", names.join(", "));
        note(ui, line).on_hover_text("Redrawn only when an input changes");
    }
    let besides: Vec<String> = besides.iter().map(|pass| pass.label.to_string()).collect();
    if !besides.is_empty() {
        note(ui, format!("also timed: {}", besides.join(", ")));
    }
    egui::CollapsingHeader::new("memory").show_unindented(ui, |ui| memory(ui, readings));
}

/// True if the latest timed frame included the pass. The wall clock does not time every pass in each frame.
fn is_in_newest(times: &PassTimes, comparison: &Comparison, readings: &Readings) -> bool {
    let newest = readings.times.iter().max_by_key(|pass| pass.frame);
    let by_wall = readings
        .clock
        .is_some_and(|clock| clock.source == ClockSource::Wall);
    let is_kept = readings.unchanged.contains(&times.label.pass);
    newest.is_some_and(|newest| {
        let is_of_the_same = times.of == newest.of && !is_kept && !is_besides(times, comparison);
        times.frame == newest.frame || by_wall && is_of_the_same
    })
}

fn side(times: &PassTimes, comparison: &Comparison) -> Option<usize> {
    let method = times.label.method?;
    let mut shown = comparison.shown().into_iter();
    shown.position(|side| side == Some(method))
}

/// True for a pass of a method that is timed but not shown.
fn is_besides(times: &PassTimes, comparison: &Comparison) -> bool {
    times.label.method.is_some() && side(times, comparison).is_none()
}

/// The passes with their times, in the colour of A, of B, or of [`color_of_pass`].
fn timed<'a>(ui: &Ui, passes: Vec<&'a PassTimes>, comparison: &Comparison) -> Vec<Timed<'a>> {
    let sides = colors_of_sides(ui);
    let timed = |times: &'a PassTimes| {
        let side = side(times, comparison);
        Some(Timed {
            times,
            side,
            statistics: times.statistics()?,
            color: side.map_or_else(|| color_of_pass(times.label.pass), |side| sides[side]),
        })
    };
    passes.into_iter().filter_map(timed).collect()
}

fn bar(ui: &mut Ui, passes: &[Timed], total: f64) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR), Sense::hover());
    ui.painter()
        .rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let mut left = rect.left();
    for pass in passes {
        let width = (pass.statistics[0] / total.max(1e-9)) as f32 * rect.width();
        let part = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        left += width;
        ui.painter().rect_filled(part, 0.0, pass.color);
        let ink = match pass.color.intensity() > 0.45 {
            true => Color32::from_gray(10),
            false => Color32::WHITE,
        };
        let label = pass.times.label.to_string();
        let galley =
            ui.painter()
                .layout_no_wrap(label.clone(), egui::FontId::proportional(10.5), ink);
        if galley.size().x + 4.0 < width {
            let at = part.left_center() + vec2(3.0, -galley.size().y / 2.0);
            ui.painter().galley(at, galley, ink);
        }
        hover(ui, part, ("bar", &label), pass);
    }
}

fn hover(ui: &Ui, rect: Rect, id: (&str, &String), pass: &Timed) {
    let [last, median, high] = pass.statistics;
    let text = format!(
        "{}: last {last:.4} ms, median {median:.4} ms, 75th percentile {high:.4} ms",
        pass.times.label
    );
    let response = ui.interact(rect, ui.scope_id().with(id), Sense::hover());
    explain(response, text);
}

fn history(ui: &mut Ui, passes: &[Timed]) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HISTORY), Sense::hover());
    ui.painter()
        .rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let sample = |pass: &Timed, age: usize| {
        let samples = &pass.times.samples;
        let at = samples.len().checked_sub(age + 1);
        at.and_then(|at| samples.get(at))
            .copied()
            .unwrap_or_default()
    };
    let total = |age: usize| passes.iter().map(|pass| sample(pass, age)).sum::<f64>();
    // Methods may also have been timed on their own, outside of frames.
    let of_scene = passes
        .iter()
        .filter(|pass| pass.times.label.method.is_none());
    let kept = of_scene.map(|pass| pass.times.samples.len()).max();
    let kept = kept.unwrap_or_default().min(FRAMES);
    // An outlier is cut off, so that the other bars stay visible.
    let totals: Vec<f64> = (0..kept).map(total).collect();
    let most = Summary::of(&totals).map_or(1.0, |totals| totals.p95.min(3.0 * totals.median));
    let most = 1.15 * most.max(1e-6);
    let width = rect.width() / kept.max(FEWEST) as f32;
    let mut mesh = egui::Mesh::default();
    for age in 0..kept {
        let right = rect.right() - age as f32 * width;
        let mut bottom = rect.bottom();
        for pass in passes {
            let height = (sample(pass, age) / most) as f32 * (rect.height() - 2.0);
            let top = (bottom - height).max(rect.top());
            let part = Rect::from_min_max(pos2(right - width, top), pos2(right, bottom));
            mesh.add_colored_rect(part, pass.color);
            bottom = top;
        }
    }
    ui.painter().add(mesh);
    let corner = rect.left_top() + vec2(3.0, 1.0);
    let font = egui::FontId::proportional(10.5);
    let color = ui.visuals().text_color();
    let most = format!("{most:.2} ms");
    let galley = ui.painter().layout_no_wrap(most, font, color);
    let ground = Rect::from_min_size(corner, galley.size()).expand2(vec2(2.0, 0.0));
    let fill = ui.visuals().extreme_bg_color;
    ui.painter()
        .rect_filled(ground, 2.0, fill.gamma_multiply(0.85));
    ui.painter().galley(corner, galley, color);
    response.on_hover_text(format!("The last {FRAMES} timed frames, newest right"));
}

fn table(ui: &mut Ui, order: &mut Order, passes: &[Timed]) {
    let mut rows: Vec<&Timed> = passes.iter().collect();
    match *order {
        // A and B matter most, and the table may be cut off below them.
        Order::Frame => rows.sort_by_key(|row| row.side.unwrap_or(2)),
        Order::Time(column) => {
            rows.sort_by(|a, b| b.statistics[column].total_cmp(&a.statistics[column]));
        }
    }
    egui::ScrollArea::horizontal()
        .id_salt("pass times")
        .show(ui, |ui| grid(ui, order, &rows));
}

fn grid(ui: &mut Ui, order: &mut Order, rows: &[&Timed]) {
    egui::Grid::new("pass times")
        .striped(true)
        .num_columns(4)
        .spacing([10.0, 0.0])
        .min_row_height(15.0)
        .show(ui, |ui| {
            for (title, by) in [
                ("pass", Order::Frame),
                ("last ms", Order::Time(0)),
                ("median", Order::Time(1)),
                ("p75", Order::Time(2)),
            ] {
                let is_now = *order == by;
                let mark = if is_now { "▾" } else { "" };
                let label = RichText::new(format!("{title}{mark}")).weak().small();
                let response = ui.add(egui::Label::new(label).sense(Sense::click()));
                let name = format!("sort by {title}");
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                let hover = match by {
                    Order::Frame => "Sort in execution order, A and B first",
                    Order::Time(_) => "Sort by this time, longest first",
                };
                if response.on_hover_text(hover).clicked() {
                    *order = by;
                }
            }
            ui.end_row();
            for pass in rows {
                ui.horizontal(|ui| {
                    ui.spacing_mut().interact_size.y = 0.0;
                    ui.colored_label(pass.color, "■");
                    ui.label(pass.times.label.to_string());
                });
                for value in pass.statistics {
                    ui.monospace(format!("{value:.3}"));
                }
                ui.end_row();
            }
        });
}

fn memory(ui: &mut Ui, readings: &Readings) {
    let total: u64 = readings.memory.iter().map(|entry| entry.1).sum();
    ui.label(format!("{} in all", bytes(total)));
    let rows = readings.memory.iter();
    numbers(
        ui,
        "memory",
        rows.map(|(label, size)| (*label, bytes(*size))),
    );
}
