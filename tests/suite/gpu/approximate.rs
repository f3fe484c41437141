//! Approximate methods: each kernel is compared with its twin on stress lists, with planted faults ([`dials`]), and
//! in frames.

mod dials;

use wavelerp::input::Disk;
use wavelerp::live::definition::Scope;
use wavelerp::model::methods::Method;
use wavelerp::model::options::ListOrder;
use wavelerp::model::scene::from_text;
use wavelerp::model::techniques::histogram::BinRange;
use wavelerp::model::techniques::weighted::Weight;
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, edited, greatest, scene, settings};

/// All approximate methods that this adapter can run.
fn methods(harness: &Harness) -> Vec<Method> {
    let mut methods = harness.methods();
    methods.retain(|method| !method.is_exact());
    methods
}

const SIZE: [u32; 2] = [97, 55];

/// A small frame of a scene for some methods, whose options a test may change.
fn captured<'a>(
    harness: &'a Harness,
    name: &str,
    (particles, slices): (u32, u32),
    methods: &[Method],
) -> Capture<'a> {
    let scene = scene(name);
    let settings = settings(&scene, SIZE, particles, slices);
    harness.capture_for(&scene, &settings, methods)
}

fn pixels(capture: &mut Capture, method: Method) -> Vec<[f32; 4]> {
    let picture = capture.picture(method).expect("a picture");
    picture.composite.pixels
}

#[test]
fn the_range_of_a_frame_of_one_tile_is_the_tiles() {
    let harness = Harness::new();
    let scene = scene("stress");
    let pictures = |size, slices| {
        let mut settings = settings(&scene, size, 700, slices);
        settings.options.frame.tile = 16;
        let mut capture = harness.capture_for(&scene, &settings, &[Method::Histogram]);
        [BinRange::Frame, BinRange::Tile, BinRange::Camera].map(|range| {
            capture.settings.options.method.histogram.bin_range = range;
            pixels(&mut capture, Method::Histogram)
        })
    };
    for slices in [0, 7] {
        let [frame, tile, camera] = pictures([16, 16], slices);
        assert!(frame == tile && frame != camera);
    }
    let [frame, tile, _] = pictures([32, 16], 0);
    assert!(frame != tile, "the control");
}

#[test]
fn drawn_layers_add_up_to_what_computed_ones_do_but_for_rounding() {
    let harness = Harness::new();
    if !methods(&harness).contains(&Method::WeightedDrawn) {
        return;
    }
    for (name, size) in [
        ("stress", (700, 7)),
        ("temple", (2000, 8)),
        ("panes", (300, 0)),
    ] {
        let methods = [Method::WeightedDrawn, Method::Weighted];
        let mut capture = captured(&harness, name, size, &methods);
        let mut picture = |method, weight| {
            capture.settings.options.method.weighted.weight = weight;
            pixels(&mut capture, method)
        };
        let drawn = picture(Method::WeightedDrawn, Weight::Paper7);
        let mut off = |weight| {
            let computed = picture(Method::Weighted, weight);
            let pairs = drawn.as_flattened().iter().zip(computed.as_flattened());
            let off = pairs.map(|(a, b)| (a - b).abs() / b.abs().max(0.1));
            off.sum::<f32>() / drawn.as_flattened().len() as f32
        };
        let [own, other] = [Weight::Paper7, Weight::Paper10].map(&mut off);
        assert!(own < 0.01 && other > 0.02, "{name}: {own} {other}");
    }
}

/// True if a method's transmittance is exact.
fn keeps_transmittance(method: Method) -> bool {
    use Method::{KBuffer, Peeling, WeightedDrawn, WeightedSum};
    ![KBuffer, WeightedSum, Peeling, WeightedDrawn].contains(&method)
}

