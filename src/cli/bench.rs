//! `wavelerp bench`: times all methods.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::ValueEnum as _;

use super::common::Common;
use super::output::{about_out, command_line, else_printed};
use crate::console::print;
use crate::error::{Error, Result};
use crate::input::Disk;
use crate::model::methods::{Cost, ListKind, Method};
use crate::model::options::{
    Dial, FogMode, FrameOptions, Hazard, LaneRead, ListOrder, MethodOptions, Options, Precision,
    Tail,
};
use crate::model::passes::Inputs;
use crate::model::settings::{Words, parse_size};
use crate::model::{Capabilities, scene};
use crate::report::bench::record::Record;
use crate::report::bench::{file, regression};
use crate::report::folder::Output;
use crate::runs::bench::files::{RUN, files};
use crate::runs::bench::run::{Bench, BenchRequest, NamedCase};
use crate::runs::bench::scenes::SceneJob;
use crate::runs::bench::splat_times;
use crate::runs::bench::sweep::Plan;
use crate::runs::verify::self_test::{choose, named};
use crate::timing::Rounds;

const WHAT: &str = "Workload";
const BY: &str = "Methods and options";
const MEASURING: &str = "Measuring";
const RESULTS: &str = "Results";

const MOST_LAYERS: u32 = 65_536;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp bench --quick
  wavelerp bench --parts sweep --outputs 1920x1080 --layers 128 --cost cheap --kind particles
  wavelerp bench --parts cases --cases points
  wavelerp bench --parts cases --cases splats --file garden.ply
  wavelerp bench garden.ply
  wavelerp bench --parts scenes --scenes temple,my-scene.ron --size 1920x1080
  wavelerp bench --parts oit --scenes temple,panes
  wavelerp bench --quick --out after --compare before/bench.json")]
pub struct BenchArgs {
    /// Scene or splat file: time only this file, with all methods; its Gaussians are timed as in the case `splats`
    #[arg(
        value_name = "FILE",
        conflicts_with_all = ["parts", "cases", "scenes", "file"],
        help_heading = WHAT
    )]
    alone: Option<String>,
    /// Time fewer cells and dials: about a minute on a GPU, some minutes on a CPU adapter
    #[arg(long)]
    quick: bool,
    /// Parts to run
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [BenchPart::Sweep, BenchPart::Cases, BenchPart::Scenes])]
    parts: Vec<BenchPart>,
    /// Named cases [default: all]
    #[arg(long, value_enum, value_delimiter = ',', help_heading = WHAT)]
    cases: Vec<NamedCase>,
    /// Splat file, or scene with one, for the case `splats` [default: the scene `statue`]
    #[arg(long, value_name = "FILE", help_heading = WHAT)]
    file: Option<String>,
    /// Scenes: names or paths [default: all built-in ones]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = WHAT)]
    scenes: Vec<String>,
    /// Frame size of scenes and of the case `splats` [default: as for `capture`; 160x88 with --quick on a CPU adapter]
    #[arg(long, value_parser = parse_size, value_name = "WIDTHxHEIGHT", help_heading = WHAT)]
    size: Option<[u32; 2]>,
    /// Output sizes of the sweep [default: 32x32 to 3840x2160]
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "WIDTHxHEIGHT", help_heading = WHAT)]
    outputs: Vec<[u32; 2]>,
    /// List lengths of the sweep [default: 4 to 4096]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "COUNTS",
        help_heading = WHAT
    )]
    layers: Vec<u32>,
    /// Cost of evaluating a layer [default: all; cheap with --quick]
    #[arg(long, value_enum, value_delimiter = ',', help_heading = WHAT)]
    cost: Vec<Cost>,
    /// Contents of the lists [default: all; particles and mixed with --quick]
    #[arg(long, value_enum, value_delimiter = ',', help_heading = WHAT)]
    kind: Vec<ListKind>,
    /// Methods: `exact`, `approximate`, `all`, or names, separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "exact",
        value_name = "NAMES",
        help_heading = BY
    )]
    methods: Vec<String>,
    /// Pixels per wave in the sweep [default: 1, 8, 32; 1 and 32 with --quick]
    #[arg(long, value_delimiter = ',', value_name = "COUNTS", help_heading = BY)]
    pixels_per_wave: Vec<u32>,
    /// Dial settings, as for `capture` [default: all; 4p, 1, 2, 4, 16, 64, 128b, 256b with --quick]
    #[arg(long, value_delimiter = ',', value_name = "DIALS", help_heading = BY)]
    dials: Vec<Dial>,
    /// Partial last wave of a list: `own` leaves it to the method, `padded` keeps all lanes active
    #[arg(long, value_enum, default_value_t = MethodOptions::default().tail, help_heading = BY)]
    tail: Tail,
    /// Compositing precision, for methods that support both: `half` has its own error bound
    #[arg(long, value_enum, default_value_t = FrameOptions::default().precision, help_heading = BY)]
    precision: Precision,
    /// Fog of scenes: a layer for each slice, or integrated along columns of froxels, as in engines
    #[arg(long, value_enum, default_value_t = FrameOptions::default().fog, help_heading = BY)]
    fog: FogMode,
    /// Form of the exclusive prefix product
    #[arg(long, value_enum, default_value_t = MethodOptions::default().hazard, help_heading = BY)]
    hazard: Hazard,
    /// Instruction that reads one lane's value for the whole wave
    #[arg(long, value_enum, default_value_t = MethodOptions::default().lane_read, help_heading = BY)]
    lane_read: LaneRead,
    /// Tile edge in pixels, 8 or 16 [default: as for `capture` in scenes, 8 elsewhere]
    #[arg(long, value_name = "PIXELS", help_heading = BY)]
    tile: Option<u32>,
    /// Timed passes per row, after warm-up [default: 20, or 10 with --quick; on a CPU adapter 9, or 3]
    #[arg(long, value_name = "COUNT", help_heading = MEASURING)]
    rounds: Option<u32>,
    /// Folder to create for the results [default: a new numbered one under bench/]
    #[arg(long, value_name = "DIR", help_heading = RESULTS)]
    out: Option<PathBuf>,
    /// Write into an existing folder: replace an older run there, keep other files
    #[arg(long, help_heading = RESULTS)]
    force: bool,
    /// Compare with an earlier run and remeasure apparent differences; exit code 1 if something got slower, 2 if nothing could be compared
    #[arg(long, value_name = "OLD.json", help_heading = RESULTS)]
    compare: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum BenchPart {
    /// Methods over outputs, layers and costs
    Sweep,
    /// Named cases
    Cases,
    /// Scenes, end to end
    Scenes,
    /// Error, time and memory of approximate methods (all, or those of --methods) and `auto` on scenes, at several option values unless --quick
    Oit,
}

