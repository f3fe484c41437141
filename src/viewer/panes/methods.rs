//! Pane "Methods": a line for each method – which is A, which is B, and how long it takes – and what measures them.

use std::time::{Duration, Instant};

use egui::{
    Align2, Color32, Rect, Response, RichText, Role, Sense, TextStyle, Ui, Vec2, WidgetInfo, vec2,
};

use super::style::{colors_of_sides, warn};
use super::{Readings, code};
use crate::live::Measurement;
use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::viewer::action::Action;
use crate::viewer::code::CodePage;
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::{action, choice, text, toggle, value};
use crate::viewer::keys::key_of;
use crate::viewer::machine::Machine;
use crate::viewer::measured::Table;
use crate::viewer::preset::Compare;
use crate::viewer::subject::Subject;
use crate::viewer::times::{MethodTime, Times};

/// Points: height of a line, widths of a radio button's column, of the name, of the dial, of the ratio and of the age.
const LINE: f32 = 16.0;
const RADIO: f32 = 17.0;
const NAME: f32 = 142.0;
const DIAL: f32 = 36.0;
const RATIO: f32 = 40.0;
const AGE: f32 = 34.0;
/// The narrowest bar; without room for it the age is left out.
const BAR: f32 = 60.0;
/// A bar's column with room for its full title.
const WIDE: f32 = 90.0;
/// How many times the median time the longest bar stands for.
const CUT: f64 = 4.0;
/// Times younger than this are from the frames on screen.
const LIVE: Duration = Duration::from_secs(2);

/// The pane, with what it is lent.
pub struct Methods<'a, 'r> {
    pub subject: &'a Subject,
    pub comparison: &'a mut Comparison,
    pub times: &'a mut Times,
    pub machine: &'a Machine,
    pub code: &'a mut CodePage,
    pub asked: &'a mut Vec<Action>,
    pub readings: &'a Readings<'r>,
}

impl Methods<'_, '_> {
    /// The table of all methods, and what belongs to it.
    pub fn show(mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 2.0;
        self.answer(ui);
        self.table(ui);
        ui.add_space(3.0);
        ui.horizontal_wrapped(|ui| self.measure(ui));
        if let Some(measurement) = self.readings.measurement {
            if measurement.finished {
                self.measured(ui, measurement);
            } else {
                progress(ui, measurement);
            }
        }
        self.settings(ui);
        self.auto(ui);
    }

    /// How much faster B is than A, in a sentence.
    fn answer(&self, ui: &mut Ui) {
        let (a, b) = (self.comparison.chosen.a, self.comparison.chosen.b);
        let time = |method| self.current(method).map(|time| time.times.median);
        let sentence = match (time(a), time(b)) {
            _ if a == b => format!("A and B are both {a}"),
            (Some(a), Some(b)) if b > 0.0 && a >= b => format!("B is {:.2}x faster", a / b),
            (Some(a), Some(b)) if a > 0.0 => format!("A is {:.2}x faster", b / a),
            (Some(_), None) if self.comparison.right().is_none() => {
                "B is hidden, so it is not timed".to_owned()
            }
            _ => "no times of A and B yet".to_owned(),
        };
        ui.label(RichText::new(sentence).strong()).on_hover_text(
            "Ratio of the medians of the composite pass; the rest of the frame is the same",
        );
    }

    /// The time of a method, if it is of what is shown.
    fn current(&self, method: Method) -> Option<&MethodTime> {
        let time = self.times.book.of(method)?;
        Some(time).filter(|time| time.is_of(&self.subject.settings))
    }

    fn table(&mut self, ui: &mut Ui) {
        self.head(ui);
        for line in self.lines() {
            self.row(ui, &line);
        }
    }

    /// What the lines show, in the order of the methods.
    fn lines(&self) -> Vec<Line> {
        let current = |method| self.current(method).map(|time| time.times.median);
        let longest = longest_bar(Method::all().filter_map(current).collect());
        let baseline = current(self.comparison.chosen.baseline);
        let measurement = self.readings.measurement;
        let measured = measurement.filter(|measurement| measurement.finished);
        let measured = measured.map(|of| Table::new(of, &self.subject.settings, self.machine));
        let warning = |method: Method| {
            let mut rows = measured.iter().flat_map(|table| &table.rows);
            rows.find(|row| row.method == method.name())?
                .warning
                .clone()
        };
        let line = |method| {
            let median = current(method);
            Line {
                method,
                runs: match method {
                    Method::Auto => self.readings.choice.map(|choice| choice.specialization),
                    method => Some(self.subject.settings.options.specialize(method)),
                },
                unavailable: self.machine.refusal(method).map(str::to_owned),
                time: self.times.book.of(method).cloned(),
                is_current: median.is_some(),
                ratio: median.zip(baseline).map(|(time, base)| time / base),
                part: median.map_or(0.0, |time| (time / longest.max(1e-9)) as f32),
                warning: median.and_then(|_| warning(method)),
            }
        };
        Method::all().map(line).collect()
    }

