//! The page of one benchmark run, or of several runs compared in pairs: charts, every row with raw samples, and verdicts.

use std::io::{self, Write};

use serde::Serialize;

use super::{BENCH, PROGRAM, Page};
use crate::model::samples::Summary;
use crate::report::bench::charts::{Chart, RunPart, charts};
use crate::report::bench::format::{NOT_A_GPU, conditions};
use crate::report::bench::record::{Record, Row};
use crate::report::bench::regression::{
    Comparison, about_shaders, different_conditions, side_by_side,
};

pub struct BenchPage<'a> {
    /// The runs, with names if there are several.
    pub runs: Vec<(String, &'a Record)>,
    pub comparisons: Vec<ComparedRuns>,
}

/// Two runs of a page.
#[derive(Serialize)]
pub struct ComparedRuns {
    /// Indices of the first and the second run.
    of: [usize; 2],
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub comparison: Comparison,
}

#[derive(Serialize)]
struct Data<'a> {
    program: &'static str,
    title: String,
    notes: &'a [String],
    runs: Vec<Run<'a>>,
    comparisons: &'a [ComparedRuns],
}

#[derive(Serialize)]
struct Run<'a> {
    name: &'a str,
    conditions: Vec<(String, String)>,
    charts: Vec<PageChart>,
    rows: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct PageChart {
    id: String,
    #[serde(flatten)]
    chart: Chart,
}

#[derive(Serialize)]
struct Line<'a> {
    part: RunPart,
    what: String,
    summary: Option<Summary>,
    /// Part of the GPU that can draw, if it is small and the row was drawn.
    drawing_part: Option<&'static str>,
    #[serde(flatten)]
    row: &'a Row,
}

impl<'a> BenchPage<'a> {
    pub fn of(record: &'a Record) -> Self {
        Self {
            runs: vec![(String::new(), record)],
            comparisons: Vec::new(),
        }
    }

    /// A page that compares each of the runs with each later run.
    pub fn comparing(runs: Vec<(String, &'a Record)>) -> Self {
        let pairs = (0..runs.len()).flat_map(|first| (0..first).map(move |of| [of, first]));
        let compared = |of: [usize; 2]| {
            let [first, second] = of.map(|of| runs[of].1);
            let mut notes = different_conditions(first, second);
            notes.extend(about_shaders(first, second));
            ComparedRuns {
                of,
                notes,
                comparison: side_by_side(first, second),
            }
        };
        Self {
            comparisons: pairs.map(compared).collect(),
            runs,
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let adapters = self.runs.iter().map(|(_, record)| &*record.adapter.name);
        let mut adapters: Vec<&str> = adapters.collect();
        adapters.dedup();
        let title = format!("Benchmark: {}", adapters.join(" and "));
        let mut page = Page::begin(out, &BENCH, &title)?;
        let mut runs = Vec::new();
        for (number, (name, record)) in self.runs.iter().enumerate() {
            let mut shown = Vec::new();
            for chart in charts(record) {
                let id = format!("chart-{number}-{}", chart.name);
                page.drawing(&id, &chart.svg)?;
                shown.push(PageChart { id, chart });
            }
            let rows = record.rows.iter();
            runs.push(Run {
                name,
                conditions: conditions(record),
                charts: shown,
                rows: rows
                    .map(|row| Line::of(row, &record.adapter.name))
                    .collect(),
            });
        }
        let warned = self.runs.iter().any(|(_, record)| record.adapter.is_cpu);
        let warning = warned.then(|| NOT_A_GPU.to_owned());
        let notes: Vec<String> = warning.into_iter().collect();
        page.end(&Data {
            program: PROGRAM,
            title,
            notes: &notes,
            runs,
            comparisons: &self.comparisons,
        })
    }
}

impl<'a> Line<'a> {
    fn of(row: &'a Row, adapter: &str) -> Self {
        Self {
            part: RunPart::of(&row.work),
            what: row.work.to_string(),
            summary: Summary::of(&row.samples),
            drawing_part: row.method.and_then(|of| of.drawing_part(adapter)),
            row,
        }
    }
}
