//! Approximate methods at the ends of their dials: each kernel against its twin on short lists, with planted faults. Wave sizes
//! other than 8 are left to the tests at the usual options.

use clap::ValueEnum as _;

use crate::harness::{Harness, rows, scene, settings, source};
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{BinRange, ListOrder, MethodOptions, Moments, Options};
use wavelerp::model::reference::oit::kbuffer::Tail as Rest;
use wavelerp::model::reference::oit::mlab::Storage as NodeStorage;
use wavelerp::model::reference::oit::stochastic::Mode;
use wavelerp::model::reference::oit::weighted::Weight;
use wavelerp::model::reference::stress::{KINDS, StressList, stress_list};
use wavelerp::runs::verify::checks::Check;
use wavelerp::runs::verify::faults::Fault;

/// The usual options of methods, changed.
fn dials(change: impl FnOnce(&mut MethodOptions)) -> MethodOptions {
    let mut dials = MethodOptions::default();
    change(&mut dials);
    dials
}

/// The checks of a method under these options on short stress lists, with a fault and edits of shaders.
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
    let own = (!edits.is_empty()).then(|| Pipelines::new(source(edits)));
    let pipelines = own.as_ref().unwrap_or(&harness.pipelines);
    harness.checks(pipelines, &[method], &options, fault, &lists)
}

/// A method with its dials.
type Case = (Method, MethodOptions);

/// The same at these dials.
fn checks_at(
    harness: &Harness,
    (method, dials): Case,
    fault: Option<Fault>,
    edits: Vec<Edit>,
) -> Vec<Check> {
    let options = Options {
        method: dials,
        ..Options::default()
    };
    checks_under(harness, method, options, fault, edits)
}

/// Demands that methods are their twins on short lists.
fn are_their_twins(harness: &Harness, cases: &[Case]) {
    for &case in cases {
        for check in checks_at(harness, case, None, Vec::new()) {
            assert!(check.passed && check.nan_count == 0, "{case:?} {check:?}");
        }
    }
}

/// Demands that a method is not its twin with a fault or with edits of its shaders.
pub fn is_found(harness: &Harness, case: Case, fault: Option<Fault>, edits: Vec<Edit>) {
    let what = format!("{case:?} {fault:?} {edits:?}");
    let checks = checks_at(harness, case, fault, edits);
    assert!(checks.iter().any(|check| !check.passed), "{what}");
}

/// Demands that each edit of a table is found in the case at the place that stands behind it.
fn each_is_found(harness: &Harness, cases: &[Case], table: &str) {
    for [module, find, replace, place] in rows(table) {
        let case = cases[place.parse::<usize>().expect("a place")];
        let edit = Edit::new(module, find, replace);
        is_found(harness, case, None, vec![edit]);
    }
}

/// Demands that a method is its twin at each of these dials, and that it is not with a fault where `spoils` says so.
fn is_its_twin(
    harness: &Harness,
    method: Method,
    cases: impl IntoIterator<Item = MethodOptions>,
    fault: Fault,
    spoils: impl Fn(&MethodOptions) -> bool,
) {
    for dials in cases {
        are_their_twins(harness, &[(method, dials)]);
        if spoils(&dials) {
            is_found(harness, (method, dials), Some(fault), Vec::new());
        }
    }
}

/// The same where two layers that change places spoil each of them.
fn is_its_twin_in_order(
    harness: &Harness,
    method: Method,
    cases: impl IntoIterator<Item = MethodOptions>,
) {
    is_its_twin(harness, method, cases, Fault::Swap, |_| true);
}

#[test]
fn a_histogram_is_its_twin_at_every_end_of_its_dials() {
    let harness = Harness::new();
    let ranges = [BinRange::Camera, BinRange::Frame, BinRange::Tile];
    let ends = [8, 16, 32].into_iter();
    let ends = ends.flat_map(|bins| ranges.map(|range| (bins, range)));
    let blocks = [2, 4, 8].map(|block| dials(|own| own.bin_block = block));
    let cases = ends.map(|ends| dials(|own| (own.bins, own.bin_range) = ends));
    is_its_twin_in_order(&harness, Method::Histogram, cases.chain(blocks));
    let over_frame = dials(|own| own.bin_range = BinRange::Frame);
    // The second: a thread of the block lets its part of the list go.
    let table = "
methods/frame_range | &nearest, ~depth | &nearest, depth | 0
methods/bins/shared | in_block.y * BLOCK + in_block.x | in_block.y * BLOCK + max(in_block.x, 1u) | 1
";
    let cases = [over_frame, blocks[1]].map(|dials| (Method::Histogram, dials));
    each_is_found(&harness, &cases, table);
}