#[test]
fn what_depends_on_order_does_and_what_does_not_does_not() {
    let harness = Harness::new();
    let scene = scene("stress");
    let methods = methods(&harness);
    let needed = [&*methods, &[Method::PixelLoop]].concat();
    let orders = [
        ListOrder::Sorted,
        ListOrder::Item,
        ListOrder::Shuffled,
        ListOrder::Any,
    ];
    let mut by_order = orders.map(|order| {
        let mut settings = settings(&scene, SIZE, 700, 7);
        settings.options.frame.order = order;
        // Few pixels of this frame have more layers than the default capacity.
        (
            settings.options.method.linked_list.list_room,
            settings.options.method.keeping.kept,
        ) = (4, 4);
        harness.capture_for(&scene, &settings, &needed)
    });
    let exact = pixels(&mut by_order[1], Method::PixelLoop);
    let sorted = pixels(&mut by_order[0], Method::ListOrder);
    assert!(exact == sorted, "list-order is exact on sorted lists");
    for method in methods {
        let [sorted, item, shuffled, any] = by_order.each_mut().map(|of| of.picture(method));
        let [sorted, item, shuffled] =
            [sorted, item, shuffled].map(|of| of.expect("a picture").composite.pixels);
        let moved = greatest(&sorted, &item).max(greatest(&item, &shuffled));
        let depends = [
            Method::ListOrder,
            Method::Mlab,
            Method::Adaptive,
            Method::LinkedList,
            Method::Coarse,
        ];
        let depends = depends.contains(&method);
        // With few layers, rounding affects moments.
        let rounding = if method == Method::Moment { 0.2 } else { 3e-4 };
        assert_eq!(moved > rounding, depends, "{method}: {moved}");
        match any {
            Ok(any) => {
                let moved = greatest(&item, &any.composite.pixels);
                assert!(!depends && moved <= rounding, "{method}: {moved}");
            }
            Err(error) => {
                assert!(depends, "{method}: {error}");
                assert!(error.message.contains("--order any"), "{error}");
            }
        }
        // Few pixels of this frame have more layers than the capacity of an A-buffer.
        if method == Method::ABuffer {
            continue;
        }
        assert!(greatest(&exact, &shuffled) > 1e-2, "{method}: exact");
        let transmittance =
            |of: &[[f32; 4]]| -> Vec<[f32; 4]> { of.iter().map(|[.., kept]| [*kept; 4]).collect() };
        let kept = greatest(&transmittance(&exact), &transmittance(&shuffled));
        assert_eq!(kept < 1e-4, keeps_transmittance(method), "{method}: {kept}");
    }
}

/// A scene with a disc and a tilted pane of one cell. The pane's centre is behind the disc, and the left half of the
/// pane is in front of it at the pixels that the disc covers.
const CROSS: &str = r#"(
    name: "cross", shows: "A pane across a disc.", best_time: 0.0, particles: 1, fog_slices: 0, exposure: 1.0, near: 1, far: 64,
    cameras: [(name: "ahead", eye: (0.0, 0.0, 0.0), target: (0.0, 0.0, -1.0), fov_y: 90.0)],
    sun: (direction_to_sun: (0.0, 1.0, 0.0), irradiance: (0.0, 0.0, 0.0)), ambient: (1.0, 1.0, 1.0),
    sky: (zenith: (0.125, 0.25, 0.5), horizon: (0.125, 0.25, 0.5)),
    fog: (extinction: 0.05, albedo: (0.5, 0.5, 0.5)),
    emitters: [(
        amount: Exactly(1), origin: (-1.2, 0, -5.5), albedo_start: (1, 0.2, 0.1), opacity: 0.7, softness: 0.0, radius_start: 0.5,
    )],
    sheets: [(
        center: (0.0, 0.0, -5.0), half_u: (2.0, 0.0, 1.9), half_v: (0.0, 2.0, 0.0), cells: (1, 1), albedo: (0.1, 0.9, 0.3), opacity: 0.6,
    )],
)"#;
/// A pixel that sees the disc through the pane.
const CROSSED: [u32; 2] = [38, 27];

#[test]
fn where_a_pane_crosses_a_disc_all_methods_have_them_in_the_exact_methods_order() {
    use Method::{ABuffer, Adaptive, Hybrid, KBuffer, LinkedList, Mlab, Peeling};
    let harness = Harness::new();
    let scene = from_text("cross.ron", CROSS, &Disk).expect("a scene");
    let with_room = [
        KBuffer, Hybrid, Mlab, Adaptive, Peeling, ABuffer, LinkedList,
    ];
    let by_hit = edited(
        "layers/sources/frame",
        "return Placed(evaluate(fetched, ray), order_of(fetched));",
        "let splat = splat_of(fetched);
        if fetched.d.x != FOG && splat.inverse_radius == tag_of(CELL) {
            return Placed(evaluate(fetched, ray), hit_of_cell(splat, ray).depth);
        }
        return Placed(evaluate(fetched, ray), order_of(fetched));",
    );
    let needed = [&with_room[..], &[Method::PixelLoop]].concat();
    for slices in [0, 3] {
        let mut settings = settings(&scene, SIZE, 1, slices);
        settings.options.method.peeling.peels = 8;
        let mut capture = harness.capture_for(&scene, &settings, &needed);
        let exact = pixels(&mut capture, Method::PixelLoop);
        let layers = harness.probe(&capture.frame, CROSSED).layers;
        for method in with_room {
            let picture = pixels(&mut capture, method);
            let apart = greatest(&exact, &picture);
            assert!(apart < 1e-5, "{method}, {slices}: {apart}");
            let of = settings.options.specialize(method);
            let said = Scope::of(&capture.frame, CROSSED).composite(&of, &layers);
            let said = said.expect("a pixel alone").result;
            let said = said.map(|channel| channel as f32);
            let found = picture[(CROSSED[1] * SIZE[0] + CROSSED[0]) as usize];
            let off = greatest(&[said], &[found]);
            assert!(off < 1e-5, "{method}, {slices}: {said:?} {found:?}");
        }
        let mut wrong = harness.capture_for_by(&by_hit, &scene, &settings, &[KBuffer]);
        let apart = greatest(&exact, &pixels(&mut wrong, KBuffer));
        assert!(apart > 0.1, "{apart}");
    }
}
