//! The table of measured times, for copies and files.

use std::path::PathBuf;

use crate::error::Result;
use crate::gpu::checks_shaders;
use crate::live::Measurement;
use crate::methods::Specialization;
use crate::model::format::three_digits;
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::model::{Capabilities, Clock};
use crate::report::bench::file::json;
use crate::report::bench::record::{Record, Row, Work, microseconds};
use crate::report::comparison::RATIO_BASE;
use crate::report::table::{self, count, number, text};
use crate::runs::bench::run::head;
use crate::runs::bench::runners::runner_name;
use crate::runs::capture::set::note_on_wave_sizes;
use crate::timing::{Conditions, is_settled, not_settled};

use super::files::{folder_of, name_of, save};
use super::machine::Machine;
use super::times::Times;

#[derive(Clone, Debug)]
pub struct Table<'a> {
    pub settings: &'a Settings,
    pub shaders: &'a str,
    pub adapter: &'a Capabilities,
    pub clock: &'a Clock,
    /// Speed of the GPU; `None` on a CPU adapter.
    pub conditions: Option<Conditions>,
    pub rounds: u32,
    pub rows: Vec<MeasuredRow>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRow {
    pub method: &'static str,
    pub runs: Specialization,
    pub wave_size: Option<u32>,
    pub median: f64,
    /// Interquartile range of the times.
    pub middle: [f64; 2],
    pub n: usize,
    /// Median divided by the median of [`RATIO_BASE`]; below 1 the method is faster.
    pub ratio: Option<f64>,
    /// True if the median has settled; see [`crate::timing::is_settled`].
    pub settled: bool,
    /// True if the interquartile ranges of the method and of [`RATIO_BASE`] overlap.
    pub is_equal: bool,
    /// Root mean square error of the picture, in linear light, against the exact one.
    pub picture_rmse: Option<f64>,
    pub samples: Vec<f64>,
}

impl<'a> Table<'a> {
    pub fn new(
        times: &Times,
        measurement: &'a Measurement,
        settings: &'a Settings,
        machine: &'a Machine,
    ) -> Self {
        let adapter = &machine.caps;
        let base = Method::all().find(|method| method.name() == RATIO_BASE);
        let now = times.now(settings, None);
        let base = base.and_then(|base| now.known(base));
        let row = |method: Method| {
            let mut measured = measurement.methods.iter().zip(&measurement.wave_sizes);
            let wave_size = measured.find(|of| *of.0 == method).and_then(|of| *of.1);
            let time = now.known(method)?;
            let error = times.current_error(method, settings);
            let is_other = method.name() != RATIO_BASE;
            Some(MeasuredRow {
                method: method.name(),
                runs: settings.options.specialize(method),
                wave_size,
                median: time.median,
                middle: time.middle,
                n: time.samples.len(),
                ratio: base
                    .filter(|_| method.drawing_part(&adapter.name).is_none())
                    .map(|base| time.median / base.median),
                settled: is_settled(&time.samples),
                is_equal: is_other && base.is_some_and(|base| time.is_as_fast_as(base)),
                picture_rmse: error.map(|error| error.metrics.shown_rmse),
                samples: time.samples.clone(),
            })
        };
        let rows: Vec<MeasuredRow> = Method::all().filter_map(row).collect();
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

    /// The times as a record of `bench`, which `page` and `compare` read.
    fn record(&self) -> Record {
        let (settings, frame) = (self.settings, &self.settings.options.frame);
        let work = Work::Scene {
            name: settings.scene_name(),
            size: settings.size,
            tile: frame.tile,
            fog: frame.fog,
        };
        let row = |of: &MeasuredRow| Row {
            wave_size: of.wave_size,
            dispatches: 1,
            samples: microseconds(&of.samples),
            sittings: vec![of.samples.len()],
            settled: Some(of.settled),
            gpu: self.conditions,
            ..Row::new(work.clone(), Some(of.runs.method), runner_name(&of.runs))
        };
        Record {
            command: settings.command("run", &[]),
            rounds: self.rounds,
            rows: self.rows.iter().map(row).collect(),
            ..head(self.adapter, self.shaders, self.clock.clone())
        }
    }

    pub fn save(&self) -> Result<PathBuf> {
        let folder = folder_of(&self.settings.scene_name());
        let name = name_of(self.settings, "times");
        save(&folder, &name, ".json", json(&self.record())?.as_bytes())
    }

    fn table(&self) -> table::Table {
        let three = |value: f64| format!("{value:.3}");
        let row = |row: &MeasuredRow| {
            vec![
                text(row.method),
                count(row.wave_size),
                number(row.median, three),
                number(row.middle[0], three),
                number(row.middle[1], three),
                count(Some(row.n)),
                number(row.ratio, three),
                number(row.picture_rmse, three_digits),
                text(self.clock.source.name()),
            ]
        };
        table::Table {
            columns: COLUMNS.to_vec(),
            rows: self.rows.iter().map(row).collect(),
        }
    }

    pub fn csv(&self) -> Result<String> {
        self.table().csv()
    }

    /// A Markdown table below a line that states the machine and the settings.
    pub fn markdown(&self) -> String {
        let notes = self.notes.iter().map(|note| format!("\n{note}\n"));
        format!(
            "{}, driver {}; `{}`; at least {} interleaved rounds; {}\n\n{}{}",
            self.adapter.name,
            self.adapter.driver,
            self.settings.flags(),
            self.rounds,
            self.clock,
            self.table().markdown(&COLUMNS.map(|column| column[0])[..8]),
            notes.collect::<String>()
        )
    }
}

/// Names of columns in files and in Markdown, which states the clock above the table.
const COLUMNS: [[&str; 2]; 9] = [
    ["method", "method"],
    ["wave size", "wave"],
    ["median ms", "median ms"],
    ["low ms", "low"],
    ["high ms", "high"],
    ["n", "n"],
    ["ratio to read-lane-loop", "ratio to `read-lane-loop`"],
    ["picture rmse", "RMSE"],
    ["clock", "clock"],
];

fn notes(rows: &[MeasuredRow], rounds: u32, adapter: &Capabilities) -> Vec<String> {
    let sizes = note_on_wave_sizes(rows.iter().filter_map(|row| row.wave_size));
    let mut notes = Vec::from_iter(sizes);
    if adapter.is_cpu {
        notes.push(format!(
            "CPU adapter, {rounds} rounds: not a GPU measurement."
        ));
    }
    let methods = Method::all().filter(|method| rows.iter().any(|row| row.method == method.name()));
    notes.extend(Method::not_compared(methods, &adapter.name));
    let unsettled = rows.iter().filter(|row| !row.settled);
    let unsettled: Vec<&str> = unsettled.map(|row| row.method).collect();
    if !adapter.is_cpu {
        notes.extend(not_settled(&unsettled));
    }
    if checks_shaders() {
        notes.push("Debug build: run-time checks in shaders make times unreliable.".to_owned());
    }
    let equal = rows.iter().filter(|row| row.is_equal).count();
    if equal > 0 {
        notes.push(format!(
            "{equal} methods are indistinguishable from {RATIO_BASE}: the middle halves of their times overlap."
        ));
    }
    notes
}
