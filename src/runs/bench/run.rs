//! A whole run: the sweep, named cases and scenes, in one record.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use web_time::Instant;

use super::cloud::Peer;
use super::scenes::SceneJob;
use super::sweep::{CellBench, POINTS, Plan, Rates, SweepCell};
use super::{cloud, integrate, scenes, splat_times};
use crate::error::Result;
use crate::gpu::shader::provenance::{COMMIT, Provenance};
use crate::gpu::{Gpu, Pipelines, checks_shaders, clock};
use crate::input::Disk;
use crate::model::methods::{Cost, ListKind};
use crate::model::{Adapter, Capabilities, Clock, scene};
use crate::paths::last_part;
use crate::progress::{Listener, Progress};
use crate::report::bench::record::{Record, Row, SCHEMA, Work};
use crate::runs::{LONG_PASS, Timer};
use crate::timing::{Rounds, Speed};

#[derive(Clone, Debug, PartialEq)]
pub struct BenchRequest {
    pub plan: Plan,
    pub cases: Vec<NamedCase>,
    pub splats: Vec<SceneJob>,
    pub scenes: Vec<SceneJob>,
    pub rounds: Rounds,
    pub command: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum NamedCase {
    /// Few outputs and long lists: 1024 points that composite the same 1024 layers.
    Points,
    /// Fog integrated along froxel columns, by a thread or a wave per column.
    Integrate,
    /// Round Gaussian splats from projection to picture, for comparison with splat rasterisers.
    Cloud,
    /// Splats of a file from projection to picture.
    Splats,
}

enum Job<'a> {
    Cell(SweepCell),
    Integrate([u32; 3]),
    Cloud(&'a Peer),
    Splats(&'a SceneJob),
    Scene(&'a SceneJob),
}

impl Job<'_> {
    /// Rough estimate of the job's time, in units of a small cell.
    fn weight(&self) -> f64 {
        match self {
            Job::Cell(cell) => 1.0 + cell.spec.pixel_layers() / 2e9,
            Job::Integrate(_) => 0.5,
            Job::Cloud(peer) => 2.0 + f64::from(peer.spec.splats) * 1e-6,
            Job::Splats(_) | Job::Scene(_) => 4.0,
        }
    }

    fn makes(&self, work: &Work) -> bool {
        match (self, work) {
            (Job::Cell(cell), work) => cell.work() == *work,
            (Job::Scene(job), Work::Scene { name, .. }) => job.name.ends_with(name.as_str()),
            (job, Work::Case { name }) => job.to_string() == *name,
            _ => false,
        }
    }
}

/// Writes the name of a running job, which is also the case of its rows.
impl fmt::Display for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Cell(cell) => write!(f, "{}", cell.work()),
            Job::Integrate([x, y, z]) => write!(f, "integrate {x}x{y}x{z}"),
            Job::Cloud(peer) => {
                let spec = &peer.spec;
                let (sigma, opacity) = (spec.sigma, spec.opacity);
                write!(f, "cloud {} {sigma} {opacity}", spec.splats)
            }
            Job::Splats(job) => write!(f, "splats {}", last_part(&job.name)),
            Job::Scene(scene) => write!(f, "{}", scene.name),
        }
    }
}

impl BenchRequest {
    /// All jobs in running order: the sweep, the cases, the scenes.
    fn jobs(&self, is_cpu: bool) -> Vec<Job<'_>> {
        let few = if is_cpu { 1 } else { usize::MAX };
        let mut jobs: Vec<Job> = self.plan.cells().into_iter().map(Job::Cell).collect();
        for case in &self.cases {
            match case {
                NamedCase::Points => jobs.push(Job::Cell(POINTS)),
                NamedCase::Integrate => jobs.extend(integrate::GRIDS.map(Job::Integrate)),
                // Millions of splats take minutes on a CPU, and the times do not apply to GPUs.
                NamedCase::Cloud => jobs.extend(cloud::PEERS.iter().take(few).map(Job::Cloud)),
                NamedCase::Splats => jobs.extend(self.splats.iter().map(Job::Splats)),
            }
        }
        jobs.extend(self.scenes.iter().map(Job::Scene));
        jobs
    }

    /// Parts of the scenes' files that were left out, guessed or moved.
    fn notes(&self) -> Result<Vec<(String, String)>> {
        let mut notes: Vec<(String, String)> = Vec::new();
        for job in self.jobs(false) {
            if let Job::Splats(job) | Job::Scene(job) = job {
                let scene = scene::load(&job.name, &Disk)?;
                let fresh: Vec<_> = scene.noted().filter(|note| !notes.contains(note)).collect();
                notes.extend(fresh);
            }
        }
        Ok(notes)
    }
}

/// Number of sittings of a run. A sitting recreates everything, even the device, and takes its share of the rounds,
/// because times depend on buffer addresses and on other load. A CPU adapter has one sitting, because its driver is
/// slow to compile shaders.
const SITTINGS: u32 = 2;
/// Number of additional sittings for rows that seem to differ from those of another run.
const MORE_SITTINGS: u32 = 2;