struct Defaults {
    outputs: &'static [[u32; 2]],
    layers: &'static [u32],
    costs: &'static [Cost],
    kinds: &'static [ListKind],
    pixels_per_wave: &'static [u32],
    dials: Vec<Dial>,
    rounds: u32,
}

impl Defaults {
    fn of(quick: bool, is_cpu: bool) -> Self {
        let full = Self {
            outputs: &[
                [32, 32],
                [64, 64],
                [128, 128],
                [256, 256],
                [512, 512],
                [1280, 720],
                [1920, 1080],
                [3840, 2160],
            ],
            layers: &[4, 16, 64, 128, 256, 1024, 4096],
            costs: &[Cost::Cheap, Cost::Textured, Cost::Procedural],
            kinds: &[ListKind::Particles, ListKind::Fog, ListKind::Mixed],
            pixels_per_wave: &[1, 8, 32],
            dials: Dial::all().collect(),
            rounds: 20,
        };
        let few = [
            &[Dial::Pixels(4)][..],
            &[1, 2, 4, 16, 64].map(Dial::Threads),
            &[128, 256].map(Dial::Batch),
        ]
        .concat();
        match (is_cpu, quick) {
            (false, false) => full,
            (false, true) => Self {
                outputs: &[[32, 32], [160, 88], [640, 360], [1920, 1080]],
                layers: &[8, 64, 512],
                costs: &[Cost::Cheap],
                kinds: &[ListKind::Particles, ListKind::Mixed],
                pixels_per_wave: &[1, 32],
                dials: few,
                rounds: 10,
            },
            (true, quick) => Self {
                outputs: &[[32, 32], [96, 64], [160, 88]],
                layers: if quick { &[8, 64] } else { &[4, 16, 64, 256] },
                costs: if quick { &full.costs[..1] } else { full.costs },
                kinds: if quick { &full.kinds[..1] } else { full.kinds },
                pixels_per_wave: &[8],
                dials: few,
                rounds: if quick { 3 } else { 9 },
            },
        }
    }
}

fn or<T: Clone>(given: &[T], default: &[T]) -> Vec<T> {
    match given {
        [] => default.to_vec(),
        given => given.to_vec(),
    }
}

