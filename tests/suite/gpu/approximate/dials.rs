//! Approximate methods with all option values: each kernel is compared with its twin on short lists, with planted
//! faults.

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::methods::{BenchAxes, Specialization};
use wavelerp::model::methods::Method;
use wavelerp::model::options::{ListOrder, MethodOptions, Options};
use wavelerp::model::reference::stress::{KINDS, StressList, few_layers, stress_list};
use wavelerp::model::techniques::histogram::BinRange;
use wavelerp::model::techniques::keeping::Rest;
use wavelerp::model::techniques::mlab::Storage as NodeStorage;
use wavelerp::model::techniques::moment::MomentKind;
use wavelerp::runs::verify::checks::{Check, lists};

use super::methods;
use crate::harness::{ASIDE, Harness, SWAPPED, rows, scene, settings, source};

/// Default options with changes.
fn dials(change: impl FnOnce(&mut MethodOptions)) -> Options {
    Options::default().with_method(change)
}

/// Checks of a method with the given options on stress lists, with an optional shader edit.
fn checks(
    harness: &Harness,
    method: Method,
    options: &Options,
    lists: &[StressList],
    edit: Option<Edit>,
) -> Vec<Check> {
    let own = edit.map(|edit| Pipelines::new(source([edit])));
    let pipelines = own.as_ref().unwrap_or(&harness.pipelines);
    harness.checks(pipelines, &[method], options, lists)
}

/// Short lists of every kind.
fn short() -> Vec<StressList> {
    let of_kind = |kind| [2, 5, 40].map(|count| stress_list(kind, count, 1));
    let lists = KINDS.into_iter().flat_map(of_kind);
    lists.chain(few_layers(1)).collect()
}

