//! Pane "Compare": A and B side by side, and their difference in pictures and numbers.

use std::collections::VecDeque;

use egui::{Color32, RichText, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use super::methods::options;
use super::style::{self, ask, legend, note, warn};
use crate::live::LiveMetrics;
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::range::{DifferenceRange, GREATEST, LEAST, RangeChoice, power};
use crate::viewer::action::Action;
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::{action, choice, choices, slider, toggle, unless_idle};
use crate::viewer::preset::Compare;
use crate::viewer::readings::Readings;
use crate::viewer::view::{BESIDE_THE_PICTURE, Layout, View};

/// Differences below this value are drawn at the bottom of the history plot.
const LEAST_SHOWN: f64 = 1e-10;

const HISTORY: [(Color32, &str); 2] = [
    (Color32::from_rgb(205, 75, 75), "max"),
    (Color32::from_rgb(70, 150, 80), "RMSE"),
];

/// Minimum width of the FLIP map in points, if the pane has room.
const FLIP_WIDTH: f32 = 320.0;

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
    let why = "No effect on this view: the range is for log10";
    unless_idle(ui, (!is_log).then_some(why), |ui| {
        range(ui, comparison, asked)
    });
    metrics(ui, &mut comparison.chosen, asked, readings);
    looks(ui, comparison, settings, asked);
}

fn looks(ui: &mut Ui, comparison: &Comparison, settings: &Settings, asked: &mut Vec<Action>) {
    let hover = "Measure how different A and B look with NVIDIA's FLIP. It compares both pictures \
        as displayed, at 67 pixels per degree of view";
    ui.add_enabled_ui(comparison.right().is_some(), |ui| {
        ask(ui, asked, ("compare by FLIP", hover), Action::Flip);
    });
    let Some(flip) = &comparison.flip else { return };
    let [a, b] = flip.of;
    ui.monospace(format!(
        "FLIP {:.6}, at most {:.4}",
        flip.mean, flip.greatest
    ));
    let is_current = flip.settings == *settings && [Some(a), Some(b)] == comparison.shown();
    let age = if is_current {
        ""
    } else {
        ", of an earlier picture"
    };
    let about =
        format!("{a} and {b}{age}; 0 looks the same (indigo), 1 completely different (yellow)");
    note(ui, about);
    let texture = flip.texture.get_or_init(|| {
        let size = flip.map.size().map(|edge| edge as usize);
        let image = egui::ColorImage::from_rgb(size, flip.map.pixels().as_flattened());
        ui.ctx()
            .load_texture("FLIP", image, egui::TextureOptions::NEAREST)
    });
    let size = texture.size_vec2();
    let width = ui.available_width().min(size.x.max(FLIP_WIDTH));
    let map = egui::Image::new(texture).fit_to_exact_size(size * (width / size.x));
    ui.add(map).on_hover_text("Where A and B look different");
}

fn other(ui: &mut Ui, now: Method, usable: &[Method], asked: &mut Vec<Action>) {
    let mut picked = now;
    let hover = "The method right of a split; differences are A - B. Key: B";
    let value = (&mut picked, &Compare::default().b);
    choice(ui, ("method B", hover), value, &options(usable));
    if picked != now {
        asked.push(Action::PickOther(picked));
    }
}

fn beside(ui: &mut Ui, now: &mut Compare) {
    let defaults = Compare::default();
    let layouts = choices::<Layout>().into_iter();
    let layouts = layouts.map(|(layout, _, what)| (layout, layout.name().to_owned(), what));
    let text = ("layout", "Pictures shown side by side. Key: G");
    let layout = (&mut now.layout, &defaults.layout);
    choice(ui, text, layout, &layouts.collect::<Vec<_>>());
    let hover = "Method A left, method B right; drag the line in the picture. Key: X";
    let split_on = (&mut now.split_on, &defaults.split_on);
    toggle(ui, ("split", hover), split_on);
    let is_split = now.split_on && now.layout != Layout::SideBySide;
    let why = (!is_split).then_some("No effect: no picture is split");
    unless_idle(ui, why, |ui| {
        let hover = "Position of the split, as a fraction of the width";
        let split = (&mut now.split, &defaults.split);
        slider(ui, ("split at", hover), split, 0.0..=1.0, |slider| {
            slider.fixed_decimals(2)
        });
    });
    let hover = "Alternate A and B every half second. Key: Z";
    toggle(ui, ("blink", hover), (&mut now.blink, &defaults.blink));
    let hover = "On the picture, show the names of A and B, the kind and scale of a difference, \
        the worst pixel, size and frame time. Key: H";
    let labels = (&mut now.labels, &defaults.labels);
    toggle(ui, ("labels", hover), labels);
}

