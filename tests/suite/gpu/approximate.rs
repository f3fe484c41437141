//! Approximate methods: each kernel against its twin on stress lists, with planted faults, and in frames.

mod dials;

use wavelerp::model::methods::Method;
use wavelerp::model::options::{BinRange, ListOrder, MethodOptions, Options};
use wavelerp::model::reference::oit::stochastic::Mode;
use wavelerp::model::reference::oit::weighted::{Storage, Weight};
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::Settings;
use wavelerp::runs::verify::checks::{Check, lists};
use wavelerp::runs::verify::faults::Fault;

use crate::harness::{Harness, scene, settings};

/// All approximate methods that this adapter can run.
fn methods(harness: &Harness) -> Vec<Method> {
    let mut methods = harness.methods();
    methods.retain(|method| !method.is_exact());
    methods
}

/// The checks of all approximate methods on all stress lists.
fn checked(harness: &Harness) -> Vec<Check> {
    let methods = methods(harness);
    let lists = lists(&harness.gpu.caps, &methods, 1);
    harness.checks(
        &harness.pipelines,
        &methods,
        &Options::default(),
        None,
        &lists,
    )
}

#[test]
fn every_kernel_is_its_twin_on_stress_lists() {
    let harness = Harness::new();
    let checks = checked(&harness);
    for check in &checks {
        assert!(check.passed && check.nan_count == 0, "{check:?}");
    }
    for method in methods(&harness) {
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

fn captured(
    harness: &Harness,
    scene: &Scene,
    settings: &Settings,
    method: Method,
) -> Vec<[f32; 4]> {
    let mut capture = harness.capture_for(scene, settings, &[method]);
    let picture = capture.picture(method).expect("a picture");
    picture.composite.pixels
}

/// The picture by a method on lists of an order.
fn picture(harness: &Harness, method: Method, order: ListOrder) -> Vec<[f32; 4]> {
    let scene = scene("stress");
    let mut settings = settings(&scene, [97, 55], 700, 7);
    settings.options.frame.order = order;
    // Hardly a pixel of this frame has more layers than there is usually room for.
    settings.options.method.list_room = 4;
    captured(harness, &scene, &settings, method)
}

fn far(a: &[[f32; 4]], b: &[[f32; 4]]) -> f32 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs
        .map(|(a, b)| (a - b).abs() / a.abs().max(1.0))
        .fold(0.0, f32::max)
}

#[test]
fn the_range_of_a_frame_of_one_tile_is_the_tiles() {
    let harness = Harness::new();
    let scene = scene("stress");
    let picture = |size, bin_range, slices| {
        let mut settings = settings(&scene, size, 700, slices);
        settings.options.frame.tile = 16;
        settings.options.method.bin_range = bin_range;
        captured(&harness, &scene, &settings, Method::Histogram)
    };
    let both = |size, slices| [BinRange::Frame, BinRange::Tile].map(|of| picture(size, of, slices));
    for slices in [0, 7] {
        let [frame, tile] = both([16, 16], slices);
        assert!(frame == tile && frame != picture([16, 16], BinRange::Camera, slices));
    }
    let [frame, tile] = both([32, 16], 0);
    assert!(frame != tile, "the control");
}

#[test]
fn samples_in_as_many_layers_are_their_mean() {
    let harness = Harness::new();
    let scene = scene("stress");
    let picture = |estimate, kept| {
        let mut settings = settings(&scene, [97, 55], 700, 7);
        let own = &mut settings.options.method;
        (own.samples, own.estimate, own.kept) = (16, estimate, kept);
        captured(&harness, &scene, &settings, Method::Stochastic)
    };
    let mean = picture(Mode::Mean, 2);
    assert!(mean == picture(Mode::Layered, 16));
    assert!(mean != picture(Mode::Layered, 2), "the control");
}

#[test]
fn drawn_layers_add_up_to_what_computed_ones_do_but_for_rounding() {
    let harness = Harness::new();
    if !methods(&harness).contains(&Method::WeightedDrawn) {
        return;
    }
    for (name, particles, slices) in [("stress", 700, 7), ("temple", 2000, 8), ("panes", 300, 0)] {
        let scene = scene(name);
        let picture = |method, weight| {
            let mut settings = settings(&scene, [97, 55], particles, slices);
            settings.options.method.weight = weight;
            settings.options.method.weight_storage = Storage::F16U8;
            captured(&harness, &scene, &settings, method)
        };
        let drawn = picture(Method::WeightedDrawn, Weight::Paper7);
        let off = |weight| {
            let computed = picture(Method::Weighted, weight);
            let pairs = drawn.as_flattened().iter().zip(computed.as_flattened());
            let off = pairs.map(|(a, b)| (a - b).abs() / b.abs().max(0.1));
            off.sum::<f32>() / drawn.as_flattened().len() as f32
        };
        let [own, other] = [Weight::Paper7, Weight::Paper10].map(off);
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
    use ListOrder::{Item, Shuffled, Sorted};
    let harness = Harness::new();
    let exact = picture(&harness, Method::PixelLoop, Item);
    let sorted = picture(&harness, Method::ListOrder, Sorted);
    assert!(exact == sorted, "list-order is exact on sorted lists");
    for method in methods(&harness) {
        let [sorted, item, shuffled] =
            [Sorted, Item, Shuffled].map(|order| picture(&harness, method, order));
        let moved = far(&sorted, &item).max(far(&item, &shuffled));
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
        assert!(far(&exact, &shuffled) > 1e-2, "{method} is no exact one");
        let transmittance =
            |of: &[[f32; 4]]| -> Vec<[f32; 4]> { of.iter().map(|[.., kept]| [*kept; 4]).collect() };
        let kept = far(&transmittance(&exact), &transmittance(&shuffled));
        assert_eq!(kept < 1e-4, keeps_transmittance(method), "{method}: {kept}");
    }
}
