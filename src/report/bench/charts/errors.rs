//! Error against time: a panel per scene, a dot per approximate method at each place of its options, and the front of those
//! that nothing beats in both.

use super::{Chart, Part, heading};
use crate::model::format::{three_digits, time};
use crate::model::methods::Method;
use crate::report::bench::groups::{Group, TimedRow};
use crate::report::bench::record::Record;
use crate::report::drawing::{
    Drawing, LINE, Log, MARGIN, Point, Sign, TEXT, WIDTH, label, line, marker, round_time,
};
use crate::report::palette;
use crate::report::svg::element;

const HEIGHT: f64 = 260.0;
/// Room left of the plot for the labels of errors.
const LABELS: f64 = 56.0;
/// Errors below this are those of exact methods, which stand on a line of their own below all others.
const EXACT: f64 = 1e-5;

/// The panels; `None` where no errors were told.
pub(super) fn chart(record: &Record, groups: &[Group<'_>]) -> Option<Chart> {
    let told = groups.iter().filter(|group| !group.errors().is_empty());
    let told: Vec<&Group> = told.collect();
    if told.is_empty() {
        return None;
    }
    let title = "Error of approximate methods against time";
    let mut drawing = heading(record, title);
    for group in &told {
        panel(&mut drawing, group);
    }
    let rows = told.iter().flat_map(|group| group.errors());
    let mut methods: Vec<Method> = rows.filter_map(|row| row.0.row.method).collect();
    methods.sort_unstable();
    methods.dedup();
    let key = |method: &Method| (Sign::Series(palette::look(*method)), method.to_string());
    drawing.legend(&methods.iter().map(key).collect::<Vec<_>>());
    drawing.paragraph(
        "Root mean square error in linear light against the time of a method with the passes that make its inputs; both axes \
        are logarithmic. On the line at the bottom: methods without an error. The line joins those that no other beats in \
        both.",
    );
    Some(Chart {
        name: "errors".to_owned(),
        title: title.to_owned(),
        parts: vec![Part::Scenes],
        svg: drawing.finish(),
    })
}

/// Those rows, by time, that no faster one has a smaller error than.
fn front<'a, 'g>(rows: &'g [(TimedRow<'a>, f64, f64)]) -> Vec<&'g (TimedRow<'a>, f64, f64)> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
    let mut least = f64::INFINITY;
    rows.retain(|row| {
        let is_better = row.2 < least;
        least = least.min(row.2);
        is_better
    });
    rows
}

fn panel(drawing: &mut Drawing, group: &Group<'_>) {
    let rows = group.errors();
    let (left, right) = (MARGIN + LABELS, WIDTH - MARGIN);
    let head = [left, drawing.y + LINE / 2.0];
    let head = label(head, TEXT, "start", &group.work.to_string());
    drawing.add(head.with("class", "ink").with("font-weight", "600"));
    let top = drawing.y + LINE + 2.0;
    let bottom = top + HEIGHT;
    let x = Log::over(rows.iter().map(|row| row.1), [left + 12.0, right - 12.0]);
    let errors = rows.iter().map(|row| row.2).filter(|error| *error > EXACT);
    let exact = errors.fold(1.0, f64::min) / 3.0;
    let shown = |error: f64| if error > EXACT { error } else { exact };
    let errors = rows.iter().map(|row| shown(row.2));
    let y = Log::over(errors, [bottom - 10.0, top + 10.0]);
    let ticks = y.ticks().into_iter().filter(|tick| *tick > 1.5 * exact);
    let ticks = ticks.map(|tick| (tick, tick.to_string()));
    for (tick, text) in ticks.chain([(exact, "0".to_owned())]) {
        let at = y.at(tick);
        drawing.add(line(&[[left, at], [right, at]], 1.0).with("class", "grid"));
        drawing.add(label([left - 5.0, at], TEXT, "end", &text).with("class", "ink"));
    }
    let edge = [[left, top], [left, bottom], [right, bottom]];
    drawing.add(line(&edge, 1.0).with("class", "line"));
    let place = |row: &(TimedRow, f64, f64)| -> Point { [x.at(row.1), y.at(shown(row.2))] };
    let steps: Vec<Point> = front(&rows).into_iter().map(place).collect();
    if steps.len() > 1 {
        drawing.add(line(&steps, 1.5).with("class", "line"));
    }
    for row in &rows {
        let Some(method) = row.0.row.method else {
            continue;
        };
        let look = palette::look(method);
        let words = format!(
            "{}: {} with its inputs, RMSE {}",
            row.0.row.runner,
            time(row.1),
            three_digits(row.2)
        );
        let dot = marker(place(row), 5.0, look.marker).with("fill", look.colour);
        drawing.add(element("g").mark(&[row.0.place], &words).child(dot));
    }
    let ticks: Vec<(f64, String)> = x
        .ticks()
        .iter()
        .map(|tick| (x.at(*tick), round_time(*tick)))
        .collect();
    drawing.labels_below(bottom + 5.0, &ticks);
    drawing.y += 8.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::fixture;
    use crate::report::bench::groups::groups;
    use crate::report::svg::tests::read;

    #[test]
    fn each_row_with_errors_has_a_dot_and_the_front_has_those_that_nothing_beats() {
        let record = fixture::with_errors();
        let groups = groups(&record);
        let rows = groups[0].errors();
        let runners: Vec<&str> = front(&rows).iter().map(|row| &*row.0.row.runner).collect();
        assert_eq!(runners, ["average", "weighted paper8", "auto (pixel-loop)"]);
        let chart = chart(&record, &groups).expect("dots");
        let marks = read(&chart.svg).marks;
        assert_eq!(marks.len(), record.rows.len());
        assert!(marks[0].1.contains("RMSE"), "{}", marks[0].1);
        assert!(super::chart(&fixture::large_gpu(), &[]).is_none());
    }
}
