//! `wavelerp bench`: which method is fastest, where, and by how much.

use std::path::PathBuf;

use super::Common;
use crate::auto::Rule;
use crate::bench::record::{Cost, ListKind};
use crate::bench::run::{Options, Progress, run as run_bench};
use crate::bench::sweep::Plan;
use crate::bench::timer::Rounds;
use crate::error::{Error, Result};
use crate::methods::{Dial, Method};
use crate::verify::self_test::{choose, self_test};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Fewer cells and dials: under a minute on a GPU
    #[arg(long)]
    quick: bool,
    /// Sizes of the sweep [default: 32x32 to 3840x2160]
    #[arg(long, value_delimiter = ',', value_parser = crate::settings::parse_size, value_name = "WIDTHxHEIGHT,…")]
    outputs: Vec<[u32; 2]>,
    /// List lengths of the sweep [default: 4 to 4096]
    #[arg(long, value_delimiter = ',', value_name = "COUNT,…")]
    layers: Vec<u32>,
    /// What evaluating a layer costs [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    cost: Vec<Cost>,
    /// What lists are made of [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    kind: Vec<ListKind>,
    /// Methods: `all`, or names separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        value_name = "NAMES"
    )]
    methods: Vec<String>,
    /// Pixels that waves walk [default: 1, 8 and 32]
    #[arg(long, value_delimiter = ',', value_name = "COUNT,…")]
    pixels_per_wave: Vec<u32>,
    /// Places of the dial, as for `capture` [default: all]
    #[arg(long, value_delimiter = ',', value_name = "DIAL,…")]
    dials: Vec<Dial>,
    /// Tile edge in pixels: 8 or 16
    #[arg(long, default_value_t = 8, value_name = "PIXELS")]
    tile: u32,
    /// Measure the arithmetic alone, too
    #[arg(long)]
    floor: bool,
    /// Timed passes of everything, after warm-up
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    rounds: u32,
    /// Really repeat part of a method's work, to see that it is found
    #[arg(long, value_delimiter = ',', value_parser = parse_slow, value_name = "METHOD=FACTOR")]
    slow: Vec<(Method, f64)>,
    /// Folder to write
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// "wave-tree=1.1".
fn parse_slow(text: &str) -> std::result::Result<(Method, f64), String> {
    let form = || format!("\"{text}\" is not METHOD=FACTOR; write for example wave-tree=1.1");
    let (name, factor) = text.split_once('=').ok_or_else(form)?;
    let method = Method::by_name(name).map_err(|error| error.message)?;
    let factor: f64 = factor.parse().map_err(|_| form())?;
    match (1.0..=10.0).contains(&factor) {
        true => Ok((method, factor)),
        false => Err(format!("{factor}: must be 1 to 10")),
    }
}

fn or<T: Clone>(given: &[T], default: &[T]) -> Vec<T> {
    match given {
        [] => default.to_vec(),
        given => given.to_vec(),
    }
}

pub(super) fn run(args: &BenchArgs, common: &Common) -> Result<()> {
    let gpu = common.open()?;
    let pipelines = common.pipelines()?;
    let statuses = self_test(&gpu, &pipelines)?;
    let methods = choose(&args.methods, &statuses)?;
    let plan = Plan {
        outputs: or(
            &args.outputs,
            &[[32, 32], [160, 88], [640, 360], [1920, 1080]],
        ),
        layers: or(&args.layers, &[4, 32, 128, 1024]),
        costs: or(&args.cost, &[Cost::Cheap, Cost::Textured, Cost::Procedural]),
        kinds: or(
            &args.kind,
            &[ListKind::Particles, ListKind::Fog, ListKind::Mixed],
        ),
        methods,
        pixels_per_wave: or(&args.pixels_per_wave, &[1, 8, 32]),
        dials: or(&args.dials, &Dial::all().collect::<Vec<_>>()),
        tile: args.tile,
    };
    let options = Options {
        plan,
        floor: args.floor,
        slow: args.slow.clone(),
        rule: Rule::default(),
        rounds: Rounds {
            warm_up: 3,
            counted: args.rounds,
        },
        command: String::new(),
    };
    let record = run_bench(&gpu, &pipelines, &options, |at: Progress| {
        common.progress(format_args!("{:3.0} % {}", at.done * 100.0, at.next));
    })?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("bench"));
    std::fs::create_dir_all(&folder).map_err(|error| Error::usage(error.to_string()))?;
    let json = serde_json::to_string(&record).map_err(|error| Error::failed(error.to_string()))?;
    std::fs::write(folder.join("bench.json"), json).map_err(|error| Error::usage(error.to_string()))
}
