//! Plots with two logarithmic axes: time against layers and against outputs, and error against time.

use std::collections::BTreeMap;

use super::chart::{Chart, RunPart, heading, words};
use crate::model::format::{grouped, three_digits, time};
use crate::model::methods::Method;
use crate::model::samples::distinct;
use crate::report::axis::{Axes, Standing, front};
use crate::report::axis::{Log, Tick, round_time};
use crate::report::bench::groups::{Group, TimedRow};
use crate::report::bench::map::{Map, pixels};
use crate::report::bench::record::Record;
use crate::report::drawing::{
    Drawing, MARGIN, Point, WIDTH, hex, line, mark, marker, plot_top, series, stroke,
};
use crate::report::errors::name_of_rmse;
use crate::report::palette::look;

/// Maximum number of panels per chart. Two panels are side by side.
const MOST: usize = 4;

/// Index on the x axis and row of each method's points.
type Lines<'a> = BTreeMap<Method, Vec<(usize, TimedRow<'a>)>>;

/// Charts of time against layers for several numbers of outputs, and against outputs for several numbers of layers.
pub(super) fn times(record: &Record, groups: &[Group<'_>], map: &Map) -> Vec<Chart> {
    let outputs = map.outputs.iter();
    let outputs = outputs.map(|&[w, h]| (pixels([w, h]) as f64, format!("{w}x{h}")));
    let layers = map.layers.iter();
    let layers = layers.map(|&count| (f64::from(count), grouped(count.into())));
    // The map's columns, then its rows: name, axis title, labelled values.
    let sides: [(&str, &str, Vec<Tick>); 2] = [
        ("outputs", "outputs (pixels)", outputs.collect()),
        ("layers", "layers per pixel", layers.collect()),
    ];
    let chart = |across: usize| {
        let [(name, axis, values), (other, _, panels)] = [&sides[across], &sides[1 - across]];
        let title = format!("Time against {name}: {} {}", map.cost, map.kind);
        let mut drawing = heading(record, &title);
        let mut methods = Vec::new();
        let (mut top, mut column) = (drawing.y, 0);
        for panel in chosen(panels.len()) {
            let lines = lines(groups, map, across, panel);
            if lines.is_empty() {
                continue;
            }
            methods.extend(lines.keys().copied());
            match column {
                0 => top = drawing.y,
                _ => drawing.y = top,
            }
            let title = format!("{} {other}", panels[panel].1);
            draw(&mut drawing, column, [&title, axis], values, &lines);
            column = 1 - column;
        }
        legend(&mut drawing, &methods);
        drawing.paragraph(
            "Median per dispatch of each method, at the best dial for each point. Bars: 5th to 95th percentile. Both axes are \
            logarithmic.",
        );
        let name = format!("{name}-{}-{}", map.cost, map.kind);
        (!methods.is_empty()).then(|| Chart::new(&name, &title, vec![RunPart::Sweep], drawing))
    };
    [1, 0].into_iter().filter_map(chart).collect()
}

fn legend(drawing: &mut Drawing, methods: &[Method]) {
    let methods = distinct(methods.iter().copied()).into_iter();
    drawing.legend(methods.map(|method| (stroke(&look(method)), method.to_string())));
}

/// At most [`MOST`] of `count` indices, evenly spaced, with the first and the last.
fn chosen(count: usize) -> impl Iterator<Item = usize> {
    let steps = count.clamp(2, MOST) - 1;
    let place = move |step| (step * (count - 1) + steps / 2) / steps;
    (0..count.min(MOST)).map(place)
}

fn lines<'a>(groups: &[Group<'a>], map: &Map, across: usize, panel: usize) -> Lines<'a> {
    let mut lines = Lines::new();
    for group in groups {
        let Some(place) = map.place(group.work) else {
            continue;
        };
        if place[1 - across] == panel {
            for (method, timed) in group.methods() {
                let line = lines.entry(method).or_default();
                line.push((place[across], timed));
            }
        }
    }
    for line in lines.values_mut() {
        line.sort_by_key(|point| point.0);
    }
    lines
}

