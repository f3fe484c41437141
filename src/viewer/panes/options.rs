//! Pane "Options": the wave sizes of A and B, and the options of the frame and of the methods. A section shows the
//! options that affect the methods in its heading.

use egui::{CollapsingHeader, Ui};

use super::shown_methods::ShownMethods;
use super::style::{note, warn};
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::options::{Acts, Choice, Control, Dial, Fields, Options, Row};
use crate::model::settings::help_of;
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::{choice, slider, unless_idle};
use crate::viewer::readings::Readings;
use crate::viewer::subject::Subject;

/// Maximum number of methods named in the heading of a section.
const MOST_NAMES: usize = 4;

pub fn options(
    ui: &mut Ui,
    subject: &mut Subject,
    comparison: &Comparison,
    caps: &Capabilities,
    readings: &Readings,
) {
    let shown = ShownMethods::new(comparison, readings);
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
                Method::LinkedList => "have more layers than there is room for",
                _ => "have sums that overflow half floats",
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
    of_frame_and_methods(ui, subject, caps, &shown);
}

/// Options of the frame that are shown in the pane "Scene".
const IN_SCENE: [&str; 3] = ["tile", "splat_order", "fog"];

fn of_frame_and_methods(
    ui: &mut Ui,
    subject: &mut Subject,
    caps: &Capabilities,
    shown: &ShownMethods,
) {
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

struct Section<'a> {
    of: Vec<Method>,
    acts: Acts,
    options: Vec<Set<'a>>,
}

/// An option, and a switch that lets the frame choose the option's value, if there is one.
pub struct Set<'a> {
    pub row: Row<'a>,
    auto: Option<(&'a mut bool, bool)>,
}

impl<'a> Set<'a> {
    pub fn all(rows: impl Iterator<Item = Row<'a>>) -> Vec<Self> {
        let (mut sets, mut auto) = (Vec::new(), None);
        for row in rows {
            match row.control {
                Control::Auto(now, usual) => auto = Some((now, usual)),
                _ => sets.push(Self {
                    row,
                    auto: auto.take(),
                }),
            }
        }
        sets
    }

    /// Limits a count to `most`.
    fn at_most(mut self, most: u32) -> Self {
        if let Control::Count(now, usual, counts) = &mut self.row.control {
            **now = most.min(**now);
            *usual = most.min(*usual);
            counts.retain(|count| *count <= most);
        }
        self
    }

    pub fn show(self, ui: &mut Ui) {
        let field = self.row.field;
        let label = &match field {
            "early_out" => "early-out".to_owned(),
            "tile" => "tile size".to_owned(),
            _ => field.replace('_', " "),
        };
        let text = (label.as_str(), help_of(field));
        match self.row.control {
            Control::Auto(..) => {}
            Control::Choice(Choice {
                mut now,
                usual,
                names,
                mut choose,
            }) => {
                let names = names.into_iter().enumerate();
                let choices: Vec<_> = names.map(|(at, [name, does])| (at, name, does)).collect();
                choice(ui, text, (&mut now, &usual), &choices);
                choose(now);
            }
            Control::Count(now, usual, counts) => {
                let counts = counts.into_iter();
                let counts = counts.map(|count| (Some(count), count.to_string(), String::new()));
                let Some((auto, is_usual)) = self.auto else {
                    let mut chosen = Some(*now);
                    choice(
                        ui,
                        text,
                        (&mut chosen, &Some(usual)),
                        &counts.collect::<Vec<_>>(),
                    );
                    *now = chosen.unwrap_or(usual);
                    return;
                };
                let first = (None, format!("auto, {usual}"), String::new());
                let choices: Vec<_> = [first].into_iter().chain(counts).collect();
                let mut chosen = (!*auto).then_some(*now);
                let usual_choice = (!is_usual).then_some(usual);
                choice(ui, text, (&mut chosen, &usual_choice), &choices);
                (*auto, *now) = (chosen.is_none(), chosen.unwrap_or(usual));
            }
            Control::Number(now, usual, [least, most]) => {
                slider(ui, text, (now, &usual), least..=most, |slider| slider);
            }
            Control::Decimal(now, usual, [least, most]) => {
                slider(ui, text, (now, &usual), least..=most, |slider| slider);
            }
            Control::Factor(now, usual, [least, most]) => {
                slider(ui, text, (now, &usual), least..=most, |slider| {
                    slider.logarithmic(true).smallest_positive(1e-4)
                });
            }
        }
    }
}

fn method_options(
    ui: &mut Ui,
    options: &mut Options,
    usual: &Options,
    caps: &Capabilities,
    shown: &ShownMethods,
) {
    let sections = sections(options, usual, caps).into_iter();
    let acts = |acts: Acts| move |asked: Method, runs: Method| acts.on(asked.entry(), runs.entry());
    let (of_shown, others): (Vec<_>, Vec<_>) =
        sections.partition(|section| shown.any(acts(section.acts)));
    of_shown.into_iter().for_each(|section| section.show(ui));
    CollapsingHeader::new("options of other methods")
        .show_unindented(ui, |ui| {
            note(ui, format!("No effect on the methods shown ({shown})."));
            others.into_iter().for_each(|section| section.show(ui));
        })
        .header_response
        .on_hover_text("Options that affect neither A nor B, only other measured methods");
}

impl Section<'_> {
    fn show(self, ui: &mut Ui) {
        let of: Vec<&str> = self.of.iter().map(|method| method.name()).collect();
        let heading = match of.len() {
            0..=MOST_NAMES => of.join(", "),
            all => format!("{} and {} more", of[0], all - 1),
        };
        note(ui, heading).on_hover_text(format!("Options of {}", of.join(", ")));
        self.options.into_iter().for_each(|option| option.show(ui));
    }
}

/// A section for each set of methods, in the order in which the table lists the methods.
fn sections<'a>(
    options: &'a mut Options,
    usual: &Options,
    caps: &Capabilities,
) -> Vec<Section<'a>> {
    let most_walked = options.frame.pixels_of_tile();
    let mut sections: Vec<Section> = Vec::new();
    for option in Set::all(options.rows(usual)) {
        let (field, acts) = (option.row.field, option.row.acts);
        let acts_on = |method: &Method| acts.on(method.entry(), method.entry());
        let of: Vec<Method> = Method::all().filter(acts_on).collect();
        let is_possible = match field {
            "lane_read" => caps.native_spirv,
            "precision" => caps.half_floats,
            _ => true,
        };
        // An unavailable option that a preset has set is shown, so that it can be reset.
        if of.is_empty() || !(is_possible || option.row.is_changed) {
            continue;
        }
        let option = match field {
            "pixels_per_wave" => option.at_most(most_walked),
            "threads_per_pixel" => option.at_most(Dial::most_threads(caps)),
            _ => option,
        };
        match sections.iter_mut().find(|section| section.of == of) {
            Some(section) => section.options.push(option),
            None => sections.push(Section {
                of,
                acts,
                options: vec![option],
            }),
        }
    }
    sections.sort_by_key(|section| section.of[0]);
    sections
}
