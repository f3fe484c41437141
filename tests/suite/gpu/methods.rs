//! Each method on given layers: the kernels that frames use are compared with f64.

use std::collections::BTreeSet;

use wavelerp::gpu::Pipelines;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{Hazard, ListOrder, Options};
use wavelerp::model::reference::composite::{Layer, composite, error_bound};
use wavelerp::model::reference::stress::random_layers;
use wavelerp::runs::verify::checks::{Check, lists};
use wavelerp::runs::verify::facts::facts;
use wavelerp::runs::verify::table::{Table, as_seen_by};

use crate::harness::{Harness, edited, error_over_bound, rows};

fn options(pixels_per_wave: u32, hazard: Hazard) -> Options {
    Options::default().with_method(|method| {
        method.pixels_per_wave = pixels_per_wave;
        method.hazard = hazard;
    })
}

/// Checks of the given methods on all stress lists.
fn checks(
    harness: &Harness,
    pipelines: &Pipelines,
    methods: &[Method],
    options: &Options,
) -> Vec<Check> {
    let lists = lists(&harness.gpu.caps, methods, 7);
    harness.checks(pipelines, methods, options, &lists)
}

#[test]
fn a_shader_reads_the_expected_wave_size() {
    let harness = Harness::new();
    let facts = facts(&harness.gpu, &harness.pipelines).expect("facts");
    let Ok(expected) = std::env::var("WAVELERP_EXPECT_WAVE") else {
        return assert!(facts.wave_size.is_some(), "a wave size was read");
    };
    assert_eq!(facts.wave_size.map(|size| size.to_string()), Some(expected));
}

#[test]
fn every_method_meets_its_bound_on_every_stress_list() {
    let harness = Harness::new();
    for (pixels_per_wave, hazard) in [
        (1, Hazard::Driver),
        (8, Hazard::Driver),
        (64, Hazard::Driver),
        (8, Hazard::DriverGuarded),
        (8, Hazard::DivisionGuarded),
    ] {
        let methods = harness.exact_methods();
        let options = options(pixels_per_wave, hazard);
        let checks = checks(&harness, &harness.pipelines, &methods, &options);
        assert!(checks.len() >= methods.len() * 63);
        assert!(checks.iter().any(holds_an_opaque_layer));
        // A NaN always fails.
        let is_wrong = |check: &&Check| !check.passed || check.nan_count > 0;
        let failed: Vec<_> = checks.iter().filter(is_wrong).collect();
        assert!(failed.is_empty(), "{options:?}: {failed:#?}");
    }
}

mod controls {
    use super::*;

    /// Planted faults, each with a method that must fail because of the fault.
    const FAULTS: &str = "
wave/lerp_last | (prefix * factor, last_lane) | (prefix * factor, last_lane - min(last_lane, 1u)) | wave-lerp-ballot
methods/wave_lerp_deferred | part.a * carry, | carry, | wave-lerp-deferred
methods/block | front.a * group.a, | group.a, | wave-lerp-product
common/fold | front.a * back.a) | back.a) | split-depth
layers/sources/table | table[layer]) | table[layer ^ 1u]) | pixel-loop
methods/list | pixel.x] = composite; | (pixel.x ^ 1u)] = composite; | pixel-loop
";

    #[test]
    fn every_planted_fault_is_caught() {
        let harness = Harness::new();
        for [module, find, replace, name] in rows(FAULTS) {
            let method = Method::all().find(|method| method.name() == name);
            let methods = [method.expect("a method")];
            let pipelines = edited(module, find, replace);
            let checks = checks(&harness, &pipelines, &methods, &options(8, Hazard::Driver));
            let is_caught = checks.iter().any(|check| !check.passed);
            assert!(is_caught, "{module} with `{replace}`");
        }
    }
}

fn holds_an_opaque_layer(check: &Check) -> bool {
    check.list.starts_with("opaque") && check.layers > 0
}

#[test]
fn an_opaque_layer_is_nan_under_division_for_the_methods_with_a_prefix_product_alone() {
    let harness = Harness::new();
    // Other compilers may evaluate 0/0 in any way.
    if !harness.gpu.caps.is_cpu && !harness.gpu.caps.name.contains("NVIDIA") {
        return;
    }
    let (methods, options) = (harness.exact_methods(), options(8, Hazard::Division));
    let checks = checks(&harness, &harness.pipelines, &methods, &options);
    for check in &checks {
        let hazardous = check.method.uses_prefix_product() && holds_an_opaque_layer(check);
        let expected = if hazardous { 64 } else { 0 };
        assert_eq!(check.nan_count, expected, "{check:?}");
    }
    let hit = checks.iter().filter(|check| check.nan_count > 0);
    let hit: BTreeSet<Method> = hit.map(|check| check.method).collect();
    let prefix = methods.into_iter();
    let prefix = prefix.filter(|method| method.uses_prefix_product());
    assert!(hit.into_iter().eq(prefix));
}

/// Layers of a list too long for one dispatch on any driver that limits loop iterations.
const LONG: usize = 70_000;

/// Expected value and tolerance of a pixel.
type Expected = [[f64; 4]; 2];

/// A long list, and the expected value of each pixel of its tile.
fn long_list() -> (Vec<Layer>, Vec<Expected>) {
    let list = random_layers(LONG, 3, 4.0 / LONG as f32);
    let of_pixel = |in_tile: u32| {
        let seen = as_seen_by(&list, in_tile);
        [composite(&seen).channels(), error_bound(&seen)]
    };
    let expected = (0..64).map(of_pixel).collect();
    (list, expected)
}

/// Largest relative error of any channel over the pixels of a long list's tile, and true if all errors are within the
/// rounding bound. The bound grows with n and is loose here. Since rounding errors have either sign, the true error
/// stays below a thousandth, unless a part of the list is lost.
fn error_of(
    harness: &Harness,
    method: Method,
    (list, expected): &(Vec<Layer>, Vec<Expected>),
) -> (f64, bool) {
    let table =
        Table::new(&harness.gpu, &[list], 8, false, ListOrder::Sorted).expect("enough memory");
    let options = options(64, Hazard::Driver);
    let specialization = options.specialize(method);
    let result = table.result(&harness.gpu, &harness.pipelines, specialization);
    let result = harness.gpu.finish(result).expect("the work runs");
    let (mut worst, mut within) = (0f64, true);
    let pixels = &result.lists[0];
    assert_eq!(pixels.len(), expected.len());
    for (pixel, [channels, bound]) in pixels.iter().zip(expected) {
        worst = worst.max(error_over_bound(*channels, *channels, *pixel));
        within &= error_over_bound(*channels, *bound, *pixel) <= 1.0;
    }
    (worst, within)
}

#[test]
fn a_list_beyond_the_drivers_limit_on_loop_turns_loses_nothing() {
    let harness = Harness::new();
    let list = long_list();
    let mut failures = Vec::new();
    // In half floats, the transmittance of such a thin layer rounds to 1.
    for method in harness.methods_in_f32() {
        let (error, within) = error_of(&harness, method, &list);
        if !within || error > 1e-3 {
            failures.push(format!(
                "{method}: relative error {error:.3e}, within {within}"
            ));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn without_the_split_a_long_list_loses_layers_where_turns_are_limited() {
    let mut harness = Harness::new();
    if harness.gpu.caps.loop_turns.take().is_none() {
        return;
    }
    let (error, _) = error_of(&harness, Method::ReadLaneLoop, &long_list());
    assert!(error > 1e-3, "this driver has no limit: {error:.3e}");
}
