//! Whole pictures: every method is compared with the plain loop and with f64; hazards, early-out, split dispatches
//! and reproducible bits are tested too.

use clap::ValueEnum;
use wavelerp::live::inspect::ProbedLayer;
use wavelerp::methods::kernel::layers_per_dispatch;
use wavelerp::model::methods::{Group, Method};
use wavelerp::model::options::Hazard;
use wavelerp::model::reference::composite::{
    Layer, composite, composite_guarded, error_bound, error_bound_guarded,
};
use wavelerp::model::reference::half::{error_bound_half, error_bound_half_runs};
use wavelerp::model::scene::{Amount, Scene};
use wavelerp::model::settings::Settings;
use wavelerp::report::Picture;
use wavelerp::report::metrics::Metrics;
use wavelerp::runs::capture::{Capture, MethodPicture};
use wavelerp::runs::verify::facts::facts;

use crate::harness::{Harness, error_over_bound, scene, settings, thinned_scene};

/// A small frame size at which tiles of 8 and of 16 pixels are cut off at the right and at the bottom.
const SIZE: [u32; 2] = [53, 29];
const MAGENTA: [u8; 3] = [255, 0, 255];

/// A built-in scene with few particles and slices. Even with two fifths of its particles and slices, `stress` has a list
/// of more than a thousand layers.
pub(super) fn few_of(name: &str) -> (Scene, Settings) {
    let mut scene = thinned_scene(name);
    let slices = scene.fog_slices.min(16);
    let particles = match name {
        "temple" => 1_500,
        "stress" => 3_200,
        _ => scene.particles.min(600),
    };
    for emitter in &mut scene.emitters {
        if let Amount::Exactly(amount) = &mut emitter.amount {
            *amount = *amount * 2 / 5;
        }
    }
    let settings = settings(&scene, SIZE, particles, slices);
    (scene, settings)
}

fn pictures(capture: &mut Capture, methods: &[Method]) -> Vec<MethodPicture> {
    let methods = methods.iter();
    methods
        .map(|&method| capture.picture(method).expect("a picture"))
        .collect()
}

fn between(reference: &Picture, picture: &Picture) -> Metrics {
    Metrics::between(reference, picture).expect("pictures of one size")
}

/// Allowed difference between a picture and the plain loop's picture.
fn tolerance(capture: &Capture) -> f64 {
    let largest = capture.largest_radiance().expect("the largest radiance");
    1e-5 * f64::from(largest.max(1.0))
}

/// True if a picture is within tolerance. Half floats round to 2^-11 instead of 2^-24 at each of a thousand layers, so
/// only the mean error is checked here; the worst pixel has a bound from its own list (below).
fn is_within(method: Method, metrics: &Metrics, tolerance: f64) -> bool {
    if method.rounds_to_half() {
        metrics.mean_abs <= 8192.0 * tolerance
    } else {
        metrics.max_abs <= tolerance
    }
}

fn every_method_agrees_on(name: &str, tiles: &[u32]) {
    let harness = Harness::new();
    let (scene, settings) = few_of(name);
    every_method_agrees(&harness, &scene, settings, tiles);
}

/// Asserts that every method's picture equals the plain loop's, with tiles of each size.
pub fn every_method_agrees(
    harness: &Harness,
    scene: &Scene,
    mut settings: Settings,
    tiles: &[u32],
) {
    let name = &scene.name;
    for &tile in tiles {
        settings.options.frame.tile = tile;
        let mut capture = harness.capture(scene, &settings);
        let tolerance = tolerance(&capture);
        let reference = capture.picture(Method::PixelLoop).expect("a picture");
        // Tiles of the first size have one pixel per wave and many, tiles of the other size a few.
        let counts: &[u32] = if tile == tiles[0] { &[1, 64] } else { &[8] };
        for &pixels_per_wave in counts {
            capture.settings.options.method.pixels_per_wave = pixels_per_wave;
            let mut methods = harness.exact_methods();
            // For other methods, the number of pixels per wave does not change the kernel.
            let depends = |method: &Method| method.entry().group == Group::PerWave;
            methods.retain(|method| pixels_per_wave < 64 || depends(method));
            for method in methods {
                let found = capture.picture(method).expect("a picture");
                let metrics = between(&reference.composite, &found.composite);
                let what = format!("{name}, {method}, tile {tile}, P {pixels_per_wave}");
                assert_eq!(metrics.nan_count, 0, "{what}: {metrics:?}");
                let within = is_within(method, &metrics, tolerance);
                assert!(within, "{what}: {metrics:?}");
            }
        }
        let mut perturbed = reference.composite.clone();
        perturbed.pixels[1000][1] += 1.5 * tolerance as f32;
        let metrics = between(&reference.composite, &perturbed);
        assert!(metrics.max_abs > tolerance, "a wrong pixel is not found");
    }
}

