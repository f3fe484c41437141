//! A whole run: the sweep, named cases, scenes; everything into one record.

use std::time::Instant;

use super::floor::{self, Floor};
use super::lists::{ListSpec, Lists};
use super::record::{Adapter, Cost, Record, Row, SCHEMA, Work};
use super::sweep::{CellBench, Plan, Rates};
use super::timer::{Rounds, Subject, Timer};
use crate::auto::Rule;
use crate::error::Result;
use crate::gpu::{Capabilities, Gpu, Pipelines};
use crate::methods::Method;

/// What to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The sweep.
    pub plan: Plan,
    /// Whether the floor of every cell is measured too.
    pub floor: bool,
    /// Factors of work really repeated, by method.
    pub slow: Vec<(Method, f64)>,
    /// How `auto` chooses.
    pub rule: Rule,
    /// How often everything is done.
    pub rounds: Rounds,
    /// The command line, for the record.
    pub command: String,
}

/// Where a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What comes next.
    pub next: String,
    /// Part of the work that is done, 0 to 1.
    pub done: f64,
    /// Seconds left, as far as can be told.
    pub left: Option<f64>,
}

/// Runs everything.
///
/// # Errors
/// The adapter has no timestamps (exit code 3); a shader or the device failed (1).
pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    options: &Options,
    mut progress: impl FnMut(Progress),
) -> Result<Record> {
    let mut timer = Timer::new(gpu, options.rounds)?;
    let mut rows = Vec::new();
    let cells = options.plan.cells();
    let started = Instant::now();
    let weights: Vec<f64> = cells
        .iter()
        .map(|cell| 1.0 + cell.spec.pixel_layers() / 2e9)
        .collect();
    let all: f64 = weights.iter().sum();
    let mut finished = 0.0;
    let mut rates = Rates::default();
    let bench = CellBench {
        gpu,
        pipelines,
        slow: &options.slow,
        rule: &options.rule,
    };
    let mut map = None;
    for (cell, weight) in cells.iter().zip(weights) {
        let spent = started.elapsed().as_secs_f64();
        progress(Progress {
            next: cell.to_string(),
            done: finished / all,
            left: (finished > 0.05 * all).then(|| spent / finished * (all - finished)),
        });
        if map != Some((cell.cost, cell.spec.kind)) {
            map = Some((cell.cost, cell.spec.kind));
            rates = Rates::default();
        }
        let runners = options.plan.runners(&gpu.caps, cell);
        rows.extend(bench.run(&mut timer, cell, &runners, &mut rates)?);
        if options.floor {
            rows.push(floor_row(
                gpu, pipelines, &mut timer, &cell.spec, cell.cost,
            )?);
        }
        finished += weight;
    }
    Ok(Record {
        schema: SCHEMA,
        program: format!("wavelerp {}", env!("CARGO_PKG_VERSION")),
        git: env!("WAVELERP_GIT").to_owned(),
        unchecked_shaders: !cfg!(debug_assertions),
        date: today(),
        adapter: Adapter::of(&gpu.caps),
        command: options.command.clone(),
        rounds: options.rounds.counted,
        rows,
    })
}

/// The floor of a cell: the least of several pixels per thread.
fn floor_row(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    spec: &ListSpec,
    cost: Cost,
) -> Result<Row> {
    // Only where results go matters.
    let lists = Lists::new(gpu, pipelines, ListSpec { layers: 1, ..*spec })?;
    let floors = floor::PIXELS_PER_THREAD
        .iter()
        .map(|&pixels| Floor::new(gpu, pipelines, spec, cost, pixels))
        .collect::<Result<Vec<_>>>()?;
    let subjects: Vec<Subject> = floors
        .iter()
        .map(|floor| Subject {
            slow: 1.0,
            record: Box::new(|recorder, repeats, prefix| {
                recorder.compute(&format!("{prefix}floor"), |pass| {
                    (0..repeats).try_for_each(|_| floor.record(gpu, pass, &lists))
                })
            }),
        })
        .collect();
    let pilots = subjects
        .iter()
        .map(|subject| timer.pilot(subject))
        .collect::<Result<Vec<_>>>()?;
    let timed = timer.time(&subjects, &pilots)?;
    let median = |samples: &[f64]| {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::MAX)
    };
    let best = timed
        .into_iter()
        .zip(floor::PIXELS_PER_THREAD)
        .min_by(|a, b| median(&a.0.samples).total_cmp(&median(&b.0.samples)));
    let (timed, pixels) = best.unwrap_or_default();
    Ok(Row {
        work: Work::Lists {
            outputs: spec.outputs,
            layers: spec.layers,
            cost,
            kind: spec.kind,
        },
        method: None,
        runner: "floor".to_owned(),
        wave_size: None,
        dispatches: timed.dispatches,
        samples: timed.samples,
        passes: Vec::new(),
        facts: vec![("pixels per thread".to_owned(), f64::from(pixels))],
        skipped: None,
    })
}

impl Adapter {
    /// As far as times depend on it.
    pub fn of(caps: &Capabilities) -> Self {
        Self {
            name: caps.name.clone(),
            driver: caps.driver.clone(),
            backend: caps.backend.clone(),
            is_cpu: caps.is_cpu,
            wave_min: caps.wave_min,
            wave_max: caps.wave_max,
        }
    }
}

/// Today in UTC: 2026-01-31.
pub(super) fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = now.map_or(0, |since| since.as_secs() / 86_400) as i64;
    // Source: Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
