//! The table of the pane "Methods": a row per method, exact methods first. A click on a title sorts each group.

use web_time::{Duration, Instant};

use egui::{
    Align2, Color32, FontId, Id, Rect, Response, RichText, Role, Sense, Stroke, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};
use egui_extras::{Column as Width, TableBuilder, TableRow};

use super::method_card::{Methods, digits};
use super::style::{colors_of_sides, explain};
use crate::live::ENOUGH;
use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::viewer::action::Action;
use crate::viewer::keys::with_key;
use crate::viewer::method_order::Column;
use crate::viewer::times::{MethodError, MethodTime};

/// Sizes in points: height of a line; widths of the columns for radio buttons, name, ratio, error and age.
const LINE: f32 = 16.0;
/// Number of visible lines: all exact methods and the first approximate ones, with their headings.
const LINES: usize = 20;
const RADIO: f32 = 17.0;
const NAME: f32 = 142.0;
const RATIO: f32 = 40.0;
const ERROR: f32 = 42.0;
const AGE: f32 = 34.0;
/// Minimum width of the dial column, wide enough for its words.
const DIAL: f32 = 30.0;
/// Minimum width of a bar: if less remains, adjacent columns are left out.
const BAR: f32 = 60.0;
/// Minimum width of a bar's column for its full title and a word next to the shortest time.
const WIDE: f32 = 90.0;
const CUT: f64 = 4.0;
/// Maximum age of times that are shown as live.
const LIVE: Duration = Duration::from_secs(2);

pub(super) struct Line {
    pub method: Method,
    /// Specialization that runs; for `auto`, its last choice, if there is one.
    runs: Option<Specialization>,
    pub unavailable: Option<String>,
    time: Option<MethodTime>,
    is_current: bool,
    is_fastest: bool,
    /// Fraction of the GPU that can draw, if that is small and the method draws. The method then has no ratio.
    drawing_part: Option<&'static str>,
    ratio: Option<f64>,
    /// Difference from the exact result, and true if the difference belongs to the current view.
    error: Option<(MethodError, bool)>,
    /// Time as a fraction of a full bar; above 1, the bar is cut off.
    part: f32,
    is_equal: bool,
}

impl Line {
    /// The method's dial, or the fraction of the GPU that can draw, abbreviated; the tooltip has the full text.
    fn place(&self) -> Option<String> {
        let part = self.drawing_part.map(|part| part.replace(" of ", "/"));
        let place = part.or_else(|| self.runs?.place())?;
        Some(place.replace(" TPCs", "").replace(" padded", ""))
    }

    fn value(&self, column: Column) -> Option<f64> {
        let time = self.time.as_ref();
        match column {
            Column::Name => {
                let before = |other: &Method| other.name() < self.method.name();
                Some(Method::all().filter(before).count() as f64)
            }
            Column::Time => time.filter(|_| self.is_current).map(|of| of.median),
            Column::Ratio => self.ratio,
            Column::Error => {
                let (error, _) = self.error.as_ref().filter(|(_, is_current)| *is_current)?;
                Some(error.metrics.shown_rmse)
            }
            Column::Age => time.map(|time| time.age(Instant::now()).as_secs_f64()),
        }
    }
}

/// Headings of the two groups: true for exact methods, title, and description.
const GROUPS: [(bool, &str, &str); 2] = [
    (
        true,
        "exact",
        "They compute the exact result, up to rounding in f32 or half floats",
    ),
    (
        false,
        "approximate",
        "They need no sorted lists or keep only some layers, at the price of an error",
    ),
];

/// Title of a column, its tooltip, and the column by which a click sorts.
type Title = (&'static str, &'static str, Option<Column>);

