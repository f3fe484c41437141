//! The methods that are drawn by the blending hardware: the stream's order, what it is empty of, and that
//! another order is found. Scenes and stress lists are compared with the other methods'
//! (`pictures.rs`, `methods.rs`).

use wavelerp::gpu::Pipelines;
use wavelerp::methods::Specialization;
use wavelerp::model::methods::{Method, Source};
use wavelerp::model::options::ListOrder;
use wavelerp::model::passes::Label;
use wavelerp::model::reference::composite::{Layer, composite, error_bound, over};
use wavelerp::model::reference::half::error_bound_half;
use wavelerp::model::reference::stress::random_layers;
use wavelerp::model::scene::{Amount, Scene};
use wavelerp::model::settings::Settings;
use wavelerp::report::Picture;
use wavelerp::report::metrics::Metrics;
use wavelerp::runs::verify::table::{Table, as_seen_by};

use crate::harness::{Harness, apart, edited, error_over_bound, scene, settings};
use crate::on_screen::{draw, live, pixels, shown, untimed, wanted};

/// The stream begins with the nearest layer.
fn stream_front_to_back() -> Pipelines {
    let find = "counters[VISIBLE] + frame.slices - 1u - place";
    edited("frame/stream", find, "place")
}

/// So do a table's lists.
fn lists_front_to_back() -> Pipelines {
    let (find, replace) = ("list.end - 1u - from_far", "list.begin + from_far");
    edited("methods/fixed_function", find, replace)
}

fn drawn(harness: &Harness) -> Vec<Method> {
    let mut methods = harness.exact_methods();
    methods.retain(|method| method.is_drawn());
    assert!(methods.contains(&Method::FixedFunctionF16));
    // Software Vulkan blends into 32-bit floats: there the method must be tested.
    assert!(!harness.gpu.caps.is_cpu || methods.contains(&Method::FixedFunction));
    methods
}

/// What two pictures may differ by, `largest` being the largest radiance.
fn tolerance(method: Method, largest: f64) -> f64 {
    let unit = if method.rounds_to_half() { 0.08 } else { 1e-5 };
    unit * largest.max(1.0)
}

/// How far a drawn method's picture is from the plain loop's, in tolerances; and the picture.
fn drawn_by(
    harness: &Harness,
    pipelines: &Pipelines,
    scene: &Scene,
    settings: &Settings,
    method: Method,
) -> (f64, Picture) {
    let mut capture = harness.capture_by(pipelines, scene, settings);
    let largest = f64::from(capture.largest_radiance().expect("a radiance"));
    let reference = capture.picture(Method::PixelLoop).expect("a picture");
    let found = capture.picture(method).expect("a picture");
    assert_eq!(found.wave_size, None);
    let off = difference(&reference.composite, &found.composite);
    (off / tolerance(method, largest), found.composite)
}

fn difference(a: &Picture, b: &Picture) -> f64 {
    let metrics = Metrics::between(a, b).expect("pictures of one size");
    assert_eq!(metrics.nan_count, 0);
    metrics.max_abs
}

#[test]
fn the_stream_is_in_the_order_of_the_lists() {
    let harness = Harness::new();
    let wrong = stream_front_to_back();
    for (name, particles, slices) in [("temple", 6000, 16), ("stress", 3000, 8), ("panes", 500, 4)]
    {
        let scene = scene(name);
        let settings = settings(&scene, [97, 55], particles, slices);
        for method in drawn(&harness) {
            // Half floats round away too much of a thousand layers to tell where one of them stands.
            if method.rounds_to_half() && name == "stress" {
                continue;
            }
            let off_by = |pipelines| drawn_by(&harness, pipelines, &scene, &settings, method).0;
            let off = off_by(&harness.pipelines);
            assert!(off <= 1.0, "{name} {method}: {off}");
            let off = off_by(&wrong);
            assert!(off > 1.0, "{name} {method}: {off}");
        }
    }
}

#[test]
fn a_stream_without_particles_or_without_slices_is_what_is_left() {
    let harness = Harness::new();
    let scene = scene("temple");
    for (particles, slices) in [(0, 16), (0, 1), (3000, 0), (0, 0)] {
        let settings = settings(&scene, [97, 55], particles, slices);
        for method in drawn(&harness) {
            let (off, found) = drawn_by(&harness, &harness.pipelines, &scene, &settings, method);
            let what = format!("{method} {particles} {slices}");
            assert!(off <= 1.0, "{what}: {off}");
            let nothing = [0.0, 0.0, 0.0, 1.0];
            let is_empty = found.pixels.iter().all(|pixel| *pixel == nothing);
            assert_eq!(is_empty, particles == 0 && slices == 0, "{what}");
        }
    }
}

