//! Methods that the blending hardware draws: order of the stream, empty frames, and detection of a wrong order. For
//! scenes and stress lists, `pictures.rs` and `methods.rs` compare them with other methods.

use wavelerp::gpu::Pipelines;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Label;
use wavelerp::model::scene::{Amount, Scene};
use wavelerp::model::settings::Settings;
use wavelerp::report::Picture;
use wavelerp::report::metrics::Metrics;

use crate::harness::{Harness, apart, edited, scene, settings};
use crate::on_screen::{draw, live, pixels, shown, untimed, wanted};

/// Pipelines of shaders whose stream begins with the nearest layer.
fn stream_front_to_back() -> Pipelines {
    let find = "counters[VISIBLE] + frame.listed_slices - 1u - place";
    edited("frame/stream", find, "place")
}

fn drawn(harness: &Harness) -> Vec<Method> {
    let mut methods = harness.exact_methods();
    methods.retain(|method| method.is_drawn());
    assert!(methods.contains(&Method::FixedFunctionF16));
    // Software Vulkan can blend into 32-bit floats, so the method must be tested there.
    assert!(!harness.gpu.caps.is_cpu || methods.contains(&Method::FixedFunction));
    methods
}

/// Allowed difference between two pictures whose largest radiance is `largest`.
fn tolerance(method: Method, largest: f64) -> f64 {
    let unit = if method.rounds_to_half() { 0.08 } else { 1e-5 };
    unit * largest.max(1.0)
}

/// Difference between a drawn method's picture and the plain loop's, in multiples of the tolerance; and the picture.
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
            // With a thousand layers, half floats round too much to reveal the position of a single layer.
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

/// The scene `two` with both discs at the same place, the first red, the second green.
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