fn views(ui: &mut Ui, comparison: &mut Comparison, readings: &Readings) {
    let default = match comparison.chosen.layout {
        Layout::Single => Compare::default().view,
        Layout::WithDifference | Layout::SideBySide => BESIDE_THE_PICTURE,
    };
    // A picture that is already shown next to the view is not offered as a view.
    let all = choices::<View>().into_iter();
    let all = all.filter(|(view, ..)| *view != View::Picture || default == View::Picture);
    let views = all.map(|(view, _, what)| (view, view.name().to_owned(), what));
    let views: Vec<_> = views.collect();
    let mut view = comparison.view_chosen();
    let hover = "The picture, a difference of A's and B's float results (key F for the next), or \
        a debug view of the lists (key V)";
    choice(ui, ("view", hover), (&mut view, &default), &views);
    if view != comparison.view_chosen() {
        comparison.choose_view(view);
    }
    if let Some((.., what)) = views.iter().find(|of| of.0 == view) {
        note(ui, what);
    }
    let amplifies = matches!(view, View::Absolute | View::Signed | View::RedOnGrey);
    let why = "No effect on this view: it acts on absolute, signed and red on grey";
    unless_idle(ui, (!amplifies).then_some(why), |ui| {
        amplification(ui, &mut comparison.chosen, readings);
    });
}

fn amplification(ui: &mut Ui, now: &mut Compare, readings: &Readings) {
    let hover = "Factor on differences in the views absolute, signed and red on grey: 1 to 10⁷";
    let amplify = (&mut now.amplify_log10, &Compare::default().amplify_log10);
    slider(ui, ("amplify", hover), amplify, 0.0..=7.0, power_of_ten);
    let greatest = readings.metrics.map(|metrics| metrics.metrics.max_abs);
    ui.add_enabled_ui(greatest.is_some_and(|most| most > 0.0), |ui| {
        let hover = "Amplify so that the largest measured difference reaches the end of the scale";
        if action(ui, ("fit amplification", hover)) {
            let power = -greatest.unwrap_or(1.0).log10() as f32;
            now.amplify_log10 = power.clamp(0.0, 7.0);
        }
    });
}

fn range(ui: &mut Ui, comparison: &mut Comparison, asked: &mut Vec<Action>) {
    let fitted = comparison.fitted_range.range.exponents();
    let before = comparison.difference_range().exponents();
    let [mut low, mut high] = before;
    for (label, hover, value, ends) in [
        (
            "range from",
            "Low end of the log10 scale: smaller differences take its colour. The default fits the differences",
            (&mut low, &fitted[0]),
            LEAST..=GREATEST - 1,
        ),
        (
            "range to",
            "High end of the log10 scale: larger differences take its colour. The default fits the differences",
            (&mut high, &fitted[1]),
            LEAST + 1..=GREATEST,
        ),
    ] {
        slider(ui, (label, hover), value, ends, whole_power_of_ten);
    }
    if [low, high] != before {
        // If the ends meet, the end that is not being moved also moves.
        let ends = match low == before[0] {
            true => [low.min(high - 1), high],
            false => [low, high.max(low + 1)],
        };
        let fixed = DifferenceRange::new(ends[0], ends[1]).filter(|_| ends != fitted);
        comparison.chosen.difference_range = fixed.map_or(RangeChoice::Auto, RangeChoice::Fixed);
    }
    let hover = "Fit the range to the current differences, from the 0.5th to the 99.9th \
        percentile in whole decades, and hold it until a method or the scene changes";
    ask(ui, asked, ("fit range", hover), Action::FitRange);
}

/// A slider over integer exponents that displays the power of ten, and accepts it as input.
fn whole_power_of_ten(slider: egui::Slider) -> egui::Slider {
    slider
        .custom_formatter(|exponent, _| power(exponent as i32))
        .custom_parser(|number| number.trim().parse::<f64>().ok().map(f64::log10))
}

fn metrics(ui: &mut Ui, now: &mut Compare, asked: &mut Vec<Action>, readings: &Readings) {
    let defaults = Compare::default();
    let hover = "Measure A against B on the GPU, from the float results. Key: N";
    let metrics = (&mut now.metrics, &defaults.metrics);
    toggle(ui, ("metrics", hover), metrics);
    let hover = "Count pixels that differ by more than this in any of r, g, b, T";
    let why = (!now.metrics).then_some("No effect: metrics are off");
    unless_idle(ui, why, |ui| {
        let threshold = (&mut now.threshold_log10, &defaults.threshold_log10);
        slider(
            ui,
            ("threshold", hover),
            threshold,
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

/// A slider over exponents that displays the number itself, and accepts it as input.
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
        ("picture: max", format!("{:.3e}", live.shown_max)),
        ("picture: RMSE", format!("{:.3e}", live.shown_rmse)),
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
    style::numbers(ui, "metrics", rows);
    note(
        ui,
        "picture: rgb + T · background; other rows: r, g, b and T before the background",
    );
    if metrics.nan_count > 0 {
        warn(ui, "non-finite pixels are magenta and excluded from sums");
    }
    if let Some([x, y]) = metrics.worst_pixel {
        let label = format!("worst pixel {x},{y}");
        let hover = "The pixel with the largest difference: click to probe it";
        ask(ui, asked, (&label, hover), Action::ProbeAt([x, y]));
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
    note(
        ui,
        "differences of the picture over the last frames; zero is drawn at 1e-10",
    );
}
