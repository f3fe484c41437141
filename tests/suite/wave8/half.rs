//! Compositing in half floats (`--precision half`): the error bound on difficult lists, and which methods support it.

use wavelerp::gpu::Pipelines;
use wavelerp::methods::Specialization;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::{Method, Source, Stored};
use wavelerp::model::options::{Dial, Options, Precision};
use wavelerp::model::reference::half::MOST_RUN;
use wavelerp::model::reference::stress::{StressList, stress_lists};
use wavelerp::runs::verify::checks::Check;

use crate::harness::{Harness, SWAPPED, source};

const DIALS: [Dial; 4] = [
    Dial::Threads(1),
    Dial::Pixels(2),
    Dial::Pixels(4),
    Dial::Pixels(8),
];

fn in_half(tile: u32, dial: Dial) -> Options {
    Options::default()
        .with_frame(|frame| {
            frame.tile = tile;
            frame.precision = Precision::Half;
        })
        .at(dial)
}

fn checks(harness: &Harness, pipelines: &Pipelines, options: Options) -> Vec<Check> {
    let mut lists: Vec<StressList> = stress_lists(8, 7);
    lists.retain(|list| list.layers.len() <= 100);
    let methods = [Method::PixelLoopStaged];
    harness.checks(pipelines, &methods, &options, &lists)
}

#[test]
fn every_dial_and_tile_meets_the_bound_of_half_floats_on_stress_lists() {
    let harness = Harness::new();
    for (tile, dial) in [
        (8, Dial::Threads(1)),
        (8, Dial::Pixels(8)),
        (16, Dial::Pixels(2)),
    ] {
        let checks = checks(&harness, &harness.pipelines, in_half(tile, dial));
        assert!(checks.len() > 20);
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert!(failed.is_empty(), "tile {tile}, {dial}: {failed:#?}");
        let most = checks.iter().map(|check| check.max_ulp).fold(0.0, f64::max);
        assert!(most > 100.0, "tile {tile}, {dial}: {most} ULP are f32's");
    }
    let swapped = Pipelines::new(source([SWAPPED]));
    let spoiled = checks(&harness, &swapped, in_half(8, Dial::Pixels(8)));
    assert!(spoiled.iter().any(|check| !check.passed), "layers swapped");
}

#[test]
fn no_run_is_longer_than_that_of_the_bound() {
    let caps = Capabilities {
        wave_max: 32,
        max_workgroup_bytes: 32_768,
        ..Capabilities::default()
    };
    let sources = [
        Source::default(),
        Source::Cloud(Stored::Halves),
        Source::Gaussians(Stored::Halves),
    ];
    for ((tile, dial), source) in [8, 16]
        .into_iter()
        .flat_map(|tile| DIALS.map(|dial| (tile, dial)))
        .flat_map(|case| sources.map(|source| (case, source)))
    {
        let specialization = Specialization {
            source,
            ..in_half(tile, dial).specialize(Method::PixelLoopStaged)
        };
        let geometry = specialization.geometry(&caps);
        let tiles = (geometry.pixels / (tile * tile)).max(1);
        let run = (geometry.staged / tiles) as usize;
        assert!(run > 0 && MOST_RUN.is_multiple_of(run));
    }
}

#[test]
fn half_floats_are_refused_where_the_adapter_has_none_or_no_method_takes_them() {
    let specialization = in_half(8, Dial::Pixels(4)).specialize(Method::PixelLoopStaged);
    let without = Capabilities {
        name: "an old GPU".to_owned(),
        ..Capabilities::default()
    };
    let refused = specialization.check(&without).expect_err("a refusal");
    let message = refused.to_string();
    assert!(
        message.contains("an old GPU has no half floats"),
        "{message}"
    );
    let other = in_half(8, Dial::Pixels(4)).specialize(Method::WaveTree);
    assert!(other.check(&without).is_ok());
    let with = Capabilities {
        half_floats: true,
        ..without
    };
    assert!(specialization.check(&with).is_ok());

    let methods = [Method::PixelLoop, Method::WaveTree];
    let refused = Precision::Half.check(&methods).expect_err("a refusal");
    assert!(
        refused.to_string().contains("pixel-loop-staged"),
        "{refused}"
    );
    assert!(Precision::Full.check(&methods).is_ok());
    let mixed = [Method::PixelLoop, Method::PixelLoopStaged];
    assert!(Precision::Half.check(&mixed).is_ok());
}