/// Asserts that a method matches its twin on lists; returns the checks.
fn is_its_twin(
    harness: &Harness,
    method: Method,
    options: &Options,
    lists: &[StressList],
) -> Vec<Check> {
    let checks = checks(harness, method, options, lists, None);
    let is_wrong = |check: &&Check| !check.passed || check.nan_count > 0;
    let wrong: Vec<_> = checks.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{options:?} {wrong:#?}");
    checks
}

/// Asserts that a method with this shader edit does not match its twin.
fn is_found(harness: &Harness, method: Method, options: &Options, edit: Edit) {
    let checks = checks(harness, method, options, &short(), Some(edit));
    let is_found = checks.iter().any(|check| !check.passed);
    assert!(is_found, "{method} {options:?} {edit:?}");
}

/// Asserts that a method matches its twin with each set of options, and that each edit of a table is detected with
/// the set of options that the edit's row names.
fn each_is_found(harness: &Harness, method: Method, places: &[Options], table: &str) {
    for place in places {
        is_its_twin(harness, method, place, &short());
    }
    for [module, find, replace, place] in rows(table) {
        let place = &places[place.parse::<usize>().expect("a place")];
        is_found(harness, method, place, Edit::new(module, find, replace));
    }
}

#[test]
fn every_kernel_is_its_twin_at_every_place_that_a_benchmark_times() {
    let harness = Harness::new();
    let at = BenchAxes {
        approximations: true,
        ..BenchAxes::default()
    };
    for method in methods(&harness) {
        let mut long = lists(&harness.gpu.caps, &[method], 1);
        long.retain(|list| list.layers.len() > 2000);
        assert!(!long.is_empty(), "lists of a length that overflows sums");
        long.extend(short());
        let usual = Specialization::new(method);
        let places = usual.kernel().timed_at(&usual, &at, &harness.gpu.caps);
        let [usual, others @ ..] = &places[..] else {
            panic!("no benchmark times {method}");
        };
        let checks = is_its_twin(&harness, method, usual, &long);
        // Depths are in any order, so no method is exact there.
        let far = checks.iter().filter_map(|check| check.from_exact);
        let far = far.fold(0.0, f64::max);
        assert!(far > 1e-3, "{method}: {far}");
        for other in others {
            is_its_twin(&harness, method, other, &short());
        }
        is_found(&harness, method, usual, ASIDE);
    }
}

#[test]
fn layers_that_change_places_are_found() {
    let harness = Harness::new();
    for method in methods(&harness) {
        // These two depend only on colour and opacity.
        if ![Method::Average, Method::WeightedSum].contains(&method) {
            is_found(&harness, method, &Options::default(), SWAPPED);
        }
    }
}

#[test]
fn faults_of_bins_and_moments_are_found() {
    let harness = Harness::new();
    // In the second fault, a thread of the block skips its part of the list.
    let places = [
        dials(|own| own.histogram.bin_range = BinRange::Frame),
        dials(|own| own.histogram.bin_block = 4),
        dials(|own| own.histogram.bin_block = 2),
    ];
    let table = "
methods/frame_range | &nearest, ~depth | &nearest, depth | 0
methods/bins/shared | in_block.y * BLOCK + in_block.x | in_block.y * BLOCK + max(in_block.x, 1u) | 1
";
    each_is_found(&harness, Method::Histogram, &places, table);
    let places = MomentKind::ALL.map(|of| dials(|own| own.moment.moments = of));
    // Wrong roots, and iterations that end too early: after two, or two before the last.
    let table = "
methods/moment_polynomials | (1.0 - bias) / moments.total | (0.9 - bias) / moments.total | 2
methods/moment_zeros | degree / (degree - 1.0) * others.y | 0.998 * degree / (degree - 1.0) * others.y | 0
methods/moment_zeros | degree / (degree - 1.0) * others.y | 0.998 * degree / (degree - 1.0) * others.y | 3
methods/moment_zeros | nearer(others, nearer(others, nearer(others, ends))) | ends | 1
methods/moment_zeros | nearer(others, nearer(others, nearer(others, ends))) | ends | 2
methods/moment_zeros | nearer(others, nearer(others, nearer(others, ends))) | ends | 4
methods/moment_zeros | nearer(others, nearer(others, nearer(others, ends))) | ends | 5
";
    each_is_found(&harness, Method::Moment, &places, table);
}

#[test]
fn faults_of_what_threads_of_a_pixel_join_are_found() {
    let harness = Harness::new();
    let place = |tile, threads, change: fn(&mut MethodOptions)| {
        let options = dials(|own| own.threads_per_pixel = threads);
        let options = options.with_method(change);
        options.with_frame(|frame| frame.tile = tile)
    };
    let any = |_: &mut MethodOptions| ();
    // A large tile with few threads, and a small tile with as many threads as there are slots.
    let both = |change| [(16, 2), (8, 64)].map(|(tile, threads)| place(tile, threads, change));
    let table = "
methods/joined | sum += parts[part] | sum = parts[part] | 1
methods/joined | product *= parts[part].x | product = parts[part].x | 0
methods/any_order | / PARTS + wave.local % ABREAST | + wave.local % ABREAST | 0
";
    each_is_found(&harness, Method::Average, &both(any), table);
    let sliced = [place(8, 4, |own| own.weighted.weight_slices = 3)];
    let table = "
methods/weighted | = added(thread, (*state).sums[slice]) | = (*state).sums[slice] | 0
methods/weighted | = multiplied(thread, (*state).left[slice]) | = (*state).left[slice] | 0
";
    each_is_found(&harness, Method::Weighted, &sliced, table);
    let table = "
methods/weighted_sum | walk.part == 0u | walk.part < 2u | 0
methods/weighted_sum | = added(walk.thread, sums) | = sums | 1
";
    each_is_found(&harness, Method::WeightedSum, &both(any), table);
    let moments = [
        place(8, 64, |own| own.moment.moments = MomentKind::Trig4),
        place(8, 4, any),
    ];
    let table = "
methods/moment | added(thread, own.odd) | own.odd | 1
methods/moment | added(thread, own.even) | own.even | 0
methods/moment | added(thread, vec4f(own.total)).x | own.total | 1
methods/moment | sums = joined(walk.thread, sums) | sums = sums | 1
";
    each_is_found(&harness, Method::Moment, &moments, table);
    let bins = [
        place(8, 64, |own| own.histogram.bins = 32),
        place(8, 4, |own| {
            (own.histogram.bins, own.histogram.bin_range) = (8, BinRange::Tile)
        }),
        place(16, 2, |own| own.histogram.bin_range = BinRange::Frame),
    ];
    // The part of only one thread, bins that no thread adds up, and the column of another thread.
    let table = "
methods/bins/own | sum += bins | sum = bins | 1
methods/bins/own | bin += PARTS | bin += 2u * PARTS | 1
methods/bins/own | column.first % ABREAST]; | column.first]; | 2
methods/histogram | sums = joined(walk.thread, sums) | sums = sums | 1
";
    each_is_found(&harness, Method::Histogram, &bins, table);
    let samples = [
        place(16, 2, |own| own.stochastic.samples = 7),
        place(8, 64, |own| own.stochastic.samples = 33),
        place(8, 4, |own| {
            (own.stochastic.samples, own.stochastic.accumulate) = (7, 3)
        }),
    ];
    // Faults: only one thread looks for the nearest layer; pixels get the sums of another pixel.
    let table = "
methods/joined | min(found, parts[part]) | found | 0
methods/stochastic | left = multiplied(walk.thread, left) | left = left | 1
methods/stochastic | sums = added(walk.thread, sums) | sums = sums | 1
methods/stochastic | ABREAST + wave.local % ABREAST | ABREAST + wave.local % 2u | 2
";
    each_is_found(&harness, Method::Stochastic, &samples, table);
}