fn draw(
    drawing: &mut Drawing,
    column: usize,
    [title, axis]: [&str; 2],
    values: &[Tick],
    lines: &Lines<'_>,
) {
    const HEIGHT: f64 = 190.0;
    let left = [MARGIN + 48.0, WIDTH / 2.0 + 48.0][column];
    let right = left + WIDTH / 2.0 - MARGIN - 56.0;
    let top = plot_top(drawing.y);
    let ends = [left + 10.0, right - 10.0];
    let x = Log::over(values.iter().map(|value| value.0), ends);
    let spreads = lines.values().flatten().map(|(_, timed)| timed.spread);
    let times = spreads.flat_map(|spread| [spread.p5, spread.p95]);
    let y = Log::over(times, [top + HEIGHT - 8.0, top + 8.0]);
    let across = values
        .iter()
        .map(|(value, text)| (x.at(*value), text.clone()));
    let across: Vec<Tick> = across.collect();
    let ticks = [&across[..], &y.ticks(round_time)];
    drawing.plot([title, axis], [left, right], HEIGHT, ticks);
    // Draw the first methods last, on top of the others, because they are the article's.
    for (method, points) in lines.iter().rev() {
        let (look, colour) = (look(*method), hex(look(*method).colour));
        let at = |point: &(usize, TimedRow)| [across[point.0].0, y.at(point.1.spread.median)];
        let places: Vec<Point> = points.iter().map(at).collect();
        drawing.add(&series(&places, &look));
        for point in points {
            let ([x, middle], (value, timed)) = (at(point), point);
            let ends = [timed.spread.p5, timed.spread.p95].map(|time| [x, y.at(time)]);
            let bar = line(&ends, 1.4, &colour);
            let content = bar + &marker([x, middle], 3.4, look.marker, &colour);
            let words = format!("{title}, {}: {}", values[*value].1, words(timed));
            drawing.add(&mark(&[timed.place], &words, &content));
        }
    }
}

/// Error against time: one plot per scene, with the Pareto front as a line.
pub(super) fn errors(record: &Record, groups: &[Group<'_>]) -> Option<Chart> {
    const HEIGHT: f64 = 260.0;
    let (left, right) = (MARGIN + 56.0, WIDTH - MARGIN);
    let title = "Error of approximate methods against time";
    let mut drawing = heading(record, title);
    let mut methods = Vec::new();
    for group in groups {
        let rows = group.errors();
        if rows.is_empty() {
            continue;
        }
        let top = plot_top(drawing.y);
        let standings: Vec<Standing> = rows.iter().map(|row| [row.1, row.2]).collect();
        let up = [top + HEIGHT - 10.0, top + 10.0];
        let axes = Axes::over(&standings, [left + 12.0, right - 12.0], up);
        let ticks = [&axes.ticks_of_times()[..], &axes.ticks_of_errors()];
        let scene = group.work.to_string();
        drawing.plot([&scene, "time with inputs"], [left, right], HEIGHT, ticks);
        let steps = front(&standings).into_iter();
        let steps: Vec<Point> = steps.map(|place| axes.place(standings[place])).collect();
        drawing.add(&line(&steps, 1.5, "line"));
        for ((timed, time_with_inputs, rmse), standing) in rows.iter().zip(&standings) {
            let Some(method) = timed.row.method else {
                continue;
            };
            methods.push(method);
            let [took, rmse] = [time(*time_with_inputs), three_digits(*rmse)];
            let name = name_of_rmse(group.has_pictures());
            let words = format!(
                "{}: {took} with its inputs, {name} {rmse}",
                timed.row.runner
            );
            let look = look(method);
            let dot = marker(axes.place(*standing), 5.0, look.marker, &hex(look.colour));
            drawing.add(&mark(&[timed.place], &words, &dot));
        }
    }
    legend(&mut drawing, &methods);
    drawing.paragraph(
        "Root mean square error of the picture, rgb + T · background, in linear light against a method's time including the passes that make its inputs. Both axes \
        are logarithmic. Methods on the bottom line have no error. The curve is the Pareto front. \
        Records of older versions have errors of r, g, b and T before the background, and their dots say so.",
    );
    (!methods.is_empty()).then(|| Chart::new("errors", title, vec![RunPart::Scenes], drawing))
}
