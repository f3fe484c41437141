//! The sweep: methods and dials over numbers of outputs, numbers of layers, costs, and kinds of synthetic lists.

use std::collections::BTreeMap;

use super::lists::{ListSpec, Lists};
use super::runners::{Candidates, by_rule, runner_name, settled};
use crate::error::Result;
use crate::gpu::{Gpu, Pipelines};
use crate::methods::auto::{self, Facts};
use crate::methods::{BenchAxes, Composite, Specialization, kernel_of};
use crate::model::Capabilities;
use crate::model::methods::{Cost, ListKind, Method, Source};
use crate::model::options::{Dial, Options};
use crate::report::bench::record::{ListWork, Row, Work};
use crate::runs::{Set, Subject, Timer};

/// A dispatch predicted to take more milliseconds than this is left out, because drivers reset unresponsive devices.
const LONGEST_DISPATCH: f64 = 200.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub outputs: Vec<[u32; 2]>,
    pub layers: Vec<u32>,
    pub costs: Vec<Cost>,
    pub kinds: Vec<ListKind>,
    pub methods: Vec<Method>,
    /// P (pixels per wave), for methods with waves that walk over pixels.
    pub pixels_per_wave: Vec<u32>,
    /// Dials, for methods that have one.
    pub dials: Vec<Dial>,
    /// Other options, including those that methods without a dial ignore.
    pub options: Options,
}

/// Lists of one length and kind, for one number of outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepCell {
    pub spec: ListSpec,
    pub cost: Cost,
    /// Name of the cell if it is a named case.
    pub name: Option<&'static str>,
}

/// Few outputs and long lists: 1024 points that composite the same 1024 layers.
pub const POINTS: SweepCell = SweepCell {
    spec: ListSpec {
        outputs: [32, 32],
        layers: 1024,
        kind: ListKind::Particles,
        tile: 8,
        shared: true,
    },
    cost: Cost::Cheap,
    name: Some("points"),
};

impl Plan {
    /// All cells. In a map, cells with little work come first, because their times predict those of the others.
    pub fn cells(&self) -> Vec<SweepCell> {
        let mut cells = Vec::new();
        for &kind in &self.kinds {
            for &cost in &self.costs {
                let mut map = Vec::new();
                for &outputs in &self.outputs {
                    for &layers in &self.layers {
                        let spec = ListSpec {
                            outputs,
                            layers,
                            kind,
                            tile: self.options.frame.tile,
                            shared: false,
                        };
                        map.push(SweepCell {
                            spec,
                            cost,
                            name: None,
                        });
                    }
                }
                map.sort_by(|a, b| a.spec.pixel_layers().total_cmp(&b.spec.pixel_layers()));
                cells.extend(map);
            }
        }
        cells
    }

    /// Every method at every dial, on layers with the cost `cost`.
    pub fn runners(&self, caps: &Capabilities, cell: &SweepCell) -> Vec<Specialization> {
        let mut runners = Vec::new();
        for &method in &self.methods {
            let runner = |options: Options| Specialization {
                source: Source::Synthetic(cell.cost, cell.spec.kind),
                ..options.specialize(method)
            };
            let axes = BenchAxes {
                pixels_per_wave: &self.pixels_per_wave,
                dials: &self.dials,
                approximations: false,
            };
            let of = self.options.specialize(method);
            let options = kernel_of(method).timed_at(&of, &axes, caps);
            runners.extend(options.into_iter().map(runner));
        }
        runners
    }
}

impl SweepCell {
    fn facts(&self) -> Facts {
        let [width, height] = self.spec.outputs;
        Facts {
            pixels: width * height,
            mean: self.spec.layers.into(),
            longest: self.spec.layers,
            layers: Source::Synthetic(self.cost, self.spec.kind),
        }
    }

    pub fn work(&self) -> Work {
        match self.name {
            Some(name) => Work::Case {
                name: name.to_owned(),
            },
            None => Work::Lists(ListWork {
                outputs: self.spec.outputs,
                layers: self.spec.layers,
                cost: self.cost,
                kind: self.spec.kind,
            }),
        }
    }
}

/// Nanoseconds per pixel and layer of each runner in its last cell, used to predict the next cell.
#[derive(Debug, Default)]
pub struct Rates(BTreeMap<String, f64>);

impl Rates {
    /// Reason for leaving out a runner that would take too long on a cell.
    fn refuse(&self, runner: &str, cell: &SweepCell) -> Option<String> {
        let predicted = self.0.get(runner)? * cell.spec.pixel_layers() * 1e-6;
        (predicted > LONGEST_DISPATCH)
            .then(|| format!("a dispatch was predicted to take {predicted:.0} ms"))
    }

    fn learn(&mut self, runner: &str, cell: &SweepCell, pilot: f64) {
        let rate = pilot * 1e6 / cell.spec.pixel_layers().max(1.0);
        self.0.insert(runner.to_owned(), rate);
    }
}

