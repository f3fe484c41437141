//! Records for tests. Their times have noise and outliers like those of a GPU.

use super::record::{ListWork, PassSamples, Record, Row, SCHEMA, Work};
use super::stats::tests::times;
use crate::model::Adapter;
use crate::model::methods::{Cost, ListKind, Method};
use crate::model::options::FogMode;
use crate::model::passes::Pass;
use crate::report::errors::{Errors, Linear};

const ROUNDS: usize = 30;
/// Runner, throughput (µs per pixel-layer) and latency (µs per layer).
const MODEL: [(&str, f64, f64); 4] = [
    ("pixel-loop", 1.48e-6, 0.186),
    ("read-lane-loop P=32", 15.8e-6, 0.69),
    ("wave-lerp-product P=1", 11e-6, 0.034),
    ("wave-lerp-deferred P=32", 4.02e-6, 0.34),
];

/// A run of every part. Some rows are skipped.
pub(super) fn large_gpu() -> Record {
    let mut rows = Vec::new();
    for (cost, kind) in [
        (Cost::Cheap, ListKind::Particles),
        (Cost::Textured, ListKind::Mixed),
    ] {
        for outputs in [[32, 32], [256, 256], [1920, 1080]] {
            for layers in [4, 64, 4096] {
                let work = Work::Lists(ListWork {
                    outputs,
                    layers,
                    cost,
                    kind,
                });
                let [pixels, depth] = [outputs[0] * outputs[1], layers].map(f64::from);
                rows.extend(MODEL.map(|(runner, throughput, latency)| {
                    let time = 2.0 + (pixels * throughput + latency) * depth;
                    let mut row = row(work.clone(), runner, time);
                    if time > 50e3 {
                        row.samples.clear();
                        row.skipped = Some(format!("predicted {:.0} ms", time / 1e3));
                    }
                    row
                }));
            }
        }
    }
    for (runner, composite) in [("pixel-loop", 700.0), ("read-lane-loop", 5600.0)] {
        let passes = [
            (Pass::Lists, 540.0),
            (Pass::Surface, 62.0),
            (Pass::Composite, composite),
        ];
        let passes = passes.map(|(pass, time)| samples_of(pass, times(1, ROUNDS, time, 0.01)));
        rows.push(Row {
            passes: passes.to_vec(),
            facts: vec![("list entries".to_owned(), 4.1e6)],
            ..row(scene(), runner, composite)
        });
    }
    let points = Work::Case {
        name: "points".to_owned(),
    };
    rows.push(row(points, "pixel-loop", 190.0));
    with_rows(rows)
}

pub(super) fn with_rows(rows: Vec<Row>) -> Record {
    Record {
        schema: SCHEMA,
        program: "wavelerp 0.1.0".to_owned(),
        git: "0123abc".to_owned(),
        shaders: None,
        unchecked_shaders: true,
        date: "2026-01-31".to_owned(),
        adapter: Adapter {
            name: "NVIDIA H200".to_owned(),
            driver: "580.159".to_owned(),
            backend: "Vulkan".to_owned(),
            is_cpu: false,
            wave_min: 32,
            wave_max: 32,
        },
        clock: Some(crate::model::Clock::default()),
        command: "wavelerp bench --quick".to_owned(),
        rounds: ROUNDS as u32,
        notes: Vec::new(),
        rows,
    }
}

pub(super) fn lists_row(outputs: [u32; 2], layers: u32, runner: &str, median: f64) -> Row {
    let work = Work::Lists(ListWork {
        outputs,
        layers,
        cost: Cost::Cheap,
        kind: ListKind::Particles,
    });
    row(work, runner, median)
}

/// A row with reproducible noise, seeded by work and runner.
fn row(work: Work, runner: &str, median: f64) -> Row {
    let label = format!("{work} {runner}");
    let seed = label.bytes().fold(7, |hash: u64, byte| {
        hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
    });
    let name = runner.split(' ').next().unwrap_or_default();
    Row {
        wave_size: Some(32),
        samples: times(seed, ROUNDS, median, 0.012),
        ..Row::new(work, Method::by_name(name).ok(), runner.to_owned())
    }
}

fn samples_of(pass: Pass, samples: Vec<f64>) -> PassSamples {
    PassSamples {
        label: pass.label().to_owned(),
        samples,
    }
}

fn scene() -> Work {
    Work::Scene {
        name: "temple".to_owned(),
        size: [1920, 1080],
        tile: 16,
        fog: FogMode::Layers,
    }
}

/// A scene with methods of different errors. The Pareto front is `average`, `weighted paper8`, `auto`.
pub(super) fn with_errors() -> Record {
    let of = |(runner, time, rmse): (&str, f64, f64)| {
        let passes = [
            (Pass::Project, 10.0),
            (Pass::Composite, time),
            (Pass::Bloom, 99.0),
        ];
        Row {
            samples: vec![time; 3],
            passes: passes
                .map(|(pass, time)| samples_of(pass, vec![time; 3]))
                .to_vec(),
            errors: Some(Errors {
                before: Linear {
                    rmse,
                    ..Linear::default()
                },
                ..Errors::default()
            }),
            ..row(scene(), runner, time)
        }
    };
    let rows = [
        ("auto (pixel-loop)", 40.0, 0.0),
        ("average", 10.0, 0.2),
        ("weighted paper7", 15.0, 0.3),
        ("weighted paper8", 20.0, 0.1),
    ];
    with_rows(rows.map(of).to_vec())
}
