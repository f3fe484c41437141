//! The files of a run: `bench.json` (the record, written and read), `bench.csv`, `bench.md`. Each is
//! written in one step: nobody ever reads half of one.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;

use super::groups::{Group, Timed, groups};
use super::record::{Record, Row, SCHEMA, Work};
use crate::compare::atomic_file::write_atomically;
use crate::error::{Error, Result};

/// The part of a record that every version has.
#[derive(Deserialize)]
struct Head {
    schema: u32,
}

/// `bench.json`: keys in the order of the structs, one row a line.
///
/// # Errors
/// The record is not whole: see [`check`] (exit code 1).
pub fn json(record: &Record) -> Result<String> {
    check(record).map_err(|reason| Error::failed(format!("the record is broken: {reason}")))?;
    let broken = |error: serde_json::Error| Error::failed(format!("JSON: {error}"));
    let head = Record {
        rows: Vec::new(),
        ..record.clone()
    };
    let head = serde_json::to_string_pretty(&head).map_err(broken)?;
    let rows: Vec<String> = record
        .rows
        .iter()
        .map(|row| serde_json::to_string(row).map_err(broken))
        .collect::<Result<_>>()?;
    // Rows are the last key, and empty here.
    let head = head.trim_end_matches(['}', '\n', ']', '[']);
    Ok(format!("{head}[\n{}\n]}}\n", rows.join(",\n")))
}

/// Writes a file of a run.
///
/// # Errors
/// It cannot be written: the path and what the system said (exit code 2).
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomically(path, bytes)
        .map_err(|error| Error::usage(format!("{error}; name another folder")))
}

/// Reads `bench.json`.
///
/// # Errors
/// It cannot be read, is of another version or broken; names the file (exit code 2).
pub fn read(path: &Path) -> Result<Record> {
    let wrong = |what: String| Error::usage(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|error| wrong(format!("cannot read it: {error}; name a bench.json")))?;
    parse(&text).map_err(wrong)
}

/// The record in a text, or what is wrong with it and what to do.
fn parse(text: &str) -> Result<Record, String> {
    let head: Head = serde_json::from_str(text).map_err(|error| {
        format!("not a record of a benchmark run: {error}; name a bench.json that `bench` wrote")
    })?;
    if head.schema != SCHEMA {
        return Err(format!(
            "it has schema version {}, this program reads {SCHEMA}; run `bench` again, or read it \
             with the program that wrote it",
            head.schema
        ));
    }
    let again = "run `bench` again, or restore the file";
    let record = serde_json::from_str(text).map_err(|error| format!("broken: {error}; {again}"))?;
    check(&record).map_err(|reason| format!("broken: {reason}; {again}"))?;
    Ok(record)
}

/// Whether a record is whole: runners unique within their work, all samples times, and each row
/// either timed or skipped with a reason.
fn check(record: &Record) -> Result<(), String> {
    let mut seen = HashSet::new();
    for row in &record.rows {
        let Row { work, runner, .. } = row;
        let wrong = |what: &str| Err(format!("row \"{runner}\" of \"{work}\" {what}"));
        if !seen.insert((work, runner)) {
            return wrong("stands there twice");
        }
        let passes = row.passes.iter().flat_map(|pass| &pass.samples);
        if !passes
            .chain(&row.samples)
            .all(|&time| time.is_finite() && time >= 0.0)
        {
            return wrong("has a sample that is no time");
        }
        if !row.facts.iter().all(|fact| fact.1.is_finite()) {
            return wrong("has a fact that is no number");
        }
        match (row.samples.is_empty(), &row.skipped) {
            (true, None) => return wrong("has neither samples nor a reason why not"),
            (false, Some(_)) => return wrong("is marked as skipped but has samples"),
            _ => {}
        }
    }
    Ok(())
}

