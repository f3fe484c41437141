//! A probed pixel in live frames has the same layers as in a report. Every method's value is compared with the layers of
//! the frame that the method composited.

use wavelerp::frame::at_moment;
use wavelerp::live::definition::Scope;
use wavelerp::live::{Live, LiveProbe, ProbeResult, ProbeWanted, Wanted, inspect};
use wavelerp::model::methods::Method;
use wavelerp::model::options::{FogMode, ListOrder};
use wavelerp::model::reference::composite::{Layer, error_bound};
use wavelerp::model::reference::half::error_bound_half;
use wavelerp::model::scene::{Amount, Scene};
use wavelerp::model::settings::Settings;

use crate::harness::{Harness, error_over_bound, scene, settings};
use crate::on_screen::{draw_once, live, wanted};

/// Frame size at which tiles are cut off at the right and at the bottom.
const SIZE: [u32; 2] = [53, 33];

/// Draws at least `least` frames, and more until `is_done`: on a busy machine read-backs take several frames.
fn draw_until(
    harness: &Harness,
    live: &mut Live,
    wanted: &Wanted,
    least: usize,
    is_done: impl Fn(&LiveProbe) -> bool,
) {
    for drawn in 1..500 {
        draw_once(harness, live, wanted);
        if drawn >= least && live.looking.probe.as_ref().is_some_and(&is_done) {
            return;
        }
    }
    panic!("no result of {:?} arrived", wanted.probe);
}

/// Draws frames until every probed method has had its turn and its result has arrived.
fn draw(harness: &Harness, live: &mut Live, wanted: &Wanted) {
    let all = wanted.probe.as_ref().expect("a probe").methods.len();
    let is_done = |probe: &LiveProbe| probe.results.len() >= all;
    draw_until(harness, live, wanted, all + 5, is_done);
}

/// A small scene, a live frame of it, and a request that probes `pixel` with every method.
fn probing(harness: &Harness, name: &str, pixel: [u32; 2]) -> (Scene, Settings, Live, Wanted) {
    let scene = scene(name);
    let settings = settings(&scene, SIZE, 600, 8);
    let live = live(harness, &scene, &settings, 1 << 16);
    let mut wanted = wanted(&live, &settings, [Some(Method::PixelLoop), None]);
    let methods = harness.exact_methods().into_iter();
    wanted.probe = Some(ProbeWanted {
        pixel,
        methods: methods
            .map(|method| settings.options.specialize(method))
            .collect(),
    });
    (scene, settings, live, wanted)
}

/// Tolerance of a result in f32 ULP; the step of a half float is 8192 ULP.
fn most_ulp(method: Method) -> f64 {
    100.0 * if method.rounds_to_half() { 8192.0 } else { 1.0 }
}

/// Largest error of four channels, each divided by its bound.
fn excess(probe: &LiveProbe, result: &ProbeResult, expected: Option<[f64; 4]>) -> f64 {
    let layer = |layer: &inspect::ProbedLayer| Layer {
        color: layer.color,
        opacity: layer.opacity,
    };
    let layers: Vec<Layer> = probe.layers.iter().map(layer).collect();
    let expected = expected.expect("the list was read back");
    let bound = match result.method.rounds_to_half() {
        true => error_bound_half(&layers),
        false => error_bound(&layers),
    };
    error_over_bound(expected, bound, result.value)
}

#[test]
fn a_live_probe_shows_what_a_report_does() {
    let harness = Harness::new();
    for pixel in [[48, 30], [52, 32]] {
        let (scene, settings, mut live, wanted) = probing(&harness, "temple", pixel);
        draw(&harness, &mut live, &wanted);
        let probe = live.looking.probe.as_ref().expect("a result");
        let mut capture = harness.capture(&scene, &settings);
        let probed = harness.probe(&capture.frame, pixel);
        assert_eq!(probe.pixel, pixel);
        assert_eq!(probe.list_length, probed.list_length);
        assert_eq!(probe.layers, probed.layers);
        assert_eq!(probe.background, probed.background);
        let methods: Vec<Method> = probe.results.iter().map(|result| result.method).collect();
        assert_eq!(methods, harness.exact_methods(), "in the requested order");
        for result in &probe.results {
            let picture = capture.picture(result.method).expect("a picture");
            let shown = picture.composite.at(pixel);
            let same = result.value.map(f32::to_bits) == shown.map(f32::to_bits);
            assert!(same, "{result:?}");
            assert_eq!(result.wave_size, picture.wave_size);
            assert!(excess(probe, result, result.expected) <= 1.0, "{result:?}");
            let error = result.error_ulp.expect("the list was read back");
            assert!(error < most_ulp(result.method), "{result:?}");
        }
    }
}

