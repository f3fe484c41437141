//! Rows of a record grouped by work, with their medians. All tables, maps and charts use these groups.

use std::collections::HashMap;

use super::record::{Record, Row, Work};
use crate::model::methods::Method;
use crate::model::passes::Pass;
use crate::model::samples::{Summary, distinct};
use crate::report::errors::have_pictures;
use crate::timing::is_plausible;

/// Exact methods that are timed and listed but never count as the best, each with the reason.
const OUT_OF_CONTEST: [(Method, &str); 2] = [
    (Method::Auto, "runs one of the others"),
    (Method::FixedFunctionF16, "its result has fewer digits"),
];

#[derive(Clone, Copy, Debug)]
pub struct TimedRow<'a> {
    pub row: &'a Row,
    pub place: usize,
    pub spread: Summary,
    /// GPU time of the passes timed with the row divided by their wall-clock time, if implausible. An implausible row
    /// is never the best.
    pub implausible: Option<f64>,
}

#[derive(Clone, Debug)]
pub struct Group<'a> {
    pub work: &'a Work,
    adapter: &'a str,
    pub timed: Vec<TimedRow<'a>>,
    pub skipped: Vec<&'a Row>,
    /// Index in [`Record::rows`] of all rows in the group.
    pub places: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct FramePasses<'a> {
    pub of: TimedRow<'a>,
    /// Label of each pass and its time in microseconds, in frame order.
    pub passes: Vec<(&'a str, Summary)>,
}

impl TimedRow<'_> {
    /// Reason why the row's time is implausible, if it is.
    pub fn doubt(&self) -> Option<String> {
        let part = self.implausible?;
        Some(format!(
            "was timed with passes that sum to {part:.2} of their wall-clock time"
        ))
    }
}

/// Groups for all works of a record, in order of first appearance.
pub fn groups(record: &Record) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut index: HashMap<&Work, usize> = HashMap::new();
    for (place, row) in record.rows.iter().enumerate() {
        let at = *index.entry(&row.work).or_insert_with(|| {
            groups.push(Group::new(&row.work, &record.adapter.name));
            groups.len() - 1
        });
        groups[at].places.push(place);
        match Summary::of(&row.samples) {
            Some(spread) => {
                groups[at].timed.push(TimedRow {
                    row,
                    place,
                    spread,
                    implausible: row.passes_to_wall.filter(|part| !is_plausible(*part)),
                });
            }
            None => groups[at].skipped.push(row),
        }
    }
    groups
}

/// A sentence that lists the methods in `record` that never count as the best, if any.
pub fn out_of_contest(record: &Record) -> Option<String> {
    let runs = |method: &Method| record.rows.iter().any(|row| row.method == Some(*method));
    let out = OUT_OF_CONTEST.iter().filter(|(method, _)| runs(method));
    let out: Vec<String> = out.map(|(of, why)| format!("`{of}` ({why})")).collect();
    let names = out.join(" and ");
    (!out.is_empty()).then(|| format!("Never counted as the best: {names}."))
}

/// A sentence that lists the drawn methods in `record`, if only a small part of the GPU can draw.
pub fn not_compared(record: &Record) -> Option<String> {
    let methods = distinct(record.rows.iter().filter_map(|row| row.method));
    Method::not_compared(methods.into_iter(), &record.adapter.name)
}

impl<'a> Group<'a> {
    fn new(work: &'a Work, adapter: &'a str) -> Self {
        Self {
            work,
            adapter,
            timed: Vec::new(),
            skipped: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Part of the GPU that can draw, if it is small and the row was drawn. The row is then timed but not compared.
    pub fn drawing_part(&self, row: &Row) -> Option<&'static str> {
        row.method?.drawing_part(self.adapter)
    }

    pub fn told_runner(&self, row: &Row) -> String {
        let part = self.drawing_part(row);
        let part = part.map_or(String::new(), |part| format!(" ({part} draw)"));
        row.runner.clone() + &part
    }

    /// True if a method can count as the best. Other methods are still timed and listed.
    pub fn contends(&self, method: Method) -> bool {
        let is_out = OUT_OF_CONTEST.iter().any(|(out, _)| *out == method);
        method.is_exact() && !is_out && method.drawing_part(self.adapter).is_none()
    }

    /// The fastest row by median among methods that can count as the best. `None` if none was timed.
    pub fn best(&self) -> Option<TimedRow<'a>> {
        self.fastest(|row| row.method.is_some_and(|method| self.contends(method)))
    }

