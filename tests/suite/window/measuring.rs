//! Both ways of timing methods in the window agree, and the window collects enough times before it draws a conclusion.

use wavelerp::live::ENOUGH;
use wavelerp::model::methods::Method;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::times::MethodTime;

use super::headless::{BARE, Window, in_window};

/// Latest times of a method, if the times belong to the current view.
fn time(window: &mut Window, method: Method) -> Option<MethodTime> {
    let state = window.state();
    let settings = &state.subject.settings;
    state.times.current(method, settings).cloned()
}

/// Measures all methods.
fn measure(window: &mut Window) {
    window.state().ask(Action::Measure);
    window.frame();
    window.frame();
    assert!(window.host.viewer.is_measuring(), "at once");
    window.until_it("all methods are measured", |window| {
        !window.host.viewer.is_measuring()
    });
    window.frame();
}

/// Error of a method against B, if the error belongs to the current view.
fn error(window: &mut Window, method: Method) -> Option<f64> {
    let state = window.state();
    let settings = &state.subject.settings;
    let error = state.times.current_error(method, settings);
    error.map(|error| error.metrics.shown_rmse)
}

/// Shows methods A and B and measures the difference between them.
fn compare(window: &mut Window, a: Method, b: Method) {
    let chosen = &mut window.state().comparison.chosen;
    (chosen.a, chosen.b, chosen.metrics) = (a, b, true);
}

/// Measures all methods, and then times each of them in frames. Returns both results.
fn both_ways(window: &mut Window) -> Vec<(Method, MethodTime, MethodTime)> {
    // A few methods are enough here.
    let some = [Method::PixelLoop, Method::WaveTree, Method::FixedFunction];
    for status in &mut window.state().machine.statuses {
        let is_left_out = !some.contains(&status.method);
        status.unavailable = is_left_out.then(|| "left out".to_owned());
    }
    measure(window);
    let methods = window.state().machine.compared(&[]);
    let measured: Vec<MethodTime> = methods
        .iter()
        .map(|method| time(window, *method).expect("the method was measured"))
        .collect();
    assert!(measured.iter().all(MethodTime::is_enough));
    // The same scene is drawn again and again, with one more method in each frame.
    window.state().times.keeps_measuring = true;
    let in_frames = |(method, before): (Method, MethodTime)| {
        let until = before.samples.len() + ENOUGH;
        let now = window.until("frames have timed it", |window| {
            time(window, method).filter(|now| now.samples.len() >= until.min(60))
        });
        (method, before, now)
    };
    methods.into_iter().zip(measured).map(in_frames).collect()
}

#[test]
fn a_measurement_and_frames_time_the_same_and_make_one_statistic() {
    in_window(BARE, |window| {
        for (method, measured, in_frames) in both_ways(window) {
            assert_eq!(measured.runs, in_frames.runs, "{method}");
            // Methods that every frame shows have lost their oldest times by now.
            if in_frames.samples.len() < 60 {
                let kept = &in_frames.samples[..measured.samples.len()];
                assert_eq!(kept, measured.samples, "{method}");
            }
        }
    });
}

#[test]
fn metrics_of_an_approximate_method_against_an_exact_one_are_its_error() {
    in_window(BARE, |window| {
        let until = |window: &mut Window, what, method| window.until(what, |of| error(of, method));
        compare(window, Method::Average, Method::PixelLoop);
        let eight = until(window, "average is measured", Method::Average);
        assert!(eight > 1e-4, "{eight}");
        // Vice versa, and again after an option has changed.
        compare(window, Method::PixelLoop, Method::Mlab);
        let eight = until(window, "mlab is measured", Method::Mlab);
        window.state().subject.settings.options.method.keeping.kept = 16;
        let more = until(window, "mlab is measured with other options", Method::Mlab);
        assert!(more < eight, "{more} {eight}");
        assert_eq!(error(window, Method::PixelLoop), None);
    });
}

#[test]
fn sums_of_frames_near_the_exact_result_while_nothing_moves_and_begin_anew_once_something_has() {
    in_window(BARE, |window| {
        let error = |window: &mut Window| error(window, Method::Stochastic);
        compare(window, Method::Stochastic, Method::PixelLoop);
        let of_one = window.until("a frame is compared", error);
        window
            .state()
            .subject
            .settings
            .options
            .method
            .stochastic
            .accumulate = 64;
        let is_near = |window: &mut Window| error(window).filter(|error| *error < of_one / 4.0);
        window.until("many frames are summed", is_near);
        window.keys(&["."]);
        let is_of_few = |window: &mut Window| error(window).filter(|error| *error > of_one / 2.0);
        window.until("the next moment starts a new sum", is_of_few);
        window.until("many frames are summed again", is_near);
    });
}

#[test]
fn a_frame_at_rest_is_drawn_until_there_are_enough_times_of_a_and_b() {
    in_window(BARE, |window| {
        window.state().comparison.chosen.split_on = true;
        window.state().times.keeps_measuring = false;
        let [a, b] = [Method::PixelLoop, Method::WaveTree];
        window.state().ask(Action::PickMethod(a));
        window.state().ask(Action::PickOther(b));
        for method in [a, b] {
            window.until("the method has times", |window| {
                time(window, method).filter(MethodTime::is_enough)
            });
        }
        // After that, nothing is timed on a CPU adapter.
        let taken_later = |window: &mut Window| {
            for _ in 0..20 {
                window.frame();
            }
            time(window, a).map(|time| time.samples.len())
        };
        let taken = taken_later(window);
        assert_eq!(taken_later(window), taken);
    });
}