impl BenchArgs {
    /// Checks everything that can be checked without an adapter.
    fn check(&self) -> Result<()> {
        let mut options = self.options();
        Words::Flags.options(&options)?;
        for &pixels_per_wave in &self.pixels_per_wave {
            options.method.pixels_per_wave = pixels_per_wave;
            Words::Flags.options(&options)?;
        }
        let outside = |layers: &&u32| !(1..=MOST_LAYERS).contains(*layers);
        if let Some(layers) = self.layers.iter().find(outside) {
            let message = format!("--layers {layers}: must be 1 to {MOST_LAYERS}");
            return Err(Error::usage(message));
        }
        if self.rounds == Some(0) {
            return Err(Error::usage("--rounds 0: must be at least 1"));
        }
        for name in &self.scenes {
            scene::load(name, &Disk).map_err(|error| error.context("--scenes"))?;
        }
        if let Some(file) = &self.alone {
            scene::load(file, &Disk)?;
        }
        match &self.file {
            Some(_) if !self.cases().contains(&NamedCase::Splats) => Err(Error::usage(
                "--file needs the case `splats`: add it to --parts and --cases",
            )),
            Some(file) => splat_times::check(file).map_err(|error| error.context("--file")),
            None => Ok(()),
        }
    }

    /// Options that all rows share. There is no flag for early-out, because rows do not record it.
    fn options(&self) -> Options {
        Options::default()
            .with_frame(|frame| {
                frame.tile = self.tile.unwrap_or(FrameOptions::default().tile);
                frame.precision = self.precision;
                frame.fog = self.fog;
            })
            .with_method(|method| {
                method.tail = self.tail;
                method.hazard = self.hazard;
                method.lane_read = self.lane_read;
            })
    }

    fn output(&self) -> Result<Output> {
        Output::choose(RUN, self.out.as_deref(), "run", self.force).map_err(about_out)
    }

    fn has(&self, part: BenchPart) -> bool {
        self.parts.contains(&part) && (self.alone.is_none() || part != BenchPart::Sweep)
    }

    fn splats(&self) -> String {
        let named = self.file.as_ref().or(self.alone.as_ref());
        named.cloned().unwrap_or_else(|| "statue".to_owned())
    }

    fn cases(&self) -> Vec<NamedCase> {
        if let Some(file) = &self.alone {
            let has_splats = splat_times::check(file).is_ok();
            return Vec::from_iter(has_splats.then_some(NamedCase::Splats));
        }
        match self.has(BenchPart::Cases) {
            true => or(&self.cases, NamedCase::value_variants()),
            false => Vec::new(),
        }
    }

    /// Methods of the part `oit`, written as `--methods` accepts them.
    fn of_oit(&self) -> Result<Vec<String>> {
        if !self.has(BenchPart::Oit) {
            return Ok(Vec::new());
        }
        let named = named(&self.methods)?.into_iter();
        let named = named.filter(|method| !method.is_exact());
        let mut names: Vec<String> = named.map(|method| method.to_string()).collect();
        if names.is_empty() {
            names.push("approximate".to_owned());
        }
        names.push(Method::Auto.name().to_owned());
        Ok(names)
    }

