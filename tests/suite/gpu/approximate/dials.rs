//! Approximate methods at the ends of their dials: each kernel against its twin on short lists, with planted faults. Wave sizes
//! other than 8 are left to the tests at the usual options.

use crate::harness::{Harness, scene, settings, source};
use clap::ValueEnum as _;
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{
    BinRange, ListOrder, MethodOptions, Moments, OpacityCounts, Options,
};
use wavelerp::model::reference::oit::kbuffer::Tail as Rest;
use wavelerp::model::reference::oit::mlab::Storage as NodeStorage;
use wavelerp::model::reference::oit::moment::Storage as MomentStorage;
use wavelerp::model::reference::oit::peeling::Ends;
use wavelerp::model::reference::oit::stochastic::{Mode, Noise};
use wavelerp::model::reference::oit::weighted::{Storage, Weight};
use wavelerp::model::reference::stress::{KINDS, StressList, stress_list};
use wavelerp::runs::capture::Capture;
use wavelerp::runs::verify::checks::Check;
use wavelerp::runs::verify::faults::Fault;

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
    checks_under(harness, method, options, fault, edits)
}

/// The same under these options.
fn checks_under(
    harness: &Harness,
    method: Method,
    options: Options,
    fault: Option<Fault>,
    edits: Vec<Edit>,
) -> Vec<Check> {
    let of_kind = |kind| [1, 9, 60].map(|count| stress_list(kind, count, 1));
    let lists: Vec<StressList> = KINDS.into_iter().flat_map(of_kind).collect();
    let edits = [fault.map(Fault::edits).unwrap_or_default(), edits].concat();
    let own = Pipelines::new(source(edits.clone()));
    let pipelines = if edits.is_empty() {
        &harness.pipelines
    } else {
        &own
    };
    harness.checks(pipelines, &[method], &options, fault, &lists)
}

/// Demands that methods are their twins on short lists under these options.
fn are_their_twins(harness: &Harness, cases: &[(Method, MethodOptions)]) {
    for &(method, dials) in cases {
        for check in checks_at(harness, method, dials, None, Vec::new()) {
            assert!(check.passed && check.nan_count == 0, "{dials:?} {check:?}");
        }
    }
}

/// Demands that a method is not its twin with a fault or with edits of its shaders.
pub fn is_found(
    harness: &Harness,
    (method, dials): (Method, MethodOptions),
    fault: Option<Fault>,
    edits: Vec<Edit>,
) {
    let what = format!("{method} {dials:?} {fault:?} {edits:?}");
    let checks = checks_at(harness, method, dials, fault, edits);
    assert!(checks.iter().any(|check| !check.passed), "{what}");
}

/// Demands that a method is its twin under each of these options, and that it is not with the fault beside them.
fn is_its_twin(method: Method, cases: impl IntoIterator<Item = (MethodOptions, Option<Fault>)>) {
    let harness = Harness::new();
    for (dials, fault) in cases {
        are_their_twins(&harness, &[(method, dials)]);
        if fault.is_some() {
            is_found(&harness, (method, dials), fault, Vec::new());
        }
    }
}

#[test]
fn a_histogram_is_its_twin_at_every_end_of_its_dials() {
    let ends = [8, 16, 32].into_iter();
    let ranges = [BinRange::Camera, BinRange::Frame, BinRange::Tile];
    let ends = ends.flat_map(|bins| ranges.map(|range| (bins, range)));
    let cases = ends.map(|(bins, bin_range)| {
        let method = MethodOptions {
            bins,
            bin_range,
            ..MethodOptions::default()
        };
        (method, Some(Fault::Swap))
    });
    is_its_twin(Method::Histogram, cases);
    let blocks = [2, 4, 8].map(|bin_block| MethodOptions {
        bin_block,
        ..MethodOptions::default()
    });
    is_its_twin(Method::Histogram, blocks.map(|of| (of, Some(Fault::Swap))));
    let over_frame = MethodOptions {
        bin_range: BinRange::Frame,
        ..MethodOptions::default()
    };
    let edit = Edit::new("methods/frame_range", "&nearest, ~depth", "&nearest, depth");
    let harness = Harness::new();
    is_found(&harness, (Method::Histogram, over_frame), None, vec![edit]);
    // A thread of the block lets its part of the list go.
    let edit = Edit::new(
        "methods/bins/shared",
        "in_block.y * BLOCK + in_block.x",
        "in_block.y * BLOCK + max(in_block.x, 1u)",
    );
    let shared = (Method::Histogram, blocks[1]);
    is_found(&harness, shared, None, vec![edit]);
}

