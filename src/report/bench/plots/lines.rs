//! Time against layers and time against outputs: four panels, in each a line per method at its best
//! dial, with bars from the 5th to the 95th percentile.

use super::axis::{
    BOTTOM, Key, LABEL, Log, MARGIN, RIGHT, TOP, heading, labels_below, legend, paragraph,
};
use super::page::{DIM, GRID, INK, Page, Point, picture, width};
use super::palette::{colour, marker};
use crate::error::Result;
use crate::model::format::grouped;
use crate::model::format::time;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::report::bench::groups::Group;
use crate::report::bench::map::{Map, pixels};
use crate::report::bench::record::{Record, Work};
use crate::report::canvas::Canvas;
use crate::report::text::Align;

const LEGEND: f64 = RIGHT - 236.0;
/// Panels side by side and one above the other.
const PANELS: [usize; 2] = [2, 2];
/// Room left of a panel for the labels of times, pixels.
const LABEL_ROOM: f64 = 76.0;
/// Room below a panel for the labels of its axis, pixels.
const FOOT: f64 = 70.0;
/// Room above a panel for its title, pixels.
const HEAD: f64 = 34.0;

/// What runs along the x axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// Layers; a panel is a number of outputs.
    Layers,
    /// Outputs; a panel is a number of layers.
    Outputs,
}

/// A line: a method's times over x.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    method: Method,
    points: Vec<(f64, Summary)>,
}

/// A panel: its title, its lines, and the labels of its x axis.
#[derive(Clone, Debug, PartialEq)]
struct Panel {
    title: String,
    series: Vec<Series>,
    labels: Vec<(f64, String)>,
}

