//! Calibrates `auto` for an adapter: measures the times of every candidate on synthetic lists of every cost
//! and kind, and on frames of two scenes.

pub mod store;

use std::time::Instant;

use super::bench::lists::ListSpec;
use super::bench::run::today;
use super::bench::sweep::{CellBench, Rates, SweepCell};
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Pipelines};
use crate::input::Disk;
use crate::methods::auto::{Calibration, Candidate, Facts, Point, Rule, SCHEMA, SourceTimes};
use crate::model::methods::{Cost, ListKind, Source};
use crate::model::options::FrameOptions;
use crate::model::samples::Summary;
use crate::model::scene::Scene;
use crate::model::settings::{Purpose, Settings, default_settings};
use crate::model::{Adapter, scene};
use crate::progress::{Listener, Progress};
use crate::report::bench::record::Row;
use crate::runs::capture::Capture;
use crate::runs::{Set, Subject, Timer};
use crate::timing::{Rounds, is_plausible};

/// The scene that has every kind of layer.
const TEMPLE: &str = "temple";
/// A cloud that can be drawn together, so that some lists are far longer than others.
const CLOUD: &str = include_str!("../../../assets/cloud.ron");

fn temple() -> Result<Scene> {
    scene::load(TEMPLE, &Disk)
}

fn cloud() -> Result<Scene> {
    scene::from_text("assets/cloud.ron", CLOUD, &Disk)
}

/// A frame that is measured: its scene, particles, fog slices, and a factor of the width and height that emitters fill.
type FrameSpec = (fn() -> Result<Scene>, u32, u32, f32);

/// Rounds of a calibration: few, because it should take seconds.
const ROUNDS: Rounds = Rounds {
    warm_up: 1,
    least: 5,
    most: 5,
    fewest: 5,
};

/// Edge of the tiles of frames in pixels: what `--tile auto` gives, but for few.
const TILE_OF_FRAMES: u32 = 16;
/// Length of a timed pass, ms. Something shorter is repeated until a pass takes this long.
const PASS: f64 = 0.1;
/// A candidate whose first dispatch took more than this many times the shortest first dispatch is not timed
/// further.
const HOPELESS: f64 = 3.0;

/// Lists with more layers of pixels than this are not measured: their times grow with their number, and are long.
const MOST_PIXEL_LAYERS: f64 = 1e9;

/// The lists that are measured.
struct Grid {
    outputs: &'static [[u32; 2]],
    layers: &'static [u32],
    sizes: &'static [[u32; 2]],
    frames: &'static [FrameSpec],
}

/// What is measured on a GPU. Choices for other lists are interpolated between these.
const GPU_GRID: Grid = Grid {
    outputs: &[
        [32, 32],
        [64, 64],
        [128, 128],
        [192, 192],
        [320, 320],
        [640, 480],
        [1920, 1080],
    ],
    layers: &[8, 32, 128, 384, 1024],
    sizes: &[[160, 90], [640, 360], [1280, 720], [1920, 1080]],
    frames: &[
        (temple, 0, 4, 1.0),
        (temple, 0, 64, 1.0),
        (temple, 6_000, 64, 1.0),
        (temple, 100_000, 64, 1.0),
        (temple, 1_600_000, 64, 1.0),
        (cloud, 0, 1, 1.0),
        (cloud, 0, 16, 1.0),
        (cloud, 0, 64, 1.0),
        (cloud, 10_000, 4, 0.05),
        (cloud, 10_000, 64, 0.05),
        (cloud, 20_000, 64, 0.08),
        (cloud, 3_000, 64, 0.03),
        (cloud, 50_000, 16, 0.15),
        (cloud, 50_000, 32, 0.4),
    ],
};

/// What is measured on a CPU adapter: little, because it is slow and the choice matters less there.
const CPU_GRID: Grid = Grid {
    outputs: &[[32, 32], [128, 128]],
    layers: &[16, 128],
    sizes: &[[64, 40], [192, 108]],
    frames: &[
        (temple, 0, 4, 1.0),
        (temple, 2_000, 32, 1.0),
        (cloud, 0, 16, 1.0),
        (cloud, 1_000, 4, 0.15),
    ],
};