/// `two` with both discs at one place, the first red, the second green.
fn at_one_depth(first: usize) -> Scene {
    let mut scene = scene("two");
    scene.emitters.truncate(2);
    for (index, emitter) in scene.emitters.iter_mut().enumerate() {
        emitter.amount = Amount::Exactly(1);
        emitter.origin = [0.0, 0.0, -5.0];
        emitter.radius_start = 1.0;
        emitter.opacity = 0.75;
        emitter.emission = [0.0; 3];
        emitter.emission[(index + first) % 2] = 4.0;
    }
    scene
}

#[test]
fn equal_depths_are_drawn_in_the_order_of_particles() {
    let harness = Harness::new();
    for method in drawn(&harness) {
        let pictures = [0, 1].map(|first| {
            let scene = at_one_depth(first);
            let settings = settings(&scene, [33, 17], 2, 4);
            let (off, found) = drawn_by(&harness, &harness.pipelines, &scene, &settings, method);
            assert!(off <= 1.0, "{method}: {off}");
            found
        });
        let swapped = difference(&pictures[0], &pictures[1]);
        assert!(swapped > 0.5, "{method}: the order changes {swapped}");
    }
}

/// Greatest error over bound of lists of several lengths, of all pixels.
fn excess(harness: &Harness, pipelines: &Pipelines, method: Method, lists: &[Vec<Layer>]) -> f64 {
    let slices: Vec<&[Layer]> = lists.iter().map(Vec::as_slice).collect();
    let table = Table::new(&harness.gpu, &slices, 8, false, ListOrder::Sorted).expect("it fits");
    let specialization = Specialization {
        source: Source::Table,
        ..Specialization::new(method)
    };
    let result = table.result(&harness.gpu, pipelines, specialization);
    let result = harness.gpu.finish(result).expect("it runs");
    let mut worst = 0f64;
    for (index, list) in lists.iter().enumerate() {
        for (in_tile, pixel) in (0..).zip(&result.lists[index]) {
            let seen = as_seen_by(list, in_tile);
            let bound = match method.rounds_to_half() {
                true => error_bound_half(&seen),
                false => error_bound(&seen),
            };
            let expected = composite(&seen).channels();
            worst = worst.max(error_over_bound(expected, bound, *pixel));
        }
    }
    worst
}

#[test]
fn lists_of_every_length_are_drawn_over_their_own_tile_and_order_matters() {
    let harness = Harness::new();
    let lengths = [0, 1, 2, 7, 64, 0, 300];
    let lists: Vec<Vec<Layer>> = (0..)
        .zip(lengths)
        .map(|(seed, count)| random_layers(count, seed, 0.2))
        .collect();
    for method in drawn(&harness) {
        let excess_of = |pipelines| excess(&harness, pipelines, method, &lists);
        let right = excess_of(&harness.pipelines);
        assert!(right <= 1.0, "{method}: {right} of the bound");
        let backwards = excess_of(&lists_front_to_back());
        assert!(backwards > 1.0, "{method}: {backwards} of the bound");
    }
    // The two orders differ by what the model says.
    let (front, back) = lists[3].split_at(3);
    let (front, back) = (composite(front), composite(back));
    assert!((over(front, back).rgb[0] - over(back, front).rgb[0]).abs() > 0.01);
}

#[test]
fn a_half_float_target_rounds_more_than_f32_allows_and_less_than_its_own_bound() {
    let harness = Harness::new();
    let lists = vec![random_layers(200, 4, 0.05)];
    let seen = as_seen_by(&lists[0], 0);
    let ratio = error_bound_half(&seen)[0] / error_bound(&seen)[0];
    let method = Method::FixedFunctionF16;
    let of_own = excess(&harness, &harness.pipelines, method, &lists);
    assert!(of_own <= 1.0, "{of_own} of its bound");
    assert!(of_own * ratio > 1.0, "within the common bound: {of_own}");
}

#[test]
fn on_screen_a_drawn_method_stands_beside_a_computed_one() {
    let harness = Harness::new();
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 2000, 8);
    for method in drawn(&harness) {
        let mut live = live(&harness, &scene, &settings, 1 << 16);
        let wanted = wanted(&live, &settings, [Some(method), Some(Method::PixelLoop)]);
        draw(&harness, &mut live, &wanted);
        assert_eq!(live.shown.wave_sizes[0], None);
        let a = shown(&harness, &live);
        let b = pixels(&harness.gpu, &live.shown.other.composites, settings.size);
        let [a, b] = [&a, &b].map(|of| bytemuck::cast_slice(of));
        let off = apart(a, b);
        assert!(f64::from(off) <= tolerance(method, 20.0), "{method}: {off}");
        assert!(off > 0.0, "{method} is not the plain loop");
        let label = "targets of drawn methods";
        assert!(live.memory().iter().any(|(name, _)| *name == label));
        let own = Label::of(method);
        let labels = [own, own.part("stream"), own.part("store")];
        let missing = untimed(&harness, &mut live, &wanted, &labels);
        assert!(missing.is_empty(), "{missing:?} have no times");
    }
}
