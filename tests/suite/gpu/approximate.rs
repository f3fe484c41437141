//! Approximate methods: each kernel against its twin on stress lists, with planted faults, and in frames.

use wavelerp::gpu::Pipelines;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{ListOrder, MethodOptions, OpacityCounts, Options};
use wavelerp::model::reference::oit::stochastic::{Mode, Noise};
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

/// Checks a method against its twin on short stress lists under each of `cases`, and that it is found where `fault` breaks it.
fn is_its_twin_at(
    method: Method,
    cases: &[MethodOptions],
    fault: impl Fn(&MethodOptions) -> Option<Fault>,
) {
    let harness = Harness::new();
    let mut lists = Vec::new();
    for (kind, count) in KINDS
        .into_iter()
        .flat_map(|kind| [1, 9, 60].map(|count| (kind, count)))
    {
        let layers = stress_list(kind, count, 1);
        lists.push(StressList { kind, layers });
    }
    for case in cases {
        let by = |fault: Option<Fault>| {
            let options = Options {
                method: *case,
                ..Options::default()
            };
            let options = CheckOptions {
                options,
                seed: 1,
                fault,
            };
            let pipelines = Pipelines::new(source(fault.map(Fault::edits).unwrap_or_default()));
            let gpu = &harness.gpu;
            let checks = run_on(
                gpu,
                &pipelines,
                &[method],
                &options,
                &lists,
                &mut |_| Ok(()),
            );
            checks.expect("checks run")
        };
        for check in by(None) {
            assert!(check.passed && check.nan_count == 0, "{case:?} {check:?}");
        }
        if let Some(fault) = fault(case) {
            let is_found = by(Some(fault)).iter().any(|check| !check.passed);
            assert!(is_found, "{case:?} {fault:?}");
        }
    }
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
    let plain = cases[0];
    // The layers in front have exchanged their depths, too.
    is_its_twin_at(Method::Weighted, &cases, |case| {
        let is_asked = *case == plain || case.weight_storage == Storage::F16U8;
        is_asked.then_some(Fault::Swap)
    });
}

#[test]
fn a_weighted_sum_is_its_twin_at_every_end_of_its_dials() {
    let dials = [
        (100.0, 1.0, 1.0),
        (1.0, 1.0, 1.0),
        (1e4, 1e3, 1e-3),
        (100.0, 0.0, 1.0),
        (100.0, 1.0, 1e3),
    ];
    let cases = dials.map(|(sum_reach, sum_scale, sum_background)| MethodOptions {
        sum_reach,
        sum_scale,
        sum_background,
        ..MethodOptions::default()
    });
    is_its_twin_at(Method::WeightedSum, &cases, |case| {
        // Without weights there is nothing but background.
        (case.sum_scale > 0.0).then_some(Fault::Pixel)
    });
}

#[test]
fn stochastic_transparency_is_its_twin_at_every_end_of_its_dials() {
    let dials = [
        (1, Mode::Mean, Noise::Stable),
        (1, Mode::DepthOnly, Noise::White),
        (7, Mode::AlphaCorrected, Noise::White),
        (33, Mode::Mean, Noise::Blue),
        (64, Mode::AlphaCorrected, Noise::Stable),
        (64, Mode::DepthOnly, Noise::Blue),
    ];
    let cases = dials.map(|(samples, estimate, noise)| MethodOptions {
        samples,
        estimate,
        noise,
        ..MethodOptions::default()
    });
    // Other layers are in front, and cover other samples.
    is_its_twin_at(Method::Stochastic, &cases, |_| Some(Fault::Swap));
}

#[test]
fn peeling_and_a_buffer_are_their_twin_at_every_end_of_their_dials() {
    let usual = MethodOptions::default();
    let peels = [1, 4, 64].map(|peels| MethodOptions { peels, ..usual });
    is_its_twin_at(Method::Peeling, &peels, |_| Some(Fault::Swap));
    let passes = [(8, 1), (16, 1), (8, 64), (16, 4)];
    let passes = passes.map(|(capacity, passes)| MethodOptions {
        capacity,
        passes,
        ..usual
    });
    is_its_twin_at(Method::ABuffer, &passes, |_| Some(Fault::Swap));
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

/// Whether a method keeps the exact transmittance.
fn keeps_transmittance(method: Method) -> bool {
    // Stochastic transparency does so unless its estimate is the mean.
    ![Method::WeightedSum, Method::Peeling].contains(&method)
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
        // Hardly a pixel of this frame has more layers than an A-buffer takes.
        if method == Method::ABuffer {
            continue;
        }
        assert!(far(&exact, &shuffled) > 1e-2, "{method} is no exact one");
        let transmittance =
            |of: &[[f32; 4]]| -> Vec<[f32; 4]> { of.iter().map(|[.., kept]| [*kept; 4]).collect() };
        let kept = far(&transmittance(&exact), &transmittance(&shuffled));
        assert_eq!(kept < 1e-4, keeps_transmittance(method), "{method}: {kept}");
    }
}
