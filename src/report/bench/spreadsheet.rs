//! The columns of every table of times, and `bench.csv`: the medians of a record for spreadsheets and scripts. Touches
//! nothing.

use super::format::dial;
use super::groups::{Group, TimedRow, groups, ratio};
use super::record::{Record, Row, Work};
use crate::error::Result;
use crate::model::format::four_digits;
use crate::model::methods::Method;
use crate::model::samples::Summary;
use crate::report::comparison::RATIO_BASE;
use crate::report::table::{Cell, Column, Table};

/// A row of a record among those of the same work.
pub(super) struct Line<'a> {
    group: &'a Group<'a>,
    row: &'a Row,
    timed: Option<&'a TimedRow<'a>>,
}

impl<'a> Line<'a> {
    /// The lines of a group: what was timed, then what was skipped.
    fn all(group: &'a Group<'a>) -> impl Iterator<Item = Self> {
        let timed = group.timed.iter().map(|timed| Self::of(group, timed));
        timed.chain(group.skipped.iter().map(move |row| Self {
            group,
            row,
            timed: None,
        }))
    }

    pub(super) fn of(group: &'a Group<'a>, timed: &'a TimedRow<'a>) -> Self {
        let (row, timed) = (timed.row, Some(timed));
        Self { group, row, timed }
    }

    fn cost_and_kind(&self) -> [Option<String>; 2] {
        match self.row.work {
            Work::Lists { cost, kind, .. } => [Some(cost.to_string()), Some(kind.to_string())],
            _ => [None, None],
        }
    }

    fn size(&self) -> Option<[u32; 2]> {
        match self.row.work {
            Work::Lists { outputs: size, .. } | Work::Scene { size, .. } => Some(size),
            Work::Case { .. } => None,
        }
    }

    fn time(&self, of: fn(&Summary) -> f64) -> Cell {
        Cell::number(self.timed.map(|timed| of(&timed.spread)), four_digits)
    }

    /// The ratio of the median to another one. A row without a method does other work, such as a sort, so that a ratio to a
    /// method would mean nothing.
    fn ratio_to(&self, other: Option<TimedRow>) -> Cell {
        let of = |timed: &TimedRow| ratio(timed.spread.median, other?.spread.median);
        let timed = self.timed.filter(|timed| timed.row.method.is_some());
        Cell::number(timed.and_then(of), four_digits)
    }
}

/// What tables for readers have of a row.
pub(super) fn time_columns<'a>() -> [Column<Line<'a>>; 8] {
    [
        ("runner", "runner", |of| of.row.runner.as_str().into()),
        ("wave_size", "wave", |of| of.row.wave_size.into()),
        ("median_us", "median µs", |of| of.time(|time| time.median)),
        ("p5_us", "p5", |of| of.time(|time| time.p5)),
        ("p95_us", "p95", |of| of.time(|time| time.p95)),
        ("n", "n", |of| {
            of.timed.map_or(0, |timed| timed.spread.n).into()
        }),
        ("ratio_to_best", "to best", |of| {
            of.ratio_to(of.group.best())
        }),
        ("ratio_to_read_lane_loop", TO_BASE, |of| {
            let base = Method::by_name(RATIO_BASE).ok();
            of.ratio_to(base.and_then(|base| of.group.best_of(base)))
        }),
    ]
}

/// The heading of ratios to [`RATIO_BASE`].
pub(super) const TO_BASE: &str = "to read-lane-loop";

/// The length of synthetic lists.
pub(super) fn layers<'a>() -> Column<Line<'a>> {
    ("layers", "layers", |of| match of.row.work {
        Work::Lists { layers, .. } => layers.into(),
        _ => Cell::Nothing,
    })
}

fn work_columns<'a>() -> [Column<Line<'a>>; 8] {
    [
        ("work", "work", |of| match of.row.work {
            Work::Lists { .. } => "lists".into(),
            Work::Scene { .. } => "scene".into(),
            Work::Case { .. } => "case".into(),
        }),
        ("name", "name", |of| match &of.row.work {
            Work::Lists { .. } => Cell::Nothing,
            Work::Scene { name, .. } | Work::Case { name } => name.as_str().into(),
        }),
        ("width", "width", |of| of.size().map(|size| size[0]).into()),
        ("height", "height", |of| {
            of.size().map(|size| size[1]).into()
        }),
        layers(),
        ("cost", "cost", |of| of.cost_and_kind()[0].clone().into()),
        ("kind", "kind", |of| of.cost_and_kind()[1].clone().into()),
        ("tile", "tile", |of| match of.row.work {
            Work::Scene { tile, .. } => tile.into(),
            _ => Cell::Nothing,
        }),
    ]
}

fn run_columns<'a>() -> [Column<Line<'a>>; 8] {
    [
        ("method", "method", |of| {
            of.row.method.map(Method::name).into()
        }),
        ("dial", "dial", |of| dial(of.row).into()),
        ("dispatches", "dispatches", |of| of.row.dispatches.into()),
        ("skipped", "skipped", |of| of.row.skipped.as_deref().into()),
        ("implausible", "implausible", |of| {
            let why = of.timed.and_then(|timed| timed.implausible);
            why.map(|why| why.to_string()).into()
        }),
        ("settled", "settled", |of| {
            of.row
                .settled
                .map(|of| if of { "yes" } else { "no" })
                .into()
        }),
        ("passes_to_wall", "passes to wall", |of| {
            Cell::number(of.row.passes_to_wall, four_digits)
        }),
        ("known_work_ns", "known work, ns", |of| {
            Cell::number(of.row.gpu.and_then(|gpu| gpu.known_work), four_digits)
        }),
    ]
}

/// `bench.csv`: a line for each row of the record, grouped by work. Times are microseconds per dispatch.
pub fn csv(record: &Record) -> Result<String> {
    let groups = groups(record);
    let columns = [&work_columns()[..], &time_columns(), &run_columns()].concat();
    Table::new(&columns, groups.iter().flat_map(Line::all)).csv()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn every_row_has_a_line_in_the_csv_and_each_work_one_best() -> Result<(), csv::Error> {
        let record = fixture::quick();
        let text = csv(&record).expect("text");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers()?.clone();
        let column = |name: &str| names.iter().position(|column| column == name);
        let [median, ratio, skipped] =
            ["median_us", "ratio_to_best", "skipped"].map(|name| column(name).expect("a column"));
        let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>()?;
        assert_eq!(lines.len(), record.rows.len());
        for line in &lines {
            let is_empty = [median, skipped].map(|column| line[column].is_empty());
            assert_ne!(is_empty[0], is_empty[1], "{line:?}");
        }
        let best = lines.iter().filter(|line| line[ratio] == *"1");
        let groups = groups(&record);
        let works = groups.iter().filter(|group| group.best().is_some());
        assert_eq!(best.count(), works.count());
        let none = csv(&fixture::with_rows(Vec::new())).expect("text");
        assert_eq!(none.lines().next(), text.lines().next());
        assert_eq!(none.lines().count(), 1, "the names of the columns");
        Ok(())
    }
}
