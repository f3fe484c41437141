//! `bench.csv`: the medians of a record for spreadsheets and scripts. Touches nothing.

use super::groups::{Group, Timed, groups};
use super::record::{Record, Row, Work};
use crate::error::{Error, Result};

/// Columns of `bench.csv`. Times are microseconds per dispatch.
const COLUMNS: [&str; 25] = [
    "work",
    "name",
    "width",
    "height",
    "layers",
    "cost",
    "kind",
    "runner",
    "method",
    "dial",
    "wave_size",
    "dispatches",
    "n",
    "median_us",
    "p5_us",
    "p95_us",
    "ratio_to_best",
    "ratio_to_floor",
    "skipped",
    "implausible",
    "settled",
    "passes_to_wall",
    "known_work_ns",
    "gpu_clock_mhz",
    "gpu_temperature_c",
];

/// `bench.csv`: one line per row of the record, grouped by work.
///
/// # Errors
/// None that a record can cause.
pub fn csv(record: &Record) -> Result<String> {
    let broken = |error: &dyn std::fmt::Display| Error::failed(format!("CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut line = |cells: &[String]| writer.write_record(cells).map_err(|e| broken(&e));
    line(&COLUMNS.map(str::to_owned))?;
    for group in groups(record) {
        for timed in &group.timed {
            line(&csv_line(timed.row, Some((&group, timed))))?;
        }
        for row in &group.skipped {
            line(&csv_line(row, None))?;
        }
    }
    let bytes = writer.into_inner().map_err(|e| broken(&e))?;
    String::from_utf8(bytes).map_err(|e| broken(&e))
}

fn csv_line(row: &Row, timed: Option<(&Group<'_>, &Timed<'_>)>) -> Vec<String> {
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let spread = timed.map(|(_, timed)| timed.spread);
    let best = timed.and_then(|(group, timed)| group.ratio_to_best(timed));
    let floor = timed.and_then(|(group, timed)| group.ratio_to_floor(timed));
    let mut cells = work_cells(&row.work).to_vec();
    cells.extend([
        row.runner.clone(),
        row.method.map_or("", |method| method.name()).to_owned(),
        super::format::dial(row).to_owned(),
        row.wave_size
            .map_or_else(String::new, |size| size.to_string()),
        row.dispatches.to_string(),
        spread.map_or(0, |spread| spread.n).to_string(),
        text(spread.map(|spread| spread.median)),
        text(spread.map(|spread| spread.p5)),
        text(spread.map(|spread| spread.p95)),
        text(best),
        text(floor),
        row.skipped.clone().unwrap_or_default(),
        timed
            .and_then(|(_, timed)| timed.implausible)
            .map_or_else(String::new, |why| why.to_string()),
        row.settled.map_or("", yes_or_no).to_owned(),
        text(row.passes_to_wall),
        text(row.gpu.and_then(|gpu| gpu.known_work)),
        text(row.gpu.and_then(|gpu| gpu.clock)),
        text(row.gpu.and_then(|gpu| gpu.temperature)),
    ]);
    cells
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// A work in its seven columns.
fn work_cells(work: &Work) -> [String; 7] {
    let size = |[width, height]: [u32; 2]| [width.to_string(), height.to_string()];
    let empty = String::new;
    match work {
        Work::Lists {
            outputs,
            layers,
            cost,
            kind,
        } => {
            let [width, height] = size(*outputs);
            let [cost, kind] = [cost.name(), kind.name()].map(str::to_owned);
            let layers = layers.to_string();
            [
                "lists".to_owned(),
                empty(),
                width,
                height,
                layers,
                cost,
                kind,
            ]
        }
        Work::Scene { name, size: pixels } => {
            let [width, height] = size(*pixels);
            let scene = "scene".to_owned();
            [
                scene,
                name.clone(),
                width,
                height,
                empty(),
                empty(),
                empty(),
            ]
        }
        Work::Case { name } => {
            let case = "case".to_owned();
            [
                case,
                name.clone(),
                empty(),
                empty(),
                empty(),
                empty(),
                empty(),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn every_row_has_a_line_in_the_csv() -> Outcome {
        let record = fixture::quick();
        let text = csv(&record)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let column = |name: &str| COLUMNS.iter().position(|column| *column == name);
        let [median, ratio, skipped] =
            ["median_us", "ratio_to_best", "skipped"].map(|name| column(name).expect("a column"));
        let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>()?;
        assert_eq!(lines.len(), record.rows.len());
        for line in &lines {
            assert_eq!(line.len(), COLUMNS.len());
            assert_ne!(
                line[median].is_empty(),
                line[skipped].is_empty(),
                "{line:?}"
            );
        }
        let best = lines.iter().filter(|line| line[ratio] == *"1");
        let works = groups(&record)
            .iter()
            .filter(|g| g.best().is_some())
            .count();
        assert_eq!(best.count(), works, "one best in each work");
        Ok(())
    }

    #[test]
    fn hostile_text_breaks_no_csv() -> Outcome {
        let mut row = lists_row([8, 8], 4, "pixel-loop", "", 1.0);
        row.runner = "a,\"b\"\nc".to_owned();
        let text = csv(&fixture::with_rows(vec![row]))?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let line = reader.records().next().ok_or("a line")??;
        assert_eq!(&line[7], "a,\"b\"\nc");
        Ok(())
    }
}
