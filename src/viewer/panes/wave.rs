//! Pane "Wave": how wide the waves of A and B are, and the options of frame and methods.

use std::fmt;

use egui::Ui;

use super::Readings;
use super::method_options::{Set, method_options};
use super::style::warn;
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::options::{Acts, Fields};
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::unless_idle;
use crate::viewer::subject::Subject;

/// The methods on screen, each with the one that runs: of `auto` what it chose.
pub struct Shown(Vec<(Method, Method)>);

impl Shown {
    pub fn new(comparison: &Comparison, readings: &Readings) -> Self {
        let with_what_runs = |method| match readings.choice {
            Some(choice) if method == Method::Auto => (method, choice.specialization.runs),
            _ => (method, method),
        };
        let shown = comparison.shown().into_iter().flatten();
        let mut shown: Vec<_> = shown.map(with_what_runs).collect();
        shown.dedup();
        Self(shown)
    }

    /// Whether something `acts` on a method that is asked for and what runs for it.
    pub fn any(&self, acts: impl Fn(Method, Method) -> bool) -> bool {
        self.0.iter().any(|(asked, runs)| acts(*asked, *runs))
    }

    /// Why an option does nothing now, if that is so: it acts on methods that are `such`.
    fn idle(&self, such: &str, acts: impl Fn(Method, Method) -> bool) -> Option<String> {
        let is_idle = !self.any(acts);
        is_idle.then(|| format!("No effect on what is shown ({self}): it acts on {such}."))
    }

    pub fn idle_lists(&self) -> Option<String> {
        self.idle("methods that composite tiles' lists", |_, runs| {
            !runs.is_drawn()
        })
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(asked, runs)| match asked == runs {
            true => asked.to_string(),
            false => format!("{asked}, which runs {runs}"),
        });
        f.write_str(&names.collect::<Vec<_>>().join("; "))
    }
}

pub fn wave(
    ui: &mut Ui,
    subject: &mut Subject,
    comparison: &Comparison,
    caps: &Capabilities,
    readings: &Readings,
) {
    let shown = Shown::new(comparison, readings);
    let mut running = shown.0.iter().map(|(_, runs)| *runs);
    let (method, other) = (running.next().unwrap_or(comparison.left()), running.next());
    let size =
        |size: Option<u32>| size.map_or("unknown".to_owned(), |size| format!("{size} lanes"));
    let [ran, other_ran] = readings.wave_sizes;
    if method.uses_waves() {
        ui.label(format!("{method} ran at a wave of {}", size(ran)));
    } else {
        ui.label(format!("{method} uses no waves"));
    }
    if let Some(other) = other.filter(|other| other.uses_waves() && method.uses_waves())
        && let (Some(a), Some(b)) = (ran, other_ran)
        && a != b
    {
        warn(
            ui,
            format!("{other} ran at a wave of {b} lanes: compare their times with care"),
        );
    }
    for ((method, _), pixels) in shown.0.iter().zip(readings.overflowed) {
        if pixels > 0 {
            let words = match method {
                Method::LinkedList => "have more layers than room",
                _ => "have sums that end at the largest half float",
            };
            warn(ui, format!("{method}: {pixels} pixels {words}"));
        }
    }
    ui.label(format!("tail: {}", method.entry().tail));
    ui.label(format!("carry: {}", method.entry().carry));
    let counters = readings.counters;
    let longest = counters.longest_list;
    let lanes = ran.unwrap_or(caps.wave_max).max(1);
    ui.label(match counters.has_lists() {
        true => format!(
            "longest list: {longest} layers, {} groups of {lanes}",
            longest.div_ceil(lanes)
        ),
        false => "longest list: – (no method shown needs lists)".to_owned(),
    });
    options(ui, subject, caps, &shown);
}

/// Options of the frame that are in the pane of the scene.
const IN_SCENE: [&str; 3] = ["tile", "splat_order", "fog"];

/// The options of the methods shown, those of the frame that are not in pane "Scene", and those of other methods.
fn options(ui: &mut Ui, subject: &mut Subject, caps: &Capabilities, shown: &Shown) {
    let scene = &subject.scene;
    let idle_solids = match scene.meshes.is_empty() {
        true => Some("No effect here: this scene has no solids."),
        false => (scene.names_models())
            .then_some("No effect here: models of files are always drawn by the rasteriser."),
    };
    let are_drawn = shown.idle(
        "methods that are not drawn by the blending hardware",
        |_, runs| !runs.is_drawn(),
    );
    let (usual, options) = (subject.usual_options(), &mut subject.settings.options);
    for option in Set::all(options.frame.rows(&usual.frame).into_iter()) {
        let idle = match option.row.field {
            "early_out" => are_drawn.as_deref(),
            "solids" => idle_solids,
            _ => None,
        };
        let is_here = matches!(option.row.acts, Acts::Frame);
        if is_here && !IN_SCENE.contains(&option.row.field) {
            unless_idle(ui, idle, |ui| option.show(ui));
        }
    }
    method_options(ui, options, &usual, caps, shown);
}