/// Largest difference between a pixel and its definition, for channels of 1 or less.
fn apart(found: [f32; 4], said: [f64; 4]) -> f64 {
    let channels = found.into_iter().zip(said);
    let apart = |(found, said): (f32, f64)| (f64::from(found) - said).abs() / said.abs().max(1.0);
    channels.map(apart).fold(0.0, f64::max)
}

#[test]
fn an_approximate_method_makes_of_a_frames_layers_what_its_definition_says() {
    let harness = Harness::new();
    let scene = scene("temple");
    let methods: Vec<Method> = Method::approximate().collect();
    let needed = [&*methods, &[Method::PixelLoop]].concat();
    let mut dependent = 0;
    let integrated = (ListOrder::default(), FogMode::Integrated);
    let orders = ListOrder::ALL.iter().map(|order| (*order, FogMode::Layers));
    for (order, fog) in orders.chain([integrated]) {
        let mut settings = settings(&scene, SIZE, 6000, 24);
        (settings.options.frame.order, settings.options.frame.fog) = (order, fog);
        settings.options.method.keeping.kept = 4;
        let mut capture = harness.capture_for(&scene, &settings, &needed);
        let pixel = [26, 16];
        let probed = harness.probe(&capture.frame, pixel);
        let shown = probed.layers.iter().filter(|layer| layer.opacity > 0.0);
        let least = if fog == FogMode::Layers { 20 } else { 3 };
        assert!(shown.count() > least, "too few layers to show an order");
        let scope = Scope::of(&capture.frame, pixel);
        for &method in &methods {
            let Ok(picture) = capture.picture(method) else {
                // Methods that depend on order do not accept an order that differs between runs.
                assert_eq!(order, ListOrder::Any, "{method}");
                continue;
            };
            let found = picture.composite.at(pixel);
            let said_in = |order| {
                let mut options = settings.options;
                options.frame.order = order;
                let believed = scope.composite(&options.specialize(method), &probed.layers);
                probed.before_background(believed.expect("a pixel alone").result)
            };
            let error = apart(found, said_in(order));
            // Hardware may round sums to half floats and to 8 bits in either direction.
            let most = if method.is_drawn() { 0.02 } else { 1e-5 };
            assert!(error < most, "{order} {fog} {method}: {error:e}");
            let of_sorted = apart(found, said_in(ListOrder::Sorted));
            let is_dependent = of_sorted > 1e-3 && !method.is_drawn();
            dependent += u32::from(is_dependent && fog == FogMode::Layers);
        }
    }
    // list-order, mlab, adaptive and linked-list, each in the two orders other than depth.
    assert_eq!(dependent, 8);
}

#[test]
fn an_order_of_frames_ago_is_taken_by_the_definition_as_by_the_kernel() {
    let harness = Harness::new();
    let scene = scene("stack");
    let mut settings = settings(&scene, SIZE, 3000, 9);
    let frame = &mut settings.options.frame;
    (frame.order_age, frame.key_bits) = (60, 12);
    // The probe reads the lists of exact methods.
    let methods = [Method::PixelLoop, Method::Coarse];
    let mut capture = harness.capture_for(&scene, &settings, &methods);
    let picture = capture.picture(Method::Coarse).expect("a picture");
    let (mut wrong, mut changed) = (0, 0);
    for pixel in (0..SIZE[0] * SIZE[1]).step_by(7) {
        let at = [pixel % SIZE[0], pixel / SIZE[0]];
        let layers = harness.probe(&capture.frame, at).layers;
        let said = |age| {
            let options = settings.options.with_frame(|frame| frame.order_age = age);
            let believed = Scope::of(&capture.frame, at)
                .composite(&options.specialize(Method::Coarse), &layers);
            believed.expect("a pixel alone").result
        };
        let found = picture.composite.at(at);
        wrong += u32::from(apart(found, said(60)) > 1e-5);
        changed += u32::from(apart(found, said(0)) > 1e-4);
    }
    // A key close to a step may be rounded either way.
    assert!(wrong <= 1 && changed >= 5, "{wrong} {changed}");
}