    /// The fastest row of a method over all its dial positions.
    pub fn best_of(&self, method: Method) -> Option<TimedRow<'a>> {
        self.fastest(|row| row.method == Some(method))
    }

    /// Each timed method at its best dial, in method order.
    pub fn methods(&self) -> Vec<(Method, TimedRow<'a>)> {
        let mut best: Vec<(Method, TimedRow)> = Vec::new();
        for &timed in &self.timed {
            let Some(method) = timed.row.method else {
                continue;
            };
            let rank = |timed: &TimedRow| (timed.implausible.is_some(), timed.spread.median);
            match best.iter_mut().find(|entry| entry.0 == method) {
                Some(entry) if rank(&timed) < rank(&entry.1) => entry.1 = timed,
                Some(_) => {}
                None => best.push((method, timed)),
            }
        }
        best.sort_by_key(|entry| entry.0);
        best
    }

    pub fn ratio_to_best(&self, timed: &TimedRow<'_>) -> Option<f64> {
        ratio(timed.spread.median, self.best()?.spread.median)
    }

    /// The passes of the runner with the smallest sum of passes. `None` if the work has no passes.
    pub fn frame(&self) -> Option<FramePasses<'a>> {
        let fair = |timed: &&TimedRow| self.drawing_part(timed.row).is_none();
        let frames = self.timed.iter().filter(fair).map(FramePasses::of);
        let frames = frames.filter(|frame| !frame.passes.is_empty());
        frames.min_by(|a, b| a.total().total_cmp(&b.total()))
    }

    /// Timed rows with errors, each with its time including inputs in microseconds and its RMSE. The RMSE is that of
    /// the picture if all rows have one.
    pub fn errors(&self) -> Vec<(TimedRow<'a>, f64, f64)> {
        let of_picture = self.has_pictures();
        let timed = self.timed.iter().filter_map(|timed| {
            let errors = timed.row.errors.as_ref()?;
            Some((
                *timed,
                FramePasses::of(timed).with_inputs(),
                errors.linear(of_picture).rmse,
            ))
        });
        timed.filter(|(_, time, _)| *time > 0.0).collect()
    }

    pub fn has_pictures(&self) -> bool {
        let timed = self.timed.iter();
        have_pictures(timed.filter_map(|timed| timed.row.errors.as_ref()))
    }

    /// All rows with errors, each with its time including inputs if the row was timed.
    pub fn told(&self) -> Vec<(&'a Row, Option<f64>)> {
        let timed = self.timed.iter();
        let timed = timed.map(|timed| (timed.row, Some(FramePasses::of(timed).with_inputs())));
        let all = timed.chain(self.skipped.iter().map(|row| (*row, None)));
        all.filter(|(row, _)| row.errors.is_some()).collect()
    }

    /// The fastest plausible row that `wanted` accepts, and the first of equally fast rows.
    fn fastest(&self, wanted: impl Fn(&Row) -> bool) -> Option<TimedRow<'a>> {
        let wanted = |timed: &&TimedRow| timed.implausible.is_none() && wanted(timed.row);
        let wanted = self.timed.iter().filter(wanted);
        let fastest = wanted.min_by(|a, b| a.spread.median.total_cmp(&b.spread.median));
        fastest.copied()
    }
}

impl<'a> FramePasses<'a> {
    fn of(timed: &TimedRow<'a>) -> Self {
        let passes = timed.row.passes.iter();
        let passes = passes.filter_map(|pass| Some((&*pass.label, Summary::of(&pass.samples)?)));
        Self {
            of: *timed,
            passes: passes.collect(),
        }
    }

    /// Microseconds of the composite and of the passes before it.
    pub fn with_inputs(&self) -> f64 {
        let behind = [Pass::Bloom, Pass::Resolve].map(Pass::label);
        let passes = self.passes.iter();
        let until_composite = passes.filter(|(label, _)| !behind.contains(label));
        until_composite.map(|(_, spread)| spread.median).sum()
    }

    pub fn total(&self) -> f64 {
        self.passes.iter().map(|(_, spread)| spread.median).sum()
    }
}

pub(super) fn ratio(time: f64, base: f64) -> Option<f64> {
    let ratio = time / base;
    ratio.is_finite().then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::*;

    #[test]
    fn what_is_implausible_or_not_timed_or_has_no_method_is_never_the_best() {
        let best = |change: fn(&mut Row)| {
            let mut row = lists_row([64, 64], 16, "pixel-loop", 5.0);
            change(&mut row);
            let slow = lists_row([64, 64], 16, "wave-lerp-deferred P=1", 100.0);
            let record = fixture::with_rows(vec![row, slow]);
            let groups = groups(&record);
            groups[0].best().expect("a best").row.runner.clone()
        };
        assert_eq!(best(|row| row.passes_to_wall = Some(0.9)), "pixel-loop");
        let changes: [fn(&mut Row); 4] = [
            |row| row.passes_to_wall = Some(0.4),
            |row| row.passes_to_wall = Some(1.6),
            |row| row.samples.clear(),
            |row| row.method = None,
        ];
        for change in changes {
            assert_eq!(best(change), "wave-lerp-deferred P=1");
        }
    }
}