/// A record of today on this adapter, with the digest of its shaders. It has neither command nor rows.
pub fn head(caps: &Capabilities, shaders: &str, clock: Clock) -> Record {
    Record {
        schema: SCHEMA,
        program: format!("wavelerp {}", env!("CARGO_PKG_VERSION")),
        git: COMMIT.to_owned(),
        shaders: Some(shaders.to_owned()),
        unchecked_shaders: !checks_shaders(),
        date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
        adapter: Adapter::of(caps),
        clock: Some(clock),
        command: String::new(),
        rounds: 0,
        notes: Vec::new(),
        rows: Vec::new(),
    }
}

#[derive(Clone, Copy)]
pub struct Bench<'a> {
    pub gpu: &'a Gpu,
    pub pipelines: &'a Pipelines,
    pub wanted: &'a BenchRequest,
}

impl Bench<'_> {
    /// A record with the conditions of the run, and no rows yet.
    pub fn head(self) -> Result<Record> {
        let shaders = Provenance::of(&self.pipelines.source(), None).digest;
        let clock = clock(self.gpu)?.clone();
        let head = head(&self.gpu.caps, &shaders, clock);
        Ok(Record {
            command: self.wanted.command.clone(),
            rounds: self.wanted.rounds.least,
            notes: self.wanted.notes()?,
            ..head
        })
    }

    /// Runs everything and adds the rows to `record`, including the rows finished before an error.
    pub fn run(self, record: &mut Record, progress: Listener) -> Result<()> {
        let jobs = self.wanted.jobs(self.gpu.caps.is_cpu);
        self.sit(&jobs, SITTINGS, record, progress)
    }

    /// Measures again, in additional sittings, everything that is timed together with one of `works`.
    pub fn run_again(
        self,
        works: &HashSet<Work>,
        record: &mut Record,
        progress: Listener,
    ) -> Result<()> {
        let mut jobs = self.wanted.jobs(self.gpu.caps.is_cpu);
        jobs.retain(|job| works.iter().any(|work| job.makes(work)));
        self.sit(&jobs, MORE_SITTINGS, record, progress)
    }

    fn sit(
        self,
        jobs: &[Job],
        sittings: u32,
        record: &mut Record,
        progress: Listener,
    ) -> Result<()> {
        let rounds = self.wanted.rounds;
        let is_cpu = self.gpu.caps.is_cpu;
        let sittings = if is_cpu { 1 } else { sittings };
        let shares = if is_cpu { 1 } else { SITTINGS };
        let share = |rounds: u32| rounds.div_ceil(shares);
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
            let anew;
            let mut bench = self;
            if !is_cpu {
                anew = (self.gpu.anew()?, self.pipelines.anew());
                (bench.gpu, bench.pipelines) = (&anew.0, &anew.1);
            }
            let mut timer = bench.gpu.finish(Timer::new(bench.gpu, rounds, LONG_PASS))?;
            timer.expect(speed);
            let mut rates = BTreeMap::new();
            for job in jobs {
                let spent = started.elapsed().as_secs_f64();
                progress(Progress {
                    next: job.to_string(),
                    done: finished / all,
                    left: (finished > 0.05 * all).then(|| spent / finished * (all - finished)),
                })?;
                for row in bench.rows(job, &mut timer, &mut rates, &record.rows)? {
                    let key = (row.work.clone(), row.runner.clone());
                    match places.get(&key) {
                        Some(&place) => record.rows[place].add(row),
                        None => {
                            places.insert(key, record.rows.len());
                            record.rows.push(row);
                        }
                    }
                }
                if bench.gpu.is_lost() {
                    return bench.gpu.check();
                }
                finished += job.weight();
            }
            speed = timer.speed();
        }
        Ok(())
    }

    /// Does a job and returns its rows. `rates` predict the times of cells for each cost and kind. `before` contains
    /// the rows of earlier sittings.
    fn rows(
        self,
        job: &Job,
        timer: &mut Timer,
        rates: &mut BTreeMap<(Cost, ListKind), Rates>,
        before: &[Row],
    ) -> Result<Vec<Row>> {
        let Self {
            gpu,
            pipelines,
            wanted,
        } = self;
        let precision = wanted.plan.options.frame.precision;
        let work = &Work::Case {
            name: job.to_string(),
        };
        match job {
            Job::Cell(cell) => {
                let bench = CellBench {
                    gpu,
                    pipelines,
                    before,
                };
                let runners = wanted.plan.runners(&gpu.caps, cell);
                let rates = rates.entry((cell.cost, cell.spec.kind)).or_default();
                bench.run(timer, cell, &runners, rates)
            }
            Job::Integrate(grid) => integrate::rows(gpu, pipelines, timer, *grid, work),
            Job::Cloud(peer) => splat_times::of_cloud(gpu, pipelines, timer, peer, precision, work),
            Job::Splats(job) => splat_times::of_file(gpu, pipelines, timer, job, precision, work),
            Job::Scene(job) => scenes::run(gpu, pipelines, timer, job, &wanted.plan, before),
        }
    }
}
