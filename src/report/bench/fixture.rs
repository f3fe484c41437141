//! Records for tests. Times follow a rough model of a large GPU (microseconds = launch + pixels · layers · throughput
//! + layers · latency), with noise and outliers. Only their shape is that of a GPU.

use super::record::{PassSamples, Record, Row, SCHEMA, Work};
use super::stats::tests::times;
use crate::model::Adapter;
use crate::model::methods::{Cost, ListKind, Method};
use crate::model::options::FogMode;
use crate::model::passes::Pass;
use crate::report::errors::{Errors, Linear};

const ROUNDS: usize = 30;
const OUTPUTS: [[u32; 2]; 4] = [[32, 32], [64, 64], [256, 256], [1920, 1080]];
/// Method, dial, launch (µs), throughput (1e-6 µs per pixel-layer), latency (µs per layer).
const MODEL: [(Method, &str, f64, f64, f64); 7] = [
    (Method::PixelLoop, "", 2.0, 1.48, 0.186),
    (Method::ReadLaneLoop, "P=32", 2.0, 15.8, 0.69),
    (Method::WaveLerpProduct, "P=1", 2.0, 11.0, 0.034),
    (Method::WaveLerpProduct, "P=32", 2.0, 4.6, 0.39),
    (Method::WaveLerpDeferred, "P=32", 2.0, 4.02, 0.34),
    (Method::PixelLoopStaged, "4p", 2.3, 0.55, 0.09),
    (Method::FixedFunctionF16, "", 9.0, 0.9, 0.02),
];
/// Passes of a frame in microseconds. The first scene has no bloom, as scenes need not have the same passes.
const PASSES: [(Pass, f64); 5] = [
    (Pass::Lists, 540.0),
    (Pass::Surface, 62.0),
    (Pass::Composite, 700.0),
    (Pass::Resolve, 18.0),
    (Pass::Bloom, 35.0),
];

pub(super) fn large_gpu() -> Record {
    let mut rows = Vec::new();
    for (cost, kind, factor) in [
        (Cost::Cheap, ListKind::Particles, 1.0),
        (Cost::Textured, ListKind::Mixed, 1.7),
    ] {
        for outputs in OUTPUTS {
            for layers in [4, 16, 64, 256, 1024, 4096] {
                rows.extend(model_rows(outputs, layers, cost, kind, factor));
            }
        }
    }
    rows.extend(scene_rows("temple", &PASSES[..4]));
    rows.extend(scene_rows("harbour", &PASSES));
    rows.extend(case_rows());
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

pub(super) fn lists_row(
    outputs: [u32; 2],
    layers: u32,
    method: &str,
    dial: &str,
    median: f64,
) -> Row {
    let work = lists(outputs, layers, Cost::Cheap, ListKind::Particles);
    let method = Method::by_name(method).expect("a method of the table");
    row(work, Some(method), dial, median)
}

/// A row whose noise is seeded by work and runner, so that it is reproducible.
pub(super) fn row(work: Work, method: Option<Method>, dial: &str, median: f64) -> Row {
    let name = method.map_or("", Method::name);
    let runner = format!("{name} {dial}").trim().to_owned();
    let label = format!("{work} {runner}");
    let seed = label.bytes().fold(7, |hash: u64, byte| {
        hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
    });
    Row {
        wave_size: Some(32),
        dispatches: if median < 50.0 { 16 } else { 1 },
        samples: times(seed, ROUNDS, median, 0.012),
        ..Row::new(work, method, runner)
    }
}

fn model_rows(outputs: [u32; 2], layers: u32, cost: Cost, kind: ListKind, factor: f64) -> Vec<Row> {
    let [pixels, depth] = [outputs[0] * outputs[1], layers].map(f64::from);
    let rows = MODEL.map(|(method, dial, launch, throughput, latency)| {
        let waves = if method.uses_waves() { factor } else { 1.0 };
        let evaluation = (pixels * throughput * 1e-6 + latency) * depth * factor * waves;
        let work = lists(outputs, layers, cost, kind);
        let mut row = row(work, Some(method), dial, launch + evaluation);
        if evaluation > 200e3 {
            row.samples.clear();
            row.skipped = Some(format!("predicted {:.0} ms a dispatch", evaluation / 1e3));
        }
        row
    });
    rows.to_vec()
}

fn lists(outputs: [u32; 2], layers: u32, cost: Cost, kind: ListKind) -> Work {
    Work::Lists {
        outputs,
        layers,
        cost,
        kind,
    }
}

fn scene_rows(name: &str, drawn: &[(Pass, f64)]) -> Vec<Row> {
    let of = |(method, factor): (Method, f64)| {
        let work = Work::Scene {
            name: name.to_owned(),
            size: [1920, 1080],
            tile: 16,
            fog: FogMode::Layers,
        };
        let mut row = row(work, Some(method), "", 700.0 * factor);
        let passes = drawn.iter().map(|&(pass, time)| {
            let factor = if pass == Pass::Composite { factor } else { 1.0 };
            samples_of(pass, times(1, ROUNDS, time * factor, 0.01))
        });
        row.passes = passes.collect();
        row.facts = vec![("list entries".to_owned(), 4.1e6)];
        row
    };
    let methods = [(Method::PixelLoop, 1.0), (Method::ReadLaneLoop, 8.0)];
    methods.map(of).to_vec()
}

fn samples_of(pass: Pass, samples: Vec<f64>) -> PassSamples {
    PassSamples {
        label: pass.label().to_owned(),
        samples,
    }
}

fn case_rows() -> Vec<Row> {
    let case = |name: &str| Work::Case {
        name: name.to_owned(),
    };
    // A case without methods, from an older version.
    let mut sort = row(case("sort 1000000"), None, "", 280.0);
    sort.runner = "radix sort".to_owned();
    vec![
        row(case("points"), Some(Method::PixelLoop), "", 190.0),
        sort,
    ]
}

/// A scene with methods of different errors: the front is `average`, `weighted paper8`, `auto`.
pub(super) fn with_errors() -> Record {
    let of = |(runner, time, rmse): (&str, f64, f64)| {
        let work = Work::Scene {
            name: "temple".to_owned(),
            size: [640, 360],
            tile: 16,
            fog: FogMode::Layers,
        };
        let name = runner.split(' ').next().unwrap_or_default();
        let method = Method::by_name(name).ok();
        let pass = |(pass, time)| samples_of(pass, vec![time; 3]);
        let passes = [
            (Pass::Project, 10.0),
            (Pass::Composite, time),
            (Pass::Bloom, 99.0),
        ];
        Row {
            samples: vec![time; 3],
            passes: passes.map(pass).to_vec(),
            errors: Some(Errors {
                before: Linear {
                    rmse,
                    ..Linear::default()
                },
                ..Errors::default()
            }),
            ..Row::new(work, method, runner.to_owned())
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