const TITLES: [Title; 8] = [
    (
        "A",
        "The method left of a split; differences are A - B",
        None,
    ),
    (
        "B",
        "The method right of a split; differences are A - B. Key: B",
        None,
    ),
    (
        "method",
        "Hover over a name to read what the method does",
        Some(Column::Name),
    ),
    (
        "dial",
        "The method's dial: pixels per wave (P=), threads per pixel, pixels per thread (p) \
        or layers per batch (b). Set it in Options. For a drawn method on a compute GPU: the share of the GPU that can draw",
        None,
    ),
    (
        "composite, ms",
        "Last measured median time of the composite pass; the shortest is marked, and bars \
        of very long times are cut off",
        Some(Column::Time),
    ),
    (
        "ratio",
        "Time relative to the baseline; below 1 is faster",
        Some(Column::Ratio),
    ),
    (
        "error",
        "Root mean square error of the picture, rgb + T · background, in linear light, against pixel-loop. \
        Measured with the times, and of A or B whenever metrics compare it with an exact method",
        Some(Column::Error),
    ),
    ("age", "Age of the time", Some(Column::Age)),
];

/// Widths of the columns in the order of [`TITLES`]; `None` for a column that is left out.
#[derive(Clone, Copy)]
struct Widths {
    all: [Option<f32>; TITLES.len()],
    bar: f32,
    right: f32,
}

impl Widths {
    fn new(ui: &Ui, lines: &[Line]) -> Self {
        let painter = ui.painter();
        let width = |words| painter.layout_no_wrap(words, font(ui), Color32::PLACEHOLDER);
        let words = lines.iter().filter_map(Line::place);
        let dial = words.map(|words| width(words).size().x + 6.0);
        let dial = dial.fold(DIAL, f32::max);
        let mut bar = ui.available_width() - 2.0 * RADIO - NAME;
        let mut has_room = true;
        // The age is left out first, then the error, the ratio and the dial.
        let beside = [dial, RATIO, ERROR, AGE].map(|width| {
            has_room &= bar - width >= BAR;
            bar -= if has_room { width } else { 0.0 };
            has_room.then_some(width)
        });
        let [dial, ratio, error, age] = beside;
        let (bar, [radio, name]) = (bar.max(0.0), [RADIO, NAME].map(Some));
        Self {
            all: [radio, radio, name, dial, Some(bar), ratio, error, age],
            bar,
            right: ui.cursor().left() + ui.available_width(),
        }
    }

    fn cell(&self, row: &mut TableRow, column: usize, add: impl FnOnce(&mut Ui)) {
        if self.all[column].is_some() {
            row.col(add);
        }
    }
}

