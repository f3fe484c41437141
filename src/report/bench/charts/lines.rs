//! Time against layers and time against outputs: four panels, in each a line per method at its best dial, with bars from
//! the 5th to the 95th percentile.

use super::{Chart, Part, heading, words};
use crate::model::format::grouped;
use crate::model::methods::Method;
use crate::model::samples::distinct;
use crate::report::bench::groups::{Group, TimedRow};
use crate::report::bench::map::{Map, pixels};
use crate::report::bench::record::Record;
use crate::report::drawing::{
    Drawing, LINE, Log, MARGIN, Point, Sign, TEXT, WIDTH, label, line, marker, round_time, series,
};
use crate::report::palette;
use crate::report::svg::element;

/// Panels side by side, and at most.
const COLUMNS: usize = 2;
const MOST: usize = 4;
/// Height of a panel's plot, and room left of it for the labels of times.
const HEIGHT: f64 = 190.0;
const LABELS: f64 = 48.0;

/// What runs along the x axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// Layers; a panel is a number of outputs.
    Layers,
    /// Outputs; a panel is a number of layers.
    Outputs,
}

/// A line: a method's times over x.
struct Series<'a> {
    method: Method,
    points: Vec<(f64, TimedRow<'a>)>,
}

/// A panel: its title, its lines, and the labels of its x axis.
struct Panel<'a> {
    title: String,
    series: Vec<Series<'a>>,
    labels: Vec<(f64, String)>,
}

/// The panels of one map's cost and kind; `None` where nothing was timed.
pub(super) fn chart(
    record: &Record,
    groups: &[Group<'_>],
    map: &Map,
    along: Along,
) -> Option<Chart> {
    let panels = panels(groups, map, along);
    let (name, what, axis) = match along {
        Along::Layers => ("layers", "Time against layers", "layers per pixel"),
        Along::Outputs => ("outputs", "Time against outputs", "outputs (pixels)"),
    };
    let title = format!("{what}: {} {}", map.cost, map.kind);
    let mut drawing = heading(record, &title);
    for panels in panels.chunks(COLUMNS) {
        let top = drawing.y;
        let ends = panels.iter().enumerate().map(|(column, panel)| {
            drawing.y = top;
            draw(&mut drawing, panel, column, axis);
            drawing.y
        });
        drawing.y = ends.fold(top, f64::max);
    }
    let series = panels.iter().flat_map(|panel| &panel.series);
    let methods = distinct(series.map(|series| series.method));
    let key = |method: &Method| (Sign::Series(palette::look(*method)), method.to_string());
    drawing.legend(&methods.iter().map(key).collect::<Vec<_>>());
    drawing.paragraph(
        "Median per dispatch of each method at its best dial at each point. Bars: 5th to 95th percentile. Both axes are \
        logarithmic.",
    );
    let name = format!("{name}-{}-{}", map.cost, map.kind);
    (!methods.is_empty()).then(|| Chart::new(&name, &title, vec![Part::Sweep], drawing))
}

/// A panel for each of several values of the other axis: as many as there is room for, evenly chosen, with both ends.
fn panels<'a>(groups: &[Group<'a>], map: &Map, along: Along) -> Vec<Panel<'a>> {
    let count = match along {
        Along::Layers => map.outputs.len(),
        Along::Outputs => map.layers.len(),
    };
    let panels = chosen(count).into_iter();
    let panels = panels.map(|value| panel(groups, map, along, value));
    panels.filter(|panel| !panel.series.is_empty()).collect()
}

/// At most [`MOST`] of `count` indices, evenly spread, with the first and the last.
fn chosen(count: usize) -> Vec<usize> {
    if count <= MOST {
        return (0..count).collect();
    }
    let steps = MOST - 1;
    (0..MOST)
        .map(|i| (i * (count - 1) + steps / 2) / steps)
        .collect()
}

fn panel<'a>(groups: &[Group<'a>], map: &Map, along: Along, value: usize) -> Panel<'a> {
    let mut all: Vec<Series> = Vec::new();
    for group in groups {
        let Some([column, row]) = map.place(group.work) else {
            continue;
        };
        let (x, other) = match along {
            Along::Layers => (f64::from(map.layers[row]), column),
            Along::Outputs => (pixels(map.outputs[column]) as f64, row),
        };
        if other != value {
            continue;
        }
        for (method, timed) in group.methods() {
            match all.iter_mut().find(|series| series.method == method) {
                Some(series) => series.points.push((x, timed)),
                None => all.push(Series {
                    method,
                    points: vec![(x, timed)],
                }),
            }
        }
    }
    all.sort_by_key(|series| series.method);
    for series in &mut all {
        series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let (title, labels) = match along {
        Along::Layers => {
            let [width, height] = map.outputs[value];
            let label = |&count: &u32| (f64::from(count), grouped(count.into()));
            let title = format!("{width}x{height} outputs");
            (title, map.layers.iter().map(label).collect())
        }
        Along::Outputs => {
            let label = |&[w, h]: &[u32; 2]| (pixels([w, h]) as f64, format!("{w}x{h}"));
            let title = format!("{} layers", grouped(map.layers[value].into()));
            (title, map.outputs.iter().map(label).collect())
        }
    };
    Panel {
        title,
        series: all,
        labels,
    }
}