    fn head(&self, ui: &mut Ui) {
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        let [a, b, name, dial, bar, ratio, age] = columns(line);
        let weak = ui.visuals().weak_text_color();
        let base = format!(
            "Time relative to {}; below 1 is faster",
            self.comparison.chosen.baseline
        );
        for (column, title, hover) in [
            (a, "A", "The method left of a split; differences are A - B"),
            (
                b,
                "B",
                "The method right of a split; differences are A - B. Key: B",
            ),
            (
                name,
                "method",
                "Hover over a name to read what the method does",
            ),
            (
                dial,
                "dial",
                "The method's dial: pixels per wave (P=), threads per pixel, pixels per thread (p) or \
                layers per batch (b). Set it in pane Wave",
            ),
            (
                bar,
                if bar.width() > WIDE {
                    "composite, ms"
                } else {
                    "ms"
                },
                "Last measured median time of the composite pass; bars of very long times are cut off",
            ),
            (ratio, "ratio", &*base),
            (age, "age", "Age of the time"),
        ] {
            if column.width() > 0.0 {
                put(ui, column, title, weak);
                let id = ui.scope_id().with(("head", title));
                ui.interact(column, id, Sense::hover()).on_hover_text(hover);
            }
        }
    }

    fn row(&mut self, ui: &mut Ui, line: &Line) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        let [a, b, name, dial, bar, ratio, age] = columns(rect);
        let (is_a, is_b) = (
            self.comparison.chosen.a == line.method,
            self.comparison.chosen.b == line.method,
        );
        let [color_a, color_b] = colors_of_sides(ui);
        if is_a || is_b {
            let fill = if is_a { color_a } else { color_b };
            ui.painter()
                .rect_filled(rect, 2.0, fill.gamma_multiply(0.22));
        }
        let method = line.method.name();
        if radio(ui, a, line, is_a, method).clicked() {
            self.asked.push(Action::PickMethod(line.method));
        }
        if radio(ui, b, line, is_b, &format!("B: {method}")).clicked() {
            self.asked.push(Action::PickOther(line.method));
        }
        let text = if line.unavailable.is_some() {
            ui.visuals().weak_text_color()
        } else {
            ui.visuals().text_color()
        };
        match line.runs {
            Some(of) if of.runs != line.method => {
                put(ui, name, &format!("{method}: {}", of.runs), text)
            }
            _ => put(ui, name, method, text),
        }
        if let Some(of) = line.runs
            && let Some(place) = of.place()
        {
            put(ui, dial, &place, ui.visuals().weak_text_color());
            let shown = ui.interact(dial, ui.scope_id().with(("dial", method)), Sense::hover());
            let said = format!("{method}: {}", of.label());
            shown.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
        }
        let named = ui.interact(name, ui.scope_id().with(("name", method)), Sense::click());
        named.widget_info(|| WidgetInfo::labeled(Role::Label, line.unavailable.is_none(), method));
        if named.clicked() && line.unavailable.is_none() {
            self.asked.push(Action::PickMethod(line.method));
        }
        named.on_hover_ui(|ui| self.card(ui, line));
        match (&line.unavailable, &line.time) {
            (Some(reason), _) => {
                let across = bar.union(age);
                put(ui, across, reason, ui.visuals().weak_text_color());
            }
            (None, None) => put(ui, bar, "–", ui.visuals().weak_text_color()),
            (None, Some(time)) => {
                let fill = match (is_a, is_b) {
                    (true, _) => color_a,
                    (_, true) => color_b,
                    _ => ui.visuals().widgets.inactive.bg_fill,
                };
                self.timed(ui, line, time, fill, [bar, ratio, age]);
            }
        }
    }

    /// The bar, the ratio and the age. A time of other settings is struck through.
    fn timed(
        &self,
        ui: &mut Ui,
        line: &Line,
        time: &MethodTime,
        fill: Color32,
        [bar, ratio, age]: [Rect; 3],
    ) {
        let is_current = line.is_current;
        let old = time.age(Instant::now());
        let color = if is_current {
            ui.visuals().text_color()
        } else {
            ui.visuals().weak_text_color()
        };
        if is_current {
            let room = (bar.width() - 6.0).max(0.0);
            let size = vec2(room * line.part.min(1.0), bar.height() - 4.0);
            let filled = Rect::from_min_size(bar.min + vec2(0.0, 2.0), size);
            ui.painter().rect_filled(filled, 1.0, fill);
            if line.part > 1.0 {
                // It goes on: a gap and a last piece.
                let end = filled.right();
                let gap = Rect::from_min_max(
                    egui::pos2(end - 9.0, filled.top()),
                    egui::pos2(end - 5.0, filled.bottom()),
                );
                ui.painter().rect_filled(gap, 0.0, ui.visuals().panel_fill);
            }
        }
        let milliseconds = milliseconds(time.times.median);
        put(ui, bar, &milliseconds, color);
        if !is_current {
            let width = 7.0 * milliseconds.len() as f32;
            let y = bar.center().y;
            let across = bar.left()..=(bar.left() + width).min(bar.right());
            ui.painter().hline(across, y, egui::Stroke::new(1.0, color));
        }
        if let Some(times) = line.ratio {
            let mark = if line.warning.is_some() { "~" } else { "" };
            put(ui, ratio, &format!("{mark}{times:.2}"), color);
        }
        put(ui, age, &ago(old), ui.visuals().weak_text_color());
        let hover = format!(
            "{}\nmedian {:.4} ms, 5th to 95th percentile {:.4} to {:.4} ms, {} samples\n{}{}{}",
            line.method,
            time.times.median,
            time.times.p5,
            time.times.p95,
            time.times.n,
            if time.is_measured {
                "measured with all others"
            } else {
                "from the frames on screen"
            },
            if is_current {
                ""
            } else {
                "; scene, view or options have changed since"
            },
            line.warning
                .as_ref()
                .map_or(String::new(), |warning| format!("\n{warning}")),
        );
        let id = ui.scope_id().with(("time", line.method.name()));
        let response = ui.interact(bar.union(age), id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &hover));
        response.on_hover_text(&hover);
    }

    /// What there is to know about a method.
    fn card(&mut self, ui: &mut Ui, line: &Line) {
        let entry = line.method.entry();
        ui.set_max_width(360.0);
        ui.label(RichText::new(entry.name).strong());
        ui.label(format!("{}.", entry.mapping));
        ui.label(format!("Cost: {}.", entry.cost));
        ui.label(format!("Guarantee: {}.", entry.guarantee));
        ui.label(format!("Origin: {}.", entry.origin));
        ui.label(format!("Key: {}.", key_of(line.method)));
        let compiles = line.unavailable.is_none() && line.method != Method::Auto;
        if compiles {
            let runs = self.subject.settings.options.specialize(line.method);
            if let Ok(sheet) = self.code.sheet(&self.machine.caps, &runs) {
                let brief = code::brief(&sheet);
                ui.label(format!("Code: {brief}. The pane Code has more."));
            }
        }
        if let Some(reason) = &line.unavailable {
            warn(ui, format!("Unavailable: {reason}"));
        }
    }

    /// The button that measures all methods, or stops that.
    fn measure(&mut self, ui: &mut Ui) {
        let running = self.readings.is_measuring();
        let (label, hover) = if running {
            (
                "stop measuring",
                "Stop and discard this measurement. Key: M",
            )
        } else {
            (
                "measure all methods",
                "Warm up, then run all usable methods in turn for many rounds on the same lists. Key: M",
            )
        };
        ui.add_enabled_ui(self.readings.busy.is_none() || running, |ui| {
            if action(ui, text(label, hover)) {
                self.asked.push(Action::Measure);
            }
        });
    }

    /// What can be done with the times of a finished measurement, and how far they can be trusted.
    fn measured(&mut self, ui: &mut Ui, measurement: &Measurement) {
        let table = Table::new(measurement, &self.subject.settings, self.machine);
        ui.horizontal_wrapped(|ui| {
            let hover = "Copy the measured times as CSV";
            if action(ui, text("copy CSV", hover)) {
                // Only a bug makes this fail.
                self.asked.extend(table.csv().ok().map(Action::Copy));
            }
            if action(
                ui,
                text("copy Markdown", "Copy the measured times as Markdown"),
            ) {
                self.asked.push(Action::Copy(table.markdown()));
            }
            let hover = "Write measured times, settings, adapter and all samples to a file";
            if action(ui, text("save JSON", hover)) {
                self.asked.push(Action::SaveTimes);
            }
        });
        for note in &table.notes {
            ui.label(RichText::new(note).weak().small());
        }
    }

    /// What ratios are taken to, what the reference key shows, and whether methods that are not shown are timed.
    fn settings(&mut self, ui: &mut Ui) {
        let usable = options(&self.machine.usable());
        let hover = "Time one more method in every frame, in turn, so that all times stay current. \
            Makes frames longer; off by default on a CPU adapter.";
        let default = !self.machine.caps.is_cpu;
        toggle(
            ui,
            text("keep measuring", hover),
            value(&mut self.times.keeps_measuring, &default),
        );
        let (now, defaults) = (&mut self.comparison.chosen, Compare::default());
        choice(
            ui,
            text("baseline", "The method that times are relative to"),
            value(&mut now.baseline, &defaults.baseline),
            &usable,
        );
        choice(
            ui,
            text("reference", "The method shown while key R is held"),
            value(&mut now.reference, &defaults.reference),
            &usable,
        );
    }

    /// What `auto` chose and why, where it is shown; where its rule comes from, and how to get another.
    fn auto(&mut self, ui: &mut Ui) {
        if let Some(choice) = self.readings.choice {
            ui.label(format!("auto runs {}", choice.specialization.label()));
            ui.label(RichText::new(&choice.why).weak().small());
        }
        ui.horizontal(|ui| {
            let free = self.readings.busy.is_none() && !self.readings.is_measuring();
            ui.add_enabled_ui(free, |ui| {
                let hover = "Calibrate auto for this adapter. Takes some seconds, during which the \
                    picture freezes; the result is kept for the next start. Key: K";
                if action(ui, text("calibrate", hover)) {
                    self.asked.push(Action::Calibrate);
                }
            });
            ui.label(format!("auto: {}", self.readings.rule));
        });
    }
}