#[test]
fn faults_of_weights_and_sums_are_found() {
    let harness = Harness::new();
    let places = [(4, 1.0), (1, 0.01), (16, 100.0)]
        .map(|ends| dials(|own| (own.weighted.weight_slices, own.weighted.weight_scale) = ends));
    each_is_found(&harness, Method::Weighted, &places, "");
    let places = [(1.0, 1.0, 1.0), (1e4, 1e3, 1e-3), (100.0, 0.0, 1e3)].map(|ends| {
        dials(|own| {
            (
                own.weighted_sum.sum_reach,
                own.weighted_sum.sum_scale,
                own.weighted_sum.sum_background,
            ) = ends
        })
    });
    each_is_found(&harness, Method::WeightedSum, &places, "");
    if harness.methods().contains(&Method::WeightedDrawn) {
        // Faults in summand, weight and divisor.
        let table = "
methods/weighted_drawn | opacity * weight_of | weight_of | 0
methods/weighted_drawn | 1.0), opacity) | 1.0), 0.9 * opacity) | 0
methods/store_weighted | (1.0 - through) | through | 0
";
        each_is_found(&harness, Method::WeightedDrawn, &[dials(|_| ())], table);
    }
}

#[test]
fn faults_of_what_a_pixel_keeps_are_found() {
    let harness = Harness::new();
    let places = [
        (2, Rest::Drop, 0.05),
        (5, Rest::Weighted, 0.0),
        (16, Rest::ListOrder, 0.0),
        (7, Rest::ListOrder, 0.5),
        (16, Rest::Average, 0.05),
    ]
    .map(|ends| {
        dials(|own| {
            (
                own.keeping.kept,
                own.keeping.rest,
                own.k_buffer.core_opacity,
            ) = ends
        })
    });
    // Faults in ties between items, in the last node, in the threshold, and in each form of the rest.
    let table = "
methods/nodes | a.y < b.y | a.y > b.y | 1
methods/nodes | place >= KEPT | place + 1u >= KEPT | 0
methods/k_buffer | left.light.a >= CORE_OPACITY | left.light.a >= 0.0 | 3
methods/rest | = SCALE * paper_7(depth) | = layer.a * paper_7(depth) | 1
methods/normalised | sums.weights + product | sums.weights + 1.0 | 4
methods/rest | REST > WEIGHTED { return Sums( | REST > WEIGHTED { return Sums(2.0 * | 2
";
    each_is_found(&harness, Method::Hybrid, &places, table);
    let nodes = [
        (2, NodeStorage::U8),
        (16, NodeStorage::U8),
        (16, NodeStorage::F32),
        (3, NodeStorage::F16),
    ]
    .map(|ends| dials(|own| (own.keeping.kept, own.mlab.node_storage) = ends));
    // Faults in blending and in rounding.
    let table = "
methods/mlab | [KEPT - 1u].light, last | [0].light, last | 2
methods/mlab | floor(0.5 + | floor(0.4 + | 0
methods/mlab | floor(0.5 + | floor(0.6 + | 1
methods/mlab | 0xffffe000u | 0xffffc000u | 3
methods/mlab | 1.0 / 16384.0 | 1.0 / 1024.0 | 3
";
    each_is_found(&harness, Method::Mlab, &nodes, table);
    let nodes = [2, 7, 16].map(|kept| dials(|own| own.keeping.kept = kept));
    // Faults in the choice of a step, in its removal, and in the dimmed part.
    let table = "
methods/adaptive | lost < least.area | lost > least.area | 1
methods/adaptive | < least.area { least.place = KEPT; } | > least.area { least.place = KEPT; } | 2
methods/adaptive | if place + 1u == out | if place == out | 0
methods/adaptive | select(left, 1.0, is_nearer) | left | 2
";
    each_is_found(&harness, Method::Adaptive, &nodes, table);
}

#[test]
fn faults_of_walks_samples_and_lists_in_memory_are_found() {
    let harness = Harness::new();
    let frames = [(7, 2), (33, 3)]
        .map(|ends| dials(|own| (own.stochastic.samples, own.stochastic.accumulate) = ends));
    // Faults: all frames use the samples of the first, and only the last frame counts.
    let table = "
methods/samples | bitcast<u32>(frame.time) + number | bitcast<u32>(frame.time) | 0
methods/stochastic | all += select | all = select | 0
";
    each_is_found(&harness, Method::Stochastic, &frames, table);
    let passes = [(8, 64), (16, 4)]
        .map(|ends| dials(|own| (own.peeling.capacity, own.peeling.passes) = ends));
    // Faults: a pixel ends while something is still visible, or while layers are left.
    let table = "
methods/peeling | result.a <= 0.0 | result.a <= 0.5 | 0
methods/peeling | !is_before(last, behind_all()) | is_before(last, behind_all()) | 1
";
    each_is_found(&harness, Method::ABuffer, &passes, table);
    let rooms = [
        (4, Rest::Drop),
        (7, Rest::Average),
        (24, Rest::ListOrder),
        (64, Rest::Weighted),
    ]
    .map(|ends| dials(|own| (own.linked_list.list_room, own.keeping.rest) = ends));
    // Faults in ties between items, in the last node, in sorting after the first eight, and in the position of a node.
    let table = "
methods/taken | a.item < b.item | a.item > b.item | 1
methods/linked_list | count == ROOM | count + 1u == ROOM | 0
methods/linked_list | sorted < count | sorted < 8u | 2
methods/linked_list | count * PAIRS * THREADS | count * THREADS | 3
";
    each_is_found(&harness, Method::LinkedList, &rooms, table);
}

/// Largest number of walks of `peeling` at a pixel of a frame, limited to 64, with a shader edit.
fn most_walks(harness: &Harness, edit: [&'static str; 2]) -> f32 {
    let scene = scene("stress");
    let mut settings = settings(&scene, [97, 55], 700, 7);
    settings.options.method.peeling.peels = 64;
    let count = Edit::new(
        "methods/peeling",
        "result = followed_by_taken(result, &taken);",
        "result += vec4f(1.0);",
    );
    let [find, replace] = edit;
    let pipelines = Pipelines::new(source([count, Edit::new("methods/peeling", find, replace)]));
    let mut capture = harness.capture_for_by(&pipelines, &scene, &settings, &[Method::Peeling]);
    let picture = capture.picture(Method::Peeling).expect("a picture");
    picture
        .composite
        .pixels
        .iter()
        .fold(0.0, |most, pixel| most.max(pixel[0]))
}

#[test]
fn peeling_stops_where_nothing_is_left() {
    let harness = Harness::new();
    let found = most_walks(&harness, ["let longest =", "let longest ="]);
    let never = most_walks(
        &harness,
        ["== WORKGROUP { break; }", "> WORKGROUP { break; }"],
    );
    assert!(
        found > 4.0 && found < 40.0 && never == 64.0,
        "{found} {never}"
    );
}

#[test]
fn faults_of_a_cheaper_sort_are_found() {
    let harness = Harness::new();
    let place = |key_bits, order, stop_below, first_layers, window| {
        let mut options = dials(|own| own.coarse.window = window);
        (options.frame.key_bits, options.frame.order) = (key_bits, order);
        (
            options.method.coarse.stop_below,
            options.method.coarse.first_layers,
        ) = (stop_below, first_layers);
        options
    };
    let places = [
        place(16, ListOrder::Shuffled, 0.0, 0, 0),
        place(8, ListOrder::Item, 0.1, 0, 1),
        place(6, ListOrder::Item, 0.05, 1, 0),
        place(8, ListOrder::Sorted, 1.0 / 255.0, 0, 0),
        place(4, ListOrder::Shuffled, 0.0, 0, 2),
        place(4, ListOrder::Item, 0.05, 7, 5),
        place(4, ListOrder::Item, 0.0, 0, 16),
    ];
    // Faults in the effect of a layer, in both ends, and in the window: removed layer, equal depths, size and end.
    let table = "
methods/coarse | followed_by((*so_far).light, layer) | followed_by(layer, (*so_far).light) | 0
methods/coarse | light.a < STOP_BELOW | light.a < 1.1 * STOP_BELOW | 1
methods/coarse | taken == FIRST_LAYERS | taken + 1u == FIRST_LAYERS | 2
methods/coarse | layer, ~key_of | layer, key_of | 4
methods/coarse | slot), base + slot | slot), ~(base + slot) | 6
methods/coarse | i < KEPT; | i + 1u < KEPT; | 5
methods/nodes | place >= KEPT | place + 1u >= KEPT | 4
";
    each_is_found(&harness, Method::Coarse, &places, table);
}

#[test]
fn pixels_that_do_not_fit_are_counted() {
    let harness = Harness::new();
    let scene = scene("stress");
    let mut settings = settings(&scene, [97, 55], 1000, 8);
    let mut overflowed = |room| {
        settings.options.method.linked_list.list_room = room;
        let mut capture = harness.capture_for(&scene, &settings, &[Method::LinkedList]);
        capture
            .picture(Method::LinkedList)
            .expect("a picture")
            .overflowed
    };
    let [most, more, few] = [4, 8, 16].map(&mut overflowed);
    assert!(few < more && more <= most && most <= 97 * 55);
}
