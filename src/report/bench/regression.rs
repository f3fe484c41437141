//! Compares two runs. Each time is slower, faster, unchanged or undecided.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::record::{PassSamples, Record, Row, Work};
use super::stats::{LEAST_SAMPLES, Ratio, Verdict};
use crate::error::{Error, Result};
use crate::model::format::{four_digits, three_digits, time, times};
use crate::model::samples::Summary;
use crate::report::errors::{have_pictures, name_of_rmse};
use crate::report::table::{Table, number, text};

/// Timing resolution of a pass in microseconds. A sample contains the pass once. A smaller difference may come from a
/// clock step or from the gap to the next pass, and may persist for a whole run.
const PASS_RESOLUTION: f64 = 2.0;

/// Minimum relative change of an error that is reported. Smaller changes are compiler rounding.
const MOVED: f64 = 0.01;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// All rows and passes timed in both runs, in the order of the new record.
    #[serde(rename = "rows")]
    pub compared: Vec<ComparedRow>,
    pub left_out: Vec<(String, String)>,
    /// Errors that changed: row, kind of error, old and new value. They do not affect the verdict.
    #[serde(skip)]
    pub moved: Vec<(String, &'static str, [f64; 2])>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRow {
    /// Work, runner and, for a pass, the pass label.
    pub name: String,
    /// Old and new median in microseconds.
    pub medians: [f64; 2],
    #[serde(flatten)]
    pub ratio: Ratio,
    pub verdict: Verdict,
    #[serde(skip)]
    pub work: Work,
    /// True if the row must be measured again before the verdict is final.
    #[serde(skip)]
    is_suspect: bool,
}

pub fn compare(old: &Record, new: &Record) -> Result<Comparison> {
    check_conditions(old, new)?;
    Ok(side_by_side(old, new))
}

/// Compares two runs under any conditions. A difference may come from the machine.
pub fn side_by_side(old: &Record, new: &Record) -> Comparison {
    let (old_places, new_places) = (old.places(), new.places());
    let key = |row: &Row| (row.work.clone(), row.runner.clone());
    let same_waves = old.adapter.waves() == new.adapter.waves();
    let mut found = Comparison::default();
    for row in &new.rows {
        match old_places.get(&key(row)) {
            Some(&place) => {
                found.add(&old.rows[place], row, same_waves);
                found.add_errors(&old.rows[place], row);
            }
            None => found.leave_out(name(row), "only in the new run"),
        }
    }
    for row in old
        .rows
        .iter()
        .filter(|row| !new_places.contains_key(&key(row)))
    {
        found.leave_out(name(row), "only in the old run");
    }
    found
}

/// A sentence for runs with different shaders, which may explain changes.
pub fn about_shaders(old: &Record, new: &Record) -> Option<String> {
    let (then, now) = (old.shaders.as_ref()?, new.shaders.as_ref()?);
    (then != now)
        .then(|| format!("the runs used different shaders: {then} before, {now} now (digests)"))
}

/// Checks that the times of two runs are comparable. The new record may have no rows yet.
pub fn check_conditions(old: &Record, new: &Record) -> Result<()> {
    let different = different_conditions(old, new);
    if different.is_empty() {
        return Ok(());
    }
    Err(Error::usage(format!(
        "these runs cannot be compared ({}); repeat the old run under the new conditions",
        different.join("; ")
    )))
}

pub fn different_conditions(old: &Record, new: &Record) -> Vec<String> {
    let shaders = |record: &Record| match record.unchecked_shaders {
        true => "without checks".to_owned(),
        false => "with checks".to_owned(),
    };
    let clock = |record: &Record| record.about_clock(|clock| clock.source.name().to_owned());
    let facts = |record: &Record| {
        let adapter = &record.adapter;
        [
            ("adapter", adapter.name.clone()),
            ("driver", adapter.driver.clone()),
            ("back end", adapter.backend.clone()),
            ("wave size", adapter.waves()),
            ("clock", clock(record)),
            ("shaders", shaders(record)),
        ]
    };
    let pairs = facts(old).into_iter().zip(facts(new));
    pairs
        .filter(|(old, new)| old.1 != new.1)
        .map(|((name, old), (_, new))| format!("{name}: {old} then, {new} now"))
        .collect()
}

