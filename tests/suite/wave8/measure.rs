//! Measuring all methods while the window goes on drawing: every method gets the requested number of samples, and no
//! frame waits for the GPU.

use std::time::{Duration, Instant};

use wavelerp::error::Error;
use wavelerp::live::{Live, Measurement, Wanted};
use wavelerp::methods::Specialization;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Pass;
use wavelerp::model::settings::Settings;
use wavelerp::report::errors::{self, Linear};
use wavelerp::report::metrics::Metrics;
use wavelerp::runs::{LONG_PASS, Set, Subject, Timer};
use wavelerp::timing::Rounds;

use crate::harness::{Harness, edited, scene, settings};
use crate::on_screen::{draw, live, shown, wanted};

/// A small frame of the temple on screen, with room for `capacity` tile entries.
fn temple(
    harness: &Harness,
    capacity: u32,
    shown: Method,
    change: impl FnOnce(&mut Settings),
) -> (Settings, Live, Wanted) {
    let scene = scene("temple");
    let mut settings = settings(&scene, [48, 32], 200, 4);
    change(&mut settings);
    let live = live(harness, &scene, &settings, capacity);
    let wanted = wanted(&live, &settings, [Some(shown), None]);
    (settings, live, wanted)
}

/// A small frame and every exact method; other methods need lists that the live frame does not have.
fn measurable(harness: &Harness) -> (Settings, Live, Wanted, Vec<Specialization>) {
    let (settings, live, wanted) = temple(harness, 1 << 16, Method::WaveLerpDeferred, |_| ());
    let methods = specialized(&settings, &harness.exact_methods());
    (settings, live, wanted, methods)
}

fn specialized(settings: &Settings, methods: &[Method]) -> Vec<Specialization> {
    let methods = methods.iter();
    methods.map(|of| settings.options.specialize(*of)).collect()
}

/// Starts a measurement of the given methods.
fn start(harness: &Harness, live: &mut Live, methods: &[Specialization]) {
    let started = live.start_measuring(&harness.gpu, &harness.pipelines, methods.to_vec());
    started.expect("there is a clock");
}

/// Measures the given methods, and waits for the result.
fn measured(
    harness: &Harness,
    live: &mut Live,
    wanted: &Wanted,
    methods: &[Specialization],
) -> Measurement {
    start(harness, live, methods);
    finish(harness, live, wanted)
}