#[test]
fn moments_are_their_twin_whatever_they_are_of() {
    let harness = Harness::new();
    let cases = Moments::ALL.map(|moments| dials(|own| own.moments = moments));
    is_its_twin_in_order(&harness, Method::Moment, cases);
    let table = "
methods/moment_polynomials | l21 - b1 | l21 + b1 | 0
methods/moment | += absorbance * own.even | += 0.9 * absorbance * own.even | 0
";
    each_is_found(&harness, &[(Method::Moment, dials(|_| ()))], table);
}

#[test]
fn weighted_blending_is_its_twin_at_every_end_of_its_dials() {
    let harness = Harness::new();
    let by = |(weight, weight_slices, weight_scale)| MethodOptions {
        weight,
        weight_slices,
        weight_scale,
        ..MethodOptions::default()
    };
    let weights = Weight::value_variants().iter();
    let ends = weights.flat_map(|&weight| [(weight, 1, 1.0), (weight, 1, 0.01)]);
    let sliced = [(Weight::Paper7, 4, 1.0), (Weight::Paper7, 16, 100.0)];
    let cases = ends.chain(sliced).map(by);
    is_its_twin(&harness, Method::Weighted, cases, Fault::Swap, |of| {
        *of == MethodOptions::default()
    });
}

#[test]
fn drawn_weighted_blending_is_its_twin_by_every_weight() {
    let harness = Harness::new();
    if !harness.methods().contains(&Method::WeightedDrawn) {
        return;
    }
    let weights = Weight::value_variants().iter();
    let by = weights.map(|&weight| dials(|own| own.weight = weight));
    let scaled = dials(|own| own.weight_scale = 0.1);
    // By the others two layers may change places: they are at their bound.
    let cases = by.into_iter().chain([scaled]);
    is_its_twin(&harness, Method::WeightedDrawn, cases, Fault::Swap, |of| {
        of.weight.is_of_paper()
    });
    // What is added, what it takes, and what divides.
    let table = "
methods/weighted_drawn | opacity * weight_of | weight_of | 0
methods/weighted_drawn | 1.0), opacity) | 1.0), 0.9 * opacity) | 0
methods/store_weighted | (1.0 - through) | through | 0
";
    each_is_found(&harness, &[(Method::WeightedDrawn, dials(|_| ()))], table);
}

