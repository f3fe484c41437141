//! Error against time: a panel per scene, a dot per approximate method at each place of its options, and the front of those
//! that nothing beats in both.

use super::{Chart, Part, heading};
use crate::model::format::{three_digits, time};
use crate::model::methods::Method;
use crate::model::samples::distinct;
use crate::report::bench::groups::Group;
use crate::report::bench::record::Record;
use crate::report::drawing::{
    Drawing, LINE, MARGIN, Point, Sign, TEXT, WIDTH, label, line, marker, round_time,
};
use crate::report::front::{Axes, Standing, front};
use crate::report::palette;
use crate::report::svg::element;

const HEIGHT: f64 = 260.0;
/// Room left of the plot for the labels of errors.
const LABELS: f64 = 56.0;

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
    let methods = distinct(rows.filter_map(|row| row.0.row.method));
    let key = |method: &Method| (Sign::Series(palette::look(*method)), method.to_string());
    drawing.legend(&methods.iter().map(key).collect::<Vec<_>>());
    drawing.paragraph(
        "Root mean square error in linear light against the time of a method with the passes that make its inputs; both axes \
        are logarithmic. On the line at the bottom: methods without an error. The line joins those that no other beats in \
        both.",
    );
    Some(Chart::new("errors", title, vec![Part::Scenes], drawing))
}

fn panel(drawing: &mut Drawing, group: &Group<'_>) {
    let rows = group.errors();
    let (left, right) = (MARGIN + LABELS, WIDTH - MARGIN);
    let head = [left, drawing.y + LINE / 2.0];
    let head = label(head, TEXT, "start", &group.work.to_string());
    drawing.add(head.with("class", "ink").with("font-weight", "600"));
    let top = drawing.y + LINE + 2.0;
    let bottom = top + HEIGHT;
    let standings: Vec<Standing> = rows.iter().map(|row| [row.1, row.2]).collect();
    let axes = Axes::over(
        &standings,
        [left + 12.0, right - 12.0],
        [bottom - 10.0, top + 10.0],
    );
    for (at, text) in axes.ticks_of_errors() {
        drawing.add(line(&[[left, at], [right, at]], 1.0).with("class", "grid"));
        drawing.add(label([left - 5.0, at], TEXT, "end", &text).with("class", "ink"));
    }
    let edge = [[left, top], [left, bottom], [right, bottom]];
    drawing.add(line(&edge, 1.0).with("class", "line"));
    let steps = front(&standings).into_iter();
    let steps: Vec<Point> = steps.map(|place| axes.place(standings[place])).collect();
    if steps.len() > 1 {
        drawing.add(line(&steps, 1.5).with("class", "line"));
    }
    for (row, standing) in rows.iter().zip(&standings) {
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
        let dot = marker(axes.place(*standing), 5.0, look.marker).with("fill", look.colour);
        drawing.add(element("g").mark(&[row.0.place], &words).child(dot));
    }
    let ticks = axes.ticks_of_times();
    let ticks: Vec<(f64, String)> = ticks.map(|(at, time)| (at, round_time(time))).collect();
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
        let standings: Vec<Standing> = rows.iter().map(|row| [row.1, row.2]).collect();
        let runner = |place: usize| &*rows[place].0.row.runner;
        let runners: Vec<&str> = front(&standings).into_iter().map(runner).collect();
        assert_eq!(runners, ["average", "weighted paper8", "auto (pixel-loop)"]);
        let chart = chart(&record, &groups).expect("dots");
        let marks = read(&chart.svg).marks;
        assert_eq!(marks.len(), record.rows.len());
        assert!(marks[0].1.contains("RMSE"), "{}", marks[0].1);
        assert!(super::chart(&fixture::large_gpu(), &[]).is_none());
    }
}
