//! A whole run: the sweep, named cases, scenes; everything into one record.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::time::Instant;

use super::cloud::{self, Peer};
use super::floor::{self, Floor};
use super::groups::FLOOR;
use super::integrate::{self, Columns};
use super::lists::{ListSpec, Lists};
use super::peers::{self, cloud_name};
use super::record::{Record, Row, SCHEMA, Work};
use super::scenes::{self, SceneJob};
use super::sweep::{AUTHOR, Cell, CellBench, Plan, Rates};
use crate::auto::Rule;
use crate::compare::samples::Summary;
use crate::error::Result;
use crate::gpu::{Adapter, Gpu, Pipelines, clock};
use crate::methods::{Cost, ListKind, Method};
use crate::render::integrate::Mapping;
use crate::timing::{LONG_PASS, Rounds, Set, Speed, Subject, Timed, Timer, Times};

/// What to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Methods and dials, and the cells of the sweep.
    pub plan: Plan,
    /// Named cases.
    pub cases: Vec<Case>,
    /// Scenes, end to end.
    pub scenes: Vec<SceneJob>,
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

/// A named case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Case {
    /// 1024 points that composite the same 1024 spheres: the talk that followed the article.
    Author,
    /// Fog integrated along froxel columns, by a thread or a wave per column.
    Integrate,
    /// Random key–value pairs by the frame's radix sort.
    Sort,
    /// Gaussian splats from projection to picture, beside what a splat rasteriser takes.
    Cloud,
}

/// A part of a run.
enum Job<'a> {
    Cell(Cell),
    Integrate([u32; 3]),
    Sort((u32, u32)),
    Cloud(&'a Peer),
    Scene(&'a SceneJob),
}

impl Job<'_> {
    /// How long it takes, roughly, in units of a small cell.
    fn weight(&self) -> f64 {
        match self {
            Job::Cell(cell) => 1.0 + cell.spec.pixel_layers() / 2e9,
            Job::Integrate(_) | Job::Sort(_) => 0.5,
            Job::Cloud(peer) => 2.0 + f64::from(peer.splats) * 1e-6,
            Job::Scene(_) => 4.0,
        }
    }
}

impl Job<'_> {
    /// Whether rows of this work come from it.
    fn makes(&self, work: &Work) -> bool {
        match (self, work) {
            (Job::Cell(cell), work) => cell.work() == *work,
            (Job::Scene(job), Work::Scene { name, .. }) => job.name.ends_with(name.as_str()),
            (job, Work::Case { name }) => job.to_string() == *name,
            _ => false,
        }
    }
}

impl fmt::Display for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Cell(cell) => write!(f, "{cell}"),
            Job::Integrate([x, y, z]) => write!(f, "integrate {x}x{y}x{z}"),
            Job::Sort((pairs, bits)) => write!(f, "sort {pairs} pairs by {bits} bits"),
            Job::Cloud(peer) => write!(f, "{}", cloud_name(peer)),
            Job::Scene(scene) => write!(f, "{}", scene.name),
        }
    }
}

impl Options {
    /// Everything, in the order in which it is done: the sweep's maps, cases, scenes.
    fn jobs(&self, is_cpu: bool) -> Vec<Job<'_>> {
        let few = if is_cpu { 1 } else { usize::MAX };
        let mut jobs: Vec<Job> = self.plan.cells().into_iter().map(Job::Cell).collect();
        for case in &self.cases {
            match case {
                Case::Author => jobs.push(Job::Cell(AUTHOR)),
                Case::Integrate => jobs.extend(integrate::GRIDS.map(Job::Integrate)),
                // Millions of pairs and splats say nothing about GPUs on a CPU, and take minutes there.
                Case::Sort => jobs.extend(peers::SORTS.iter().take(few).copied().map(Job::Sort)),
                Case::Cloud => jobs.extend(cloud::PEERS.iter().take(few).map(Job::Cloud)),
            }
        }
        jobs.extend(self.scenes.iter().map(Job::Scene));
        jobs
    }
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

/// Everything is measured in so many sittings, for each of which all is made anew, the device too, and with half
/// of the rounds in each: where in memory things come to lie has a say in times, as has what else runs meanwhile.
/// A CPU adapter gets one, because it compiles for so long.
const SITTINGS: u32 = 2;
/// What looks different from another run is measured in so many more.
const MORE_SITTINGS: u32 = 2;

