//! How far each method lies from the best: one dot for each cell of synthetic lists, with quartiles and range.

use super::{Chart, Part, heading};
use crate::model::format::{time, times};
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::report::bench::groups::{Group, TimedRow};
use crate::report::bench::record::{Record, Work};
use crate::report::drawing::{Drawing, Log, MARGIN, TEXT, WIDTH, label, line, marker, rectangle};
use crate::report::palette;
use crate::report::svg::element;

/// Height of a method's texts, and of its dots.
const HEAD: f64 = 18.0;
const DOTS: f64 = 26.0;

/// A method's ratios to the best of each cell in which it was timed.
struct Ratios<'a> {
    method: Method,
    cells: Vec<(&'a Work, TimedRow<'a>, f64)>,
    sorted: Sorted,
    /// Number of cells in which it is the best.
    wins: usize,
}

pub(super) fn chart(record: &Record, groups: &[Group<'_>]) -> Option<Chart> {
    let all = ratios(groups);
    let values = || all.iter().flat_map(|of| of.sorted.values().iter().copied());
    values().next()?;
    let title = "Time relative to the fastest method, in all cells of synthetic lists";
    let mut drawing = heading(record, title);
    let places = [MARGIN + 8.0, WIDTH - MARGIN - 12.0];
    let axis = Log::over(values().chain([1.0, 1.1]), places);
    let ticks = axis.ticks().into_iter();
    let ticks = ticks.map(|tick| (axis.at(tick), format!("{tick}x")));
    let ticks: Vec<(f64, String)> = ticks.collect();
    for ratios in &all {
        row(&mut drawing, ratios, &axis, &ticks);
    }
    drawing.labels_below(drawing.y, &ticks);
    drawing.paragraph(
        "Median time relative to the fastest method in the same cell, each at its best dial (logarithmic). A dot is a \
        cell, the bar the middle half, the tick the median.",
    );
    Some(Chart::new("ratios", title, vec![Part::Sweep], drawing))
}

/// The ratios of every method at its best dial in each cell.
fn ratios<'a>(groups: &[Group<'a>]) -> Vec<Ratios<'a>> {
    let of = |method: Method| {
        let mut wins = 0;
        let mut cells = Vec::new();
        let lists = groups.iter();
        for group in lists.filter(|group| Part::of(group.work) == Part::Sweep) {
            let mut methods = group.methods().into_iter();
            let own = methods.find(|(other, _)| *other == method);
            let own = own.and_then(|(_, timed)| Some((timed, group.ratio_to_best(&timed)?)));
            let Some((timed, ratio)) = own else {
                continue;
            };
            wins += usize::from(group.best().is_some_and(|best| best.place == timed.place));
            cells.push((group.work, timed, ratio));
        }
        let values: Vec<f64> = cells.iter().map(|cell| cell.2).collect();
        Some(Ratios {
            method,
            cells,
            sorted: Sorted::new(&values)?,
            wins,
        })
    };
    Method::all().filter_map(of).collect()
}

fn row(drawing: &mut Drawing, ratios: &Ratios<'_>, axis: &Log, ticks: &[(f64, String)]) {
    let look = palette::look(ratios.method);
    let (sorted, method, cells) = (&ratios.sorted, ratios.method, ratios.cells.len());
    let [median, worst] = [sorted.median(), sorted.percentile(100)].map(times);
    let words = format!(
        "median {median}, worst {worst}, best in {} of {cells}",
        ratios.wins
    );
    let y = drawing.y + HEAD / 2.0;
    drawing.add(marker([MARGIN + 5.0, y], 4.5, look.marker).with("fill", look.colour));
    drawing.add(label([MARGIN + 16.0, y], TEXT, "start", method.name()).with("class", "ink"));
    drawing.add(label([WIDTH - MARGIN, y], TEXT, "end", &words).with("class", "dim"));
    let middle = drawing.y + HEAD + DOTS / 2.0 - 2.0;
    for (x, text) in ticks {
        let class = if text == "1x" { "line" } else { "grid" };
        let ends = [[*x, middle - DOTS / 2.0], [*x, middle + DOTS / 2.0]];
        drawing.add(line(&ends, 1.0).with("class", class));
    }
    let mut dots = element("g")
        .with("fill", look.colour)
        .with("fill-opacity", 0.4);
    for (index, (work, timed, ratio)) in ratios.cells.iter().enumerate() {
        // Seven lanes, so that equal ratios stand one above the other.
        let lane = ((index * 3) % 7) as f64 / 6.0 - 0.5;
        let [runner, median] = [&timed.row.runner, &time(timed.spread.median)];
        let words = format!("{work}: {runner}, {median}, {} the best", times(*ratio));
        let dot = element("circle")
            .with("cx", axis.at(*ratio))
            .with("cy", middle + lane * DOTS * 0.7)
            .with("r", 2.6);
        dots.push(dot.mark(&[timed.place], &words));
    }
    drawing.add(dots);
    let [least, low, high, most] = [0, 25, 75, 100].map(|of| axis.at(sorted.percentile(of)));
    let rows: Vec<usize> = ratios.cells.iter().map(|cell| cell.1.place).collect();
    let range = line(&[[least, middle], [most, middle]], 1.2).with("stroke", look.colour);
    let half = rectangle([low, middle - 3.5], [high.max(low + 1.0), middle + 3.5]);
    let at = axis.at(sorted.median());
    let tick = line(&[[at, middle - 8.0], [at, middle + 8.0]], 3.0).with("class", "line");
    let bar = element("g").mark(&rows, &format!("{method}: {words}"));
    let half = half.with("fill", look.colour);
    drawing.add(bar.child(range).child(half).child(tick));
    drawing.y += HEAD + DOTS;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::fixture::{self, lists_row};
    use crate::report::bench::groups::groups;

    #[test]
    fn each_cell_counts_once_per_method_at_its_best_dial() {
        let mut record = fixture::with_rows(vec![
            lists_row([64, 64], 16, "pixel-loop", "", 1.0),
            lists_row([64, 64], 16, "wave-lerp-deferred", "P=1", 1.0),
            lists_row([64, 64], 16, "wave-lerp-deferred", "P=8", 1.0),
            lists_row([64, 64], 32, "pixel-loop", "", 1.0),
        ]);
        for (row, time) in record.rows.iter_mut().zip([10.0, 30.0, 20.0, 5.0]) {
            row.samples = vec![time];
        }
        let groups = groups(&record);
        let all = ratios(&groups);
        let found = all.iter();
        let found = found.map(|of| (of.method.name(), of.sorted.values(), of.wins));
        let expected: [(&str, &[f64], usize); 2] = [
            ("pixel-loop", &[1.0, 1.0], 2),
            ("wave-lerp-deferred", &[2.0], 0),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!(all[1].cells[0].1.place, 2);
    }
}
