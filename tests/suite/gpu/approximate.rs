//! Approximate methods: each kernel against its twin on stress lists, with planted faults, and in frames.

use wavelerp::gpu::Pipelines;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{
    BinRange, ListOrder, MethodOptions, Moments, OpacityCounts, Options,
};
use wavelerp::model::reference::oit::weighted::{Storage, Weight};
use wavelerp::model::reference::stress::{KINDS, StressList, stress_list};
use wavelerp::runs::verify::checks::{Check, CheckOptions, run, run_on};
use wavelerp::runs::verify::faults::Fault;

use crate::harness::{Harness, scene, settings, source};

/// The checks of all approximate methods on all stress lists.
fn checked(harness: &Harness, fault: Option<Fault>) -> Vec<Check> {
    let pipelines = Pipelines::new(source(fault.map(Fault::edits).unwrap_or_default()));
    let options = CheckOptions {
        options: Options::default(),
        seed: 1,
        fault,
    };
    let methods: Vec<Method> = Method::approximate().collect();
    let checks = run(&harness.gpu, &pipelines, &methods, &options, |_| Ok(()));
    checks.expect("checks run")
}

#[test]
fn every_kernel_is_its_twin_on_stress_lists() {
    let harness = Harness::new();
    let checks = checked(&harness, None);
    for check in &checks {
        assert!(check.passed && check.nan_count == 0, "{check:?}");
    }
    for method in Method::approximate() {
        let own = || checks.iter().filter(|check| check.method == method);
        assert!(own().any(|check| check.layers == 3000));
        // Stress lists are in order: only list-order is exact there.
        let far = own()
            .filter_map(|check| check.from_exact)
            .fold(0.0, f64::max);
        assert_eq!(far < 1e-3, method == Method::ListOrder, "{method}: {far}");
    }
}

/// Demands that a method is its twin on short lists under each of these options, and, where it is said so, that it is not
/// where the layers in front have exchanged their opacities and colours.
fn is_its_twin(method: Method, cases: impl IntoIterator<Item = (MethodOptions, bool)>) {
    let harness = Harness::new();
    let mut lists = Vec::new();
    for (kind, count) in KINDS
        .into_iter()
        .flat_map(|kind| [1, 9, 60].map(|count| (kind, count)))
    {
        let layers = stress_list(kind, count, 1);
        lists.push(StressList { kind, layers });
    }
    for (of_method, is_spoiled) in cases {
        let by = |fault| {
            let options = CheckOptions {
                options: Options {
                    method: of_method,
                    ..Options::default()
                },
                seed: 1,
                fault,
            };
            let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
            let checks = run_on(gpu, pipelines, &[method], &options, &lists, &mut |_| Ok(()));
            checks.expect("checks run")
        };
        for check in by(None) {
            let is_right = check.passed && check.nan_count == 0;
            assert!(is_right, "{of_method:?} {check:?}");
        }
        if is_spoiled {
            let mut spoiled = by(Some(Fault::Swap)).into_iter();
            assert!(spoiled.any(|check| !check.passed), "{of_method:?}");
        }
    }
}

#[test]
fn a_histogram_is_its_twin_at_every_end_of_its_dials() {
    let ends = [8, 16, 32].into_iter();
    let ends = ends.flat_map(|bins| [BinRange::Camera, BinRange::Tile].map(|range| (bins, range)));
    let cases = ends.map(|(bins, bin_range)| {
        let method = MethodOptions {
            bins,
            bin_range,
            ..MethodOptions::default()
        };
        (method, true)
    });
    is_its_twin(Method::Histogram, cases);
}

#[test]
fn moments_are_their_twin_whatever_they_are_of() {
    let cases = Moments::ALL.map(|moments| {
        let method = MethodOptions {
            moments,
            ..MethodOptions::default()
        };
        (method, true)
    });
    is_its_twin(Method::Moment, cases);
}

#[test]
fn weighted_blending_is_its_twin_at_every_end_of_its_dials() {
    let mut cases: Vec<MethodOptions> = Vec::new();
    for weight in Weight::ALL {
        for (weight_scale, weight_opacity) in
            [(1.0, OpacityCounts::Twice), (0.01, OpacityCounts::Once)]
        {
            cases.push(MethodOptions {
                weight,
                weight_scale,
                weight_opacity,
                ..MethodOptions::default()
            });
        }
    }
    for (weight_storage, weight_slices, weight_scale) in [
        (Storage::F32, 4, 1.0),
        (Storage::F32, 16, 100.0),
        (Storage::F16U8, 1, 1.0),
        (Storage::F16U8, 16, 1.0),
    ] {
        cases.push(MethodOptions {
            weight_storage,
            weight_slices,
            weight_scale,
            ..MethodOptions::default()
        });
    }
    let cases = cases.into_iter().enumerate();
    let cases = cases.map(|(number, method)| {
        (
            method,
            number == 0 || method.weight_storage == Storage::F16U8,
        )
    });
    is_its_twin(Method::Weighted, cases);
}

#[test]
fn a_fault_in_any_kernel_is_found() {
    let harness = Harness::new();
    let checks = checked(&harness, Some(Fault::Pixel));
    for method in Method::approximate() {
        let mut own = checks.iter().filter(|check| check.method == method);
        assert!(own.any(|check| !check.passed), "{method}");
    }
}

/// The picture by a method on lists of an order.
fn picture(harness: &Harness, method: Method, order: ListOrder) -> Vec<[f32; 4]> {
    let mut scene = scene("stress");
    if !harness.gpu.caps.draws_with_depth {
        scene.meshes.clear();
        scene.ground = None;
    }
    let mut settings = settings(&scene, [97, 55], 700, 7);
    settings.options.frame.order = order;
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let capture =
        wavelerp::runs::capture::Capture::expecting(gpu, pipelines, &scene, settings, &[method]);
    let picture = capture.expect("a frame").picture(method);
    picture.expect("a picture").composite.pixels
}

fn far(a: &[[f32; 4]], b: &[[f32; 4]]) -> f32 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs
        .map(|(a, b)| (a - b).abs() / a.abs().max(1.0))
        .fold(0.0, f32::max)
}

#[test]
fn what_depends_on_order_does_and_what_does_not_does_not() {
    use ListOrder::{Item, Shuffled, Sorted};
    let harness = Harness::new();
    let exact = picture(&harness, Method::PixelLoop, Item);
    let sorted = picture(&harness, Method::ListOrder, Sorted);
    assert!(exact == sorted, "list-order is exact on sorted lists");
    for method in Method::approximate() {
        let [sorted, item, shuffled] =
            [Sorted, Item, Shuffled].map(|order| picture(&harness, method, order));
        let moved = far(&sorted, &item).max(far(&item, &shuffled));
        // Few layers make moments that rounding moves.
        let rounding = if method == Method::Moment { 0.2 } else { 1e-3 };
        assert_eq!(
            moved > rounding,
            method == Method::ListOrder,
            "{method}: {moved}"
        );
        assert!(far(&exact, &shuffled) > 1e-2, "{method} is no exact one");
        let transmittance =
            |of: &[[f32; 4]]| -> Vec<[f32; 4]> { of.iter().map(|[.., kept]| [*kept; 4]).collect() };
        let kept = far(&transmittance(&exact), &transmittance(&shuffled));
        assert!(kept < 1e-4, "{method}: {kept}");
    }
}
