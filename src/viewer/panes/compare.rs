//! Pane "Compare": A and B beside each other, their difference in pictures and in numbers.

use std::collections::VecDeque;
use std::sync::Arc;

use clap::ValueEnum;
use egui::{Color32, RichText, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use super::Readings;
use super::methods::options;
use super::style::{legend, warn};
use crate::live::LiveMetrics;
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::canvas::Canvas;
use crate::report::range::{DifferenceRange, GREATEST, LEAST, RangeChoice, power};
use crate::viewer::action::Action;
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::{action, choice, slider, text, toggle, unless_idle, value};
use crate::viewer::flip::Flip;
use crate::viewer::images::BESIDE_THE_PICTURE;
use crate::viewer::preset::Compare;
use crate::viewer::view::{Layout, View};

/// Differences below this are drawn on the floor of the history plot.
const LEAST_SHOWN: f64 = 1e-10;

/// The lines of the history plot, in colours seen on dark and on bright.
const HISTORY: [(Color32, &str); 2] = [
    (Color32::from_rgb(205, 75, 75), "max abs"),
    (Color32::from_rgb(70, 150, 80), "RMSE"),
];

/// The map of FLIP is at least this wide, points, where the pane is.
const FLIP_WIDTH: f32 = 320.0;

/// Everything about A and B.
pub fn compare(
    ui: &mut Ui,
    comparison: &mut Comparison,
    settings: &Settings,
    usable: &[Method],
    asked: &mut Vec<Action>,
    readings: &Readings,
) {
    other(ui, comparison.chosen.b, usable, asked);
    beside(ui, &mut comparison.chosen);
    views(ui, comparison, readings);
    let is_log = comparison.view_chosen() == View::Log;
    let why = "No effect on this view: it acts on log10";
    unless_idle(ui, (!is_log).then_some(why), |ui| {
        range(ui, comparison, asked)
    });
    metrics(ui, &mut comparison.chosen, asked, readings);
    looks(ui, comparison, settings, asked);
}

/// How different A and B look, on request.
fn looks(ui: &mut Ui, comparison: &Comparison, settings: &Settings, asked: &mut Vec<Action>) {
    let hover = "How different A and B look to a viewer, by NVIDIA's FLIP: reads both pictures \
        back and compares them as displayed, at 67 pixels per degree of view";
    ui.add_enabled_ui(comparison.right().is_some(), |ui| {
        if action(ui, text("compare by FLIP", hover)) {
            asked.push(Action::Flip);
        }
    });
    let Some(flip) = &comparison.flip else { return };
    let [a, b] = flip.of;
    ui.monospace(format!(
        "FLIP {:.6}, at most {:.4}",
        flip.mean, flip.greatest
    ));
    let is_current = flip.settings == *settings
        && [Some(a), Some(b)] == [Some(comparison.left()), comparison.right()];
    let age = if is_current {
        ""
    } else {
        ", of an earlier picture"
    };
    let note =
        format!("{a} and {b}{age}; 0 looks the same (indigo), 1 completely different (yellow)");
    ui.label(RichText::new(note).weak().small());
    let texture = flip_texture(ui, flip);
    let size = texture.size_vec2();
    let width = ui.available_width().min(size.x.max(FLIP_WIDTH));
    let map = egui::Image::new(&texture).fit_to_exact_size(size * (width / size.x));
    ui.add(map).on_hover_text("Where A and B look different");
}

/// The map as a texture, which is made once for each comparison.
fn flip_texture(ui: &Ui, flip: &Flip) -> egui::TextureHandle {
    type Kept = (Arc<Canvas>, egui::TextureHandle);
    let id = egui::Id::unique("FLIP");
    let kept = ui.data(|data| data.get_temp::<Kept>(id));
    if let Some((_, texture)) = kept.filter(|(map, _)| Arc::ptr_eq(map, &flip.map)) {
        return texture;
    }
    let size = flip.map.size().map(|edge| edge as usize);
    let image = egui::ColorImage::from_rgb(size, flip.map.pixels().as_flattened());
    let texture = ui
        .ctx()
        .load_texture("FLIP", image, egui::TextureOptions::NEAREST);
    ui.data_mut(|data| data.insert_temp(id, (Arc::clone(&flip.map), texture.clone())));
    texture
}

/// The method that A is compared with.
fn other(ui: &mut Ui, now: Method, usable: &[Method], asked: &mut Vec<Action>) {
    let mut picked = now;
    let hover = "The method right of a split; differences are A - B. Key: B";
    choice(
        ui,
        text("method B", hover),
        value(&mut picked, &Compare::default().b),
        &options(usable),
    );
    if picked != now {
        asked.push(Action::PickOther(picked));
    }
}

/// A and B beside each other, or one after the other.
fn beside(ui: &mut Ui, now: &mut Compare) {
    let defaults = Compare::default();
    let layouts = Layout::value_variants().iter().map(|layout| {
        let (name, explanation) = layout.texts();
        (*layout, name.to_owned(), explanation.to_owned())
    });
    choice(
        ui,
        text("layout", "Pictures shown side by side. Key: G"),
        value(&mut now.layout, &defaults.layout),
        &layouts.collect::<Vec<_>>(),
    );
    let hover = "Method A left, method B right; drag the line in the picture. Key: X";
    toggle(
        ui,
        text("split", hover),
        value(&mut now.split_on, &defaults.split_on),
    );
    let is_split = now.split_on && now.layout != Layout::SideBySide;
    unless_idle(
        ui,
        (!is_split).then_some("No effect: no picture is split"),
        |ui| {
            slider(
                ui,
                text(
                    "split at",
                    "Position of the split, as a fraction of the width",
                ),
                value(&mut now.split, &defaults.split),
                0.0..=1.0,
                |slider| slider.fixed_decimals(2),
            );
        },
    );
    let hover = "Alternate A and B every half second. Key: Z";
    toggle(
        ui,
        text("blink", hover),
        value(&mut now.blink, &defaults.blink),
    );
    let hover = "On the picture, show the names of A and B, the kind and scale of a difference, \
        the worst pixel, size and frame time. Key: H";
    toggle(
        ui,
        text("labels", hover),
        value(&mut now.labels, &defaults.labels),
    );
}

/// What the picture area shows, and how differences are made visible.
fn views(ui: &mut Ui, comparison: &mut Comparison, readings: &Readings) {
    let defaults = Compare::default();
    let option = |view: &View| {
        let (name, explanation) = view.texts();
        (*view, name.to_owned(), explanation.to_owned())
    };
    let default = match comparison.chosen.layout {
        Layout::Single => defaults.view,
        Layout::WithDifference | Layout::SideBySide => BESIDE_THE_PICTURE,
    };
    // Where the picture is beside it, the view is none.
    let all = View::value_variants().iter();
    let all = all.filter(|view| **view != View::Picture || default == View::Picture);
    let views: Vec<_> = all.map(option).collect();
    let mut view = comparison.view_chosen();
    let hover = "The picture, a difference of A's and B's float results (key F for the next), or \
        a debug view of the lists (key V)";
    choice(ui, text("view", hover), value(&mut view, &default), &views);
    if view != comparison.view_chosen() {
        comparison.choose_view(view);
    }
    ui.label(RichText::new(view.texts().1).weak().small());
    let amplifies = matches!(view, View::Absolute | View::Signed | View::RedOnGrey);
    let why = "No effect on this view: it acts on absolute, signed and red on grey";
    unless_idle(ui, (!amplifies).then_some(why), |ui| {
        amplification(ui, &mut comparison.chosen, readings);
    });
}

fn amplification(ui: &mut Ui, now: &mut Compare, readings: &Readings) {
    let hover = "Factor on differences in the views absolute, signed and red on grey: 1 to 10⁷";
    slider(
        ui,
        text("amplify", hover),
        value(&mut now.amplify_log10, &Compare::default().amplify_log10),
        0.0..=7.0,
        power_of_ten,
    );
    let greatest = readings.metrics.map(|metrics| metrics.metrics.max_abs);
    ui.add_enabled_ui(greatest.is_some_and(|most| most > 0.0), |ui| {
        let hover = "Amplify so that the largest measured difference reaches the end of the scale";
        if action(ui, text("fit amplification", hover)) {
            let power = -greatest.unwrap_or(1.0).log10() as f32;
            now.amplify_log10 = power.clamp(0.0, 7.0);
        }
    });
}

/// The range of the difference log10: fitted, or what the user has set.
fn range(ui: &mut Ui, comparison: &mut Comparison, asked: &mut Vec<Action>) {
    let fitted = comparison.fitted_range.range().exponents();
    let before = comparison.difference_range().exponents();
    let [mut low, mut high] = before;
    let hover = "Low end of the log10 scale: smaller differences take its colour. The default \
        fits the differences";
    slider(
        ui,
        text("range from", hover),
        value(&mut low, &fitted[0]),
        LEAST..=GREATEST - 1,
        whole_power_of_ten,
    );
    let hover = "High end of the log10 scale: larger differences take its colour. The default \
        fits the differences";
    slider(
        ui,
        text("range to", hover),
        value(&mut high, &fitted[1]),
        LEAST + 1..=GREATEST,
        whole_power_of_ten,
    );
    if [low, high] != before {
        // The end that is not moved gives way.
        let ends = match low == before[0] {
            true => [low.min(high - 1), high],
            false => [low, high.max(low + 1)],
        };
        let fixed = DifferenceRange::new(ends[0], ends[1]).filter(|_| ends != fitted);
        comparison.chosen.difference_range = fixed.map_or(RangeChoice::Auto, RangeChoice::Fixed);
    }
    let hover = "Fit the range to the current differences, from the 0.5th to the 99.9th \
        percentile in whole decades, and hold it until a method or the scene changes";
    if action(ui, text("fit range", hover)) {
        asked.push(Action::FitRange);
    }
}

/// A slider over whole exponents that shows and takes the power of ten.
fn whole_power_of_ten(slider: egui::Slider) -> egui::Slider {
    slider
        .custom_formatter(|exponent, _| power(exponent as i32))
        .custom_parser(|number| number.trim().parse::<f64>().ok().map(f64::log10))
}

/// A measured against B, on request.
fn metrics(ui: &mut Ui, now: &mut Compare, asked: &mut Vec<Action>, readings: &Readings) {
    let defaults = Compare::default();
    let hover = "Measure A against B on the GPU, from the float results. Key: N";
    toggle(
        ui,
        text("metrics", hover),
        value(&mut now.metrics, &defaults.metrics),
    );
    let hover = "Count pixels that differ by more than this in any of r, g, b, T";
    let why = (!now.metrics).then_some("No effect: metrics are off");
    unless_idle(ui, why, |ui| {
        slider(
            ui,
            text("threshold", hover),
            value(&mut now.threshold_log10, &defaults.threshold_log10),
            -9.0..=0.0,
            power_of_ten,
        );
    });
    if !now.metrics {
        return;
    }
    match readings.metrics {
        Some(metrics) => numbers(ui, now.threshold_log10, asked, metrics),
        None => {
            ui.label(RichText::new("no result yet").weak());
        }
    }
    history(ui, &readings.metrics_history);
}

/// A slider over exponents that shows and takes the number itself.
fn power_of_ten(slider: egui::Slider) -> egui::Slider {
    slider
        .custom_formatter(|exponent, _| format!("{:.2e}", 10f64.powf(exponent)))
        .custom_parser(|number| number.trim().parse::<f64>().ok().map(f64::log10))
}

fn numbers(ui: &mut Ui, threshold_log10: f32, asked: &mut Vec<Action>, live: &LiveMetrics) {
    let metrics = &live.metrics;
    let threshold = 10f64.powf(f64::from(threshold_log10));
    let psnr = live
        .psnr
        .map_or("∞ dB".to_owned(), |psnr| format!("{psnr:.2} dB"));
    let rows = [
        ("max abs", format!("{:.3e}", metrics.max_abs)),
        ("mean abs", format!("{:.3e}", metrics.mean_abs)),
        ("RMSE", format!("{:.3e}", metrics.rmse)),
        ("PSNR", format!("{psnr} at peak {:.4}", live.peak)),
        ("max ULP", format!("{:.1}", metrics.max_ulp)),
        ("differing pixels", metrics.differing_pixels.to_string()),
        (
            "above threshold",
            format!("{} of {threshold:.1e}", live.over_threshold),
        ),
        ("not finite", metrics.nan_count.to_string()),
    ];
    egui::Grid::new("metrics")
        .striped(true)
        .num_columns(2)
        .show(ui, |ui| {
            for (name, number) in rows {
                ui.label(name);
                ui.monospace(number);
                ui.end_row();
            }
        });
    if metrics.nan_count > 0 {
        warn(ui, "non-finite pixels are magenta and excluded from sums");
    }
    if let Some([x, y]) = metrics.worst_pixel {
        let label = format!("worst pixel {x},{y}");
        if action(
            ui,
            text(
                &label,
                "The pixel with the largest difference: click to probe it",
            ),
        ) {
            asked.push(Action::ProbeAt([x, y]));
        }
    }
}

fn history(ui: &mut Ui, history: &VecDeque<[f64; 2]>) {
    let shown = |value: f64| value.max(LEAST_SHOWN).log10();
    Plot::new("metrics history")
        .height(100.0)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .include_y(-10.0)
        .include_y(-4.0)
        .y_axis_formatter(|mark, _| format!("1e{:.0}", mark.value))
        .show_x(false)
        .show(ui, |plot| {
            for (column, (color, name)) in HISTORY.into_iter().enumerate() {
                let values = history.iter().enumerate();
                let points: PlotPoints = values
                    .map(|(frame, row)| [frame as f64, shown(row[column])])
                    .collect();
                plot.line(Line::new(name, points).color(color));
            }
        });
    legend(ui, &HISTORY);
    let note = "differences over the last frames; zero is drawn at 1e-10";
    ui.label(RichText::new(note).weak().small());
}
