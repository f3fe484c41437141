//! Approximate methods: each kernel against its twin on stress lists, with planted faults, and in frames.

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{
    BinRange, ListOrder, MethodOptions, Moments, OpacityCounts, Options,
};
use wavelerp::model::reference::oit::kbuffer::Tail as Rest;
use wavelerp::model::reference::oit::mlab::Storage as NodeStorage;
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
        // Depths are in any order: none is exact there.
        let far = own()
            .filter_map(|check| check.from_exact)
            .fold(0.0, f64::max);
        assert!(far > 1e-3, "{method}: {far}");
    }
}

/// The checks of a method at these dials on short stress lists, with a fault and edits of shaders.
fn checks_at(
    harness: &Harness,
    method: Method,
    dials: MethodOptions,
    fault: Option<Fault>,
    edits: Vec<Edit>,
) -> Vec<Check> {
    let options = Options {
        method: dials,
        ..Options::default()
    };
    let options = CheckOptions {
        options,
        seed: 1,
        fault,
    };
    let list = |kind, count| StressList {
        kind,
        layers: stress_list(kind, count, 1),
    };
    let lists = KINDS
        .into_iter()
        .flat_map(|kind| [1, 9, 60].map(|count| list(kind, count)));
    let lists: Vec<StressList> = lists.collect();
    let edits = [fault.map(Fault::edits).unwrap_or_default(), edits].concat();
    let own = Pipelines::new(source(edits.clone()));
    let pipelines = if edits.is_empty() {
        &harness.pipelines
    } else {
        &own
    };
    let methods = [method];
    let progress = &mut |_| Ok(());
    let checks = run_on(
        &harness.gpu,
        pipelines,
        &methods,
        &options,
        &lists,
        progress,
    );
    checks.expect("checks run")
}

/// Demands that a method is its twin on short lists under each of these options, and that it is not with the fault beside them.
fn is_its_twin(method: Method, cases: impl IntoIterator<Item = (MethodOptions, Option<Fault>)>) {
    let harness = Harness::new();
    for (dials, fault) in cases {
        for check in checks_at(&harness, method, dials, None, Vec::new()) {
            let is_right = check.passed && check.nan_count == 0;
            assert!(is_right, "{dials:?} {check:?}");
        }
        if fault.is_some() {
            let mut spoiled = checks_at(&harness, method, dials, fault, Vec::new()).into_iter();
            assert!(spoiled.any(|check| !check.passed), "{dials:?} {fault:?}");
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
        (method, Some(Fault::Swap))
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
        (method, Some(Fault::Swap))
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
        let is_spoiled = number == 0 || method.weight_storage == Storage::F16U8;
        (method, is_spoiled.then_some(Fault::Swap))
    });
    is_its_twin(Method::Weighted, cases);
}

#[test]
fn the_nearest_layers_are_those_of_the_twin_at_every_end_of_their_dials() {
    let harness = Harness::new();
    let dials = |kept, rest, core_opacity| MethodOptions {
        kept,
        rest,
        core_opacity,
        ..MethodOptions::default()
    };
    let cases = [
        (Method::KBuffer, dials(2, Rest::Average, 0.0)),
        (Method::KBuffer, dials(16, Rest::Average, 0.5)),
        (Method::Hybrid, dials(2, Rest::Drop, 0.05)),
        (Method::Hybrid, dials(5, Rest::Weighted, 0.0)),
        (Method::Hybrid, dials(16, Rest::ListOrder, 0.0)),
        (Method::Hybrid, dials(7, Rest::ListOrder, 0.5)),
        (Method::Hybrid, dials(16, Rest::Average, 0.05)),
    ];
    for (method, dials) in cases {
        for check in checks_at(&harness, method, dials, None, Vec::new()) {
            assert!(check.passed && check.nan_count == 0, "{dials:?} {check:?}");
        }
    }
    let (nodes, own) = ("methods/nodes", "methods/k_buffer");
    // Ties by the item, the last node, the threshold, and each form of the rest.
    for (module, find, replace, place) in [
        (nodes, "a.y < b.y", "a.y > b.y", 3),
        (nodes, "place >= KEPT", "place + 1u >= KEPT", 0),
        (
            own,
            "left.light.a >= CORE_OPACITY",
            "left.light.a >= 0.0",
            5,
        ),
        (own, "product *= SCALE", "product *= product", 3),
        (own, "rest.weights + product", "rest.weights + 1.0", 6),
        (
            own,
            "REST > WEIGHTED { return Rest(",
            "REST > WEIGHTED { return Rest(2.0 * ",
            4,
        ),
    ] {
        let (method, dials) = cases[place];
        let edits = vec![Edit {
            module,
            find,
            replace,
        }];
        let checks = checks_at(&harness, method, dials, None, edits);
        assert!(checks.iter().any(|check| !check.passed), "{find}");
    }
}