fn name(row: &Row) -> String {
    format!("{}: {}", row.work, row.runner)
}

fn absence(run: &Row, pass: &PassSamples, [here, there]: [&str; 2]) -> String {
    match run.unchanged.contains(&pass.label) {
        true => format!("not drawn in the {here} run, as nothing had changed"),
        false => format!("only in the {there} run"),
    }
}

impl Comparison {
    fn leave_out(&mut self, name: String, why: impl Into<String>) {
        self.left_out.push((name, why.into()));
    }

    /// Adds a row that both runs have, with its passes. If only the row's wave sizes differ but not the adapters', the
    /// row is skipped.
    fn add(&mut self, old: &Row, new: &Row, same_waves: bool) {
        for (run, row) in [("old", old), ("new", new)] {
            if let Some(reason) = &row.skipped {
                return self.leave_out(name(new), format!("not timed in the {run} run: {reason}"));
            }
        }
        if let (true, Some(then), Some(now)) = (same_waves, old.wave_size, new.wave_size)
            && then != now
        {
            let why = format!("ran at wave size {then} then, {now} now");
            return self.leave_out(name(new), why);
        }
        self.add_times(name(new), [old, new], [&old.samples, &new.samples], 0.0);
        let of_pass = |pass: &PassSamples| format!("{}: pass {}", name(new), pass.label);
        for pass in &new.passes {
            match old.passes.iter().find(|of| of.label == pass.label) {
                Some(then) => {
                    let samples = [&then.samples[..], &pass.samples];
                    self.add_times(of_pass(pass), [old, new], samples, PASS_RESOLUTION);
                }
                None => self.leave_out(of_pass(pass), absence(old, pass, ["old", "new"])),
            }
        }
        for pass in &old.passes {
            if new.passes.iter().all(|other| other.label != pass.label) {
                self.leave_out(of_pass(pass), absence(new, pass, ["new", "old"]));
            }
        }
    }

    /// Adds the change of a row's error. It is the error of the picture if both runs have it.
    fn add_errors(&mut self, old: &Row, new: &Row) {
        let (Some(then), Some(now)) = (&old.errors, &new.errors) else {
            return;
        };
        let of_picture = have_pictures([then, now]);
        let [then, now] = [then, now].map(|of| of.linear(of_picture).rmse);
        if (now - then).abs() > MOVED * then.max(now) {
            let what = name_of_rmse(of_picture);
            self.moved.push((name(new), what, [then, now]));
        }
    }

    /// Adds the times of a row or of one of its passes. Medians that differ by less than `resolution` count as equal.
    fn add_times(&mut self, name: String, rows: [&Row; 2], samples: [&[f64]; 2], resolution: f64) {
        let Some(ratio) = Ratio::between(samples[0], samples[1]) else {
            let why = "times of zero, or too few to tell: fewer than";
            return self.leave_out(name, format!("{why} {LEAST_SAMPLES}"));
        };
        let medians = samples.map(|samples| Summary::of(samples).map_or(0.0, |s| s.median));
        let is_seen = (medians[1] - medians[0]).abs() >= resolution;
        let [then, now] = rows.map(|row| row.gpu.and_then(|gpu| gpu.known_work));
        let clock = then.zip(now).map(|(then, now)| now / then);
        self.compared.push(ComparedRow {
            name,
            medians,
            ratio,
            verdict: match is_seen {
                true => ratio.verdict(clock),
                false => Verdict::Same,
            },
            work: rows[1].work.clone(),
            is_suspect: is_seen && ratio.is_suspect(),
        });
    }

    pub fn slower(&self) -> impl Iterator<Item = &ComparedRow> {
        let compared = self.compared.iter();
        compared.filter(|compared| compared.verdict == Verdict::Slower)
    }

