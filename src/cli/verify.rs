//! `wavelerp verify`: the two tables, planted faults, and the user's own values.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Common, is_stdout, write_json};
use crate::error::{Error, Result};
use crate::gpu::{Capabilities, Gpu, Pipelines};
use crate::methods::{Hazard, Method};
use crate::verify::checks::{self, Check, CheckOptions};
use crate::verify::facts::{Facts, facts};
use crate::verify::faults::Fault;
use crate::verify::self_test::{MethodStatus, choose, self_test};
use crate::verify::values::{self, Number, ValueResult};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wavelerp verify\n  wavelerp verify --break carry\n  wavelerp verify --values layers.csv --json -"
)]
pub struct VerifyArgs {
    /// Write the tables (or the values' results) as JSON to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Plant a fault and show that the checks catch it (exit code 1 when they do)
    #[arg(long = "break", value_name = "FAULT")]
    fault: Option<Fault>,
    /// Composite the numbers of a CSV file: header `value,t` or `r,g,b,t`, first row applied first
    #[arg(long, value_name = "FILE", conflicts_with = "fault")]
    values: Option<PathBuf>,
    /// Methods: `all`, or names separated by commas
    #[arg(long, value_delimiter = ',', default_value = "all")]
    methods: Vec<String>,
    /// How the exclusive prefix product is formed
    #[arg(long, value_enum, default_value_t = Hazard::Driver)]
    hazard: Hazard,
    /// Seed of the random lists
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

#[derive(Serialize)]
struct Tables {
    adapter: Capabilities,
    hazard: Hazard,
    passed: bool,
    fault: Option<Fault>,
    caught_by: Option<String>,
    checks: Vec<Check>,
    unavailable: Vec<MethodStatus>,
    facts: Facts,
}

#[derive(Serialize)]
struct ValuesReport {
    adapter: Capabilities,
    rows: usize,
    wave_size: Option<u32>,
    results: Vec<ValueResult>,
}

pub(super) fn run(args: &VerifyArgs, common: &Common) -> Result<()> {
    // Read before the adapter is opened: bad input must not depend on the machine.
    let values = args.values.as_deref().map(values::read).transpose()?;
    let gpu = common.open()?;
    let pipelines = common.pipelines()?;
    let statuses = self_test(&gpu, &pipelines)?;
    let methods = choose(&args.methods, &statuses)?;
    match values {
        Some(values) => {
            let results = values::run(&gpu, &pipelines, &values, &methods, args.hazard)?;
            report_values(args, &gpu, values.layers.len(), results)
        }
        None => {
            let tables = Tables::gather(args, common, &gpu, &methods, statuses)?;
            tables.report(args)
        }
    }
}

impl Tables {
    fn gather(
        args: &VerifyArgs,
        common: &Common,
        gpu: &Gpu,
        methods: &[Method],
        statuses: Vec<MethodStatus>,
    ) -> Result<Self> {
        let mut source = common.shader_source()?;
        source.edits = args.fault.map(Fault::edits).unwrap_or_default();
        let pipelines = Pipelines::new(source);
        let options = CheckOptions {
            hazard: args.hazard,
            tile: 8,
            pixels_per_wave: 8,
            seed: args.seed,
            fault: args.fault,
        };
        let checks = checks::run(gpu, &pipelines, methods, &options, |method| {
            common.progress(format_args!("verifying {method}"));
        })?;
        let failed = checks.iter().find(|check| !check.passed);
        Ok(Self {
            adapter: gpu.caps.clone(),
            hazard: args.hazard,
            passed: failed.is_none(),
            fault: args.fault,
            caught_by: args.fault.and(failed).map(describe),
            facts: facts(gpu, &pipelines)?,
            unavailable: statuses
                .into_iter()
                .filter(|status| status.unavailable.is_some())
                .collect(),
            checks,
        })
    }

    fn report(&self, args: &VerifyArgs) -> Result<()> {
        if let Some(path) = &args.json {
            write_json(path, self)?;
        }
        if !is_stdout(args.json.as_ref()) {
            self.print();
        }
        let failed: Vec<&Check> = self.checks.iter().filter(|check| !check.passed).collect();
        match (self.fault, failed.first()) {
            (None, None) => Ok(()),
            (Some(_), None) => {
                eprintln!("the planted fault was NOT caught");
                Ok(())
            }
            (Some(_), Some(first)) => Err(Error::failed(format!(
                "the planted fault was caught by: {} ({} checks in all)",
                describe(first),
                failed.len()
            ))),
            (None, Some(first)) => Err(Error::failed(format!(
                "{} of {} checks failed on {}, first: {}",
                failed.len(),
                self.checks.len(),
                self.adapter.name,
                describe(first)
            ))),
        }
    }