impl Methods<'_, '_> {
    pub(super) fn table(&mut self, ui: &mut Ui) {
        let height = (LINES + 1) as f32 * (LINE + ui.spacing().item_spacing.y);
        let room = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        let lines = self.lines(ui.rect_contains_pointer(room));
        let widths = Widths::new(ui, &lines);
        let id = ui.scope_id().with("methods");
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.spacing_mut().interact_size.y = LINE;
            let line = LINE + ui.spacing().item_spacing.y;
            let mut table = TableBuilder::new(ui)
                .id_salt("methods")
                .min_scrolled_height(0.0)
                .max_scroll_height(LINES as f32 * line);
            for width in widths.all.into_iter().flatten() {
                // Content too long for a cell continues into the next cells, if `put` allows that.
                table = table.column(Width::exact(width).clip(false));
            }
            let table = table.header(LINE, |mut row| {
                for (column, title) in TITLES.into_iter().enumerate() {
                    widths.cell(&mut row, column, |ui| self.title(ui, id, widths, title));
                }
            });
            table.body(|mut body| {
                for (is_exact, name, hover) in GROUPS {
                    let of_group = lines.iter();
                    let of_group = of_group.filter(|line| line.method.is_exact() == is_exact);
                    let mut of_group = of_group.peekable();
                    if of_group.peek().is_some() {
                        body.row(LINE, |row| heading(row, widths, name, hover));
                    }
                    for line in of_group {
                        body.row(LINE, |row| self.row(row, id, widths, line));
                    }
                }
            });
        });
        if lines.is_empty() {
            let none = "no method with this name";
            ui.label(RichText::new(none).weak());
        }
    }

    /// Rows that match the search, sorted. While the table `is_in_use`, they keep their present order.
    fn lines(&mut self, is_in_use: bool) -> Vec<Line> {
        let mut lines: Vec<Line> = self.unsorted();
        let value = |method: Method, column| {
            let line = lines.iter().find(|line| line.method == method);
            line.and_then(|line| line.value(column))
        };
        let order = self.order.sort(is_in_use, value);
        lines.sort_by_key(|line| order.iter().position(|method| *method == line.method));
        lines.retain(|line| self.order.finds(line.method));
        lines
    }

    fn unsorted(&self) -> Vec<Line> {
        let current = |method| self.current(method).map(|time| time.median);
        let compared = Method::all().filter(|method| self.drawing_part(*method).is_none());
        let times: Vec<f64> = compared.filter_map(current).collect();
        let longest = longest_bar(&times);
        let fastest = self.fastest();
        let of_baseline = self.comparison.chosen.baseline;
        let baseline = self.known(of_baseline);
        let is_equal = |method: Method| {
            let both = self.known(method).zip(baseline);
            method != of_baseline && both.is_some_and(|(time, base)| time.is_as_fast_as(base))
        };
        let line = |method| {
            let median = current(method);
            Line {
                method,
                runs: (self.readings).runs(method, &self.subject.settings.options),
                unavailable: self.machine.refusal(method).map(str::to_owned),
                time: self.times.of(method).cloned(),
                is_current: median.is_some(),
                is_fastest: fastest == Some(method),
                drawing_part: self.drawing_part(method),
                ratio: self
                    .known(method)
                    .zip(baseline)
                    .map(|(time, base)| time.median / base.median),
                error: self.times.error(method).map(|error| {
                    let is_current = self.of_now().error(method).is_some();
                    (error.clone(), is_current)
                }),
                part: (median.filter(|_| self.drawing_part(method).is_none()))
                    .map_or(0.0, |time| (time / longest.max(1e-9)) as f32),
                is_equal: is_equal(method),
            }
        };
        Method::all().map(line).collect()
    }

    fn title(&mut self, ui: &mut Ui, table: Id, widths: Widths, (text, hover, sorts): Title) {
        let (rect, color) = (ui.max_rect(), ui.visuals().weak_text_color());
        let name = format!("sort by {}", text.replace(", ms", " time"));
        let text = match sorts {
            Some(Column::Time) if widths.bar <= WIDE => "ms",
            _ => text,
        };
        let Some(column) = sorts else {
            put(ui, rect, text, color);
            ui.interact(rect, table.with(("title", text)), Sense::hover())
                .on_hover_text(hover);
            return;
        };
        let (mark, color) = match self.order.by {
            Some((by, is_reversed)) if by == column => (
                if is_reversed { "▾" } else { "▴" },
                ui.visuals().text_color(),
            ),
            _ => ("", color),
        };
        let response = ui.interact(rect, table.with(&name), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        put(ui, rect, &format!("{text}{mark}"), color);
        let hover = format!("{hover}\nClick to sort, again to reverse, again for the usual order");
        if response.on_hover_text(hover).clicked() {
            self.order.click(column);
        }
    }

    fn row(&mut self, mut row: TableRow, table: Id, widths: Widths, line: &Line) {
        let method = line.method.name();
        let chosen = &self.comparison.chosen;
        let (is_a, is_b) = (chosen.a == line.method, chosen.b == line.method);
        let mut fill = Color32::TRANSPARENT;
        row.col(|ui| {
            let [color_a, color_b] = colors_of_sides(ui);
            fill = match (is_a, is_b) {
                (true, _) => color_a,
                (_, true) => color_b,
                _ => ui.visuals().widgets.inactive.bg_fill,
            };
            if is_a || is_b {
                let all = ui.max_rect().with_max_x(widths.right);
                let tint = fill.gamma_multiply(0.22);
                ui.painter().rect_filled(all, 2.0, tint);
            }
            let pick = Action::PickMethod(line.method);
            let radio = radio(ui, line, is_a, method);
            let hover = with_key("Make it method A", &pick);
            if radio.on_hover_text(hover).clicked() {
                self.asked.push(pick);
            }
        });
        row.col(|ui| {
            let radio = radio(ui, line, is_b, &format!("B: {method}"));
            if radio.on_hover_text("Make it method B").clicked() {
                self.asked.push(Action::PickOther(line.method));
            }
        });
        row.col(|ui| self.name(ui, table, line));
        widths.cell(&mut row, 3, |ui| dial(ui, table, line));
        row.col(|ui| {
            let across = ui.max_rect().with_max_x(widths.right);
            let weak = ui.visuals().weak_text_color();
            match (&line.unavailable, &line.time) {
                (Some(reason), _) => put(ui, across, reason, weak),
                (None, None) => put(ui, across, "–", weak),
                (None, Some(time)) => {
                    bar(ui, line, time, fill);
                    let id = table.with(("time", method));
                    let shown = ui.interact(across, id, Sense::hover());
                    explain(shown, self.said(line, time));
                }
            }
        });
        let timed = line.time.as_ref().filter(|_| line.unavailable.is_none());
        widths.cell(&mut row, 5, |ui| {
            if let Some(ratio) = line.ratio.filter(|_| timed.is_some()) {
                let mark = if line.is_equal { "~" } else { "" };
                let color = ui.visuals().text_color();
                put(ui, ui.max_rect(), &format!("{mark}{ratio:.2}"), color);
            }
        });
        widths.cell(&mut row, 6, |ui| {
            if let Some((error, is_current)) =
                line.error.as_ref().filter(|_| line.unavailable.is_none())
            {
                let rmse = error_digits(error.metrics.shown_rmse);
                number(ui, &rmse, *is_current);
                let id = table.with(("error", method));
                let shown = ui.interact(ui.max_rect(), id, Sense::hover());
                explain(shown, error.said(line.method));
            }
        });
        widths.cell(&mut row, 7, |ui| {
            if let Some(time) = timed {
                let weak = ui.visuals().weak_text_color();
                put(ui, ui.max_rect(), &ago(time.age(Instant::now())), weak);
            }
        });
    }

    fn name(&mut self, ui: &Ui, table: Id, line: &Line) {
        let (rect, method) = (ui.max_rect(), line.method.name());
        let is_usable = line.unavailable.is_none();
        let color = match is_usable {
            true => ui.visuals().text_color(),
            false => ui.visuals().weak_text_color(),
        };
        match line.runs {
            Some(of) if of.runs != line.method => {
                put(ui, rect, &format!("{method}: {}", of.runs), color);
            }
            _ => put(ui, rect, method, color),
        }
        // The keyboard is handled by the radio buttons.
        let response = ui.interact(rect, table.with(("name", method)), Sense::CLICK);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, is_usable, method));
        if response.clicked() && is_usable {
            self.asked.push(Action::PickMethod(line.method));
        }
        response.on_hover_ui(|ui| {
            self.card(ui, line.method, line.unavailable.as_deref());
        });
    }

    fn said(&self, line: &Line, time: &MethodTime) -> String {
        let mut said = format!("{}\n{}", line.method, time.said());
        if line.is_current && !time.is_enough() {
            said += &format!("; too few to compare: {ENOUGH} are needed");
        }
        if line.is_fastest {
            said += "; the fastest";
        }
        if !line.is_current {
            said += "; scene, view or options have changed since";
        }
        if line.is_equal {
            let base = self.comparison.chosen.baseline;
            said += &format!("; indistinguishable from {base}");
        }
        said
    }
}

