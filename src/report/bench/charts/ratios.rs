//! Ratio of each method to the best method, with a dot per cell of synthetic lists, quartiles and range.

use super::chart::{Chart, RunPart, heading};
use crate::model::format::{time, times};
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::report::axis::{Log, Tick};
use crate::report::bench::groups::{Group, TimedRow};
use crate::report::bench::record::Record;
use crate::report::drawing::{Drawing, MARGIN, WIDTH, hex, line, mark, marker, rectangle};
use crate::report::palette::{MARKERS, look};

const HEAD: f64 = 18.0;
const DOTS: f64 = 26.0;

/// A cell in which a method was timed, the method's row at its best dial, and that row's ratio to the best row.
type Cell<'a> = (&'a Group<'a>, TimedRow<'a>, f64);

pub(super) fn chart(record: &Record, groups: &[Group<'_>]) -> Option<Chart> {
    let all = Method::all().map(|method| (method, cells(groups, method)));
    let all: Vec<(Method, Vec<Cell>)> = all.filter(|of| !of.1.is_empty()).collect();
    let ratios = all.iter().flat_map(|of| &of.1).map(|cell| cell.2);
    let ends = [MARGIN + 8.0, WIDTH - MARGIN - 12.0];
    let axis = Log::over(ratios.chain([1.0, 1.1]), ends);
    let ticks = axis.ticks(|tick| format!("{tick}x"));
    let title = "Time relative to the fastest method, in all cells of synthetic lists";
    let mut drawing = heading(record, title);
    for (method, cells) in &all {
        row(&mut drawing, *method, cells, &axis, &ticks);
    }
    drawing.labels_below(drawing.y, &ticks);
    drawing.paragraph(
        "Median time relative to the fastest method in the same cell, each at its best dial (logarithmic). Each dot is a \
        cell, the bar is the middle half, and the tick is the median.",
    );
    (!all.is_empty()).then(|| Chart::new("ratios", title, vec![RunPart::Sweep], drawing))
}

fn cells<'a>(groups: &'a [Group<'a>], method: Method) -> Vec<Cell<'a>> {
    let cell = |group: &'a Group<'a>| {
        let mut methods = group.methods().into_iter();
        let timed = methods.find(|(other, _)| *other == method)?.1;
        Some((group, timed, group.ratio_to_best(&timed)?))
    };
    let lists = groups.iter();
    let lists = lists.filter(|group| RunPart::of(group.work) == RunPart::Sweep);
    lists.filter_map(cell).collect()
}

fn row(drawing: &mut Drawing, method: Method, cells: &[Cell<'_>], axis: &Log, ticks: &[Tick]) {
    let ratios: Vec<f64> = cells.iter().map(|cell| cell.2).collect();
    let Some(sorted) = Sorted::new(&ratios) else {
        return;
    };
    let place_of_best = |group: &Group| group.best().map(|best| best.place);
    let wins = cells.iter();
    let wins = wins.filter(|cell| place_of_best(cell.0) == Some(cell.1.place));
    let [median, worst] = [sorted.median(), sorted.percentile(100)].map(times);
    let (wins, count) = (wins.count(), cells.len());
    let words = format!("median {median}, worst {worst}, best in {wins} of {count}");
    let (look, colour) = (look(method), hex(look(method).colour));
    let y = drawing.y + HEAD / 2.0;
    drawing.add(&marker([MARGIN + 5.0, y], 4.5, look.marker, &colour));
    drawing.label([MARGIN + 16.0, y], "start", "ink", method.name());
    drawing.label([WIDTH - MARGIN, y], "end", "dim", &words);
    let middle = drawing.y + HEAD + DOTS / 2.0 - 2.0;
    for (x, text) in ticks {
        let class = if text == "1x" { "line" } else { "grid" };
        let ends = [middle - DOTS / 2.0, middle + DOTS / 2.0];
        drawing.add(&line(&ends.map(|y| [*x, y]), 1.0, class));
    }
    drawing.add("<g fill-opacity=\"0.4\">");
    for (index, (group, timed, ratio)) in cells.iter().enumerate() {
        // Seven lanes keep dots with equal ratios apart.
        let lane = ((index * 3) % 7) as f64 / 6.0 - 0.5;
        let [median, ratio_text] = [time(timed.spread.median), times(*ratio)];
        let runner = &timed.row.runner;
        let words = format!("{}: {runner}, {median}, {ratio_text} the best", group.work);
        let at = [axis.at(*ratio), middle + lane * DOTS * 0.7];
        let dot = marker(at, 2.6, MARKERS[0], &colour);
        drawing.add(&mark(&[timed.place], &words, &dot));
    }
    drawing.add("</g>");
    let [least, low, high, most] = [0, 25, 75, 100].map(|of| axis.at(sorted.percentile(of)));
    let rows: Vec<usize> = cells.iter().map(|cell| cell.1.place).collect();
    let corner = [high.max(low + 1.0), middle + 3.5];
    let half = rectangle([low, middle - 3.5], corner, &colour);
    let range = line(&[[least, middle], [most, middle]], 1.2, &colour);
    let at = axis.at(sorted.median());
    let tick = line(&[[at, middle - 8.0], [at, middle + 8.0]], 3.0, "line");
    let content = [range, half, tick].concat();
    drawing.add(&mark(&rows, &format!("{method}: {words}"), &content));
    drawing.y += HEAD + DOTS;
}