/// Draws the panels of one map's cost and kind.
pub(super) fn draw(
    record: &Record,
    groups: &[Group<'_>],
    map: &Map,
    along: Along,
) -> Result<Option<Canvas>> {
    let panels = panels(groups, map, along);
    if panels.is_empty() {
        return Ok(None);
    }
    let (what, axis) = match along {
        Along::Layers => ("Time against layers", "layers per pixel"),
        Along::Outputs => ("Time against outputs", "outputs (pixels)"),
    };
    let title = format!("{what} · {} {}", map.cost.name(), map.kind.name());
    let canvas = picture(|page| {
        heading(page, record, &title);
        for (index, panel) in panels.iter().enumerate() {
            draw_panel(page, panel, corners(index, panels.len()), axis)?;
        }
        keys(page, &panels)
    })?;
    Ok(Some(canvas))
}

/// A panel for each of several values of the other axis: as many as there is room for, evenly chosen, with both
/// ends.
fn panels(groups: &[Group<'_>], map: &Map, along: Along) -> Vec<Panel> {
    let most = PANELS[0] * PANELS[1];
    let of = |value: usize| panel(groups, map, along, value);
    let count = match along {
        Along::Layers => map.outputs.len(),
        Along::Outputs => map.layers.len(),
    };
    let panels = chosen(count, most).into_iter().map(of);
    panels.filter(|panel| !panel.series.is_empty()).collect()
}

/// At most `most` of `count` indices, evenly spread, with the first and the last.
fn chosen(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        (0..count).collect()
    } else {
        (0..most)
            .map(|i| (i * (count - 1) + (most - 1) / 2) / (most - 1))
            .collect()
    }
}

fn panel(groups: &[Group<'_>], map: &Map, along: Along, value: usize) -> Panel {
    let mut series: Vec<Series> = Vec::new();
    for group in groups {
        let Some(x) = position(group, map, along, value) else {
            continue;
        };
        for (method, timed) in group.methods() {
            let point = (x, timed.spread);
            match series.iter_mut().find(|series| series.method == method) {
                Some(series) => series.points.push(point),
                None => series.push(Series {
                    method,
                    points: vec![point],
                }),
            }
        }
    }
    series.sort_by_key(|series| series.method);
    for series in &mut series {
        series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let (title, labels) = match along {
        Along::Layers => {
            let [width, height] = map.outputs[value];
            let labels = map
                .layers
                .iter()
                .map(|&n| (f64::from(n), grouped(n.into())));
            (format!("{width}x{height} outputs"), labels.collect())
        }
        Along::Outputs => {
            let label = |&[w, h]: &[u32; 2]| (pixels([w, h]) as f64, format!("{w}x{h}"));
            let title = format!("{} layers", grouped(map.layers[value].into()));
            (title, map.outputs.iter().map(label).collect())
        }
    };
    Panel {
        title,
        series,
        labels,
    }
}

/// Where a group stands on the x axis of a panel, if it belongs there.
fn position(group: &Group<'_>, map: &Map, along: Along, value: usize) -> Option<f64> {
    let Work::Lists {
        outputs,
        layers,
        cost,
        kind,
    } = *group.work
    else {
        return None;
    };
    let (here, x) = match along {
        Along::Layers => (outputs == map.outputs[value], f64::from(layers)),
        Along::Outputs => (layers == map.layers[value], pixels(outputs) as f64),
    };
    (here && (cost, kind) == (map.cost, map.kind)).then_some(x)
}

/// Top left and bottom right corner of a panel's plot.
fn corners(index: usize, count: usize) -> [Point; 2] {
    let columns = count.min(PANELS[0]);
    let rows = count.div_ceil(PANELS[0]);
    let size = [
        (LEGEND - 16.0 - MARGIN) / columns as f64,
        (BOTTOM + 10.0 - TOP + 14.0) / rows as f64,
    ];
    let left = MARGIN + (index % PANELS[0]) as f64 * size[0];
    let top = TOP - 14.0 + (index / PANELS[0]) as f64 * size[1];
    [
        [left + LABEL_ROOM, top + HEAD],
        [left + size[0] - 20.0, top + size[1] - FOOT],
    ]
}

fn draw_panel(page: &Page<'_>, panel: &Panel, corners: [Point; 2], axis: &str) -> Result<()> {
    let [[left, top], [right, bottom]] = corners;
    let xs = panel.labels.iter().map(|label| label.0);
    let x = Log::new(range(xs), [left + 14.0, right - 14.0]);
    let spreads = panel.series.iter().flat_map(|series| &series.points);
    let times = spreads.flat_map(|(_, spread)| [spread.p5, spread.p95, spread.median]);
    let [least, greatest] = range(times.filter(|&time| time > 0.0));
    let y = Log::new([least / 1.15, greatest * 1.15], [bottom, top]);
    grid(page, corners, &y)?;
    let labels: Vec<(f64, String)> = panel
        .labels
        .iter()
        .map(|(value, text)| (x.at(*value), text.clone()))
        .collect();
    for (at, _) in &labels {
        page.line(&[[*at, bottom], [*at, bottom + 5.0]], 1.0, INK)?;
    }
    labels_below(page, bottom + 17.0, LABEL - 3.0, &labels);
    let middle = f64::midpoint(left, right);
    page.text(
        [middle, bottom + 50.0],
        LABEL - 2.0,
        DIM,
        Align::Center,
        axis,
    );
    page.text(
        [left, top - 17.0],
        LABEL + 2.0,
        INK,
        Align::Left,
        &panel.title,
    );
    let unit = "median per dispatch";
    let unit_width = width(LABEL - 3.0, unit);
    page.text(
        [right - unit_width, top - 15.0],
        LABEL - 3.0,
        DIM,
        Align::Left,
        unit,
    );
    // The earlier methods are the article's: they are drawn on top.
    for series in panel.series.iter().rev() {
        draw_series(page, series, &x, &y)?;
    }
    Ok(())
}

fn grid(page: &Page<'_>, [[left, top], [right, bottom]]: [Point; 2], y: &Log) -> Result<()> {
    let mut last = f64::INFINITY;
    for tick in y.ticks() {
        let at = y.at(tick);
        page.line(&[[left, at], [right, at]], 1.0, GRID)?;
        if last - at >= LABEL + 2.0 {
            page.text(
                [left - 8.0, at],
                LABEL - 2.0,
                INK,
                Align::Right,
                &tick_text(tick),
            );
            last = at;
        }
    }
    page.line(&[[left, top], [left, bottom], [right, bottom]], 1.0, INK)
}

/// The time of a tick without trailing zeros: "20 µs".
fn tick_text(tick: f64) -> String {
    let text = time(tick);
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => text,
    }
}

fn draw_series(page: &Page<'_>, series: &Series, x: &Log, y: &Log) -> Result<()> {
    let ink = colour(series.method);
    let at = |point: &(f64, Summary)| [x.at(point.0), y.at(point.1.median)];
    let points: Vec<Point> = series.points.iter().map(at).collect();
    if points.len() > 1 {
        page.line(&points, 2.0, ink)?;
    }
    for ((_, spread), &[x, middle]) in series.points.iter().zip(&points) {
        let [low, high] = [y.at(spread.p5), y.at(spread.p95)];
        page.line(&[[x, low], [x, high]], 1.5, ink)?;
        for end in [low, high] {
            page.line(&[[x - 4.0, end], [x + 4.0, end]], 1.5, ink)?;
        }
        page.marker([x, middle], 4.5, ink, marker(series.method))?;
    }
    Ok(())
}

fn keys(page: &Page<'_>, panels: &[Panel]) -> Result<()> {
    let series = panels.iter().flat_map(|panel| &panel.series);
    let mut methods: Vec<Method> = series.map(|series| series.method).collect();
    methods.sort_unstable();
    methods.dedup();
    let keys: Vec<Key> = methods
        .into_iter()
        .map(|method| Key {
            colour: colour(method),
            marker: Some(marker(method)),
            text: method.to_string(),
        })
        .collect();
    let y = legend(page, [LEGEND, TOP + 16.0], &keys)?;
    let text = "Each method at its best dial at each point. Bars: 5th to 95th percentile. Both axes \
                are logarithmic.";
    paragraph(page, [LEGEND, y + 14.0], RIGHT - LEGEND, text);
    Ok(())
}

/// The least and the greatest of values; 1 and 1 if there are none.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let range = values.fold([f64::INFINITY, 0.0], |[least, greatest], value| {
        [value.min(least), value.max(greatest)]
    });
    if range[0].is_finite() {
        range
    } else {
        [1.0; 2]
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
        assert_eq!(chosen(11, 4), [0, 3, 7, 10]);
        assert_eq!(chosen(8, 4), [0, 2, 5, 7]);
        assert_eq!(chosen(3, 4), [0, 1, 2]);
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

    #[test]
    fn ticks_have_no_idle_digits() {
        let ticks = [0.5, 2.0, 20.0, 500.0, 1000.0, 5e6].map(tick_text);
        assert_eq!(ticks, ["0.5 µs", "2 µs", "20 µs", "500 µs", "1 ms", "5 s"]);
    }
}