/// What a line of the table shows.
struct Line {
    method: Method,
    /// What runs: of `auto` what it chose last, if it has.
    runs: Option<Specialization>,
    unavailable: Option<String>,
    time: Option<MethodTime>,
    /// Whether the time is of what is shown.
    is_current: bool,
    /// Time over that of the baseline.
    ratio: Option<f64>,
    /// Time over that of a bar of full length; above 1 the bar is cut off.
    part: f32,
    warning: Option<String>,
}

/// The time that a bar of full length stands for: the longest, or four times the median where that is less, so that
/// one slow method leaves the others their bars.
fn longest_bar(times: Vec<f64>) -> f64 {
    let longest = times.iter().copied().fold(0.0, f64::max);
    Summary::of(&times).map_or(longest, |times| longest.min(CUT * times.median))
}

/// The rectangles of the columns in a line: A, B, name, dial, bar, ratio, age.
fn columns(line: Rect) -> [Rect; 7] {
    let spare = line.width() - 2.0 * RADIO - NAME - DIAL - RATIO - AGE;
    let age = if spare < BAR { 0.0 } else { AGE };
    let bar = (line.width() - 2.0 * RADIO - NAME - DIAL - RATIO - age).max(0.0);
    let mut left = line.left();
    [RADIO, RADIO, NAME, DIAL, bar, RATIO, age].map(|width| {
        let column = Rect::from_min_size(egui::pos2(left, line.top()), vec2(width, line.height()));
        left += width;
        column
    })
}

