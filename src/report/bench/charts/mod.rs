//! Charts of a record as SVG: the crossover [`map`], time against layers and outputs ([`lines`]), how far each method is
//! from the best ([`ratios`]), and the frame by pass ([`passes`]). Files and pages hold the same ones.

mod errors;
mod lines;
mod map;
mod passes;
mod ratios;

use serde::Serialize;

use super::format::{NOT_A_GPU, caption, conditions};
use super::groups::{TimedRow, groups};
use super::map::{Map, Rivals, measured};
use super::record::{Record, Work};
use crate::model::format::time;
use crate::report::drawing::Drawing;
use crate::report::svg::standalone;
use lines::Along;

#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// The name of its file, without the ending: "map-cheap-particles".
    pub name: String,
    pub title: String,
    /// The parts of the run that it shows.
    pub parts: Vec<Part>,
    /// What a page holds, see [`crate::report::svg`]; [`Chart::file`] makes a file of it.
    #[serde(skip)]
    pub svg: String,
}

/// A part of a benchmark run, as `--parts` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Sweep,
    Cases,
    Scenes,
}

impl Part {
    pub fn of(work: &Work) -> Self {
        match work {
            Work::Lists { .. } => Self::Sweep,
            Work::Case { .. } => Self::Cases,
            Work::Scene { .. } => Self::Scenes,
        }
    }
}

impl Chart {
    fn new(name: &str, title: &str, parts: Vec<Part>, drawing: Drawing) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            parts,
            svg: drawing.finish(),
        }
    }

    /// The name and the text of its file, which says the run's conditions, commit and command.
    pub fn file(&self, record: &Record) -> (String, String) {
        let about = conditions(record).into_iter();
        let about: Vec<String> = about
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        let text = standalone(&self.svg, &about.join("\n"));
        (format!("{}.svg", self.name), text)
    }
}

/// Whether a file of this name may be a chart of a record. Runs of older versions have PNG files.
pub fn is_chart(file: &str) -> bool {
    let name = file.strip_suffix(".svg").or(file.strip_suffix(".png"));
    let of_map = ["map-", "layers-", "outputs-"];
    name.is_some_and(|name| {
        ["ratios", "passes", "errors"].contains(&name)
            || of_map.iter().any(|what| name.starts_with(what))
    })
}

/// All charts of a record, in the order above: three for each cost and kind of synthetic lists that was measured, and three
/// of the whole run. What the record has no rows for is left out.
pub fn charts(record: &Record) -> Vec<Chart> {
    let groups = groups(record);
    let rivals = Rivals::usual(record);
    let mut charts = Vec::new();
    for what in measured(&groups) {
        let map = Map::of(&groups, what, rivals);
        charts.push(map::chart(record, &groups, &map));
        charts.extend(lines::chart(record, &groups, &map, Along::Layers));
        charts.extend(lines::chart(record, &groups, &map, Along::Outputs));
    }
    charts.extend(ratios::chart(record, &groups));
    charts.extend(passes::chart(record, &groups));
    charts.extend(errors::chart(record, &groups));
    charts
}

/// A drawing with title, conditions, and the warning if the adapter is a CPU.
fn heading(record: &Record, title: &str) -> Drawing {
    let warning = record.adapter.is_cpu.then_some(NOT_A_GPU);
    Drawing::new(title, warning, &caption(record))
}

/// A row in words: its runner and its times.
fn words(timed: &TimedRow<'_>) -> String {
    let spread = timed.spread;
    let [median, p5, p95] = [spread.median, spread.p5, spread.p95].map(time);
    let implausible = timed.implausible;
    let implausible = implausible.map(|why| format!("; implausible: it {why}"));
    format!(
        "{}: {median}, 5th to 95th percentile {p5} to {p95}, n {}{}",
        timed.row.runner,
        spread.n,
        implausible.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::report::svg::tests::read;

    #[test]
    fn every_cost_and_kind_has_its_charts_and_each_has_marks_of_rows() {
        let record = fixture::large_gpu();
        let charts = charts(&record);
        let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
        let expected = [
            "map-cheap-particles",
            "layers-cheap-particles",
            "outputs-cheap-particles",
            "map-textured-mixed",
            "layers-textured-mixed",
            "outputs-textured-mixed",
            "ratios",
            "passes",
        ];
        assert_eq!(names, expected);
        for chart in &charts {
            let (file, text) = chart.file(&record);
            assert!(
                is_chart(&file) && is_chart(&file.replace(".svg", ".png")),
                "{file}"
            );
            assert!(text.contains("commit: 0123abc"), "{file}");
            read(&text);
            assert!(!chart.svg.contains("style"), "a page may forbid it");
            let marks = read(&chart.svg).marks;
            assert!(marks.len() > 20, "{}: {}", chart.name, marks.len());
            for (rows, words) in marks {
                assert!(!words.is_empty(), "{rows:?}");
                for row in &rows {
                    let part = Part::of(&record.rows[*row].work);
                    assert!(chart.parts.contains(&part), "{}: {row}", chart.name);
                }
            }
        }
        assert_eq!(charts[7].parts, [Part::Scenes, Part::Cases]);
    }

    #[test]
    fn a_record_without_rows_has_no_charts() {
        assert!(charts(&fixture::with_rows(Vec::new())).is_empty());
    }

    #[test]
    fn a_cpu_is_warned_of_in_every_chart_and_its_name_is_text() {
        let mut record = fixture::quick();
        record.adapter.name = "<script>alert('x')</script> & \"\u{202e}y".to_owned();
        let warned = |record: &Record| -> Vec<bool> {
            let is_warned = |chart: &Chart| {
                let text = read(&chart.svg).text;
                assert!(text.contains("<script>"), "{text}");
                assert!(text.contains('\u{fffd}'), "{text}");
                text.contains(NOT_A_GPU)
            };
            charts(record).iter().map(is_warned).collect()
        };
        assert_eq!(warned(&record), [false; 5]);
        record.adapter.is_cpu = true;
        assert_eq!(warned(&record), [true; 5]);
    }
}
