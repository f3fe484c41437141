//! Measuring what `auto` needs to know of an adapter: every candidate on synthetic lists of every cost
//! and kind, and on frames of one scene.

use std::time::Instant;

use super::lists::ListSpec;
use super::record::{Adapter, Cost, ListKind, Row};
use super::run::today;
use super::sweep::{Cell, CellBench, Rates};
use super::timer::{Rounds, Subject, Timer};
use crate::auto::{Calibration, Candidate, Map, Point, Rule, SCHEMA};
use crate::capture::Capture;
use crate::compare::samples::Sorted;
use crate::error::Result;
use crate::gpu::{Gpu, Pipelines};
use crate::methods::Source;
use crate::scene;
use crate::settings::{Purpose, Settings, default_settings};

/// The scene whose frames are measured: fog, smoke, sprites and many list lengths.
const SCENE: &str = "temple";

/// Rounds of a calibration: it is to take seconds.
const ROUNDS: Rounds = Rounds {
    warm_up: 1,
    counted: 5,
};

/// A timed pass of something short, µs.
const PASS: f64 = 100.0;
/// A candidate whose first dispatch took so many times as long as the best's is not timed further.
const HOPELESS: f64 = 3.0;

/// The lists that are measured.
struct Grid {
    outputs: &'static [[u32; 2]],
    layers: &'static [u32],
    frames: &'static [[u32; 2]],
}

/// Elsewhere choices are interpolated.
const GPU_GRID: Grid = Grid {
    outputs: &[
        [32, 32],
        [64, 64],
        [128, 128],
        [256, 256],
        [640, 480],
        [1920, 1080],
    ],
    layers: &[8, 32, 128, 1024],
    frames: &[[160, 90], [640, 360], [1280, 720], [1920, 1080]],
};

/// A CPU is slow, and its choice matters little.
const CPU_GRID: Grid = Grid {
    outputs: &[[32, 32], [128, 128]],
    layers: &[16, 128],
    frames: &[[96, 64]],
};

/// Which sources of layers are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The frame's own: all that window and captures need.
    Frames,
    /// Synthetic lists too, for benchmarks.
    All,
}

/// Measures; `progress` hears what comes next.
///
/// # Errors
/// The adapter has no timestamps (exit code 3); a shader or the device failed (1).
pub fn calibrate(
    gpu: &Gpu,
    pipelines: &Pipelines,
    scope: Scope,
    mut progress: impl FnMut(String),
) -> Result<Calibration> {
    let started = Instant::now();
    let grid = match gpu.caps.is_cpu {
        true => CPU_GRID,
        false => GPU_GRID,
    };
    let mut timer = Timer::new(gpu, ROUNDS)?;
    timer.pass = PASS;
    progress("frames".to_owned());
    let mut maps = vec![frames(gpu, pipelines, &mut timer, &grid)?];
    if scope == Scope::All {
        for cost in [Cost::Cheap, Cost::Textured, Cost::Procedural] {
            for kind in [ListKind::Particles, ListKind::Fog, ListKind::Mixed] {
                progress(format!("{} {}", cost.name(), kind.name()));
                maps.push(lists(gpu, pipelines, &mut timer, &grid, cost, kind)?);
            }
        }
    }
    Ok(Calibration {
        schema: SCHEMA,
        adapter: Adapter::of(&gpu.caps),
        unchecked_shaders: !cfg!(debug_assertions),
        date: today(),
        seconds: started.elapsed().as_secs_f64(),
        maps,
    })
}

/// Candidates on synthetic lists.
fn lists(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    grid: &Grid,
    cost: Cost,
    kind: ListKind,
) -> Result<Map> {
    let candidates = Candidate::all(&gpu.caps);
    let bench = CellBench {
        gpu,
        pipelines,
        slow: &[],
        rule: &Rule::BuiltIn,
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
            let source = Source::Synthetic(cost, kind);
            let runners: Vec<_> = candidates
                .iter()
                .map(|candidate| candidate.specialization(source, spec.tile))
                .collect();
            let cell = Cell {
                spec,
                cost,
                name: None,
            };
            let rows = bench.run(timer, &cell, &runners, &mut rates)?;
            points.push(Point {
                pixels: outputs[0] * outputs[1],
                layers: f64::from(layers),
                splats: 0.0,
                times: times(&candidates, &rows),
            });
        }
    }
    Ok(Map {
        synthetic: Some((cost, kind)),
        points,
    })
}