/// Which sources of layers are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The layers of frames, which is all that the window and captures need.
    Frames,
    /// The layers of synthetic lists too, which benchmarks need.
    All,
}

/// Measures an adapter. `progress` is told what comes next.
///
/// # Errors
/// Those of [`crate::gpu::clock`]; a shader does not compile, the device failed, or `progress` ends the work; the result is
/// worse than the built-in rule.
pub fn calibrate(
    gpu: &Gpu,
    pipelines: &Pipelines,
    scope: Scope,
    progress: Listener,
) -> Result<Calibration> {
    let started = Instant::now();
    let grid = if gpu.caps.is_cpu { CPU_GRID } else { GPU_GRID };
    let mut timer = Timer::new(gpu, ROUNDS, PASS)?;
    let costs = [Cost::Cheap, Cost::Textured, Cost::Procedural];
    let kinds = [ListKind::Particles, ListKind::Fog, ListKind::Mixed];
    let of_lists = match scope {
        Scope::All => costs.len() * kinds.len(),
        Scope::Frames => 0,
    };
    let all = grid.frames.len() * grid.sizes.len() + of_lists;
    let mut done = 0;
    let mut next = |what: String| {
        done += 1;
        progress(Progress::step(what, done - 1, all))
    };
    let mut next_frame = || next("frames".to_owned());
    let mut maps = vec![frames(gpu, pipelines, &mut timer, &grid, &mut next_frame)?];
    if scope == Scope::All {
        for cost in costs {
            for kind in kinds {
                next(format!("{cost} {kind}"))?;
                maps.push(lists(gpu, pipelines, &mut timer, &grid, cost, kind)?);
            }
        }
    }
    let calibration = Calibration {
        schema: SCHEMA,
        adapter: Adapter::of(&gpu.caps),
        unchecked_shaders: !gpu.checks_shaders,
        date: today(),
        seconds: started.elapsed().as_secs_f64(),
        maps,
    };
    match calibration.loss(&gpu.caps) {
        None => Ok(calibration),
        Some(why) => Err(Error::failed(format!(
            "the calibration is not kept: {why}; repeat it while nothing else is at work, or do without one"
        ))),
    }
}

/// Measures all candidates on synthetic lists of one cost and kind.
fn lists(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    grid: &Grid,
    cost: Cost,
    kind: ListKind,
) -> Result<SourceTimes> {
    let candidates = Candidate::all(&gpu.caps);
    let bench = CellBench {
        gpu,
        pipelines,
        rule: &Rule::BuiltIn,
        before: &[],
        hopeless: Some(HOPELESS),
    };
    let mut rates = Rates::default();
    let mut points = Vec::new();
    for &layers in grid.layers {
        for &outputs in grid.outputs {
            let spec = ListSpec {
                outputs,
                layers,
                kind,
                tile: 8,
                shared: false,
            };
            if spec.pixel_layers() > MOST_PIXEL_LAYERS {
                continue;
            }
            let source = Source::Synthetic(cost, kind);
            let runner = |of: &Candidate| of.specialization(source, spec.tile);
            let runners: Vec<_> = candidates.iter().map(runner).collect();
            let cell = SweepCell {
                spec,
                cost,
                name: None,
            };
            let rows = bench.run(timer, &cell, &runners, &mut rates)?;
            points.push(Point {
                facts: Facts {
                    pixels: outputs[0] * outputs[1],
                    mean: f64::from(layers),
                    longest: layers,
                    splats: 0.0,
                },
                times: times(&candidates, &rows),
            });
        }
    }
    Ok(SourceTimes {
        synthetic: Some((cost, kind)),
        tile: FrameOptions::default().tile,
        points,
    })
}