    /// The request for a run of `methods`, and of `of_oit` in the part `oit`.
    fn wanted(&self, caps: &Capabilities, methods: Vec<Method>, of_oit: &[Method]) -> BenchRequest {
        let defaults = Defaults::of(self.quick, caps.is_cpu);
        let outputs = match self.has(BenchPart::Sweep) {
            true => or(&self.outputs, defaults.outputs),
            false => Vec::new(),
        };
        let names: Vec<String> = match &self.alone {
            Some(file) => vec![file.clone()],
            None => scene::names().iter().map(ToString::to_string).collect(),
        };
        let scenes = or(&self.scenes, &names);
        let small = (self.quick && caps.is_cpu).then_some([160, 88]);
        let job = |name: &String, methods: &[Method]| SceneJob {
            name: name.clone(),
            size: self.size.or(small),
            tile: self.tile,
            keys: None,
            order: ListOrder::default(),
            methods: methods.to_vec(),
            approximations: false,
        };
        let mut jobs = Vec::new();
        for (part, methods) in [(BenchPart::Scenes, &*methods), (BenchPart::Oit, of_oit)] {
            let approximations = part == BenchPart::Oit && !self.quick;
            for name in scenes.iter().filter(|_| self.has(part)) {
                jobs.push(SceneJob {
                    approximations,
                    ..job(name, methods)
                });
                // Methods that accept unordered lists are also timed with unordered lists.
                let order = ListOrder::Any;
                let in_any = Options::default().with_frame(|frame| frame.order = order);
                let takes = |of: &Method| in_any.specialize(*of).inputs() == Inputs::ANY_LISTS;
                let methods_in_any: Vec<Method> = methods.iter().copied().filter(takes).collect();
                if approximations && !methods_in_any.is_empty() {
                    jobs.push(SceneJob {
                        order,
                        ..job(name, &methods_in_any)
                    });
                }
                // Lists depend on their keys, so each kind of key needs its own frame.
                if approximations && methods.contains(&Method::Coarse) {
                    let kinds = [[4, 0], [12, 0], [16, 0], [16, 1], [16, 8]];
                    jobs.extend(kinds.map(|keys| SceneJob {
                        keys: Some(keys),
                        ..job(name, &[Method::Coarse])
                    }));
                }
            }
        }
        let splats = vec![job(&self.splats(), &methods)];
        BenchRequest {
            plan: Plan {
                outputs,
                layers: or(&self.layers, defaults.layers),
                costs: or(&self.cost, defaults.costs),
                kinds: or(&self.kind, defaults.kinds),
                methods,
                pixels_per_wave: or(&self.pixels_per_wave, defaults.pixels_per_wave),
                dials: or(&self.dials, &defaults.dials),
                options: self.options(),
            },
            cases: self.cases(),
            splats,
            scenes: jobs,
            rounds: Rounds::from(self.rounds.unwrap_or(defaults.rounds), caps.is_cpu),
            command: command_line(),
        }
    }
}

pub(super) fn run(args: &BenchArgs, common: &Common) -> Result<()> {
    args.check()?;
    let old = args.compare.as_deref().map(file::read).transpose()?;
    // The output is checked first: an hour of measuring must not end without a place for the results.
    let mut output = args.output()?;
    let gpu = common.open()?;
    let pipelines = common.pipelines();
    common.progress(format_args!(
        "adapter: {}, driver {}",
        gpu.caps.name, gpu.caps.driver
    ));
    if gpu.caps.is_cpu {
        common.progress("CPU adapter: smaller lists, and times are not GPU measurements");
    }
    let of_oit = args.of_oit()?;
    let names = [&*args.methods, &of_oit].concat();
    let statuses = common.self_test(&gpu, &pipelines, &named(&names)?, &args.options())?;
    let methods = choose(&args.methods, &statuses)?;
    args.precision.check(&methods)?;
    let wanted = args.wanted(&gpu.caps, methods, &choose(&of_oit, &statuses)?);
    let bench = Bench {
        gpu: &gpu,
        pipelines: &pipelines,
        wanted: &wanted,
    };
    let mut record = bench.head()?;
    for (_, note) in &record.notes {
        common.progress(note);
    }
    if let Some(old) = &old {
        regression::check_conditions(old, &record)?;
        if let Some(different) = regression::about_shaders(old, &record) {
            common.progress(different);
        }
    }
    let mut progress = common.listener();
    if let Err(error) = bench.run(&mut record, &mut progress) {
        // Everything measured before the failure is kept.
        if !record.rows.is_empty() {
            report(&record, output, None)?;
        }
        return Err(error);
    }
    let suspects = match &old {
        Some(old) => regression::compare(old, &record)?.suspects(),
        None => HashSet::new(),
    };
    if !suspects.is_empty() {
        // The record is written first: a failed comparison must not lose the measurements.
        write(&record, &files(&record, None)?, &mut output)?;
        common.progress("remeasuring apparent differences:");
        bench.run_again(&suspects, &mut record, &mut progress)?;
    }
    report(&record, output, old.as_ref())
}

fn write(
    record: &Record,
    files: &[(String, Vec<u8>)],
    output: &mut Output,
) -> Result<Vec<PathBuf>> {
    let written = output.write(files).map_err(about_out);
    else_printed(written, &file::json(record)?)
}

/// Writes the files, prints the name of their folder, and reports the comparison.
fn report(record: &Record, mut output: Output, old: Option<&Record>) -> Result<()> {
    let comparison = old.map(|old| regression::compare(old, record));
    let comparison = comparison.transpose()?;
    let files = files(record, old.zip(comparison.as_ref()))?;
    let mut text = String::new();
    for path in write(record, &files, &mut output)? {
        text += &format!("{}\n", path.display());
    }
    match comparison {
        None => print(&text),
        Some(comparison) => {
            print(format!("{text}\n{}", comparison.text()))?;
            comparison.verdict()
        }
    }
}
