//! Charts of a record as SVG, for files and pages: the crossover [`map`], time against layers and outputs and error
//! against time ([`plots`]), ratios to the best method ([`ratios`]), and frames by pass.

mod chart;
mod map;
mod plots;
mod ratios;

use super::groups::{Group, TimedRow, groups};
use super::map::maps;
use super::record::Record;
use crate::model::samples::Summary;
use crate::report::drawing::Bar;
use crate::report::palette;
use chart::heading;

pub use chart::{Chart, RunPart};

/// True if a file with this name may be a chart of a record. Older versions wrote PNG files.
pub fn is_chart(file: &str) -> bool {
    let name = file.strip_suffix(".svg").or(file.strip_suffix(".png"));
    let of_map = ["map-", "layers-", "outputs-"];
    name.is_some_and(|name| {
        ["ratios", "passes", "errors"].contains(&name)
            || of_map.iter().any(|what| name.starts_with(what))
    })
}

pub fn charts(record: &Record) -> Vec<Chart> {
    let mut groups = groups(record);
    for group in &mut groups {
        let part = |timed: &TimedRow| timed.row.method?.drawing_part(&record.adapter.name);
        group.timed.retain(|timed| part(timed).is_none());
    }
    let mut charts = Vec::new();
    for map in maps(record, &groups) {
        charts.push(map::chart(record, &groups, &map));
        charts.extend(plots::times(record, &groups, &map));
    }
    charts.extend(ratios::chart(record, &groups));
    charts.extend(passes(record, &groups));
    charts.extend(plots::errors(record, &groups));
    charts
}

fn passes(record: &Record, groups: &[Group<'_>]) -> Option<Chart> {
    let part = |&(label, spread): &(&str, Summary)| {
        let colour = palette::labelled(label);
        (label.to_owned(), colour, spread.median / 1e3)
    };
    let (mut parts, mut bars) = (Vec::new(), Vec::new());
    for group in groups {
        let frame = group.frame();
        let Some(frame) = frame.filter(|frame| frame.total() > 0.0) else {
            continue;
        };
        let of = RunPart::of(group.work);
        if !parts.contains(&of) {
            parts.push(of);
        }
        bars.push(Bar {
            name: group.work.to_string(),
            note: frame.of.row.runner.clone(),
            rows: vec![frame.of.place],
            parts: frame.passes.iter().map(part).collect(),
        });
    }
    let title = "GPU time of a frame by pass";
    let mut drawing = heading(record, title);
    drawing.stacked_bars(&bars);
    drawing.paragraph(
        "Medians of the passes, in order. Each bar is the fastest frame: the method named next to the scene has \
        the smallest sum of passes.",
    );
    (!bars.is_empty()).then(|| Chart::new("passes", title, parts, drawing))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::super::format::NOT_A_GPU;
    use super::*;

    fn marks(svg: &str) -> Vec<(Vec<usize>, &str)> {
        let marks = svg.split("<g data-rows=\"").skip(1).filter_map(|mark| {
            let (rows, rest) = mark.split_once("\"><title>")?;
            let rows = rows.split(' ').map(|row| row.parse().expect("a row"));
            Some((rows.collect(), rest.split_once("</title>")?.0))
        });
        marks.collect()
    }

    #[test]
    fn every_chart_names_the_rows_of_its_marks_and_the_commit() {
        let mut record = fixture::large_gpu();
        record.rows.extend(fixture::with_errors().rows);
        let charts = charts(&record);
        let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
        let expected = "map-cheap-particles layers-cheap-particles outputs-cheap-particles map-textured-mixed \
            layers-textured-mixed outputs-textured-mixed ratios passes errors";
        assert_eq!(names.join(" "), expected);
        for chart in &charts {
            let (file, text) = chart.file(&record);
            assert!(
                is_chart(&file) && text.contains("commit: 0123abc"),
                "{file}"
            );
            assert!(!chart.svg.contains("style"), "a page may forbid it");
            assert!(marks(&text).len() > 1, "{file}");
            for (rows, words) in marks(&text) {
                let row = &record.rows[rows[0]];
                let name = row.method.map_or("", |method| method.name());
                let is_named = words.contains(name) || words.contains(&row.work.to_string());
                assert!(is_named, "{file}: {words}");
            }
        }
        assert!(super::charts(&fixture::with_rows(Vec::new())).is_empty());
    }

    #[test]
    fn a_cell_names_its_winner_first_and_a_line_parts_the_rivals() {
        let row = |outputs, method, time| lists_row(outputs, 256, method, time);
        let mut record = fixture::with_rows(vec![
            row([64, 64], "pixel-loop", 100.0),
            row([64, 64], "wave-lerp-deferred", 20.0),
            row([256, 256], "pixel-loop", 100.0),
            row([256, 256], "wave-lerp-deferred", 200.0),
        ]);
        let svg = |record: &Record| charts(record)[0].svg.clone();
        let crossing = svg(&record);
        let rows: Vec<Vec<usize>> = marks(&crossing).into_iter().map(|mark| mark.0).collect();
        assert_eq!(rows, [[1, 0], [2, 3]]);
        assert!(crossing.contains(">equal time<"));
        record.rows[1].samples.clear();
        assert!(!svg(&record).contains(">equal time<"), "negative control");
        let words = "64x64, 256 layers, cheap particles: not timed; 1 rows left out";
        record.rows.remove(0);
        assert!(svg(&record).contains(words));
    }

    #[test]
    fn a_cpu_is_warned_of_and_hostile_names_are_text() {
        let mut record = fixture::large_gpu();
        record.adapter.name = "<b>&\"\u{1b}\u{202e}y".to_owned();
        record.adapter.is_cpu = true;
        for chart in charts(&record) {
            let text = chart.file(&record).1;
            assert!(text.contains(NOT_A_GPU) && text.contains("&lt;b&gt;&amp;&quot;\u{fffd}y"));
            assert!(!text.contains("<b>"), "{text}");
        }
    }
}
