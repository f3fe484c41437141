//! Compositing in half floats (`--precision half`): its bound on lists that break things, who takes it, and who
//! refuses it.

use wavelerp::methods::Specialization;
use wavelerp::model::methods::{Method, Source, Stored, Trait};
use wavelerp::model::options::{Dial, FrameOptions, Options, Precision};
use wavelerp::model::reference::half::MOST_RUN;
use wavelerp::model::reference::stress::{StressList, stress_lists};
use wavelerp::model::{Capabilities, Feature};
use wavelerp::runs::verify::checks::Check;

use crate::faults::Fault;
use crate::harness::Harness;

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

fn checks(harness: &Harness, options: Options, fault: Option<Fault>) -> Vec<Check> {
    let mut lists: Vec<StressList> = stress_lists(8, 7);
    lists.retain(|list| list.layers.len() <= 100);
    let methods = [Method::PixelLoopStaged];
    harness.checks(&harness.pipelines, &methods, &options, fault, &lists)
}

#[test]
fn every_dial_and_tile_meets_the_bound_of_half_floats_on_stress_lists() {
    let harness = Harness::new();
    for (tile, dial) in [8, 16]
        .into_iter()
        .flat_map(|tile| DIALS.map(|dial| (tile, dial)))
    {
        let checks = checks(&harness, in_half(tile, dial), None);
        assert!(checks.len() > 20);
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert!(failed.is_empty(), "tile {tile}, {dial}: {failed:#?}");
        let most = checks.iter().map(|check| check.max_ulp).fold(0.0, f64::max);
        assert!(most > 100.0, "tile {tile}, {dial}: {most} ULP are f32's");
    }
    let spoiled = checks(&harness, in_half(8, Dial::Pixels(4)), Some(Fault::Swap));
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
fn half_floats_concern_the_methods_that_say_so_and_auto_never_chooses_them() {
    let caps = Capabilities {
        wave_max: 32,
        waves: true,
        ..Capabilities::default()
    };
    for method in Method::all() {
        let variant = |precision| {
            let options = Options {
                frame: FrameOptions {
                    precision,
                    ..(in_half(8, Dial::Pixels(4))).frame
                },
                method: (in_half(8, Dial::Pixels(4))).method,
            };
            options.specialize(method).variant(&caps)
        };
        let is_other = variant(Precision::Half) != variant(Precision::Full);
        assert_eq!(is_other, method.has(Trait::TakesHalf), "{method}");
        assert!(
            !variant(Precision::Full).features.contains(&Feature::Half),
            "{method}"
        );
    }
}

#[test]
fn half_floats_are_refused_where_the_adapter_has_none_or_no_method_takes_them() {
    let specialization = in_half(8, Dial::Pixels(4)).specialize(Method::PixelLoopStaged);
    let without = Capabilities {
        name: "an old GPU".to_owned(),
        ..Capabilities::default()
    };
    let refused = specialization.check(&without).expect_err("it is refused");
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
    let refused = Precision::Half.check(&methods).expect_err("it is refused");
    assert!(
        refused.to_string().contains("pixel-loop-staged"),
        "{refused}"
    );
    assert!(Precision::Full.check(&methods).is_ok());
    let mixed = [Method::PixelLoop, Method::PixelLoopStaged];
    assert!(Precision::Half.check(&mixed).is_ok());
}
