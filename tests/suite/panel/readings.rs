//! Readings of a busy window: metrics, a probed pixel, measured times.

use std::path::Path;
use std::sync::LazyLock;

use wavelerp::frame::Counters;
use wavelerp::live::inspect::{FOG, ProbedLayer};
use wavelerp::live::{LiveMetrics, LiveProbe, Measurement, PassTimes, ProbeResult};
use wavelerp::methods::Specialization;
use wavelerp::methods::auto::{self, Choice, Facts};
use wavelerp::model::items::{ItemCounts, ItemKind};
use wavelerp::model::methods::Method;
use wavelerp::model::passes::{Label, Pass};
use wavelerp::model::{Clock, ClockSource};
use wavelerp::report::metrics::Metrics;
use wavelerp::report::range::Histogram;
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::shaders::ShaderStatus;

/// The worst pixel of the metrics.
pub const WORST: [u32; 2] = [123, 45];
/// The probed pixel.
pub const PROBED: [u32; 2] = [1, 2];

static TIMES: LazyLock<Vec<PassTimes>> = LazyLock::new(|| {
    let row = |label: Label, start: f64| PassTimes {
        label,
        samples: (0..60).map(|n| start + 0.01 * f64::from(n % 7)).collect(),
        taken: 60,
        frame: 60,
        of: 1,
    };
    vec![
        row(Pass::Simulate.into(), 0.02),
        row(Pass::Bin.into(), 0.11),
        row(Pass::Lists.into(), 0.44),
        row(Pass::Light.into(), 0.12),
        row(Label::of(Method::WaveLerpDeferred), 6.1),
        row(Pass::Resolve.into(), 0.05),
    ]
});

static METRICS: LazyLock<LiveMetrics> = LazyLock::new(|| LiveMetrics {
    metrics: Metrics {
        max_abs: 4.2e-7,
        mean_abs: 1.1e-8,
        rmse: 2.5e-8,
        max_ulp: 3.5,
        differing_pixels: 51_234,
        nan_count: 0,
        worst_pixel: Some(WORST),
    },
    over_threshold: 0,
    peak: 3.75,
    psnr: Some(163.5),
    differences: Histogram::of(&[4.2e-7, 1.1e-8]),
    shown_rmse: 2.1e-8,
    shown_max: 3.9e-7,
});

/// A curve of light that falls faster than the true one; exact methods have no curve.
fn curve(method: Method) -> Vec<[f64; 2]> {
    let points = (0..80).map(|n| [0.3 + 0.25 * f64::from(n), 0.95f64.powi(n)]);
    points.filter(|_| !method.is_exact()).collect()
}

static PROBE: LazyLock<LiveProbe> = LazyLock::new(|| {
    let layer = |n: u32| ProbedLayer {
        color: [0.2 + 0.01 * n as f32, 0.5, 0.9 - 0.01 * n as f32],
        opacity: 0.02 + 0.1 * f32::from(u8::from(n.is_multiple_of(9))),
        depth: 0.3 + 0.25 * n as f32,
        word: if n.is_multiple_of(3) { n } else { FOG | n },
        ..ProbedLayer::default()
    };
    let result = |method: Method| ProbeResult {
        method,
        wave_size: method.uses_waves().then_some(32),
        value: [0.5, 0.25, 0.125, 0.0625],
        expected: Some([0.5, 0.25, 0.125, 0.0625]),
        curve: curve(method),
        error_ulp: Some(0.5),
        frame: 1,
    };
    LiveProbe {
        pixel: PROBED,
        list_length: 80,
        layers: (0..80).map(layer).collect(),
        background: [0.1, 0.2, 0.3],
        results: Method::all().map(result).collect(),
        frame: 1,
        generation: 1,
    }
});

static CLOCK: LazyLock<Clock> = LazyLock::new(|| Clock {
    source: ClockSource::Timestamps,
    reason: "they grow with the work and agree with the wall clock".to_owned(),
    submission: 0.02,
});

static MEASUREMENT: LazyLock<Measurement> = LazyLock::new(|| {
    let methods = vec![
        Method::PixelLoop,
        Method::ReadLaneLoop,
        Method::WaveLerpDeferred,
        Method::Average,
        Method::Weighted,
        Method::Mlab,
    ];
    let error = |rmse: f64| {
        Some(LiveMetrics {
            shown_rmse: rmse,
            shown_max: 8.0 * rmse,
            ..LiveMetrics::default()
        })
    };
    Measurement {
        clock: CLOCK.clone(),
        wave_sizes: vec![None, Some(32), Some(32), None, None, None],
        conditions: None,
        rounds: 30,
        done: 1.0,
        doing: String::new(),
        seconds_left: None,
        samples: vec![
            vec![2.0, 2.01, 2.02, 2.01, 2.5],
            vec![2.0; 30],
            vec![1.0; 30],
            vec![0.75; 30],
            vec![1.5; 30],
            vec![0.875; 30],
        ],
        // Unsorted lists take a little longer here than sorted ones.
        inputs: [0.25, 0.25, 0.25, 0.3, 0.3, 0.3].map(Some).to_vec(),
        errors: [0.0, 2e-8, 3e-8, 0.17, 0.3, 0.12].map(error).to_vec(),
        finished: true,
        of: methods.iter().copied().map(Specialization::new).collect(),
        methods,
    }
});

static CHOICE: LazyLock<Choice> = LazyLock::new(|| {
    let asked = Specialization::new(Method::Auto);
    let facts = Facts {
        pixels: 160 * 88,
        mean: 120.0,
        longest: 412,
        ..Facts::default()
    };
    auto::choice(&super::adapter(), asked, &facts)
});

static SHADERS: LazyLock<ShaderStatus> =
    LazyLock::new(|| ShaderStatus::new(Some((Path::new("/project/shaders"), "all files"))));

/// Readings of a window that has measured everything.
pub fn rich() -> Readings<'static> {
    let metrics = (0..100).map(|n| {
        let wobble = 1.0 + 0.3 * f64::from(n % 11);
        [4.2e-7 * wobble, 2.5e-8 * wobble]
    });
    Readings {
        clock: Some(&CLOCK),
        times: &TIMES,
        counters: Counters {
            entries: 250_000,
            visible: 61_234,
            longest_list: 412,
            listed_layers: 1_171_600,
            ..Counters::default()
        },
        cpu_ms: 0.42,
        size: [1280, 720],
        frame_seconds: Some(0.0166),
        tiles: 14_400,
        counts: ItemCounts::only(ItemKind::Particle, 300_000),
        wave_sizes: [Some(32), Some(32)],
        metrics: Some(&METRICS),
        metrics_history: metrics.collect(),
        probe: Some(&PROBE),
        measurement: Some(&MEASUREMENT),
        choice: Some(&CHOICE),
        memory: vec![("particles", 4_800_000), ("layers", 14_000_000)],
        debug_range: [0.0, 412.0],
        presets: vec!["mine".to_owned()],
        shaders: Some(&SHADERS),
        ..Readings::default()
    }
}