#[test]
fn values_stay_right_while_the_clock_runs() {
    let harness = Harness::new();
    let (scene, mut settings, mut live, mut wanted) = probing(&harness, "temple", [48, 30]);
    let scene = harness.drawable(&scene);
    draw(&harness, &mut live, &wanted);
    let mut earlier: Option<ProbeResult> = None;
    let mut moved = 0;
    for _ in 0..24 {
        settings.time += 0.1;
        let input = live.shown.frame.input();
        wanted.moment = at_moment(input, &scene, &scene.cameras[0], &settings).0;
        draw_once(&harness, &mut live, &wanted);
        let probe = live.looking.probe.as_ref().expect("a result");
        // The bound belongs to the latest layers, so only their own result is checked against it.
        let mut results = probe.results.iter();
        let newest = results.find(|result| result.frame == probe.frame);
        let newest = newest.expect("a method has its turn in every frame");
        assert!(excess(probe, newest, newest.expected) <= 1.0, "{newest:?}");
        for result in &probe.results {
            let error = result.error_ulp.expect("the list was read back");
            assert!(error < most_ulp(result.method), "{result:?}");
        }
        // Negative control: with another frame's layers the same value would be wrong.
        let earlier = earlier.replace(newest.clone());
        let expected = earlier.map_or(newest.expected, |earlier| earlier.expected);
        moved += u32::from(excess(probe, newest, expected) > 1.0);
    }
    assert!(moved > 12, "{moved}");
}

#[test]
fn a_changed_pixel_camera_or_specialization_drops_old_results() {
    let harness = Harness::new();
    let (_, _, mut live, before) = probing(&harness, "two", [48, 30]);
    let all = harness.exact_methods().len();
    let mut pixel = before.clone();
    pixel.probe.as_mut().expect("wanted").pixel = [50, 31];
    let mut camera = before.clone();
    camera.moment.camera.eye[0] += 0.125;
    let mut specialization = before.clone();
    for of in &mut specialization.probe.as_mut().expect("wanted").methods {
        of.options.method.pixels_per_wave = 1;
    }
    let mut time = before.clone();
    time.moment.time += 0.125;
    for (changed, drops) in [
        (pixel, true),
        (camera, true),
        (specialization, true),
        (time, false),
    ] {
        draw(&harness, &mut live, &before);
        let results = |live: &Live| {
            let probe = live.looking.probe.as_ref();
            probe.map_or(0, |probe| probe.results.len())
        };
        assert_eq!(results(&live), all);
        let old = live.looking.probe.clone().expect("a result");
        let is_newer = |probe: &LiveProbe| match drops {
            true => probe.generation > old.generation,
            false => probe.frame > old.frame,
        };
        draw_until(&harness, &mut live, &changed, 2, is_newer);
        let probe = live.looking.probe.as_ref().expect("a result");
        assert!(is_newer(probe));
        assert_eq!(probe.results.len() < all, drops, "{probe:?}");
        draw(&harness, &mut live, &changed);
        assert_eq!(results(&live), all, "all results arrive again");
    }
    let none = Wanted {
        probe: None,
        ..before
    };
    draw_once(&harness, &mut live, &none);
    assert_eq!(live.looking.probe, None);
}

#[test]
fn of_a_very_long_list_the_front_is_shown_and_all_is_judged() {
    let harness = Harness::new();
    let mut scene = scene("two");
    scene.emitters.truncate(1);
    scene.emitters[0].amount = Amount::Exactly(5000);
    scene.emitters[0].opacity = 0.001;
    let settings = settings(&scene, [8, 8], 5000, 4);
    let mut live = live(&harness, &scene, &settings, 1 << 16);
    let mut wanted = wanted(&live, &settings, [Some(Method::PixelLoop), None]);
    wanted.probe = Some(ProbeWanted {
        pixel: [4, 4],
        methods: vec![settings.options.specialize(Method::PixelLoop)],
    });
    draw(&harness, &mut live, &wanted);
    let probe = live.looking.probe.as_ref().expect("a result");
    assert_eq!((probe.list_length, probe.layers.len()), (5004, 4096));
    let error = probe.results[0].error_ulp.expect("the list was read back");
    // With only the front part, the transmittance would have an error of more than a tenth.
    assert!(error < 10_000.0, "{error}");
}