/// Runs everything.
///
/// # Errors
/// As [`clock`]; a shader or the device failed (exit code 1).
pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    options: &Options,
    progress: impl FnMut(Progress),
) -> Result<Record> {
    let mut record = head(gpu, options)?;
    let jobs = options.jobs(gpu.caps.is_cpu);
    let bench = Bench {
        gpu,
        pipelines,
        options,
    };
    bench.sit(&jobs, SITTINGS, &mut record, progress)?;
    Ok(record)
}

/// Measures in more sittings everything that is timed together with one of `works`.
///
/// # Errors
/// As [`run`].
pub fn run_again(
    gpu: &Gpu,
    pipelines: &Pipelines,
    options: &Options,
    works: &HashSet<Work>,
    record: &mut Record,
    progress: impl FnMut(Progress),
) -> Result<()> {
    let mut jobs = options.jobs(gpu.caps.is_cpu);
    jobs.retain(|job| works.iter().any(|work| job.makes(work)));
    let bench = Bench {
        gpu,
        pipelines,
        options,
    };
    bench.sit(&jobs, MORE_SITTINGS, record, progress)
}

/// What jobs are done with.
#[derive(Clone, Copy)]
struct Bench<'a> {
    gpu: &'a Gpu,
    pipelines: &'a Pipelines,
    options: &'a Options,
}

impl Bench<'_> {
    /// Does all jobs in so many sittings, one after the other.
    fn sit(
        self,
        jobs: &[Job],
        sittings: u32,
        record: &mut Record,
        mut progress: impl FnMut(Progress),
    ) -> Result<()> {
        let rounds = self.options.rounds;
        let is_cpu = self.gpu.caps.is_cpu;
        let sittings = if is_cpu { 1 } else { sittings };
        let share = |rounds: u32| {
            if is_cpu {
                rounds
            } else {
                rounds.div_ceil(SITTINGS)
            }
        };
        let rounds = Rounds {
            least: share(rounds.least),
            most: share(rounds.most),
            ..rounds
        };
        let mut speed = Speed::default();
        let started = Instant::now();
        let all: f64 = jobs.iter().map(Job::weight).sum::<f64>() * f64::from(sittings);
        let mut finished = 0.0;
        let mut places = record.places();
        for _ in 0..sittings {
            let anew = match is_cpu {
                true => None,
                false => Some((self.gpu.anew()?, self.pipelines.anew())),
            };
            let bench = match &anew {
                Some((gpu, pipelines)) => Bench {
                    gpu,
                    pipelines,
                    ..self
                },
                None => self,
            };
            let mut timer = Timer::new(bench.gpu, rounds, LONG_PASS)?;
            timer.expect(speed);
            let mut rates = BTreeMap::new();
            for job in jobs {
                let spent = started.elapsed().as_secs_f64();
                progress(Progress {
                    next: job.to_string(),
                    done: finished / all,
                    left: (finished > 0.05 * all).then(|| spent / finished * (all - finished)),
                });
                for row in bench.rows(job, &mut timer, &mut rates)? {
                    let key = (row.work.clone(), row.runner.clone());
                    match places.get(&key) {
                        Some(&place) => record.rows[place].add(row),
                        None => {
                            places.insert(key, record.rows.len());
                            record.rows.push(row);
                        }
                    }
                }
                finished += job.weight();
            }
            speed = timer.speed();
        }
        Ok(())
    }

    /// The rows of a job. `rates` are what cells of its kind took so far.
    fn rows(
        self,
        job: &Job,
        timer: &mut Timer,
        rates: &mut BTreeMap<(Cost, ListKind), Rates>,
    ) -> Result<Vec<Row>> {
        let Self {
            gpu,
            pipelines,
            options,
        } = self;
        match job {
            Job::Cell(cell) => {
                let rates = rates.entry((cell.cost, cell.spec.kind)).or_default();
                cell_rows(gpu, pipelines, timer, cell, rates, options)
            }
            Job::Integrate(grid) => integrate_rows(gpu, pipelines, timer, *grid),
            Job::Sort(sort) => peers::sort_rows(gpu, pipelines, timer, *sort),
            Job::Cloud(peer) => peers::cloud_rows(gpu, pipelines, timer, peer),
            Job::Scene(job) => {
                let (plan, rule) = (&options.plan, &options.rule);
                scenes::run(gpu, pipelines, timer, job, plan, rule)
            }
        }
    }
}

