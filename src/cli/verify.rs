//! `wavelerp verify`: the three tables, and the user's own values.

use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use serde::Serialize;

use super::common::Common;
use super::output::{Results, number};
use crate::error::{Error, Result};
use crate::gpu::shader::provenance::Provenance;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::format::three_digits;
use crate::model::methods::Method;
use crate::model::options::{Dial, Hazard, MethodOptions, Options, Precision};
use crate::model::reference::stress;
use crate::model::settings::Words;
use crate::progress::Progress;
use crate::report::table::{or_nothing, plain};
use crate::runs::verify::checks::Check;
use crate::runs::verify::facts::{DriverFacts, facts};
use crate::runs::verify::library::table::Kernel;
use crate::runs::verify::library::{LibraryCheck, text};
use crate::runs::verify::self_test::{MethodStatus, choose, named};
use crate::runs::verify::values::{Number, ValueResult};
use crate::runs::verify::{checks, library, values};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp verify
  wavelerp verify --json verify.json
  wavelerp verify --methods histogram,moment --bins 32 --bin-block 4 --moments power8
  wavelerp verify --values layers.csv --json -")]
#[command(next_help_heading = "Checks")]
pub struct VerifyArgs {
    /// Composite the numbers of a CSV file instead: header `value,t` or `r,g,b,t`, then one layer per row, first row first
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Methods: `exact`, `approximate`, `all`, or names, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "exact")]
    methods: Vec<String>,
    /// Compositing precision, for methods that support both: `half` has its own error bound
    #[arg(long, value_enum, default_value_t = Precision::Full, conflicts_with = "values")]
    precision: Precision,
    /// Seed of the random lists
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Also write the results as JSON to this file; `-` prints only JSON to standard output
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    json: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Options of methods")]
    method: MethodOptions,
}

impl VerifyArgs {
    /// Options of all checks. The numbers of pixels and threads are small, which lets waves be shared in more ways.
    fn options(&self) -> Options {
        let options = Options {
            method: self.method,
            ..Options::default()
        };
        options
            .with_frame(|frame| frame.precision = self.precision)
            .with_method(|method| method.pixels_per_wave = 8)
            .at(Dial::Threads(8))
    }
}

const FEWER_THREADS: [u32; 3] = [1, 2, 4];

#[derive(Serialize)]
struct Tables {
    adapter: Capabilities,
    shaders: String,
    hazard: Hazard,
    options: MethodOptions,
    passed: bool,
    checks: Vec<Check>,
    unavailable: Vec<MethodStatus>,
    facts: DriverFacts,
    library: Vec<LibraryCheck>,
}

#[derive(Serialize)]
struct ValuesReport {
    adapter: Capabilities,
    shaders: String,
    rows: usize,
    wave_size: Option<u32>,
    results: Vec<ValueResult>,
}

pub(super) fn run(args: &VerifyArgs, common: &Common) -> Result<()> {
    // Flags are checked before the adapter is opened: the error for bad input must not depend on the machine.
    named(&args.methods).map_err(|error| error.context("--methods"))?;
    Words::Flags.options(&args.options())?;
    let values = args.values.as_deref().map(values::read).transpose()?;
    let results = Results::choose(args.json.as_deref())?;
    let gpu = common.open()?;
    let pipelines = common.pipelines();
    // There is no self-test, because methods that it would exclude must fail here.
    let statuses = Method::all().map(|method| MethodStatus::untested(method, &gpu.caps));
    let statuses: Vec<MethodStatus> = statuses.collect();
    let methods = choose(&args.methods, &statuses)?;
    args.precision.check(&methods)?;
    match values {
        Some(values) => {
            let results_of = values::run(&gpu, &pipelines, &values, &methods, args.method)?;
            let report = ValuesReport {
                adapter: gpu.caps.clone(),
                shaders: Provenance::of(&pipelines.source(), None).digest,
                rows: values.layers.len(),
                wave_size: results_of.iter().filter_map(|of| of.wave_size).max(),
                results: results_of,
            };
            let file = args.values.as_deref().unwrap_or(Path::new(""));
            results.write(&report, || report.text(file))
        }
        None => {
            let tables = Tables::gather(args, common, (&gpu, &pipelines), &methods, statuses)?;
            results.write(&tables, || tables.text())?;
            tables.verdict()
        }
    }
}

impl Tables {
    fn gather(
        args: &VerifyArgs,
        common: &Common,
        (gpu, pipelines): (&Gpu, &Pipelines),
        methods: &[Method],
        statuses: Vec<MethodStatus>,
    ) -> Result<Self> {
        let (mut progress, mut done) = (common.listener(), 0);
        let all = methods.len() + Kernel::value_variants().len();
        let mut next = |what: String| {
            done += 1;
            progress(Progress::step(what, done - 1, all))
        };
        let (options, lists) = (args.options(), checks::lists(&gpu.caps, methods, args.seed));
        let mut told = |method| next(format!("verifying {method}"));
        let checks = checks::run(
            gpu,
            pipelines,
            methods,
            (&options, &FEWER_THREADS),
            &lists,
            &mut told,
        )?;
        let library = library::run(
            gpu,
            pipelines,
            Kernel::value_variants(),
            args.seed,
            |kernel| next(format!("verifying the wave library: {}", kernel.shader().1)),
        )?;
        Ok(Self {
            adapter: gpu.caps.clone(),
            shaders: Provenance::of(&pipelines.source(), None).digest,
            hazard: args.method.hazard,
            options: args.options().method,
            passed: failures(&checks, &library).is_empty(),
            facts: facts(gpu, pipelines)?,
            library,
            unavailable: statuses
                .into_iter()
                .filter(|status| status.unavailable.is_some())
                .collect(),
            checks,
        })
    }