/// Makes one test per scene, with tiles of the given sizes, so that scenes run in parallel.
macro_rules! every_method_draws_as_the_plain_loop_does {
    ($($name:ident $tiles:tt),*) => {
        mod every_method_draws_as_the_plain_loop_does {
            $(#[test]
            fn $name() {
                super::every_method_agrees_on(stringify!($name), &$tiles);
            })*
        }

        #[test]
        fn every_scene_is_drawn_by_every_method() {
            assert_eq!([$(stringify!($name)),*].as_slice(), wavelerp::model::scene::names());
        }
    };
}

every_method_draws_as_the_plain_loop_does! {
    temple [8, 16], stack [16], harbour [16], panes [8], stress [16, 8], two [8], statue [8]
}

/// Layers of a pixel, evaluated by the probe kernel.
pub fn layers_at(harness: &Harness, capture: &Capture, pixel: [u32; 2]) -> Vec<Layer> {
    let layers = harness.probe(&capture.frame, pixel).layers.into_iter();
    let layer = |layer: ProbedLayer| Layer {
        color: layer.color,
        opacity: layer.opacity,
    };
    layers.map(layer).collect()
}

/// Largest error, divided by its bound, of four channels against f64 on the same layers.
pub fn excess(method: Method, hazard: Hazard, layers: &[Layer], found: [f32; 4]) -> f64 {
    let (expected, bound) = match hazard {
        _ if method.rounds_to_half() => (composite(layers), error_bound_half(layers)),
        _ if hazard.guards() && method.uses_prefix_product() => {
            (composite_guarded(layers), error_bound_guarded(layers))
        }
        _ => (composite(layers), error_bound(layers)),
    };
    error_over_bound(expected.channels(), bound, found)
}

/// Largest error, divided by its bound, of four channels composited in half floats, against f64 on the same layers.
pub fn excess_in_half(layers: &[Layer], found: [f32; 4]) -> f64 {
    let bound = error_bound_half_runs(layers);
    error_over_bound(composite(layers).channels(), bound, found)
}

#[test]
fn every_method_meets_the_f64_bound_on_the_layers_of_a_pixel() {
    let harness = Harness::new();
    for name in ["temple", "panes", "stress"] {
        let (scene, settings) = few_of(name);
        let mut capture = harness.capture(&scene, &settings);
        // The last two pixels are next to the needle of `stress`.
        let spread = (0..10).map(|i| [i * 97 % SIZE[0], i * 59 % SIZE[1]]);
        let pixels: Vec<_> = spread.chain([[52, 28], [26, 14], [27, 15]]).collect();
        let layers: Vec<_> = (pixels.iter())
            .map(|&pixel| layers_at(&harness, &capture, pixel))
            .collect();
        assert!(name != "stress" || layers.iter().any(|list| list.len() > 1000));
        for hazard in [Hazard::Driver, Hazard::DriverGuarded] {
            capture.settings.options.method.hazard = hazard;
            // The hazard changes only the kernels of methods with a prefix product.
            let mut methods = harness.exact_methods();
            methods.retain(|method| hazard == Hazard::Driver || method.uses_prefix_product());
            for picture in pictures(&mut capture, &methods) {
                let method = picture.method;
                for (&pixel, layers) in pixels.iter().zip(&layers) {
                    let found = picture.composite.at(pixel);
                    let excess = excess(method, hazard, layers, found);
                    let what = format!("{name}, {method} at {pixel:?}");
                    assert!(excess <= 1.0, "{what}: {excess} of the bound");
                    // Negative control: an error of one part in a thousand, which half floats do not resolve.
                    let mut wrong = found;
                    wrong[1] *= 1.001;
                    let is_blind = layers.len() > 1000 || method.rounds_to_half();
                    assert!(is_blind || self::excess(method, hazard, layers, wrong) > 1.0);
                }
            }
        }
    }
}

/// At opaque layers of `stress`, inclusive / (1 - t) is 0 / 0.
#[test]
fn only_division_makes_nan_of_opaque_layers_and_its_pixels_are_magenta() {
    let harness = Harness::new();
    let facts = facts(&harness.gpu, &harness.pipelines).expect("facts");
    let (scene, settings) = few_of("stress");
    let mut capture = harness.capture(&scene, &settings);
    let reference = capture.picture(Method::PixelLoop).expect("a picture");
    for &hazard in Hazard::value_variants() {
        if hazard == Hazard::Driver && facts.exclusive_product_survives_zero != Some(true) {
            continue;
        }
        capture.settings.options.method.hazard = hazard;
        for picture in pictures(&mut capture, &harness.exact_methods()) {
            let what = format!("{} with {}", picture.method, hazard);
            let metrics = between(&reference.composite, &picture.composite);
            let is_nan = |pixel: &[f32; 4]| pixel.iter().any(|value| value.is_nan());
            let nans: Vec<bool> = picture.composite.pixels.iter().map(is_nan).collect();
            let magenta = picture.resolved.pixels().iter().map(|&rgb| rgb == MAGENTA);
            assert!(magenta.eq(nans.iter().copied()), "{what}");
            let count = nans.iter().filter(|&&nan| nan).count() as u64;
            assert_eq!(metrics.nan_count, count, "{what}");
            let expects = hazard == Hazard::Division && picture.method.uses_prefix_product();
            assert_eq!(count > 0, expects, "{what}: {count} pixels");
        }
    }
}