/// The record of a run that has not begun: its conditions.
///
/// # Errors
/// As [`clock`].
pub fn head(gpu: &Gpu, options: &Options) -> Result<Record> {
    Ok(Record {
        schema: SCHEMA,
        program: format!("wavelerp {}", env!("CARGO_PKG_VERSION")),
        git: env!("WAVELERP_GIT").to_owned(),
        unchecked_shaders: !gpu.checks_shaders,
        date: today(),
        adapter: Adapter::of(&gpu.caps),
        clock: Some(clock(gpu)?.clone()),
        command: options.command.clone(),
        rounds: options.rounds.least,
        rows: Vec::new(),
    })
}

/// All runners of a cell, and its floor.
fn cell_rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    cell: &Cell,
    rates: &mut Rates,
    options: &Options,
) -> Result<Vec<Row>> {
    let bench = CellBench {
        gpu,
        pipelines,
        slow: &options.slow,
        rule: &options.rule,
        hopeless: None,
    };
    let runners = options.plan.runners(&gpu.caps, cell);
    let mut rows = bench.run(timer, cell, &runners, rates)?;
    if options.floor {
        rows.push(floor_row(gpu, pipelines, timer, cell)?);
    }
    Ok(rows)
}

/// Both mappings of fog integration over a grid of froxels.
fn integrate_rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    grid: [u32; 3],
) -> Result<Vec<Row>> {
    let columns = Columns::new(gpu, grid)?;
    let mappings: Vec<Mapping> = match gpu.caps.waves {
        true => Mapping::ALL.to_vec(),
        false => vec![Mapping::Column],
    };
    let made = mappings
        .iter()
        .map(|&mapping| Columns::mapping(gpu, pipelines, mapping))
        .collect::<Result<Vec<_>>>()?;
    let columns = &columns;
    let subject = |integrate| {
        Subject::new(move |recorder, times| {
            recorder.compute("integrate", |pass| {
                (0..times).try_for_each(|_| columns.record(gpu, pass, integrate))
            })
        })
    };
    let [x, y, z] = grid;
    let times = timed(timer, made.iter().map(subject))?;
    let work = || Work::Case {
        name: format!("integrate {x}x{y}x{z}"),
    };
    let row = |(mapping, timed): (&Mapping, &Timed)| {
        Row::new(work(), None, mapping.name().to_owned()).timed(timed, &times)
    };
    Ok(mappings.iter().zip(&times.subjects).map(row).collect())
}

/// Times subjects against each other, each after a pilot of its own.
fn timed<'a>(timer: &mut Timer, subjects: impl Iterator<Item = Subject<'a>>) -> Result<Times> {
    let set = Set {
        subjects: subjects.collect(),
        frame: None,
    };
    let pilots = timer.pilots(&set.subjects)?;
    timer.time(&set, &pilots)
}

/// The floor of a cell: the least of several pixels per thread.
fn floor_row(gpu: &Gpu, pipelines: &Pipelines, timer: &mut Timer, cell: &Cell) -> Result<Row> {
    let (spec, cost) = (&cell.spec, cell.cost);
    // Only where results go matters.
    let lists = Lists::new(gpu, pipelines, ListSpec { layers: 1, ..*spec })?;
    let floors = floor::PIXELS_PER_THREAD
        .iter()
        .map(|&pixels| Floor::new(gpu, pipelines, spec, cost, pixels))
        .collect::<Result<Vec<_>>>()?;
    let lists = &lists;
    let subject = |floor| {
        Subject::new(move |recorder, times| {
            recorder.compute(FLOOR, |pass| {
                (0..times).try_for_each(|_| Floor::record(floor, gpu, pass, lists))
            })
        })
    };
    let times = timed(timer, floors.iter().map(subject))?;
    let median = |timed: &Timed| Summary::of(&timed.samples).map_or(f64::MAX, |s| s.median);
    let row = Row::new(cell.work(), None, FLOOR.to_owned());
    let all = times.subjects.iter().zip(floor::PIXELS_PER_THREAD);
    let best = all.min_by(|a, b| median(a.0).total_cmp(&median(b.0)));
    Ok(match best {
        None => row,
        Some((timed, pixels)) => Row {
            facts: vec![("pixels per thread".to_owned(), f64::from(pixels))],
            ..row.timed(timed, &times)
        },
    })
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
