//! The table of measured times: what is copied, and what is saved.

use std::path::PathBuf;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::gpu::checks_shaders;
use crate::live::Measurement;
use crate::model::samples::Summary;
use crate::model::settings::Settings;
use crate::model::{Capabilities, Clock};
use crate::report::comparison::RATIO_BASE;
use crate::report::table;
use crate::timing::{Conditions, is_settled, not_settled};

use super::files::{folder_of, name_of, save};
use super::machine::Machine;

/// Times of all methods on one frame's lists.
#[derive(Clone, Debug, Serialize)]
pub struct Table<'a> {
    /// Settings of the frame.
    pub settings: &'a Settings,
    /// Digest of the shaders.
    pub shaders: &'a str,
    pub adapter: &'a Capabilities,
    /// What the times are read from.
    pub clock: &'a Clock,
    /// The GPU's clock and temperature meanwhile, where it reports them.
    pub conditions: Option<Conditions>,
    /// The least number of rounds that counted.
    pub rounds: u32,
    /// A row per method.
    pub rows: Vec<Row>,
    /// Remarks on how far the times can be trusted.
    pub notes: Vec<String>,
}

/// A method's times, ms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub method: &'static str,
    /// Wave size it ran at.
    pub wave_size: Option<u32>,
    /// Median and percentiles over the rounds.
    #[serde(flatten)]
    pub times: Summary,
    /// Median over that of [`RATIO_BASE`]; below 1 it is faster.
    pub ratio: Option<f64>,
    /// Whether the median has settled: see [`crate::timing::is_settled`].
    pub settled: bool,
    /// Set where the spread is larger than the difference from [`RATIO_BASE`].
    pub warning: Option<String>,
    /// The time of every round.
    pub samples: Vec<f64>,
}

/// A line of the comma-separated values; its fields are the columns. Numbers with a fraction are text, so that
/// they have the same digits as everywhere else.
#[derive(Default, Serialize)]
struct Line<'a> {
    method: &'a str,
    #[serde(rename = "wave size")]
    wave_size: Option<u32>,
    #[serde(rename = "median ms")]
    median: String,
    #[serde(rename = "p5 ms")]
    p5: String,
    #[serde(rename = "p95 ms")]
    p95: String,
    #[serde(rename = "ratio to read-lane-loop")]
    ratio: Option<String>,
    clock: &'a str,
}

impl<'a> Table<'a> {
    /// The table of a finished measurement; methods without a sample are left out.
    pub fn new(measurement: &'a Measurement, settings: &'a Settings, machine: &'a Machine) -> Self {
        let adapter = &machine.caps;
        let waves = measurement.wave_sizes.iter().copied();
        let methods = measurement.methods.iter().zip(waves);
        let rows = methods.zip(&measurement.samples);
        let mut rows: Vec<Row> = rows
            .filter_map(|((method, wave), samples)| Row::new(method.name(), wave, samples))
            .collect();
        let base = rows.iter().find(|row| row.method == RATIO_BASE).cloned();
        for row in &mut rows {
            row.compare_with(base.as_ref());
        }
        Self {
            settings,
            shaders: &machine.shaders.digest,
            adapter,
            clock: &measurement.clock,
            conditions: measurement.conditions,
            rounds: measurement.rounds,
            notes: notes(&rows, measurement.rounds, adapter),
            rows,
        }
    }

    /// Writes the table as JSON among the scene's pictures.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn save(&self) -> Result<PathBuf> {
        let json = serde_json::to_string_pretty(self)
            .map_err(|error| Error::failed(format!("JSON: {error}")))?;
        let folder = folder_of(&self.settings.scene_name());
        let name = name_of(self.settings, "times");
        save(&folder, &name, ".json", (json + "\n").as_bytes())
    }

    /// Comma-separated values.
    ///
    /// # Errors
    /// None that a measurement can cause.
    pub fn csv(&self) -> Result<String> {
        table::csv(self.rows.iter().map(|row| Line {
            method: row.method,
            wave_size: row.wave_size,
            median: row.times.median.to_string(),
            p5: row.times.p5.to_string(),
            p95: row.times.p95.to_string(),
            ratio: row.ratio.map(|ratio| ratio.to_string()),
            clock: self.clock.source.name(),
        }))
    }

    /// A Markdown table under a line that says on what and with which settings.
    pub fn markdown(&self) -> String {
        let ratio = format!("ratio to `{RATIO_BASE}`");
        let numbers = ["wave", "median ms", "p5", "p95", &ratio];
        let rows = self.rows.iter().map(|row| {
            let three = |number: f64| format!("{number:.3}");
            vec![
                format!("`{}`", row.method),
                table::or_nothing(row.wave_size.map(|size| size.to_string())),
                three(row.times.median),
                three(row.times.p5),
                three(row.times.p95),
                table::or_nothing(row.ratio.map(three)),
            ]
        });
        let notes = self.notes.iter().map(|note| format!("\n{note}\n"));
        format!(
            "{}, driver {}; `{}`; at least {} interleaved rounds; {}\n\n{}{}",
            self.adapter.name,
            self.adapter.driver,
            self.settings.flags(),
            self.rounds,
            self.clock,
            table::table(&["method"], &numbers, rows),
            notes.collect::<String>()
        )
    }
}

impl Row {
    /// A method's row, or nothing if it was not timed.
    fn new(method: &'static str, wave_size: Option<u32>, samples: &[f64]) -> Option<Self> {
        Some(Self {
            method,
            wave_size,
            times: Summary::of(samples)?,
            settled: is_settled(samples),
            ratio: None,
            warning: None,
            samples: samples.to_vec(),
        })
    }

    fn compare_with(&mut self, base: Option<&Row>) {
        let Some(base) = base else { return };
        self.ratio = (base.times.median > 0.0).then(|| self.times.median / base.times.median);
        let difference = (self.times.median - base.times.median).abs();
        let width = |times: Summary| times.p95 - times.p5;
        let spread = width(self.times).max(width(base.times));
        self.warning = (self.method != base.method && spread > difference).then(|| {
            format!(
                "the spread of {spread:.3} ms exceeds the difference of {difference:.3} ms from \
                {}: measure again, or call them equal",
                base.method
            )
        });
    }
}

fn notes(rows: &[Row], rounds: u32, adapter: &Capabilities) -> Vec<String> {
    let mut notes = Vec::new();
    let mut sizes: Vec<u32> = rows.iter().filter_map(|row| row.wave_size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() > 1 {
        notes.push(format!(
            "The methods ran at different wave sizes ({sizes:?}): compare their times with care."
        ));
    }
    if adapter.is_cpu {
        notes.push(format!(
            "CPU adapter, {rounds} rounds: not a GPU measurement."
        ));
    }
    let unsettled = rows.iter().filter(|row| !row.settled);
    let unsettled: Vec<&str> = unsettled.map(|row| row.method).collect();
    if !adapter.is_cpu {
        notes.extend(not_settled(&unsettled));
    }
    if checks_shaders() {
        notes.push("Debug build: run-time checks in shaders make times unreliable.".to_owned());
    }
    let warned = rows.iter().filter(|row| row.warning.is_some()).count();
    if warned > 0 {
        notes.push(format!(
            "{warned} methods differ from {RATIO_BASE} by less than the spread of the times."
        ));
    }
    notes
}
