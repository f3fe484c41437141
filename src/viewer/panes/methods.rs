//! Pane "Methods": a row per method, with its times and buttons to choose it as A or B, and the controls for measuring.

use egui::{RichText, Ui};

use super::method_card::{Methods, milliseconds};
use super::style::{ask, note};
use crate::live::{ENOUGH, Measurement};
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::progress::left_in_words;
use crate::timing::IN_FRAMES;
use crate::viewer::action::Action;
use crate::viewer::controls::{action, choice, search, toggle};
use crate::viewer::measured::Table;
use crate::viewer::method_order::MethodOrder;
use crate::viewer::preset::Compare;

/// Approximate number of seconds that compiling a method's shaders takes.
const COMPILING: f64 = 0.3;

/// The search field does not scroll: out of view it would lose the focus, and typing would trigger shortcuts.
pub fn head(ui: &mut Ui, order: &mut MethodOrder) {
    let hover = "Show only methods with these words in their names";
    ui.horizontal(|ui| search(ui, ("search", hover), &mut order.search));
}

impl Methods<'_, '_> {
    pub fn show(mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 2.0;
        self.answer(ui);
        self.measure(ui);
        self.table(ui);
        ui.add_space(3.0);
        if let Some(measurement) = self.readings.measurement.filter(|of| of.finished) {
            self.measured(ui, measurement);
        }
        self.settings(ui);
        self.auto(ui);
    }

    fn answer(&self, ui: &mut Ui) {
        let hover = "Ratio of the median composite times. The rest of the frame is the same. \
            ~: the middle halves of the times overlap";
        ui.label(RichText::new(self.of_a_and_b()).strong())
            .on_hover_text(hover);
        if let Some(measurement) = self.readings.measurement.filter(|of| !of.finished) {
            progress(ui, measurement);
            return;
        }
        let hover = "Fastest of all methods with enough times for this picture, and the relative time of auto";
        let fastest = self.of_the_fastest();
        let press = || "press M to find the fastest method".to_owned();
        ui.label(fastest.unwrap_or_else(press)).on_hover_text(hover);
    }