#[test]
fn the_nearest_layers_are_those_of_the_twin_at_every_end_of_their_dials() {
    let harness = Harness::new();
    let cases = [
        (Method::KBuffer, (2, Rest::Average, 0.0)),
        (Method::KBuffer, (16, Rest::Average, 0.5)),
        (Method::Hybrid, (2, Rest::Drop, 0.05)),
        (Method::Hybrid, (5, Rest::Weighted, 0.0)),
        (Method::Hybrid, (16, Rest::ListOrder, 0.0)),
        (Method::Hybrid, (7, Rest::ListOrder, 0.5)),
        (Method::Hybrid, (16, Rest::Average, 0.05)),
    ]
    .map(|(method, ends)| {
        (
            method,
            dials(|own| (own.kept, own.rest, own.core_opacity) = ends),
        )
    });
    are_their_twins(&harness, &cases);
    // Ties by the item, the last node, the threshold, and each form of the rest.
    let table = "
methods/nodes | a.y < b.y | a.y > b.y | 3
methods/nodes | place >= KEPT | place + 1u >= KEPT | 0
methods/k_buffer | left.light.a >= CORE_OPACITY | left.light.a >= 0.0 | 5
methods/rest | = SCALE * paper_7(depth) | = layer.a * paper_7(depth) | 3
methods/normalised | sums.weights + product | sums.weights + 1.0 | 6
methods/rest | REST > WEIGHTED { return Sums( | REST > WEIGHTED { return Sums(2.0 * | 4
";
    each_is_found(&harness, &cases, table);
}

#[test]
fn nodes_and_steps_are_those_of_the_twin_at_every_end_of_their_dials() {
    let harness = Harness::new();
    let cases = [
        (Method::Mlab, (2, NodeStorage::F32)),
        (Method::Mlab, (16, NodeStorage::F32)),
        (Method::Mlab, (2, NodeStorage::U8)),
        (Method::Mlab, (16, NodeStorage::U8)),
        (Method::Adaptive, (2, NodeStorage::F32)),
        (Method::Adaptive, (7, NodeStorage::F32)),
        (Method::Adaptive, (16, NodeStorage::F32)),
    ]
    .map(|(method, ends)| (method, dials(|own| (own.kept, own.node_storage) = ends)));
    are_their_twins(&harness, &cases);
    // The blend, rounding, the choice of a step, what takes it, and what is dimmed.
    let table = "
methods/mlab | [KEPT - 1u].light, last | [0].light, last | 1
methods/mlab | floor(0.5 + | floor(0.4 + | 2
methods/mlab | floor(0.5 + | floor(0.6 + | 3
methods/adaptive | area < least.area | area > least.area | 5
methods/adaptive | KEPT / 2u | 1u | 6
methods/adaptive | if place + 1u == out | if place == out | 4
methods/adaptive | select(left, 1.0, is_nearer) | left | 6
";
    each_is_found(&harness, &cases, table);
}

#[test]
fn a_weighted_sum_is_its_twin_at_every_end_of_its_dials() {
    let harness = Harness::new();
    let cases = [
        (100.0, 1.0, 1.0),
        (1.0, 1.0, 1.0),
        (1e4, 1e3, 1e-3),
        (100.0, 0.0, 1.0),
        (100.0, 1.0, 1e3),
    ]
    .map(|ends| dials(|own| (own.sum_reach, own.sum_scale, own.sum_background) = ends));
    is_its_twin(&harness, Method::WeightedSum, cases, Fault::Pixel, |of| {
        of.sum_scale > 0.0
    });
}

#[test]
fn stochastic_transparency_is_its_twin_at_every_end_of_its_dials() {
    let harness = Harness::new();
    let cases = [
        (1, Mode::Mean, 1),
        (1, Mode::Depth, 64),
        (7, Mode::Corrected, 2),
        (33, Mode::Mean, 3),
        (64, Mode::Corrected, 1),
        (64, Mode::Depth, 1),
    ]
    .map(|ends| dials(|own| (own.samples, own.estimate, own.accumulate) = ends));
    // Other layers are in front, and cover other samples.
    is_its_twin_in_order(&harness, Method::Stochastic, cases);
    // All frames have the samples of the first, and the last frame counts alone.
    let table = "
methods/samples | bitcast<u32>(frame.time) + number | bitcast<u32>(frame.time) | 0
methods/stochastic | all += select | all = select | 0
";
    each_is_found(&harness, &[(Method::Stochastic, cases[1])], table);
}

#[test]
fn peeling_and_a_buffer_are_their_twin_at_every_end_of_their_dials() {
    let harness = Harness::new();
    let peels = [1, 4, 64].map(|peels| dials(|own| own.peels = peels));
    is_its_twin_in_order(&harness, Method::Peeling, peels);
    let passes = [(8, 1), (16, 1), (8, 64), (16, 4)];
    let passes = passes.map(|ends| dials(|own| (own.capacity, own.passes) = ends));
    is_its_twin_in_order(&harness, Method::ABuffer, passes);
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
    .map(|ends| {
        (
            Method::LinkedList,
            dials(|own| (own.list_room, own.rest) = ends),
        )
    });
    are_their_twins(&harness, &cases);
    // Ties by the item, the last node, what is sorted after the first eight, and where a node lies.
    let table = "
methods/taken | a.item < b.item | a.item > b.item | 1
methods/linked_list | count == ROOM | count + 1u == ROOM | 0
methods/linked_list | sorted < count | sorted < 8u | 2
methods/linked_list | count * PAIRS * THREADS | count * THREADS | 4
";
    each_is_found(&harness, &cases, table);
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
        let mut checks = checks.into_iter();
        checks.all(|check| check.passed && check.nan_count == 0)
    };
    for options in cases {
        assert!(passes(options, Vec::new()), "{options:?}");
    }
    // What a layer does, and each of the ends.
    for [find, replace, place] in rows(
        "
followed_by(result, layer) | followed_by(layer, result) | 0
result.a < STOP_BELOW | result.a < 1.1 * STOP_BELOW | 2
taken == FIRST_LAYERS | taken > FIRST_LAYERS | 5
",
    ) {
        let edit = Edit::new("methods/coarse", find, replace);
        let options = cases[place.parse::<usize>().expect("a place")];
        assert!(!passes(options, vec![edit]), "{find}");
    }
}

#[test]
fn pixels_that_do_not_fit_are_counted() {
    let harness = Harness::new();
    let count = |name: &str, method: Method, dials: MethodOptions| {
        let scene = scene(name);
        let mut settings = settings(&scene, [97, 55], 1000, 8);
        settings.options.method = dials;
        let mut capture = harness.capture_for(&scene, &settings, &[method]);
        capture.picture(method).expect("a picture").overflowed
    };
    let room = |room| {
        let dials = dials(|own| own.list_room = room);
        count("stress", Method::LinkedList, dials)
    };
    assert!(room(16) < room(8) && room(8) <= room(4) && room(4) <= 97 * 55);
    if !harness.methods().contains(&Method::WeightedDrawn) {
        return;
    }
    let sums = |method, weight| count("panes", method, dials(|own| own.weight = weight));
    assert_eq!(sums(Method::Weighted, Weight::Learnopengl), 0);
    assert_eq!(sums(Method::WeightedDrawn, Weight::Paper9), 0);
    assert!(sums(Method::WeightedDrawn, Weight::Learnopengl) > 0);
}