#[test]
fn early_out_errs_by_no_more_than_what_still_came_through() {
    let harness = Harness::new();
    for name in ["temple", "stress"] {
        // The scene is dense enough for every method to stop.
        let scene = scene(name);
        let small = settings(&scene, SIZE, 8_000, 16);
        // In a small picture `auto` cuts lists into pieces that are all walked to the end.
        let large = Settings {
            size: [161, 91],
            ..small.clone()
        };
        let is_auto = |method: &Method| *method == Method::Auto;
        let (auto, others) = harness.exact_kernels().into_iter().partition(is_auto);
        stops_early_by(&harness, &scene, small, others);
        stops_early_by(&harness, &scene, large, auto);
    }
}

/// Asserts that the composites of each method without and with early-out differ at most by the remaining transmittance.
fn stops_early_by(harness: &Harness, scene: &Scene, settings: Settings, methods: Vec<Method>) {
    assert!(!methods.is_empty());
    let mut capture = harness.capture(scene, &settings);
    let largest = f64::from(capture.largest_radiance().expect("a radiance").max(1.0));
    let rounding = 2.0 * tolerance(&capture);
    let whole = pictures(&mut capture, &methods);
    let threshold = 0.25;
    capture.settings.options.frame.early_out = threshold;
    for (whole, early) in whole.iter().zip(pictures(&mut capture, &methods)) {
        let what = format!("{}, {}", scene.name, early.method);
        let metrics = between(&whole.composite, &early.composite);
        // Threads that share a pixel each stop in their own run, and so do batches: threshold + threshold² + …
        let lost = match early.method {
            Method::SplitDepth | Method::SplitBatches | Method::Auto => {
                threshold / (1.0 - threshold)
            }
            _ => threshold,
        };
        let most = f64::from(lost) * largest + rounding;
        assert_eq!(metrics.nan_count, 0, "{what}");
        assert!(metrics.max_abs <= most, "{what}: {metrics:?}");
        assert!(metrics.max_abs > rounding, "{what}: no pixel stops");
    }
}

#[test]
fn two_captures_are_the_same_bit_by_bit_also_on_another_device() {
    let harness = Harness::new();
    let (scene, settings) = few_of("temple");
    let drawn = |harness: &Harness| {
        let methods = harness.methods();
        let mut capture = harness.capture_for(&scene, &settings, &methods);
        let pictures = pictures(&mut capture, &methods).into_iter();
        let bits = |picture: MethodPicture| {
            let bits = bytemuck::cast_slice::<[f32; 4], u32>(&picture.composite.pixels).to_vec();
            (bits, picture.resolved)
        };
        pictures.map(bits).collect::<Vec<_>>()
    };
    let first = drawn(&harness);
    assert!(drawn(&harness) == first, "the same device differs");
    assert!(drawn(&Harness::alone()) == first, "another device differs");
    // Negative control: another seed.
    let mut other = settings.clone();
    other.seed = 2;
    let mut capture = harness.capture(&scene, &other);
    let picture = capture.picture(Method::PixelLoop).expect("a picture");
    assert!(picture.resolved != first[0].1);
}

#[test]
fn a_composite_in_many_dispatches_equals_the_single_one() {
    let mut harness = Harness::new();
    let (scene, settings) = few_of("stress");
    // The limit is valid for these lists at P = 8.
    let (whole, tolerance) = {
        let mut capture = harness.capture(&scene, &settings);
        let tolerance = tolerance(&capture);
        (pictures(&mut capture, &harness.exact_kernels()), tolerance)
    };
    harness.gpu.caps.loop_turns = Some(400);
    let mut capture = harness.capture(&scene, &settings);
    for (whole, parts) in whole
        .iter()
        .zip(pictures(&mut capture, &harness.exact_kernels()))
    {
        let specialization = settings.options.specialize(parts.method);
        let step = layers_per_dispatch(&harness.gpu.caps, &specialization);
        let longest = capture.counters.longest_list;
        assert!(longest > 3 * step, "{step} layers each");
        let (method, metrics) = (parts.method, between(&whole.composite, &parts.composite));
        assert_eq!(metrics.nan_count, 0, "{method}");
        assert!(metrics.max_abs <= tolerance, "{method}: {metrics:?}");
        if method == Method::PixelLoop {
            assert_eq!(metrics.differing_pixels, 0, "{metrics:?}");
        }
    }
    // Negative control: the far end of the longest lists is left out.
    capture.counters.longest_list = 300;
    let part = capture.picture(Method::PixelLoop).expect("a picture");
    assert_eq!(whole[0].method, part.method);
    let metrics = between(&whole[0].composite, &part.composite);
    assert!(metrics.max_abs > tolerance, "{metrics:?}");
}