/// The median time, µs, of every candidate that was timed and whose time is plausible.
fn times(candidates: &[Candidate], rows: &[Row]) -> Vec<(Candidate, f64)> {
    let is_usable = |row: &&Row| row.passes_to_wall.is_none_or(is_plausible);
    let time = |candidate: &Candidate| {
        let mut rows = rows.iter().filter(is_usable);
        let row = rows.find(|row| row.runner == candidate.label())?;
        Some((*candidate, Summary::of(&row.samples)?.median))
    };
    candidates.iter().filter_map(time).collect()
}

/// Measures all candidates on frames of several sizes, with few and many particles and fog slices, spread
/// evenly and unevenly. `next` is called before each.
fn frames(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    grid: &Grid,
    next: &mut dyn FnMut() -> Result<()>,
) -> Result<SourceTimes> {
    let defaults = default_settings(TEMPLE, &Disk, &gpu.caps, Purpose::Capture)?;
    let mut points = Vec::new();
    for &(scene, particles, fog_slices, spread) in grid.frames {
        let mut scene = scene()?;
        for emitter in &mut scene.emitters {
            emitter.extent[0] *= spread;
            emitter.extent[1] *= spread;
        }
        for &size in grid.sizes {
            next()?;
            let settings = Settings {
                scene: scene.name.clone(),
                camera: scene.camera(None)?.name.clone(),
                time: scene.best_time,
                size,
                particles,
                fog_slices,
                options: defaults.options.with_frame(|frame| {
                    frame.auto_tile = false;
                    frame.tile = TILE_OF_FRAMES;
                }),
                ..defaults.clone()
            };
            let capture = Capture::new(gpu, pipelines, &scene, settings)?;
            points.push(frame_point(gpu, timer, &capture)?);
        }
    }
    Ok(SourceTimes {
        synthetic: None,
        tile: TILE_OF_FRAMES,
        points,
    })
}

fn frame_point(gpu: &Gpu, timer: &mut Timer, capture: &Capture) -> Result<Point> {
    let candidates = Candidate::all(&gpu.caps);
    let tile = capture.settings.options.frame.tile;
    let composite =
        |of: &Candidate| capture.composite_of(of.specialization(Source::default(), tile));
    let composites = (candidates.iter().map(composite)).collect::<Result<Vec<_>>>()?;
    let binds = capture.frame.binds_with(&capture.frame.target);
    let subjects: Vec<Subject> = composites
        .iter()
        .map(|composite| {
            Subject::new(|recorder, times| {
                composite.record(recorder, composite.label(), &binds, times)
            })
        })
        .collect();
    let mut pilots = Vec::new();
    for subject in &subjects {
        pilots.push(match timer.pilot(subject) {
            Err(error) if gpu.is_lost() => return Err(error),
            // What fails is not to be chosen.
            pilot => pilot.unwrap_or(f64::MAX),
        });
    }
    let best = pilots.iter().copied().fold(f64::MAX, f64::min);
    let is_hopeful = |pilot: f64| pilot < HOPELESS * best;
    let hopeful = subjects.into_iter().zip(&pilots);
    let set = Set {
        subjects: hopeful
            .filter(|(_, pilot)| is_hopeful(**pilot))
            .map(|(subject, _)| subject)
            .collect(),
        frame: None,
    };
    let own_pilots = pilots.iter().copied().filter(|pilot| is_hopeful(*pilot));
    let timed = timer.time(&set, &own_pilots.collect::<Vec<_>>());
    if let Some(error) = timed.ended {
        return Err(error);
    }
    let mut times = Vec::new();
    if timed.are_plausible() {
        let mut medians = timed.subjects.iter().map(|of| Summary::of(&of.samples));
        for (candidate, pilot) in candidates.into_iter().zip(pilots) {
            let of_subject = || medians.next().flatten();
            let median = is_hopeful(pilot).then(of_subject).flatten();
            let time = median.map_or(pilot, |summary| summary.median);
            if time < f64::MAX {
                times.push((candidate, time * 1e3));
            }
        }
    }
    Ok(Point {
        facts: capture.frame.facts(&capture.counters),
        times,
    })
}