    /// Returns an error if any check failed.
    fn verdict(&self) -> Result<()> {
        let failed = failures(&self.checks, &self.library);
        let Some(first) = failed.first() else {
            return Ok(());
        };
        Err(Error::failed(format!(
            "{} of {} checks failed on {}, first: {first}",
            failed.len(),
            self.checks.len() + self.library.len(),
            self.adapter.name,
        )))
    }

    fn text(&self) -> String {
        let groups = self.checks.chunk_by(|a, b| a.method == b.method);
        let rows = groups.flat_map(|group| {
            let of_kind = |kind| group.iter().filter(move |check| check.list == kind);
            let kinds = stress::KINDS.into_iter().chain([stress::CLOSE_PAIR]);
            kinds.filter_map(move |kind| worst(of_kind(kind)).map(row))
        });
        let unavailable = self.unavailable.iter().map(|status| {
            let reason = status.unavailable.as_deref().unwrap_or_default();
            let reason = format!("unavailable: {reason}");
            vec![status.method.name().to_owned(), reason]
        });
        let facts = fact_rows(&self.facts).map(|(fact, value)| vec![fact.to_owned(), value]);
        format!(
            "{}, driver {}\n\n\
             Table 1: methods against f64 on stress lists, approximate methods against their own definitions in f64; each row shows the list length with the worst result\n\
             {}  {} of {} checks passed\n\n\
             Table 2: facts about this driver\n{}\n\
             Table 3: the wave library against a model of a wave, by active lanes; inactive lanes hold poison\n\
             {}",
            self.adapter.name,
            self.adapter.driver,
            plain(&["method", "list"], &NUMBERS, rows.chain(unavailable)),
            self.checks.iter().filter(|check| check.passed).count(),
            self.checks.len(),
            plain(&["", ""], &[], facts),
            text::table(&self.library)
        )
    }
}

/// Failed checks of methods and of the wave library, one per line.
fn failures(checks: &[Check], library: &[LibraryCheck]) -> Vec<String> {
    let methods = checks.iter().filter(|check| !check.passed).map(describe);
    let functions = library.iter().filter(|check| !check.passed);
    methods.chain(functions.map(text::describe)).collect()
}

fn fact_rows(facts: &DriverFacts) -> [(&'static str, String); 4] {
    let DriverFacts {
        wave_min,
        wave_max,
        wave_size,
        exclusive_product_survives_zero,
        flushes_denormals,
    } = facts;
    let answer = |fact: Option<bool>| match fact {
        None => "no wave operations".to_owned(),
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
    };
    let sizes = match (wave_min, wave_max) {
        (1, 1) => "no wave operations".to_owned(),
        (min, max) if min == max => format!("{min}"),
        (min, max) => format!("{min} to {max}"),
    };
    let read = wave_size.map_or("none".to_owned(), |size| size.to_string());
    let survives = answer(*exclusive_product_survives_zero);
    [
        ("wave sizes", sizes),
        ("wave size that a kernel read", read),
        ("exclusive product survives a zero", survives),
        ("flushes denormals", answer(Some(*flushes_denormals))),
    ]
}

/// The worst check of a method on a kind of list; only this one is shown.
fn worst<'a>(checks: impl Iterator<Item = &'a Check>) -> Option<&'a Check> {
    checks.max_by(|a, b| {
        let key = |check: &Check| (!check.passed, check.nan_count);
        key(a).cmp(&key(b)).then(a.of_bound.total_cmp(&b.of_bound))
    })
}

/// Column headings of table 1 that follow the names.
const NUMBERS: [&str; 8] = [
    "wave",
    "n",
    "max abs",
    "of bound",
    "max ULP",
    "NaN",
    "from exact",
    "",
];

fn row(check: &Check) -> Vec<String> {
    let wave = (check.wave_size != 0).then_some(check.wave_size);
    vec![
        check.method.name().to_owned(),
        check.list.to_owned(),
        or_nothing(wave),
        check.layers.to_string(),
        three_digits(check.max_abs),
        three_digits(check.of_bound),
        three_digits(check.max_ulp),
        check.nan_count.to_string(),
        or_nothing(check.from_exact.map(three_digits)),
        if check.passed { "ok" } else { "FAILED" }.to_owned(),
    ]
}

fn describe(check: &Check) -> String {
    let threads = match check.threads_per_pixel {
        1 => String::new(),
        threads => format!(" by {threads} threads per pixel"),
    };
    format!(
        "{}{threads} at wave {} on {} with n={}: max abs {}, {} of the bound, {} NaN",
        check.method,
        check.wave_size,
        check.list,
        check.layers,
        three_digits(check.max_abs),
        three_digits(check.of_bound),
        check.nan_count
    )
}

impl ValuesReport {
    fn text(&self, file: &Path) -> String {
        let values = |result: &ValueResult| match result.result {
            Number::Scalar(value) => vec![value],
            Number::Rgb(rgb) => rgb.to_vec(),
        };
        let names: &[&str] = match self.results.first().map(values) {
            Some(rgb) if rgb.len() == 3 => &["r", "g", "b"],
            _ => &["result"],
        };
        let names = [&["wave"], names, &["transmittance", "error"]].concat();
        let rows = self.results.iter().map(|result| {
            let wave = or_nothing(result.wave_size);
            // The numbers came from f32, so nothing is lost.
            let numbers = values(result).into_iter().chain([result.transmittance]);
            let numbers = numbers.map(|value| number(value as f32));
            let head = [result.method.name().to_owned(), wave].into_iter();
            head.chain(numbers)
                .chain([three_digits(result.error)])
                .collect()
        });
        format!(
            "{} rows of {} on {}\n{}",
            self.rows,
            file.display(),
            self.adapter.name,
            plain(&["method"], &names, rows)
        )
    }
}