    fn print(&self) {
        println!("{} ({})", self.adapter.name, self.adapter.driver);
        println!("\nTable 1: methods on stress lists against f64, worst over all list lengths");
        println!(
            "  {:<24} {:>4}  {:<22} {:>10} {:>9} {:>9} {:>5}",
            "method", "wave", "list", "max abs", "of bound", "max ULP", "NaN"
        );
        for group in self.checks.chunk_by(|a, b| a.method == b.method) {
            for kind in crate::reference::stress::KINDS {
                print_kind(group.iter().filter(|check| check.list == kind).collect());
            }
        }
        for status in &self.unavailable {
            let reason = status.unavailable.as_deref().unwrap_or_default();
            println!("  {:<24} unavailable: {reason}", status.method.name());
        }
        println!("\nTable 2: facts about this driver");
        let Facts {
            wave_min,
            wave_max,
            wave_size,
            exclusive_product_survives_zero,
            flushes_denormals,
        } = &self.facts;
        let answer = |fact: Option<bool>| match fact {
            None => "no wave operations",
            Some(true) => "yes",
            Some(false) => "no",
        };
        let size = wave_size.map_or("none".to_owned(), |size| size.to_string());
        println!(
            "  wave sizes                             {wave_min} to {wave_max}, a kernel read {size}"
        );
        println!(
            "  exclusive product survives a zero      {}",
            answer(*exclusive_product_survives_zero)
        );
        println!(
            "  flushes denormals                      {}",
            answer(Some(*flushes_denormals))
        );
    }
}

/// One line for a method on all lists of a kind: its worst.
fn print_kind(checks: Vec<&Check>) {
    let worst = checks.iter().max_by(|a, b| {
        let key = |check: &Check| (!check.passed, check.nan_count);
        key(a).cmp(&key(b)).then(a.of_bound.total_cmp(&b.of_bound))
    });
    let Some(worst) = worst else { return };
    println!(
        "  {:<24} {:>4}  {:<22} {:>10.2e} {:>9.3} {:>9.3e} {:>5}  {}",
        worst.method.name(),
        worst.wave_size,
        format!("{} n={}", worst.list, worst.layers),
        worst.max_abs,
        worst.of_bound,
        worst.max_ulp,
        worst.nan_count,
        if worst.passed { "ok" } else { "FAILED" }
    );
}

fn describe(check: &Check) -> String {
    let Check {
        method,
        list,
        layers,
        max_abs,
        of_bound,
        nan_count,
        wave_size,
        ..
    } = check;
    format!(
        "{method} at wave {wave_size} on {list} with n={layers}: max abs {max_abs:.3e}, \
         {of_bound:.3} of the bound, {nan_count} NaN"
    )
}

fn report_values(
    args: &VerifyArgs,
    gpu: &Gpu,
    rows: usize,
    results: Vec<ValueResult>,
) -> Result<()> {
    let report = ValuesReport {
        adapter: gpu.caps.clone(),
        rows,
        wave_size: results.iter().filter_map(|result| result.wave_size).max(),
        results,
    };
    if let Some(path) = &args.json {
        write_json(path, &report)?;
    }
    if !is_stdout(args.json.as_ref()) {
        let file = args.values.as_deref().unwrap_or(Path::new(""));
        println!(
            "{} rows of {} on {}",
            rows,
            file.display(),
            report.adapter.name
        );
        println!(
            "  {:<24} {:>4}  {:<44} {:>14} {:>10}",
            "method", "wave", "result", "transmittance", "error"
        );
        for result in &report.results {
            let value = match result.result {
                Number::Scalar(value) => format!("{value}"),
                Number::Rgb([r, g, b]) => format!("{r} {g} {b}"),
            };
            let wave = result
                .wave_size
                .map_or("–".to_owned(), |size| size.to_string());
            println!(
                "  {:<24} {wave:>4}  {value:<44} {:>14} {:>10.2e}",
                result.method.name(),
                result.transmittance,
                result.error
            );
        }
    }
    Ok(())
}
