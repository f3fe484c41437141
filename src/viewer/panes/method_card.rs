//! The state that the pane "Methods" borrows, and the card of a method.

use egui::{RichText, Ui};

use super::code;
use super::style::warn;
use crate::model::methods::Method;
use crate::viewer::action::Action;
use crate::viewer::code::CodePage;
use crate::viewer::comparison::Comparison;
use crate::viewer::keys::key_of;
use crate::viewer::machine::Machine;
use crate::viewer::method_order::MethodOrder;
use crate::viewer::readings::Readings;
use crate::viewer::subject::Subject;
use crate::viewer::times::{Current, MethodTime, Times};

pub struct Methods<'a, 'r> {
    pub subject: &'a Subject,
    pub comparison: &'a mut Comparison,
    pub times: &'a mut Times,
    pub machine: &'a Machine,
    pub order: &'a mut MethodOrder,
    pub code: &'a mut CodePage,
    pub asked: &'a mut Vec<Action>,
    pub readings: &'a Readings<'r>,
}

impl Methods<'_, '_> {
    pub(super) fn fastest(&self) -> Option<Method> {
        let known = || Method::exact().filter_map(|method| Some((method, self.known(method)?)));
        let fastest = known().min_by(|a, b| a.1.median.total_cmp(&b.1.median));
        let is_apart = |of: &(Method, &MethodTime)| {
            let mut others = known().filter(|other| other.0 != of.0).peekable();
            others.peek().is_some()
                && others.all(|other| other.1.median >= of.1.median + of.1.tick())
        };
        fastest.filter(is_apart).map(|of| of.0)
    }

    pub(super) fn drawing_part(&self, method: Method) -> Option<&'static str> {
        method.drawing_part(&self.machine.caps.name)
    }

    /// Times of the method, if there are enough of them for conclusions and comparisons.
    pub(super) fn known(&self, method: Method) -> Option<&MethodTime> {
        let compares = self.drawing_part(method).is_none();
        self.of_now().known(method).filter(|_| compares)
    }

    pub(super) fn current(&self, method: Method) -> Option<&MethodTime> {
        self.of_now().time(method)
    }

    pub(super) fn of_now(&self) -> Current<'_> {
        let settings = &self.subject.settings;
        self.times.now(settings, self.readings.choice)
    }

    /// Shows the card of a method; `unavailable` is the reason why the method cannot run on this machine.
    pub(super) fn card(&mut self, ui: &mut Ui, method: Method, unavailable: Option<&str>) {
        let entry = method.entry();
        ui.set_max_width(360.0);
        ui.label(RichText::new(entry.name).strong());
        ui.label(format!("{}.", entry.mapping));
        ui.label(format!("Cost: {}.", entry.cost));
        ui.label(format!("Guarantee: {}.", entry.guarantee));
        ui.label(format!("Origin: {}.", entry.origin));
        ui.label(format!("Key: {}.", key_of(method)));
        let choice = self.readings.choice;
        if let Some(choice) = choice.filter(|_| method == Method::Auto) {
            let runs = choice.specialization.label();
            ui.label(format!("Now: {runs}, {}.", choice.why));
        }
        let compiles = unavailable.is_none() && method != Method::Auto;
        if compiles {
            let runs = self.subject.settings.options.specialize(method);
            if let Ok(sheet) = self.code.sheet(&self.machine.caps, &runs) {
                let brief = code::brief(&sheet);
                ui.label(format!("Code: {brief}. The pane Code shows more."));
            }
        }
        if let Some(reason) = unavailable {
            warn(ui, format!("Unavailable: {reason}"));
        }
    }
}

pub(super) fn milliseconds(time: f64) -> String {
    format!("{} ms", digits(time))
}

pub(super) fn digits(time: f64) -> String {
    match time {
        0.0..0.1 => format!("{time:.4}"),
        0.1..10.0 => format!("{time:.3}"),
        _ => format!("{time:.1}"),
    }
}