    fn of_a_and_b(&self) -> String {
        let (a, b) = (self.comparison.chosen.a, self.comparison.chosen.b);
        if a == b {
            return format!("A and B are both {a}");
        }
        if let Some(not) = Method::not_compared([a, b].into_iter(), &self.machine.caps.name) {
            return not;
        }
        let count = |method| self.current(method).map_or(0, |time| time.samples.len());
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) if a.is_as_fast_as(b) => {
                format!("A and B are equally fast (~{:.2}x)", a.median / b.median)
            }
            (Some(a), Some(b)) if a.median >= b.median => {
                format!("B is {:.2}x faster than A", a.median / b.median)
            }
            (Some(a), Some(b)) => format!("A is {:.2}x faster than B", b.median / a.median),
            _ if count(b) == 0 && self.comparison.right().is_none() => {
                "B is hidden, so it is not timed".to_owned()
            }
            _ if count(a).min(count(b)) >= ENOUGH => {
                "press M to compare A and B: one of them was not measured".to_owned()
            }
            _ if self.readings.is_idle() => "press M to compare A and B".to_owned(),
            _ => format!("measuring, {} of {ENOUGH}", count(a).min(count(b))),
        }
    }

    fn of_the_fastest(&self) -> Option<String> {
        let method = self.fastest()?;
        let fastest = self.known(method)?;
        let mut usable = self.machine.compared(&[]);
        usable.retain(|method| self.drawing_part(*method).is_none());
        let known = usable.iter().filter(|of| self.known(**of).is_some());
        let of = match known.count() {
            all if all == usable.len() => String::new(),
            few => format!(" of {few} timed"),
        };
        let mut said = format!("fastest{of}: {method}, {}", milliseconds(fastest.median));
        if let Some(auto) = self.known(Method::Auto).filter(|_| method != Method::Auto) {
            let mark = if auto.is_as_fast_as(fastest) { "~" } else { "" };
            said += &format!("; auto takes {mark}{:.2}x", auto.median / fastest.median);
        }
        Some(said)
    }

    fn measure(&mut self, ui: &mut Ui) {
        let running = self.readings.is_measuring();
        let text = if running {
            ("stop measuring", "Stop and keep the times so far")
        } else {
            (
                "measure all methods",
                "Warm up, then run all usable methods in turn for many rounds on the same lists, and \
                compare each with pixel-loop",
            )
        };
        let is_free = self.readings.busy.is_none() || running;
        let takes = self.takes(self.machine.usable().len());
        let takes = takes.filter(|_| !running);
        let buttons = |ui: &mut Ui| {
            ask(ui, self.asked, text, Action::Measure);
            let menu = ui.menu_button("only…", |ui| {
                let chosen = &self.comparison.chosen;
                for (name, of) in [
                    ("A and B", vec![chosen.a, chosen.b]),
                    ("exact methods", Method::exact().collect()),
                    ("approximate methods", Method::approximate().collect()),
                ] {
                    let takes = self.takes(of.len()).map(|takes| format!(", {takes}"));
                    let label = name.to_owned() + &takes.unwrap_or_default();
                    if action(ui, (&label, "Measure only these")) {
                        self.asked.push(Action::MeasureOnly(of));
                        // The menu would stay open if the entry was chosen with the keyboard.
                        ui.close();
                    }
                }
            });
            menu.response.on_hover_text("Measure only some methods");
            if let Some(takes) = takes {
                note(ui, &takes);
            }
        };
        ui.add_enabled_ui(is_free, |ui| ui.horizontal_wrapped(buttons));
    }

    /// Approximate time in words to measure this many methods, if any method has been timed.
    fn takes(&self, methods: usize) -> Option<String> {
        let known = Method::all().filter_map(|of| Some(self.current(of)?.median));
        let is_cpu = self.machine.caps.is_cpu;
        let passes = if is_cpu {
            ENOUGH + 1
        } else {
            IN_FRAMES as usize + 1
        };
        let times = Sorted::new(&known.collect::<Vec<_>>())?;
        let of_one = COMPILING + 1.5e-3 * times.median() * passes as f64;
        Some(format!("about {:.0} s", (of_one * methods as f64).max(1.0)))
    }

    /// Actions on the times of a finished measurement, and caveats about the times.
    fn measured(&mut self, ui: &mut Ui, measurement: &Measurement) {
        let settings = &self.subject.settings;
        let table = Table::new(self.times, measurement, settings, self.machine);
        ui.horizontal_wrapped(|ui| {
            let hover = "Copy the measured times as CSV";
            if action(ui, ("copy CSV", hover)) {
                // Only a bug could make this fail.
                self.asked.extend(table.csv().ok().map(Action::Copy));
            }
            let hover = "Copy the measured times as Markdown";
            if action(ui, ("copy Markdown", hover)) {
                self.asked.push(Action::Copy(table.markdown()));
            }
            let hover = "Save the times with all samples as a record, which wavelerp page and wavelerp compare read";
            ask(ui, self.asked, ("save record", hover), Action::SaveTimes);
        });
        for remark in &table.notes {
            note(ui, remark);
        }
    }

    fn settings(&mut self, ui: &mut Ui) {
        let usable = options(&self.machine.usable());
        let hover = "Time one more method in every frame, in turn, so that all times stay current. \
            Makes frames longer; off by default on a CPU adapter.";
        let default = !self.machine.caps.is_cpu;
        let keeps_measuring = (&mut self.times.keeps_measuring, &default);
        toggle(ui, ("keep measuring", hover), keeps_measuring);
        let (now, defaults) = (&mut self.comparison.chosen, Compare::default());
        let text = ("baseline", "The method that times are relative to");
        choice(ui, text, (&mut now.baseline, &defaults.baseline), &usable);
        let text = ("reference", "The method shown while key R is held");
        choice(ui, text, (&mut now.reference, &defaults.reference), &usable);
    }

    fn auto(&mut self, ui: &mut Ui) {
        if let Some(choice) = self.readings.choice {
            ui.label(format!("auto runs {}", choice.specialization.label()));
            note(ui, &choice.why);
        }
    }
}

fn progress(ui: &mut Ui, measurement: &Measurement) {
    let text = measurement.doing.clone() + &left_in_words(measurement.seconds_left);
    // The bar is as high as the line that replaces it, so that nothing moves.
    let height = ui.text_style_height(&egui::TextStyle::Body);
    let bar = egui::ProgressBar::new(measurement.done as f32).desired_height(height);
    ui.add(bar.text(text));
}

pub fn options(methods: &[Method]) -> Vec<(Method, String, String)> {
    let option = |method: &Method| {
        let explanation = method.entry().mapping.to_owned();
        (*method, method.name().to_owned(), explanation)
    };
    methods.iter().map(option).collect()
}