/// Columns of `bench.csv`. Times are microseconds per dispatch.
const COLUMNS: [&str; 19] = [
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
    ]);
    cells
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

    /// A small record with every kind of row.
    fn example() -> Record {
        let mut record = fixture::h200();
        let lists = |row: &Row| matches!(row.work, Work::Lists { .. });
        let mut count = 0;
        record.rows.retain(|row| {
            count += u32::from(lists(row));
            !lists(row) || row.skipped.is_some() || count < 40
        });
        record
    }

    #[test]
    fn a_record_survives_the_file_bit_for_bit() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("bench.json");
        let record = fixture::h200();
        write(&path, json(&record)?.as_bytes())?;
        let back = read(&path)?;
        assert_eq!(back, record);
        let mut other = back;
        other.rows[7].samples[3] += 1e-12;
        assert_ne!(other, record, "negative control");
        let none = fixture::with_rows(Vec::new());
        assert_eq!(parse(&json(&none)?)?, none);
        Ok(())
    }

    #[test]
    fn every_row_has_a_line_of_its_own_in_the_file() -> Outcome {
        let record = example();
        let text = json(&record)?;
        let rows = text.lines().filter(|line| line.starts_with("{\"work\""));
        assert_eq!(rows.count(), record.rows.len());
        Ok(())
    }

    #[test]
    fn another_version_is_refused_and_named() -> Outcome {
        let text = json(&example())?.replacen("\"schema\": 1", "\"schema\": 7", 1);
        let error = parse(&text).err().ok_or("an error")?;
        assert!(
            error.contains("version 7") && error.contains("run `bench` again"),
            "{error}"
        );
        let future = "{\"schema\": 2, \"entirely\": \"different\"}";
        assert!(parse(future).err().ok_or("an error")?.contains("version 2"));
        Ok(())
    }

    #[test]
    fn broken_files_are_refused_with_their_name() -> Outcome {
        let good = json(&example())?;
        let broken = [
            (
                "half.json",
                good[..good.len() / 2].to_owned(),
                "not a record",
            ),
            ("empty.json", String::new(), "EOF"),
            ("other.json", "{\"name\": 3}".to_owned(), "schema"),
            (
                "method.json",
                good.replace("\"pixel-loop\"", "\"pixel-lop\""),
                "pixel-lop",
            ),
            (
                "field.json",
                good.replacen("\"rounds\"", "\"rouns\"", 1),
                "rouns",
            ),
        ];
        let folder = tempfile::tempdir()?;
        for (name, text, reason) in broken {
            let path = folder.path().join(name);
            std::fs::write(&path, text)?;
            let error = read(&path).err().ok_or("an error")?;
            assert_eq!(error.exit_code(), 2);
            let message = error.to_string();
            assert!(
                message.contains(name) && message.contains(reason),
                "{message}"
            );
        }
        let error = read(&folder.path().join("missing.json"))
            .err()
            .ok_or("an error")?;
        assert_eq!(error.exit_code(), 2);
        assert!(read(folder.path()).is_err(), "a folder");
        Ok(())
    }

    #[test]
    fn a_record_that_is_not_whole_is_neither_written_nor_read() -> Outcome {
        type Break = (fn(&mut Record), &'static str);
        let breaks: [Break; 5] = [
            (|r| r.rows.push(r.rows[0].clone()), "twice"),
            (|r| r.rows[0].samples[0] = f64::NAN, "no time"),
            (|r| r.rows[0].samples[0] = -1.0, "no time"),
            (|r| r.rows[0].samples.clear(), "neither"),
            (
                |r| r.rows[0].skipped = Some("why".to_owned()),
                "has samples",
            ),
        ];
        for (damage, reason) in breaks {
            let mut record = example();
            damage(&mut record);
            let error = json(&record).err().ok_or("an error")?;
            assert!(error.to_string().contains(reason), "{error}");
            assert!(
                error.to_string().contains(&record.rows[0].runner),
                "{error}"
            );
        }
        let text = json(&example())?.replacen("\"samples\":[", "\"samples\":[-1.0,", 1);
        assert!(parse(&text).err().ok_or("an error")?.contains("no time"));
        Ok(())
    }

    #[test]
    fn every_row_has_a_line_in_the_csv() -> Outcome {
        let record = example();
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