fn heading(mut row: TableRow, widths: Widths, name: &str, hover: &str) {
    row.col(|ui| {
        let across = ui.max_rect().with_max_x(widths.right);
        put(ui, across, name, ui.visuals().strong_text_color());
        let heading = ui.interact(across, ui.scope_id().with(name), Sense::hover());
        heading.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
        heading.on_hover_text(hover);
    });
}

/// Time of a full bar: at most four times the median, so that one slow method does not shrink all other bars.
fn longest_bar(times: &[f64]) -> f64 {
    let longest = times.iter().copied().fold(0.0, f64::max);
    Summary::of(times).map_or(longest, |times| longest.min(CUT * times.median))
}

fn font(ui: &Ui) -> FontId {
    let font = TextStyle::Body.resolve(ui.style());
    FontId::new(font.size - 1.0, font.family)
}

fn put(ui: &Ui, cell: Rect, text: &str, color: Color32) {
    let painter = ui.painter().with_clip_rect(cell.intersect(ui.clip_rect()));
    let at = cell.left_center() + vec2(2.0, 0.0);
    painter.text(at, Align2::LEFT_CENTER, text, font(ui), color);
}

fn radio(ui: &mut Ui, line: &Line, is_on: bool, name: &str) -> Response {
    let is_usable = line.unavailable.is_none();
    let button = egui::RadioButton::new(is_on, "");
    let response = ui.add_enabled(is_usable, button);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, is_usable, is_on, name));
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    response
}

