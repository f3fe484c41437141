//! Approximate methods: each kernel against its twin on stress lists, with planted faults, and in frames.

use wavelerp::gpu::Pipelines;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{ListOrder, MethodOptions, OpacityCounts, Options};
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

#[test]
fn weighted_blending_is_its_twin_at_every_end_of_its_dials() {
    let harness = Harness::new();
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
    let mut lists = Vec::new();
    for (kind, count) in KINDS
        .into_iter()
        .flat_map(|kind| [1, 9, 60].map(|count| (kind, count)))
    {
        let layers = stress_list(kind, count, 1);
        lists.push(StressList { kind, layers });
    }
    let mut is_first = true;
    for method in cases {
        let options = Options {
            method,
            ..Options::default()
        };
        let by = |fault| {
            let options = CheckOptions {
                options,
                seed: 1,
                fault,
            };
            let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
            let methods = [Method::Weighted];
            let checks = run_on(gpu, pipelines, &methods, &options, &lists, &mut |_| Ok(()));
            checks.expect("checks run")
        };
        for check in by(None) {
            assert!(check.passed && check.nan_count == 0, "{method:?} {check:?}");
        }
        // The layers in front have exchanged their depths, too.
        if std::mem::take(&mut is_first) || method.weight_storage == Storage::F16U8 {
            assert!(by(Some(Fault::Swap)).iter().any(|check| !check.passed));
        }
    }
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
    let scene = scene("stress");
    let mut settings = settings(&scene, [97, 55], 700, 7);
    settings.options.frame.order = order;
    let picture = harness
        .capture_for(&scene, &settings, &[method])
        .picture(method);
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
        assert_eq!(
            moved > 1e-3,
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