fn draw(drawing: &mut Drawing, panel: &Panel<'_>, column: usize, axis: &str) {
    let panel_width = (WIDTH - 2.0 * MARGIN) / COLUMNS as f64;
    let left = MARGIN + column as f64 * panel_width + LABELS;
    let right = left + panel_width - LABELS - 8.0;
    let top = drawing.y + LINE + 2.0;
    let bottom = top + HEIGHT;
    let title = [left, drawing.y + LINE / 2.0];
    let title = label(title, TEXT, "start", &panel.title);
    drawing.add(title.with("class", "ink").with("font-weight", "600"));
    let xs = panel.labels.iter().map(|label| label.0);
    let x = Log::over(xs, [left + 10.0, right - 10.0]);
    let points = panel.series.iter().flat_map(|series| &series.points);
    let times = points.flat_map(|(_, timed)| [timed.spread.p5, timed.spread.p95]);
    let y = Log::over(times, [bottom - 8.0, top + 8.0]);
    let mut last = f64::INFINITY;
    for tick in y.ticks() {
        let at = y.at(tick);
        drawing.add(line(&[[left, at], [right, at]], 1.0).with("class", "grid"));
        if last - at >= LINE {
            let text = round_time(tick);
            drawing.add(label([left - 5.0, at], TEXT, "end", &text).with("class", "ink"));
            last = at;
        }
    }
    let edge = [[left, top], [left, bottom], [right, bottom]];
    drawing.add(line(&edge, 1.0).with("class", "line"));
    let labels = panel.labels.iter();
    let labels = labels.map(|(value, text)| (x.at(*value), text.clone()));
    let labels: Vec<(f64, String)> = labels.collect();
    for (at, _) in &labels {
        drawing.add(line(&[[*at, bottom], [*at, bottom + 4.0]], 1.0).with("class", "line"));
    }
    // The earlier methods are the article's: they are drawn on top.
    for series in panel.series.iter().rev() {
        draw_series(drawing, series, &x, &y, panel);
    }
    drawing.labels_below(bottom + 5.0, &labels);
    let middle = [f64::midpoint(left, right), drawing.y + LINE / 2.0];
    drawing.add(label(middle, TEXT, "middle", axis).with("class", "dim"));
    drawing.y += LINE + 8.0;
}

fn draw_series(drawing: &mut Drawing, of: &Series<'_>, x: &Log, y: &Log, panel: &Panel<'_>) {
    let look = palette::look(of.method);
    let at = |(value, timed): &(f64, TimedRow<'_>)| [x.at(*value), y.at(timed.spread.median)];
    let points: Vec<Point> = of.points.iter().map(at).collect();
    if points.len() > 1 {
        drawing.add(series(&points, &look));
    }
    for ((value, timed), &[x, middle]) in of.points.iter().zip(&points) {
        let [low, high] = [timed.spread.p5, timed.spread.p95].map(|time| y.at(time));
        let place = panel.labels.iter().find(|label| label.0 == *value);
        let place = place.map_or("", |label| label.1.as_str());
        let words = format!("{}, {place}: {}", panel.title, words(timed));
        let bar = line(&[[x, low], [x, high]], 1.4).with("stroke", look.colour);
        let marker = marker([x, middle], 3.4, look.marker).with("fill", look.colour);
        let mark = element("g").mark(&[timed.place], &words);
        drawing.add(mark.child(bar).child(marker));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::fixture;
    use crate::report::bench::groups::groups;
    use crate::report::bench::map::measured;

    #[test]
    fn panels_are_spread_evenly_with_both_ends() {
        assert_eq!(chosen(11), [0, 3, 7, 10]);
        assert_eq!(chosen(8), [0, 2, 5, 7]);
        assert_eq!(chosen(3), [0, 1, 2]);
    }

    #[test]
    fn a_line_holds_every_point_of_its_method_in_order() {
        let record = fixture::large_gpu();
        let groups = groups(&record);
        let map = Map::of(&groups, measured(&groups)[0], None);
        for (along, points) in [(Along::Layers, 11), (Along::Outputs, 8)] {
            let panel = panel(&groups, &map, along, 0);
            let first = &panel.series[0];
            assert_eq!(first.method.name(), "pixel-loop");
            assert_eq!(first.points.len(), points);
            assert!(first.points.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert_eq!(panel.labels.len(), points);
        }
    }
}