#[test]
fn moments_are_their_twin_whatever_they_are_of() {
    let storages = [MomentStorage::F32, MomentStorage::U16].into_iter();
    let cases = storages.flat_map(|moment_storage| {
        Moments::ALL.map(|moments| MethodOptions {
            moments,
            moment_storage,
            ..MethodOptions::default()
        })
    });
    is_its_twin(Method::Moment, cases.map(|of| (of, Some(Fault::Swap))));
    let harness = Harness::new();
    let (stored, solved) = ("methods/stored_moments", "methods/moment_polynomials");
    // Bits, the mean, a turn and turns back, the bias.
    for (module, find, replace, moments) in [
        (stored, "65535.0", "255.0", Moments::Power4),
        (stored, "even, share", "even, 0.9 * share", Moments::Trig3),
        (stored, "1.2658304", "1.2858304", Moments::Power6),
        (stored, "1.7320508", "1.6320508", Moments::Power4),
        (stored, "0.9837233", "0.9037233", Moments::Power8),
        (
            solved,
            "0.42474916, 0.22407803",
            "0.75, 0.67666667",
            Moments::Power8,
        ),
    ] {
        let dials = MethodOptions {
            moments,
            moment_storage: MomentStorage::U16,
            ..MethodOptions::default()
        };
        let edit = Edit::new(module, find, replace);
        is_found(&harness, (Method::Moment, dials), None, vec![edit]);
    }
}