#[test]
fn nodes_and_steps_are_those_of_the_twin_at_every_end_of_their_dials() {
    let harness = Harness::new();
    let cases = [
        (Method::Mlab, 2, NodeStorage::F32),
        (Method::Mlab, 16, NodeStorage::F32),
        (Method::Mlab, 2, NodeStorage::U8),
        (Method::Mlab, 16, NodeStorage::U8),
        (Method::Adaptive, 2, NodeStorage::F32),
        (Method::Adaptive, 7, NodeStorage::F32),
        (Method::Adaptive, 16, NodeStorage::F32),
    ]
    .map(|(method, kept, node_storage)| {
        let usual = MethodOptions::default();
        let dials = MethodOptions {
            kept,
            node_storage,
            ..usual
        };
        (method, dials)
    });
    for (method, dials) in cases {
        for check in checks_at(&harness, method, dials, None, Vec::new()) {
            assert!(check.passed && check.nan_count == 0, "{dials:?} {check:?}");
        }
    }
    let (mlab, steps) = ("methods/mlab", "methods/adaptive");
    // The blend, rounding, the choice of a step, what takes it, and what is dimmed.
    for (module, find, replace, place) in [
        (mlab, "[KEPT - 1u].light, last", "[0].light, last", 1),
        (mlab, "floor(0.5 +", "floor(0.4 +", 2),
        (mlab, "floor(0.5 +", "floor(0.6 +", 3),
        (steps, "area < least.area", "area > least.area", 5),
        (steps, "KEPT / 2u", "1u", 6),
        (steps, "if place + 1u == out", "if place == out", 4),
        (steps, "select(left, 1.0, is_nearer)", "left", 6),
    ] {
        let (method, dials) = cases[place];
        let edits = vec![Edit {
            module,
            find,
            replace,
        }];
        let checks = checks_at(&harness, method, dials, None, edits);
        assert!(checks.iter().any(|check| !check.passed), "{find}");
    }
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
    is_its_twin(
        Method::WeightedSum,
        cases.map(|case| (case, (case.sum_scale > 0.0).then_some(Fault::Pixel))),
    );
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
    is_its_twin(Method::Stochastic, cases.map(|of| (of, Some(Fault::Swap))));
}

#[test]
fn peeling_and_a_buffer_are_their_twin_at_every_end_of_their_dials() {
    let usual = MethodOptions::default();
    let peels = [1, 4, 64].map(|peels| MethodOptions { peels, ..usual });
    is_its_twin(Method::Peeling, peels.map(|of| (of, Some(Fault::Swap))));
    let passes = [(8, 1), (16, 1), (8, 64), (16, 4)];
    let passes = passes.map(|(capacity, passes)| MethodOptions {
        capacity,
        passes,
        ..usual
    });
    is_its_twin(Method::ABuffer, passes.map(|of| (of, Some(Fault::Swap))));
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

/// Whether a method's transmittance is the exact one.
fn keeps_transmittance(method: Method) -> bool {
    ![Method::KBuffer, Method::WeightedSum, Method::Peeling].contains(&method)
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
        let depends = [Method::ListOrder, Method::Mlab, Method::Adaptive].contains(&method);
        // Few layers make moments that rounding moves.
        let rounding = if method == Method::Moment { 0.2 } else { 3e-4 };
        assert_eq!(moved > rounding, depends, "{method}: {moved}");
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