    /// Works with a row that may have changed. Callers measure these works again first.
    pub fn suspects(&self) -> HashSet<Work> {
        let suspects = self.compared.iter().filter(|row| row.is_suspect);
        suspects.map(|row| row.work.clone()).collect()
    }

    /// Fails if nothing was compared or anything got slower. The error lists the slowest first.
    pub fn verdict(&self) -> Result<()> {
        if self.compared.is_empty() {
            let whys: BTreeSet<&str> = self.left_out.iter().map(|(_, why)| &**why).collect();
            return Err(Error::usage(format!(
                "nothing could be compared ({}); measure with the flags of the old run (`command` in its record)",
                Vec::from_iter(whys).join("; ")
            )));
        }
        let mut slower: Vec<&ComparedRow> = self.slower().collect();
        if slower.is_empty() {
            return Ok(());
        }
        slower.sort_by(|a, b| b.ratio.value.total_cmp(&a.ratio.value));
        let name = |of: &&ComparedRow| format!("{} ({})", of.name, times(of.ratio.value));
        let names: Vec<String> = slower.iter().map(name).collect();
        let names = names.join("; ");
        Err(Error::failed(format!("slower than before: {names}")))
    }

    /// `compare.csv`: a line per compared item.
    pub fn csv(&self) -> Result<String> {
        let rows = self.compared.iter().map(|of| {
            let Ratio { value, low, high } = of.ratio;
            let numbers = [value, low, high, of.medians[0], of.medians[1]];
            let numbers = numbers.map(|value| number(value, four_digits));
            [&[text(&of.name), text(of.verdict.name())][..], &numbers].concat()
        });
        let names = [
            "name", "verdict", "ratio", "low", "high", "old_us", "new_us",
        ];
        let table = Table {
            columns: names.map(|name| [name; 2]).to_vec(),
            rows: rows.collect(),
        };
        table.csv()
    }

    pub fn text(&self) -> String {
        let of = |verdict| self.compared.iter().filter(move |c| c.verdict == verdict);
        let mut text = String::new();
        for compared in of(Verdict::Slower).chain(of(Verdict::Faster)) {
            text += &compared.line();
        }
        for (name, what, values) in &self.moved {
            let [then, now] = values.map(three_digits);
            text += &format!("error: {what} {then} -> {now}  {name}\n");
        }
        for (name, why) in &self.left_out {
            text += &format!("not compared: {name}: {why}\n");
        }
        text + &format!(
            "{} slower, {} faster, {} same, {} unclear, {} not compared\n",
            of(Verdict::Slower).count(),
            of(Verdict::Faster).count(),
            of(Verdict::Same).count(),
            of(Verdict::Unclear).count(),
            self.left_out.len()
        )
    }
}