#[test]
fn weighted_blending_is_its_twin_at_every_end_of_its_dials() {
    let mut cases: Vec<MethodOptions> = Vec::new();
    for &weight in Weight::value_variants() {
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
fn drawn_weighted_blending_is_its_twin_by_every_weight() {
    let harness = Harness::new();
    if Method::WeightedDrawn
        .missing_on(&harness.gpu.caps)
        .is_some()
    {
        return;
    }
    let usual = MethodOptions::default();
    let by = Weight::value_variants().iter();
    let by = by.map(|&weight| MethodOptions { weight, ..usual });
    let once = MethodOptions {
        weight_opacity: OpacityCounts::Once,
        weight_scale: 0.1,
        ..usual
    };
    // By the others two layers may change places: they are at their bound.
    let cases = by.into_iter().chain([once]);
    let cases = cases.map(|of| (of, of.weight.is_of_paper().then_some(Fault::Swap)));
    is_its_twin(Method::WeightedDrawn, cases);
    // What is added, what it takes, and what divides.
    for (module, find, replace) in [
        ("methods/weighted_drawn", "opacity * weight_of", "weight_of"),
        (
            "methods/weighted_drawn",
            "1.0), opacity)",
            "1.0), 0.9 * opacity)",
        ),
        ("methods/store_weighted", "(1.0 - through)", "through"),
    ] {
        let edit = Edit::new(module, find, replace);
        is_found(&harness, (Method::WeightedDrawn, usual), None, vec![edit]);
    }
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
    are_their_twins(&harness, &cases);
    let (nodes, own, rest) = ("methods/nodes", "methods/k_buffer", "methods/rest");
    let sums = "methods/normalised";
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
        (
            rest,
            "= SCALE * paper_7(depth)",
            "= layer.a * paper_7(depth)",
            3,
        ),
        (sums, "sums.weights + product", "sums.weights + 1.0", 6),
        (
            rest,
            "REST > WEIGHTED { return Sums(",
            "REST > WEIGHTED { return Sums(2.0 * ",
            4,
        ),
    ] {
        let edit = Edit::new(module, find, replace);
        is_found(&harness, cases[place], None, vec![edit]);
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
    are_their_twins(&harness, &cases);
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
        let edit = Edit::new(module, find, replace);
        is_found(&harness, cases[place], None, vec![edit]);
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
        (1, Mode::Mean, Noise::Hash, 1),
        (1, Mode::Depth, Noise::White, 64),
        (7, Mode::Corrected, Noise::White, 2),
        (33, Mode::Mean, Noise::Blue, 3),
        (64, Mode::Corrected, Noise::Hash, 1),
        (64, Mode::Depth, Noise::Blue, 1),
    ];
    let usual = MethodOptions::default();
    let dials = dials.map(|(samples, estimate, noise, accumulate)| MethodOptions {
        samples,
        estimate,
        noise,
        accumulate,
        ..usual
    });
    let layered = [(1, 2, 1), (8, 8, 3), (33, 4, 1), (64, 16, 1)];
    let layered = layered.map(|(samples, kept, accumulate)| MethodOptions {
        samples,
        estimate: Mode::Layered,
        kept,
        accumulate,
        ..usual
    });
    let cases = dials.into_iter().chain(layered);
    // Other layers are in front, and cover other samples.
    is_its_twin(Method::Stochastic, cases.map(|of| (of, Some(Fault::Swap))));
    // All frames have the samples of the first, and the last frame counts alone.
    for (module, find, replace) in [
        (
            "methods/samples",
            "bitcast<u32>(frame.time) + number",
            "bitcast<u32>(frame.time)",
        ),
        ("methods/stochastic", "all += select", "all = select"),
    ] {
        let edit = Edit::new(module, find, replace);
        let case = (Method::Stochastic, dials[1]);
        is_found(&Harness::new(), case, None, vec![edit]);
    }
}

#[test]
fn peeling_and_a_buffer_are_their_twin_at_every_end_of_their_dials() {
    use Ends::{Both, Front};
    let usual = MethodOptions::default();
    let peels = [(1, Front), (4, Front), (64, Front), (1, Both), (4, Both)];
    let peels = peels.map(|(peels, peel_from)| MethodOptions {
        peels,
        peel_from,
        ..usual
    });
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
fn lists_in_memory_are_their_twin_at_every_end_of_their_dials() {
    let harness = Harness::new();
    let cases = [
        (4, Rest::Drop),
        (7, Rest::Average),
        (16, Rest::Weighted),
        (24, Rest::ListOrder),
        (64, Rest::Average),
    ]
    .map(|(list_room, rest)| {
        let usual = MethodOptions::default();
        let dials = MethodOptions {
            list_room,
            rest,
            ..usual
        };
        (Method::LinkedList, dials)
    });
    are_their_twins(&harness, &cases);
    let (taken, own) = ("methods/taken", "methods/linked_list");
    // Ties by the item, the last node, what is sorted after the first eight, and where a node lies.
    for (module, find, replace, place) in [
        (taken, "a.item < b.item", "a.item > b.item", 1),
        (own, "count == ROOM", "count + 1u == ROOM", 0),
        (own, "sorted < count", "sorted < 8u", 2),
        (own, "count * PAIRS * THREADS", "count * THREADS", 4),
    ] {
        let edit = Edit::new(module, find, replace);
        is_found(&harness, cases[place], None, vec![edit]);
    }
}

#[test]
fn a_cheaper_sort_is_its_twin_at_every_end_of_its_dials() {
    let harness = Harness::new();
    let options = |key_bits, order, stop_below, first_layers| {
        let mut options = Options::default();
        (options.frame.key_bits, options.frame.order) = (key_bits, order);
        (options.method.stop_below, options.method.first_layers) = (stop_below, first_layers);
        options
    };
    let cases = [
        options(4, ListOrder::Item, 0.0, 0),
        options(16, ListOrder::Shuffled, 0.0, 0),
        options(8, ListOrder::Item, 0.1, 0),
        options(8, ListOrder::Sorted, 1.0 / 255.0, 0),
        options(6, ListOrder::Item, 0.0, 1),
        options(8, ListOrder::Item, 0.05, 7),
        options(8, ListOrder::Item, 0.0, 1024),
    ];
    let passes = |options, edits| {
        let checks = checks_under(&harness, Method::Coarse, options, None, edits);
        let failed = checks
            .into_iter()
            .find(|check| !check.passed || check.nan_count > 0);
        failed.is_none()
    };
    for options in cases {
        assert!(passes(options, Vec::new()), "{options:?}");
    }
    // What a layer does, and each of the ends.
    for (find, replace, place) in [
        (
            "followed_by(result, layer)",
            "followed_by(layer, result)",
            0,
        ),
        ("result.a < STOP_BELOW", "result.a < 1.1 * STOP_BELOW", 2),
        ("taken == FIRST_LAYERS", "taken > FIRST_LAYERS", 5),
    ] {
        let edit = Edit::new("methods/coarse", find, replace);
        assert!(!passes(cases[place], vec![edit]), "{find}");
    }
}

#[test]
fn pixels_that_do_not_fit_are_counted() {
    let harness = Harness::new();
    let count = |name: &str, method: Method, dials: MethodOptions| {
        let scene = scene(name);
        let mut settings = settings(&scene, [97, 55], 1000, 8);
        settings.options.method = dials;
        let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
        let capture = Capture::expecting(gpu, pipelines, &scene, settings, &[method]);
        let picture = capture.expect("it draws").picture(method);
        picture.expect("a picture").overflowed
    };
    let usual = MethodOptions::default();
    let room = |list_room| {
        count(
            "stress",
            Method::LinkedList,
            MethodOptions { list_room, ..usual },
        )
    };
    assert!(room(16) < room(8) && room(8) <= room(4) && room(4) <= 97 * 55);
    let sums = |weight, weight_storage| {
        let dials = MethodOptions {
            weight,
            weight_storage,
            ..usual
        };
        count("panes", Method::Weighted, dials)
    };
    assert_eq!(sums(Weight::Learnopengl, Storage::F32), 0);
    assert_eq!(sums(Weight::Paper9, Storage::F16U8), 0);
    assert!(sums(Weight::Learnopengl, Storage::F16U8) > 0);
}