struct Runner {
    composite: Composite,
    wave_size: Option<u32>,
    pilot: f64,
}

impl Runner {
    fn is_auto(&self) -> bool {
        self.composite.specialization.method == Method::Auto
    }
}

pub struct CellBench<'a> {
    pub gpu: &'a Gpu,
    pub pipelines: &'a Pipelines,
    pub before: &'a [Row],
}

impl CellBench<'_> {
    pub fn run(
        &self,
        timer: &mut Timer,
        cell: &SweepCell,
        runners: &[Specialization],
        rates: &mut Rates,
    ) -> Result<Vec<Row>> {
        let lists = Lists::new(self.gpu, self.pipelines, cell.spec)?;
        let mut rows = Vec::new();
        let mut ready = Vec::new();
        for asked in runners {
            let specialization = self.choose(timer, &lists, cell, *asked, rates)?;
            let name = runner_name(&specialization);
            let mut refused = rates.refuse(&name, cell);
            if refused.is_none() {
                match self.prepare(timer, &lists, specialization) {
                    Ok(runner) => {
                        rates.learn(&name, cell, runner.pilot);
                        ready.push(runner);
                        continue;
                    }
                    // Nothing more can be done without a device.
                    Err(error) if self.gpu.is_lost() => return Err(error),
                    Err(error) => refused = Some(error.to_string()),
                }
            }
            rows.push(Row {
                skipped: refused,
                ..Row::new(cell.work(), Some(asked.method), name)
            });
        }
        // The rule's choice for `auto` is timed in the same rounds, as the last subject.
        let count = ready.len();
        let asked_auto = runners.iter().find(|of| of.method == Method::Auto);
        let rule = asked_auto.map(|asked| auto::choice(&self.gpu.caps, *asked, &cell.facts()));
        if let Some(rule) = rule.filter(|_| ready.iter().any(Runner::is_auto)) {
            ready.extend(self.prepare(timer, &lists, rule.specialization).ok());
        }
        let set = Set::alone(ready.iter().map(|of| self.subject(&lists, &of.composite)));
        let pilots: Vec<f64> = ready.iter().map(|runner| runner.pilot).collect();
        let times = self.gpu.finish(timer.time(&set, &pilots))?;
        for (runner, timed) in ready[..count].iter().zip(&times.subjects) {
            let rule = ready.get(count).zip(times.subjects.get(count));
            let rule = rule.filter(|_| runner.is_auto());
            let time = rule.and_then(|(rule, of)| by_rule(&rule.composite.specialization, of));
            rows.push(Row {
                facts: time.into_iter().collect(),
                ..row(cell, runner).timed(timed, &times)
            });
        }
        Ok(rows)
    }

    /// The specialization to run: the requested one or, for `auto`, the fastest candidate.
    fn choose(
        &self,
        timer: &mut Timer,
        lists: &Lists,
        cell: &SweepCell,
        asked: Specialization,
        rates: &mut Rates,
    ) -> Result<Specialization> {
        if asked.method != Method::Auto {
            return Ok(asked);
        }
        let all = auto::candidates(&self.gpu.caps, asked, &cell.facts());
        if let Some(settled) = settled(&all, self.before, &cell.work()) {
            return Ok(settled);
        }
        let candidates = Candidates::new(self.gpu, &all, |candidate| {
            let name = runner_name(&candidate);
            if rates.refuse(&name, cell).is_some() {
                return Ok(None);
            }
            let runner = self.prepare(timer, lists, candidate)?;
            let pilot = runner.pilot;
            rates.learn(&name, cell, pilot);
            Ok(Some((runner, pilot)))
        })?;
        let made = candidates.made.iter();
        let subjects = made.map(|of| self.subject(lists, &of.composite));
        candidates.fastest(timer, &Set::alone(subjects))
    }

    fn prepare(
        &self,
        timer: &mut Timer,
        lists: &Lists,
        specialization: Specialization,
    ) -> Result<Runner> {
        let extent = lists.spec.extent();
        let composite = Composite::new(self.gpu, self.pipelines, specialization, extent)?;
        let mut encoder = self.gpu.encoder("clear");
        lists.clear_wave_size(&mut encoder);
        self.gpu.submit_and_wait(encoder.finish())?;
        let subject = self.subject(lists, &composite);
        let pilot = self.gpu.finish(timer.pilot(&subject))?;
        drop(subject);
        Ok(Runner {
            composite,
            wave_size: lists.wave_size(self.gpu)?,
            pilot,
        })
    }

    fn subject<'s>(&'s self, lists: &'s Lists, composite: &'s Composite) -> Subject<'s> {
        Box::new(move |recorder, times| {
            composite.record(recorder, composite.label(), &[&lists.binds()], times)
        })
    }
}

fn row(cell: &SweepCell, runner: &Runner) -> Row {
    let of = &runner.composite.specialization;
    Row {
        wave_size: runner.wave_size,
        ..Row::new(cell.work(), Some(of.method), runner_name(of))
    }
}