/// Writes into a column, cut off where it ends.
fn put(ui: &Ui, column: Rect, text: &str, color: Color32) {
    let font = TextStyle::Body.resolve(ui.style());
    let font = egui::FontId::new(font.size - 1.0, font.family);
    let painter = ui
        .painter()
        .with_clip_rect(column.intersect(ui.clip_rect()));
    let at = column.left_center() + Vec2::new(2.0, 0.0);
    painter.text(at, Align2::LEFT_CENTER, text, font, color);
}

fn radio(ui: &mut Ui, column: Rect, line: &Line, is_on: bool, name: &str) -> Response {
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(column).id_salt(name));
    inside.spacing_mut().icon_width = 12.0;
    inside.spacing_mut().interact_size.y = LINE;
    let is_usable = line.unavailable.is_none();
    let button = egui::RadioButton::new(is_on, "");
    let response = inside.add_enabled(is_usable, button);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, is_usable, is_on, name));
    response
}

/// A time with three digits that count.
fn milliseconds(time: f64) -> String {
    match time {
        0.0..0.1 => format!("{time:.4}"),
        0.1..10.0 => format!("{time:.3}"),
        _ => format!("{time:.1}"),
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

fn progress(ui: &mut Ui, measurement: &Measurement) {
    let done = measurement.done;
    let text = if done < 1.0 {
        let left = measurement.seconds_left;
        let left = left.map(|seconds| format!(", {seconds:.0} s left"));
        format!("{:.0} %{}", 100.0 * done, left.unwrap_or_default())
    } else {
        "until medians settle".to_owned()
    };
    ui.add(egui::ProgressBar::new(done as f32).text(text));
}

/// Methods to choose from, each with what it does.
pub fn options(methods: &[Method]) -> Vec<(Method, String, String)> {
    let option = |method: &Method| {
        let explanation = method.entry().mapping.to_owned();
        (*method, method.name().to_owned(), explanation)
    };
    methods.iter().map(option).collect()
}