fn dial(ui: &Ui, table: Id, line: &Line) {
    let Some((of, place)) = line.runs.zip(line.place()) else {
        return;
    };
    let (rect, method) = (ui.max_rect(), line.method.name());
    put(ui, rect, &place, ui.visuals().weak_text_color());
    let shown = ui.interact(rect, table.with(("dial", method)), Sense::hover());
    let label = of.label();
    let said = format!("{method}: {}", line.drawing_part.unwrap_or(&label));
    shown.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
}

/// A number in a cell, struck through if it belongs to other settings.
fn number(ui: &Ui, text: &str, is_current: bool) {
    let cell = ui.max_rect();
    if is_current {
        put(ui, cell, text, ui.visuals().text_color());
        return;
    }
    let color = ui.visuals().weak_text_color();
    put(ui, cell, text, color);
    let width = 7.0 * text.len() as f32;
    let across = cell.left()..=(cell.left() + width).min(cell.right());
    let stroke = Stroke::new(1.0, color);
    ui.painter().hline(across, cell.center().y, stroke);
}

fn bar(ui: &Ui, line: &Line, time: &MethodTime, fill: Color32) {
    let bar = ui.max_rect();
    let mut text = digits(time.median);
    if !line.is_current {
        number(ui, &text, false);
        return;
    }
    let room = (bar.width() - 6.0).max(0.0);
    let size = vec2(room * line.part.min(1.0), bar.height() - 4.0);
    let filled = Rect::from_min_size(bar.min + vec2(0.0, 2.0), size);
    ui.painter().rect_filled(filled, 1.0, fill);
    if line.part > 1.0 {
        // A gap and a last piece show that the bar continues beyond the edge.
        let end = filled.right();
        let [left, right] = [end - 9.0, end - 5.0];
        let gap = Rect::from_min_max(pos2(left, filled.top()), pos2(right, filled.bottom()));
        ui.painter().rect_filled(gap, 0.0, ui.visuals().panel_fill);
    }
    if line.is_fastest {
        text += if bar.width() > WIDE { " best" } else { " ◂" };
    }
    put(ui, bar, &text, ui.visuals().text_color());
}

/// An error in few digits: rounding errors are given as a power of ten.
fn error_digits(rmse: f64) -> String {
    match rmse {
        0.0 => "0".to_owned(),
        0.0..1e-3 => format!("{rmse:.0e}"),
        _ => format!("{rmse:.3}"),
    }
}

fn ago(age: Duration) -> String {
    match age.as_secs() {
        _ if age < LIVE => "live".to_owned(),
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6000 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}
