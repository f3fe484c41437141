//! Pane "Options": how wide the waves of A and B are, and the options of frame and methods.

use egui::Ui;

use super::method_options::{factor, method_options, one_of, sets};
use super::shown_methods::ShownMethods;
use super::style::warn;
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::model::options::FrameOptions;
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::unless_idle;
use crate::viewer::readings::Readings;
use crate::viewer::subject::Subject;

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
                Method::LinkedList => "have more layers than room",
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

/// Options of the methods shown, options of the frame outside the pane "Scene", and those of other methods.
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
    // The others are in the pane "Scene", or act on some methods only.
    sets!(
        FrameOptions {
            early_out,
            solids,
        } without {
            auto_tile,
            tile,
            precision,
            splat_order,
            fog,
            order,
            key_bits,
            order_age,
        } = &mut options.frame, usual.frame
    );
    unless_idle(ui, are_drawn.as_deref(), factor(early_out, [0.0, 0.5]));
    unless_idle(ui, idle_solids, one_of(solids));
    method_options(ui, options, &usual, caps, shown);
}