/// Draws until the measurement is finished, without waiting for the GPU.
fn finish(harness: &Harness, live: &mut Live, wanted: &Wanted) -> Measurement {
    let began = Instant::now();
    while !live.measurement().expect("a measurement").finished {
        live.draw(&harness.gpu, &harness.pipelines, wanted)
            .expect("a frame");
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "the measurement does not end"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    live.measurement().expect("a measurement").clone()
}

#[test]
fn every_method_gets_the_samples_asked_for_and_the_picture_stays() {
    let harness = Harness::new();
    let (settings, mut live, mut wanted, methods) = measurable(&harness);
    draw(&harness, &mut live, &wanted);
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let before = shown(&harness, &live);
    start(&harness, &mut live, &methods);
    // The clock goes on, but the measured scene does not.
    wanted.moment.time += 1.0;
    live.draw(gpu, pipelines, &wanted).expect("a round");
    assert!(live.measurement().is_some_and(|found| !found.finished));
    assert!(before == shown(&harness, &live), "the picture stays");
    let measurement = finish(&harness, &mut live, &wanted);
    let expected = if gpu.caps.is_cpu { 5 } else { 30 };
    assert_eq!(measurement.rounds, expected);
    assert_eq!(measurement.done, 1.0);
    assert_eq!(measurement.methods, harness.exact_methods());
    for (method, samples) in measurement.methods.iter().zip(&measurement.samples) {
        assert!(samples.len() >= measurement.rounds as usize, "{method}");
        let are_times = samples.iter().all(|time| *time > 0.0);
        assert!(are_times, "{method}: {samples:?}");
    }
    for (method, error) in measurement.methods.iter().zip(&measurement.errors) {
        let rmse = error.as_ref().expect("the error is read back").metrics.rmse;
        let bound = if method.rounds_to_half() { 1e-2 } else { 1e-5 };
        assert!(rmse < bound, "{method}: {rmse}");
    }
    let mut capture = harness.capture(&scene("temple"), &settings);
    for (method, wave_size) in measurement.methods.iter().zip(&measurement.wave_sizes) {
        let picture = capture.picture(*method).expect("a picture");
        assert_eq!(*wave_size, picture.wave_size, "{method}");
    }
    let times = live.shown.times.passes.iter();
    let mut of_methods = times.filter_map(|times| times.label.method);
    let is_shown = |method| method == Method::WaveLerpDeferred;
    assert!(of_methods.all(is_shown), "rounds do not count as frames");
    // Afterwards frames are drawn again, and the result stays until it is dropped.
    draw(&harness, &mut live, &wanted);
    assert!(before != shown(&harness, &live), "the clock went on");
    assert_eq!(live.measurement(), Some(&measurement));
    live.stop_measuring();
    assert_eq!(live.measurement(), None);
}

#[test]
fn a_measurement_says_what_it_does_and_rows_come_as_they_are_measured() {
    let harness = Harness::new();
    let (_, mut live, wanted, methods) = measurable(&harness);
    start(&harness, &mut live, &methods[..2]);
    let (mut said, mut counts) = (Vec::new(), Vec::new());
    while !live.measurement().expect("a measurement").finished {
        live.draw(&harness.gpu, &harness.pipelines, &wanted)
            .expect("a frame");
        let now = live.measurement().expect("a measurement");
        let word = now.doing.split(' ').next().unwrap_or_default();
        said.push(word.to_owned());
        counts.push(now.samples.concat().len());
        std::thread::sleep(Duration::from_millis(2));
    }
    let place = |word: &String| {
        let phases = ["drawing", "comparing", "timing"];
        phases.iter().position(|phase| phase == word)
    };
    // More than one method may be compared between two frames.
    let phases: Vec<usize> = said.iter().filter_map(place).collect();
    let ends = [phases.first(), phases.last()];
    assert_eq!(ends, [Some(&0), Some(&2)], "{said:?}");
    assert!(phases.is_sorted(), "{said:?}");
    let all = counts.last().expect("frames");
    assert!(
        counts.iter().any(|count| (1..*all).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn every_measured_method_has_the_error_that_its_picture_has_in_a_capture() {
    let harness = Harness::new();
    let (settings, mut live, wanted) = temple(&harness, 1 << 16, Method::WaveTree, |settings| {
        // References never stop early, even with methods that do.
        settings.options.frame.early_out = 0.25;
        settings.options.method.keeping.kept = 2;
    });
    let methods = [
        Method::Average,
        Method::PixelLoop,
        Method::Mlab,
        Method::Histogram,
    ];
    let subjects = specialized(&settings, &methods);
    let measurement = measured(&harness, &mut live, &wanted, &subjects);
    let scene = scene("temple");
    let mut capture = harness.capture_for(&scene, &settings, &methods);
    let mut exact = settings.clone();
    exact.options.frame.early_out = 0.0;
    let mut reference = harness.capture(&scene, &exact);
    let reference = reference.picture(Method::PixelLoop).expect("a picture");
    let backgrounds = capture.backgrounds().expect("backgrounds");
    for (method, error) in methods.iter().zip(&measurement.errors) {
        let picture = capture.picture(*method).expect("a picture");
        let expected = Metrics::between(&reference.composite, &picture.composite).expect("a size");
        let error = error.as_ref().expect("the error is read back");
        let shown =
            errors::shown(&reference.composite, &picture.composite, &backgrounds).expect("a size");
        let shown = Linear::of_picture(&shown, 8).expect("a size");
        let apart = (error.metrics.rmse - expected.rmse).abs();
        let what = format!("{method}: {error:?} {expected:?}");
        assert!(apart <= 1e-5 * expected.rmse, "{what}");
        assert!(expected.rmse > 1e-4, "{method}: {expected:?}");
        assert_eq!(error.metrics.max_abs, expected.max_abs, "{method}");
        // The court is opaque, so the error of the shown picture is a different number. Both errors are reported.
        let apart = (error.shown_rmse - shown.rmse).abs();
        assert!(apart <= 1e-5 * shown.rmse, "{what} {shown:?}");
        assert!((shown.rmse / expected.rmse - 1.0).abs() > 0.01, "{what}");
    }
}

#[test]
fn every_measured_method_has_the_time_of_the_passes_that_make_its_inputs() {
    let harness = Harness::new();
    // The live frame has no unsorted lists.
    let (settings, mut live, wanted) = temple(&harness, 1 << 16, Method::PixelLoop, |_| ());
    draw(&harness, &mut live, &wanted);
    let methods = [Method::PixelLoop, Method::WaveTree, Method::Average];
    let methods = specialized(&settings, &methods);
    let measurement = measured(&harness, &mut live, &wanted, &methods);
    let [sorted, same, unsorted] = measurement.inputs[..] else {
        panic!("{:?}", measurement.inputs);
    };
    let of = |pass: Pass| {
        let mut passes = live.shown.times.passes.iter();
        let pass = passes.find(|times| times.label == pass.into());
        pass.and_then(|times| times.statistics())
            .expect("the pass was timed")[1]
    };
    let [sorted, unsorted] = [sorted, unsorted].map(|time| time.expect("a time"));
    assert_eq!(same, Some(sorted));
    let apart = of(Pass::Lists) - of(Pass::UnsortedLists);
    let off = (sorted - unsorted - apart).abs();
    assert!(off < 1e-9, "{sorted} {unsorted} {apart}");
    // The time also includes projection.
    assert!(unsorted > of(Pass::UnsortedLists));
}

#[test]
fn a_measurement_can_start_before_the_first_frame_and_anew() {
    let harness = Harness::new();
    let (_, mut live, wanted, methods) = measurable(&harness);
    start(&harness, &mut live, &methods[..2]);
    assert!(live.measurement().is_some_and(|found| found.done == 0.0));
    // The measurement is stopped half-way: pending results do not count for the next one.
    for _ in 0..6 {
        live.draw(&harness.gpu, &harness.pipelines, &wanted)
            .expect("a frame");
    }
    let measurement = measured(&harness, &mut live, &wanted, &methods[..1]);
    assert_eq!(measurement.samples.len(), 1);
    assert!(measurement.samples[0].len() >= measurement.rounds as usize);
}

#[test]
fn a_slow_a_failing_and_a_broken_method_take_no_time_from_the_others() {
    let harness = Harness::new();
    let gpu = &harness.gpu;
    let find = "let is_front = (lane & step) == 0u;";
    let pipelines = edited("methods/wave_tree", find, "let is_front = ;");
    let scene = scene("two");
    let settings = settings(&scene, [16, 16], 2, 2);
    let capture = harness.capture_by(&pipelines, &scene, &settings);
    let methods = [Method::PixelLoop, Method::WaveTree, Method::ReadLaneLoop];
    let times = capture.times(&methods).expect("there is a clock");
    let has_times = times.subjects.iter().map(|of| !of.samples.is_empty());
    assert_eq!(has_times.collect::<Vec<_>>(), [true, false, true]);
    let why = times.subjects[1].failure.as_ref().expect("a reason");
    assert!(why.message.contains("wave_tree"), "{why}");

    let composite = capture.composite_of(settings.options.specialize(Method::PixelLoop));
    let composite = composite.expect("the shader compiles");
    let slow = |times_slower: u32| -> Subject {
        let (frame, composite) = (&capture.frame, &composite);
        Box::new(move |recorder, times| {
            let times = times * times_slower;
            let target = &frame.target;
            frame.record_composite(recorder, composite, target, composite.label(), times)
        })
    };
    let failing: Subject = Box::new(|_, _| Err(Error::failed("it cannot be recorded")));
    let set = Set {
        subjects: vec![slow(1), slow(100), failing, slow(1)],
        frame: None,
    };
    // Many rounds, as on a GPU.
    let rounds = Rounds::from(20, false);
    let timed = || {
        let mut timer = gpu
            .finish(Timer::new(gpu, rounds, LONG_PASS))
            .expect("a timer");
        let times = gpu.finish(timer.time(&set, &[0.5; 4])).expect("times");
        let counts = times.subjects.iter().map(|of| of.samples.len());
        (counts.collect::<Vec<_>>(), times)
    };
    // If other tests occupy the processors, even quick methods may use up their share of the time.
    let has_all = |counts: &[usize]| counts[0].min(counts[3]) >= 20;
    let mut tries = (0..5).map(|_| timed());
    let (counts, times) = tries
        .find(|of| has_all(&of.0))
        .expect("quick methods have all samples");
    assert!((5..20).contains(&counts[1]) && counts[2] == 0, "{counts:?}");
    let why = times.subjects[2].failure.as_ref().expect("a reason");
    assert!(why.message.contains("cannot be recorded"), "{why}");
    assert!(times.ended.is_none() && times.passes_to_wall.is_some());
}
