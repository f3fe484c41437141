//! The files of a run: writes and reads the record `bench.json`, and writes the files made from it.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;

use super::record::{Record, Row, SCHEMA};
use crate::error::{Error, Result};
use crate::input;

/// The part of a record that all versions share.
#[derive(Deserialize)]
struct Head {
    schema: u32,
}

/// `bench.json`, with keys in struct order and one row per line.
pub fn json(record: &Record) -> Result<String> {
    check(record).map_err(|reason| Error::failed(format!("the record is broken: {reason}")))?;
    let head = Record {
        rows: Vec::new(),
        ..record.clone()
    };
    let head = serde_json::to_string_pretty(&head).map_err(Error::json)?;
    let rows = record.rows.iter().map(serde_json::to_string);
    let rows: Vec<String> = rows.collect::<Result<_, _>>().map_err(Error::json)?;
    // `rows` is the last key and is empty here.
    let head = head.trim_end_matches(['}', '\n', ']', '[']);
    Ok(format!("{head}[\n{}\n]}}\n", rows.join(",\n")))
}

pub fn read(path: &Path) -> Result<Record> {
    let wrong = |what: String| Error::usage(format!("{}: {what}", path.display()));
    let text = input::text(path, input::RECORD)
        .map_err(|why| wrong(format!("cannot read it: {why}; name a bench.json")))?;
    parse(&text).map_err(wrong)
}

/// Parses a record. The error states the fault and a remedy.
fn parse(text: &str) -> Result<Record, String> {
    let head: Head = serde_json::from_str(text).map_err(|error| {
        format!("not a benchmark record: {error}; name a bench.json written by `bench`")
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

/// Checks that runners are unique within their work, that all samples are valid times, and that each row is either
/// timed or skipped with a reason.
fn check(record: &Record) -> Result<(), String> {
    let mut seen = HashSet::new();
    for row in &record.rows {
        let Row { work, runner, .. } = row;
        let wrong = |what: &str| Err(format!("row \"{runner}\" of \"{work}\" {what}"));
        if !seen.insert((work, runner)) {
            return wrong("appears twice");
        }
        let passes = row.passes.iter().flat_map(|pass| &pass.samples);
        let mut times = passes.chain(&row.samples);
        if !times.all(|time| time.is_finite() && *time >= 0.0) {
            return wrong("has a sample that is not a time");
        }
        let counted: usize = row.sittings.iter().sum();
        if counted != row.samples.len() && !row.sittings.is_empty() {
            return wrong("has a different number of samples than its sittings");
        }
        if !row.facts.iter().all(|fact| fact.1.is_finite()) {
            return wrong("has a fact that is not a number");
        }
        match (row.samples.is_empty(), &row.skipped) {
            (true, None) => return wrong("has neither samples nor a reason for their absence"),
            (false, Some(_)) => return wrong("is marked as skipped but has samples"),
            _ => {}
        }
    }
    Ok(())
}

pub const RECORD: &str = "bench.json";

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    type TestResult = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn a_record_survives_the_file_bit_for_bit() -> TestResult {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("bench.json");
        let record = fixture::large_gpu();
        std::fs::write(&path, json(&record)?)?;
        let back = read(&path)?;
        assert_eq!(back, record);
        let mut other = back;
        other.rows[7].samples[3] += 1e-12;
        assert_ne!(other, record, "negative control");
        Ok(())
    }

    #[test]
    fn broken_files_are_refused_with_their_name() -> TestResult {
        let good = json(&fixture::large_gpu())?;
        let half = good[..good.len() / 2].to_owned();
        let method = good.replace("\"pixel-loop\"", "\"pixel-lop\"");
        let field = good.replacen("\"rounds\"", "\"rouns\"", 1);
        let version = good.replacen("\"schema\": 1", "\"schema\": 7", 1);
        let broken = [
            ("half.json", half, "not a benchmark record"),
            ("empty.json", String::new(), "EOF"),
            ("other.json", "{\"name\": 3}".to_owned(), "schema"),
            ("method.json", method, "pixel-lop"),
            ("field.json", field, "rouns"),
            (
                "version.json",
                version,
                "version 7, this program reads 1; run `bench` again",
            ),
        ];
        let folder = tempfile::tempdir()?;
        for (name, text, reason) in broken {
            let path = folder.path().join(name);
            std::fs::write(&path, text)?;
            let error = read(&path).err().ok_or("an error")?;
            assert_eq!(error.exit_code(), 2);
            assert!(error.message.contains(name), "{error}");
            assert!(error.message.contains(reason), "{error}");
        }
        let missing = read(&folder.path().join("missing.json")).err();
        assert_eq!(missing.ok_or("an error")?.exit_code(), 2);
        assert!(read(folder.path()).is_err(), "a folder");
        Ok(())
    }

    #[test]
    fn a_record_that_is_not_whole_is_neither_written_nor_read() -> TestResult {
        type Break = (fn(&mut Record), &'static str);
        let breaks: [Break; 5] = [
            (|r| r.rows.push(r.rows[0].clone()), "twice"),
            (|r| r.rows[0].samples[0] = f64::NAN, "not a time"),
            (|r| r.rows[0].samples[0] = -1.0, "not a time"),
            (|r| r.rows[0].samples.clear(), "neither"),
            (
                |r| r.rows[0].skipped = Some("why".to_owned()),
                "has samples",
            ),
        ];
        for (damage, reason) in breaks {
            let mut record = fixture::large_gpu();
            damage(&mut record);
            let error = json(&record).err().ok_or("an error")?;
            assert!(error.message.contains(reason), "{error}");
            assert!(error.message.contains(&record.rows[0].runner), "{error}");
        }
        let text = json(&fixture::large_gpu())?.replacen("\"samples\":[", "\"samples\":[-1.0,", 1);
        assert!(parse(&text).err().ok_or("an error")?.contains("not a time"));
        Ok(())
    }
}