/// The median time of every candidate that was timed.
fn times(candidates: &[Candidate], rows: &[Row]) -> Vec<(Candidate, f64)> {
    let time = |candidate: &Candidate| {
        let row = rows.iter().find(|row| row.runner == candidate.label())?;
        Some((*candidate, Sorted::new(&row.samples)?.median()))
    };
    candidates.iter().filter_map(time).collect()
}

/// Candidates on frames of a scene: many sizes, with much and little of everything.
fn frames(gpu: &Gpu, pipelines: &Pipelines, timer: &mut Timer, grid: &Grid) -> Result<Map> {
    let scene = scene::load(SCENE)?;
    let defaults = default_settings(SCENE, &gpu.caps, Purpose::Capture)?;
    let mut points = Vec::new();
    for &size in grid.frames {
        for (particles, fog_slices) in amounts(&defaults, gpu.caps.is_cpu) {
            let settings = Settings {
                size,
                particles,
                fog_slices,
                ..defaults.clone()
            };
            let capture = Capture::new(gpu, pipelines, &scene, settings)?;
            points.push(frame_point(gpu, timer, &capture)?);
        }
    }
    Ok(Map {
        synthetic: None,
        points,
    })
}

/// Numbers of particles and fog slices whose frames are measured; a CPU is spared the most.
fn amounts(usual: &Settings, is_cpu: bool) -> Vec<(u32, u32)> {
    let (particles, slices) = (usual.particles, usual.fog_slices);
    let mut amounts = vec![
        (particles / 16, slices),
        (particles, slices),
        (particles / 256, slices / 16),
        (particles.saturating_mul(16), slices),
    ];
    amounts.truncate(if is_cpu { 2 } else { 4 });
    amounts
}

fn frame_point(gpu: &Gpu, timer: &mut Timer, capture: &Capture) -> Result<Point> {
    let candidates = Candidate::all(&gpu.caps);
    let composites = candidates
        .iter()
        .map(|candidate| {
            capture.composite_of(candidate.specialization(Source::Frame, capture.settings.tile))
        })
        .collect::<Result<Vec<_>>>()?;
    let binds = capture.frame.binds_with(&capture.frame.target);
    let subjects: Vec<Subject> = composites
        .iter()
        .map(|composite| Subject {
            slow: 1.0,
            record: Box::new(|recorder, repeats, prefix| {
                let label = format!("{prefix}{}", composite.label());
                composite.record(gpu, recorder, &label, &binds, repeats)
            }),
        })
        .collect();
    let pilots = timer.pilots(&subjects)?;
    let best = pilots.iter().copied().fold(f64::MAX, f64::min);
    let hopeful: Vec<usize> = (0..pilots.len())
        .filter(|&index| pilots[index] < HOPELESS * best)
        .collect();
    let all = subjects.into_iter().enumerate();
    let subjects: Vec<Subject> = all
        .filter(|(index, _)| hopeful.contains(index))
        .map(|(_, subject)| subject)
        .collect();
    let own_pilots: Vec<f64> = hopeful.iter().map(|&index| pilots[index]).collect();
    let timed = timer.time(&subjects, &own_pilots)?;
    let mut times = pilots;
    for (&index, timed) in hopeful.iter().zip(&timed) {
        times[index] = Sorted::new(&timed.samples).map_or(times[index], |s| s.median());
    }
    let facts = capture.frame.facts(&capture.counters);
    Ok(Point {
        pixels: facts.pixels,
        layers: facts.mean,
        splats: facts.splats,
        times: candidates.into_iter().zip(times).collect(),
    })
}
