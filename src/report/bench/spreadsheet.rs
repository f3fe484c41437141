//! The columns of all tables of times, and `bench.csv` with medians for spreadsheets and scripts.

use super::format::dial;
use super::groups::{Group, TimedRow, groups, ratio};
use super::record::{Record, Row, Work};
use crate::error::Result;
use crate::model::format::four_digits;
use crate::model::methods::Method;
use crate::report::comparison::RATIO_BASE;
use crate::report::table::{Cell, Table, count, number, text};

/// Column names in files and for readers. Times are microseconds per dispatch.
const COLUMNS: [[&str; 2]; 24] = [
    ["work", "work"],
    ["name", "name"],
    ["width", "width"],
    ["height", "height"],
    ["layers", "layers"],
    ["cost", "cost"],
    ["kind", "kind"],
    ["tile", "tile"],
    ["runner", "runner"],
    ["method", "method"],
    ["dial", "dial"],
    ["wave_size", "wave"],
    ["dispatches", "dispatches"],
    ["median_us", "median µs"],
    ["p5_us", "p5"],
    ["p95_us", "p95"],
    ["n", "n"],
    ["ratio_to_best", "to best"],
    ["ratio_to_read_lane_loop", "to read-lane-loop"],
    ["skipped", "skipped"],
    ["implausible", "implausible"],
    ["settled", "settled"],
    ["passes_to_wall", "passes to wall"],
    ["known_work_ns", "known work, ns"],
];

pub(super) const FOR_READERS: &[&str] = &[
    "runner",
    "wave_size",
    "median_us",
    "p5_us",
    "p95_us",
    "n",
    "ratio_to_best",
    "ratio_to_read_lane_loop",
];

/// `bench.csv`: a line per row of the record, grouped by work.
pub fn csv(record: &Record) -> Result<String> {
    let groups = groups(record);
    let rows = groups.iter().flat_map(|group| {
        let timed = group
            .timed
            .iter()
            .map(|timed| cells(group, timed.row, Some(timed)));
        timed.chain(group.skipped.iter().map(|row| cells(group, row, None)))
    });
    table(rows.collect()).csv()
}

pub(super) fn table(rows: Vec<Vec<Cell>>) -> Table {
    let columns = COLUMNS.to_vec();
    Table { columns, rows }
}

pub(super) fn cells(group: &Group, row: &Row, timed: Option<&TimedRow>) -> Vec<Cell> {
    let spread = timed.map(|timed| timed.spread);
    // A row without a method is for other work, such as a sort. Its ratio to a method would be meaningless.
    let of_method = spread.filter(|_| row.method.is_some() && group.drawing_part(row).is_none());
    let ratio_to = |other: Option<TimedRow>| {
        let ratio = of_method.and_then(|spread| ratio(spread.median, other?.spread.median));
        number(ratio, four_digits)
    };
    let base = Method::by_name(RATIO_BASE).ok();
    let implausible = timed.and_then(TimedRow::doubt);
    let settled = row.settled.map(|of| if of { "yes" } else { "no" });
    let mut cells = work_cells(&row.work);
    cells.extend([
        text(group.told_runner(row)),
        text(row.method.map_or("", Method::name)),
        text(dial(row)),
        count(row.wave_size),
        count(Some(row.dispatches)),
        number(spread.map(|spread| spread.median), four_digits),
        number(spread.map(|spread| spread.p5), four_digits),
        number(spread.map(|spread| spread.p95), four_digits),
        count(Some(spread.map_or(0, |spread| spread.n))),
        ratio_to(group.best()),
        ratio_to(base.and_then(|base| group.best_of(base))),
        text(row.skipped.as_deref().unwrap_or_default()),
        text(implausible.unwrap_or_default()),
        text(settled.unwrap_or_default()),
        number(row.passes_to_wall, four_digits),
        number(row.gpu.and_then(|gpu| gpu.known_work), four_digits),
    ]);
    cells
}

fn work_cells(work: &Work) -> Vec<Cell> {
    let lists = work.lists();
    let (of, name, size, tile, fog) = match work {
        Work::Lists(of) => ("lists", "", Some(of.outputs), None, ""),
        Work::Scene {
            name,
            size,
            tile,
            fog,
        } => {
            let fog = if fog.is_layers() {
                ""
            } else {
                "fog integrated"
            };
            ("scene", &**name, Some(*size), Some(*tile), fog)
        }
        Work::Case { name } => ("case", &**name, None, None, ""),
    };
    vec![
        text(of),
        text(name),
        count(size.map(|size| size[0])),
        count(size.map(|size| size[1])),
        count(lists.map(|of| of.layers)),
        text(lists.map_or(String::new(), |of| of.cost.to_string())),
        text(lists.map_or(fog.to_owned(), |of| of.kind.to_string())),
        count(tile),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn every_row_has_a_line_in_the_csv_and_each_work_one_best() -> Result<(), csv::Error> {
        let record = fixture::large_gpu();
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