impl ComparedRow {
    fn line(&self) -> String {
        let Ratio { value, low, high } = self.ratio;
        let [value, low, high] = [value, low, high].map(|ratio| format!("{ratio:.3}"));
        let [old, new] = self.medians.map(time);
        format!(
            "{:<6} x{value} ({low} to {high})  {old:>8} -> {new:>8}  {}\n",
            self.verdict.name(),
            self.name
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::*;
    use crate::report::errors::Linear;

    type TestResult = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn a_pass_that_is_no_longer_drawn_is_not_compared_and_said_to_be_unchanged() -> TestResult {
        let mut old = fixture::large_gpu();
        old.rows.retain(|row| !row.passes.is_empty());
        let mut new = old.clone();
        let gone = new.rows[0].passes.remove(0);
        let why = |old: &Record, new: &Record| -> Result<String> {
            let (name, why) = compare(old, new)?.left_out.swap_remove(0);
            assert!(name.ends_with(&format!(": pass {}", gone.label)), "{name}");
            Ok(why)
        };
        assert_eq!(why(&old, &new)?, "only in the old run");
        new.rows[0].unchanged = vec![gone.label.clone()];
        assert!(why(&old, &new)?.starts_with("not drawn in the new run"));
        assert!(why(&new, &old)?.starts_with("not drawn in the old run"));
        Ok(())
    }

    #[test]
    fn errors_are_compared_like_with_like() -> TestResult {
        let record = |before: f64, picture: Option<f64>| {
            let mut record = fixture::with_errors();
            record.rows.truncate(1);
            let errors = record.rows[0].errors.get_or_insert_default();
            let picture = picture.map(|rmse| Linear {
                rmse,
                ..Linear::default()
            });
            (errors.before.rmse, errors.picture) = (before, picture);
            record
        };
        for (old, new, told) in [
            (record(0.5, None), record(0.5, Some(0.12)), None),
            (
                record(0.5, Some(0.15)),
                record(0.5, Some(0.12)),
                Some("RMSE 0.150 -> 0.120  temple"),
            ),
            (
                record(0.25, None),
                record(0.5, Some(0.12)),
                Some("RMSE of r, g, b, T 0.250 -> 0.500"),
            ),
        ] {
            let text = compare(&old, &new)?.text();
            let found = text.split("error: ").nth(1);
            assert_eq!(found.is_some(), told.is_some(), "{text}");
            assert!(text.contains(told.unwrap_or_default()), "{text}");
        }
        Ok(())
    }

    #[test]
    fn a_slower_pass_is_found_but_not_steps_of_the_clock() -> TestResult {
        let old = fixture::large_gpu();
        let mut new = old.clone();
        let scene = new.rows.iter_mut().find(|row| !row.passes.is_empty());
        let scene = scene.ok_or("a scene")?;
        for pass in &mut scene.passes {
            let factor = if pass.label == "lists" { 1.2 } else { 1.0 };
            pass.samples.iter_mut().for_each(|time| *time *= factor);
        }
        let comparison = compare(&old, &new)?;
        let names: Vec<&str> = comparison.slower().map(|c| c.name.as_str()).collect();
        assert!(
            names.len() == 1 && names[0].ends_with(": pass lists"),
            "{names:?}"
        );

        let tiny = |time: f64| {
            let mut row = lists_row([8, 8], 4, "pixel-loop", 9.0);
            row.passes = vec![PassSamples {
                label: "project".to_owned(),
                samples: vec![time; 30],
            }];
            fixture::with_rows(vec![row])
        };
        assert!(compare(&tiny(9.0), &tiny(10.9))?.verdict().is_ok());
        assert!(compare(&tiny(9.0), &tiny(11.1))?.verdict().is_err());
        assert!(compare(&tiny(20.0), &tiny(29.0))?.verdict().is_err());
        Ok(())
    }

    #[test]
    fn rows_on_one_side_are_listed_with_the_reason() -> TestResult {
        let row = |layers| lists_row([64, 64], layers, "pixel-loop", 20.0);
        let mut skipped = row(8);
        skipped.samples.clear();
        skipped.skipped = Some("predicted 300 ms".to_owned());
        let mut other_wave = row(16);
        other_wave.wave_size = Some(16);
        let mut few = row(32);
        few.samples.truncate(3);
        let old = fixture::with_rows(vec![row(1), row(4), row(8), row(16), row(32)]);
        let new = fixture::with_rows(vec![row(2), row(4), skipped, other_wave, few]);
        let comparison = compare(&old, &new)?;
        assert_eq!(comparison.compared.len(), 1);
        let expected = [
            (" 2 layers", "only in the new run"),
            (" 8 layers", "not timed in the new run: predicted 300 ms"),
            (" 16 layers", "ran at wave size 32 then, 16 now"),
            (" 32 layers", "too few to tell"),
            (" 1 layers", "only in the old run"),
        ];
        assert_eq!(comparison.left_out.len(), expected.len());
        for ((name, why), (work, reason)) in comparison.left_out.iter().zip(expected) {
            assert!(name.contains(work) && why.contains(reason), "{name}: {why}");
            assert!(comparison.text().contains(reason));
        }
        Ok(())
    }
}
