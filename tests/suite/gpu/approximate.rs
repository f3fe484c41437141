//! Approximate methods: each kernel against its twin on stress lists, with planted faults, and in frames.

mod dials;

use wavelerp::model::methods::Method;
use wavelerp::model::options::{BinRange, ListOrder, MethodOptions, Options};
use wavelerp::model::reference::oit::weighted::Weight;
use wavelerp::runs::capture::Capture;
use wavelerp::runs::verify::checks::lists;
use wavelerp::runs::verify::faults::Fault;

use crate::harness::{Harness, greatest, scene, settings};

/// All approximate methods that this adapter can run.
fn methods(harness: &Harness) -> Vec<Method> {
    let mut methods = harness.methods();
    methods.retain(|method| !method.is_exact());
    methods
}

#[test]
fn every_kernel_is_its_twin_on_stress_lists() {
    let harness = Harness::new();
    let methods = methods(&harness);
    let (pipelines, options) = (&harness.pipelines, Options::default());
    let lists = lists(&harness.gpu.caps, &methods, 1);
    let checks = harness.checks(pipelines, &methods, &options, None, &lists);
    for check in &checks {
        assert!(check.passed && check.nan_count == 0, "{check:?}");
    }
    for method in methods {
        let own = || checks.iter().filter(|check| check.method == method);
        assert!(own().any(|check| check.layers == 3000));
        // Depths are in any order: none is exact there.
        let far = own()
            .filter_map(|check| check.from_exact)
            .fold(0.0, f64::max);
        assert!(far > 1e-3, "{method}: {far}");
    }
}

/// Controls of what is above.
mod controls {
    use super::dials::is_found;
    use super::*;

    #[test]
    fn a_fault_in_any_kernel_is_found() {
        let harness = Harness::new();
        for method in methods(&harness) {
            let usual = (method, MethodOptions::default());
            is_found(&harness, usual, Some(Fault::Pixel), Vec::new());
        }
    }
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
            capture.settings.options.method.bin_range = range;
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
            capture.settings.options.method.weight = weight;
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

/// Whether a method's transmittance is the exact one.
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
    let mut by_order = [ListOrder::Sorted, ListOrder::Item, ListOrder::Shuffled].map(|order| {
        let mut settings = settings(&scene, SIZE, 700, 7);
        settings.options.frame.order = order;
        // Hardly a pixel of this frame has more layers than there is usually room for.
        settings.options.method.list_room = 4;
        harness.capture_for(&scene, &settings, &needed)
    });
    let exact = pixels(&mut by_order[1], Method::PixelLoop);
    let sorted = pixels(&mut by_order[0], Method::ListOrder);
    assert!(exact == sorted, "list-order is exact on sorted lists");
    for method in methods {
        let [sorted, item, shuffled] = by_order.each_mut().map(|of| pixels(of, method));
        let moved = greatest(&sorted, &item).max(greatest(&item, &shuffled));
        let depends = [
            Method::ListOrder,
            Method::Mlab,
            Method::Adaptive,
            Method::LinkedList,
            Method::Coarse,
        ];
        let depends = depends.contains(&method);
        // Few layers make moments that rounding moves.
        let rounding = if method == Method::Moment { 0.2 } else { 3e-4 };
        assert_eq!(moved > rounding, depends, "{method}: {moved}");
        // Hardly a pixel of this frame has more layers than an A-buffer takes.
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
