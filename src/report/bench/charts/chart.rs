//! A chart of a record, and functions that all charts use.

use serde::Serialize;

use crate::model::format::time;
use crate::report::bench::format::{NOT_A_GPU, caption, conditions};
use crate::report::bench::groups::{TimedRow, not_compared};
use crate::report::bench::record::{Record, Work};
use crate::report::drawing::{Drawing, standalone};

#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// File name without extension: "map-cheap-particles".
    pub name: String,
    pub title: String,
    pub parts: Vec<RunPart>,
    /// SVG for a page. [`Chart::file`] turns it into a file.
    #[serde(skip)]
    pub svg: String,
}

/// A part of a benchmark run, named as in `--parts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunPart {
    Sweep,
    Cases,
    Scenes,
}

impl RunPart {
    pub fn of(work: &Work) -> Self {
        match work {
            Work::Lists(_) => Self::Sweep,
            Work::Case { .. } => Self::Cases,
            Work::Scene { .. } => Self::Scenes,
        }
    }
}

impl Chart {
    pub(super) fn new(name: &str, title: &str, parts: Vec<RunPart>, drawing: Drawing) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            parts,
            svg: drawing.finish(),
        }
    }

    /// Name and text of the chart's file. The text contains the run's conditions, commit and command.
    pub fn file(&self, record: &Record) -> (String, String) {
        let about = conditions(record).into_iter();
        let about: Vec<String> = about
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        let text = standalone(&self.svg, &about.join("\n"));
        (format!("{}.svg", self.name), text)
    }
}

pub(super) fn heading(record: &Record, title: &str) -> Drawing {
    let warning = record.adapter.is_cpu.then(|| NOT_A_GPU.to_owned());
    let warning = warning.or_else(|| not_compared(record));
    Drawing::new(title, warning.as_deref(), &caption(record))
}

pub(super) fn words(timed: &TimedRow<'_>) -> String {
    let spread = timed.spread;
    let [median, p5, p95] = [spread.median, spread.p5, spread.p95].map(time);
    let implausible = timed.doubt();
    let implausible = implausible.map(|why| format!("; implausible: it {why}"));
    format!(
        "{}: {median}, 5th to 95th percentile {p5} to {p95}, n {}{}",
        timed.row.runner,
        spread.n,
        implausible.unwrap_or_default()
    )
}
