//! The window's frame never waits for the GPU, even if the wall clock times its passes.

use std::time::{Duration, Instant};

use wavelerp::gpu::{Gpu, KnownWork, Profiler, Recorder, clock, known_clock};
use wavelerp::live::{Live, Wanted};
use wavelerp::model::ClockSource;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Inputs;

use crate::harness::{Harness, scene, settings};
use crate::on_screen::{draw, live, live_without_clock, small, wanted};

/// Minimum duration of the work that keeps the GPU busy.
const LONG: Duration = Duration::from_millis(400);
/// Time after which a frame is timed again.
const UNTIL_TIMED: Duration = Duration::from_millis(1100);

/// Submits work without waiting for it to finish.
fn submit(gpu: &Gpu, work: &KnownWork) {
    let mut encoder = gpu.encoder("work");
    let mut pass = encoder.begin_compute_pass(&Default::default());
    work.set(&mut pass).expect("the work is bound");
    work.dispatch(&mut pass);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
}

/// Work that takes at least [`LONG`].
fn long_work(gpu: &Gpu) -> KnownWork {
    let work = KnownWork::new(gpu).expect("the work compiles");
    let mut turns = 1 << 10;
    loop {
        work.set_turns(gpu, turns);
        let begin = Instant::now();
        submit(gpu, &work);
        gpu.wait().expect("the work is done");
        if begin.elapsed() >= LONG {
            return work;
        }
        turns *= 2;
    }
}

/// Total number and milliseconds of all times so far.
fn times(live: &Live) -> (u64, f64) {
    let times = live.shown.times.passes.iter();
    times.fold((0, 0.0), |(taken, sum), pass| {
        let pass_sum: f64 = pass.samples.iter().sum();
        (taken + pass.taken, sum + pass_sum)
    })
}

/// Time until `call` returns, and then until the GPU is done.
fn returned_and_done(gpu: &Gpu, call: impl FnOnce()) -> [Duration; 2] {
    let begin = Instant::now();
    call();
    let returned = begin.elapsed();
    gpu.wait().expect("the device is not lost");
    [returned, begin.elapsed()]
}

/// A separate device that uses the wall clock, because the clock of a device is chosen only once.
fn by_wall_clock() -> Harness {
    let mut harness = Harness::alone();
    harness.gpu.caps.timestamps = false;
    harness
}

#[test]
fn a_frame_returns_before_the_gpu_is_done() {
    let harness = by_wall_clock();
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let scene = scene("temple");
    // The frame takes long on the GPU and is quick to record, but must not take so long that every frame is timed.
    let settings = settings(&scene, [320, 180], 8000, 16);
    let mut live = live(&harness, &scene, &settings, 1 << 20);
    let wanted = wanted(&live, &settings, [Some(Method::PixelLoop), None]);
    draw(&harness, &mut live, &wanted);
    // A frame between two timed frames has a single submission, which meets an idle GPU.
    let mut frames = (0..100).map(|_| {
        let frame = || live.draw(gpu, pipelines, &wanted).expect("a frame");
        returned_and_done(gpu, frame)
    });
    let found = frames.find(|[returned, done]| *returned < *done / 2);
    assert!(found.is_some(), "every frame waited");
    // Negative control: a capture draws like this, and waits.
    let mut profiler = Profiler::untimed(gpu).expect("a profiler");
    let [returned, done] = returned_and_done(gpu, || {
        let mut recorder = Recorder::new(gpu, &mut profiler, "frame");
        live.shown
            .frame
            .record_scene(gpu, &mut recorder, Inputs::LISTS)
            .expect("a scene");
        let recorded = recorder.finish();
        profiler.submit_and_wait(gpu, recorded).expect("a frame");
    });
    assert!(returned > done / 2, "{returned:?} of {done:?}");
}

#[test]
fn a_frame_that_is_timed_by_the_wall_clock_waits_no_longer_than_the_driver_does_to_submit() {
    let harness = by_wall_clock();
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let methods = [Some(Method::PixelLoop), None];
    let (.., mut live, wanted) = small(&harness, "two", 1 << 12, methods);
    let source = live.clock.as_ref().map(|clock| clock.source);
    assert_eq!(source, Some(ClockSource::Wall));
    draw(&harness, &mut live, &wanted);
    let work = long_work(gpu);
    let behind_work = |then: &mut dyn FnMut()| {
        returned_and_done(gpu, || {
            submit(gpu, &work);
            then();
        })
    };
    // Software drivers delay submissions while work is running. A shared machine may be slow at any moment, so one of
    // several attempts counts.
    let mut attempts = (0..5).map(|_| {
        let [by_driver, _] = behind_work(&mut || {
            gpu.queue.submit([gpu.encoder("nothing").finish()]);
        });
        std::thread::sleep(UNTIL_TIMED);
        let before = times(&live);
        let [returned, done] =
            behind_work(&mut || live.draw(gpu, pipelines, &wanted).expect("a frame"));
        live.draw(gpu, pipelines, &wanted).expect("a frame");
        let after = times(&live);
        (by_driver, returned, done, before, after)
    });
    let found = attempts.find(|(by_driver, returned, done, before, after)| {
        // The frame was timed. A short pass that the driver ran while it accepted the next one has no time here.
        let is_timed = after.0 >= before.0 + 5;
        // Earlier work is not part of the frame's times.
        let took = after.1 - before.1;
        is_timed
            && *done >= LONG / 2
            && *returned < *by_driver + LONG / 4
            && took < 1e3 * LONG.as_secs_f64() / 4.0
    });
    assert!(found.is_some(), "every attempt failed");
}

#[test]
fn frames_are_drawn_before_the_clock_is_tested_and_timed_once_it_was() {
    let harness = by_wall_clock();
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let scene = scene("two");
    let settings = settings(&scene, [64, 36], 2, 4);
    let mut live = live_without_clock(&harness, &scene, &settings, 1 << 12);
    let once = Wanted {
        once: true,
        ..wanted(&live, &settings, [Some(Method::PixelLoop), None])
    };
    draw(&harness, &mut live, &once);
    assert!(known_clock(gpu).is_none() && live.clock.is_none());
    assert!(live.shown.counters.listed_layers > 0, "nothing was drawn");
    assert_eq!(times(&live), (0, 0.0));
    let measured = live.start_measuring(gpu, pipelines, Vec::new());
    assert!(measured.is_err_and(|error| error.message.contains("clock")));
    // Another thread may test the clock; the frame then adopts it, and is drawn again to get times.
    std::thread::scope(|scope| {
        let tested = scope.spawn(|| clock(gpu).map(|clock| clock.source));
        let source = tested.join().expect("no panic").expect("a clock");
        assert_eq!(source, ClockSource::Wall);
    });
    draw(&harness, &mut live, &once);
    assert!(live.clock.is_some() && times(&live).0 > 0);
}
