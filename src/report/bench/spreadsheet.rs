//! `bench.csv`: the medians of a record for spreadsheets and scripts. Touches nothing.

use serde::Serialize;

use super::groups::{Group, TimedRow, groups};
use super::record::{Record, Row, Work};
use crate::error::Result;
use crate::model::methods::{Cost, ListKind};
use crate::report::table;

/// A line of `bench.csv`; its fields are the columns. Times are microseconds per dispatch, and numbers with a
/// fraction are text, so that they have the same digits as everywhere else.
#[derive(Default, Serialize)]
struct Line<'a> {
    work: &'a str,
    name: &'a str,
    width: Option<u32>,
    height: Option<u32>,
    layers: Option<u32>,
    cost: Option<Cost>,
    kind: Option<ListKind>,
    tile: Option<u32>,
    runner: &'a str,
    method: &'a str,
    dial: &'a str,
    wave_size: Option<u32>,
    dispatches: u32,
    n: usize,
    median_us: Option<String>,
    p5_us: Option<String>,
    p95_us: Option<String>,
    ratio_to_best: Option<String>,
    ratio_to_floor: Option<String>,
    skipped: Option<&'a str>,
    implausible: Option<String>,
    settled: Option<&'a str>,
    passes_to_wall: Option<String>,
    known_work_ns: Option<String>,
}

/// `bench.csv`: one line per row of the record, grouped by work.
pub fn csv(record: &Record) -> Result<String> {
    let groups = groups(record);
    table::csv(groups.iter().flat_map(|group| {
        let timed = group.timed.iter().map(|row| timed_line(group, row));
        timed.chain(group.skipped.iter().map(|row| row_line(row)))
    }))
}

fn timed_line<'a>(group: &Group<'_>, timed: &TimedRow<'a>) -> Line<'a> {
    let number = |value: f64| Some(value.to_string());
    Line {
        n: timed.spread.n,
        median_us: number(timed.spread.median),
        p5_us: number(timed.spread.p5),
        p95_us: number(timed.spread.p95),
        ratio_to_best: group.ratio_to_best(timed).and_then(number),
        ratio_to_floor: group.ratio_to_floor(timed).and_then(number),
        implausible: timed.implausible.map(|why| why.to_string()),
        ..row_line(timed.row)
    }
}

fn row_line(row: &Row) -> Line<'_> {
    let number = |value: Option<f64>| value.map(|value| value.to_string());
    Line {
        runner: &row.runner,
        method: row.method.map_or("", |method| method.name()),
        dial: super::format::dial(row),
        wave_size: row.wave_size,
        dispatches: row.dispatches,
        skipped: row.skipped.as_deref(),
        settled: row.settled.map(|of| if of { "yes" } else { "no" }),
        passes_to_wall: number(row.passes_to_wall),
        known_work_ns: number(row.gpu.and_then(|gpu| gpu.known_work)),
        ..work_line(&row.work)
    }
}

fn work_line(work: &Work) -> Line<'_> {
    match work {
        Work::Lists {
            outputs: [width, height],
            layers,
            cost,
            kind,
        } => Line {
            work: "lists",
            width: Some(*width),
            height: Some(*height),
            layers: Some(*layers),
            cost: Some(*cost),
            kind: Some(*kind),
            ..Line::default()
        },
        Work::Scene {
            name,
            size: [width, height],
            tile,
        } => Line {
            work: "scene",
            tile: Some(*tile),
            name,
            width: Some(*width),
            height: Some(*height),
            ..Line::default()
        },
        Work::Case { name } => Line {
            work: "case",
            name,
            ..Line::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn every_row_has_a_line_in_the_csv() -> Outcome {
        let record = fixture::quick();
        let text = csv(&record)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers()?.clone();
        let expected = "work name width height layers cost kind tile runner method dial wave_size dispatches n \
                        median_us p5_us p95_us ratio_to_best ratio_to_floor skipped implausible settled \
                        passes_to_wall known_work_ns";
        assert!(names.iter().eq(expected.split_whitespace()));
        let column = |name: &str| names.iter().position(|column| column == name);
        let [median, ratio, skipped] =
            ["median_us", "ratio_to_best", "skipped"].map(|name| column(name).expect("a column"));
        let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>()?;
        assert_eq!(lines.len(), record.rows.len());
        for line in &lines {
            assert_eq!(line.len(), names.len());
            let is_empty = [median, skipped].map(|column| line[column].is_empty());
            assert_ne!(is_empty[0], is_empty[1], "{line:?}");
        }
        let best = lines.iter().filter(|line| line[ratio] == *"1");
        let groups = groups(&record);
        let works = groups.iter().filter(|group| group.best().is_some());
        assert_eq!(best.count(), works.count(), "one best in each work");
        Ok(())
    }

    #[test]
    fn a_record_without_rows_has_the_names_of_the_columns() -> Outcome {
        let text = csv(&fixture::with_rows(Vec::new()))?;
        let full = csv(&fixture::quick())?;
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [full.lines().next().ok_or("a line")?]
        );
        assert!(text.ends_with('\n'));
        Ok(())
    }
}
