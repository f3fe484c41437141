//! At the start, frames are shown while the adapter's clock and the methods are tested. A method is offered after it has
//! passed its test.

use wavelerp::gpu::known_clock;
use wavelerp::model::methods::Method;
use wavelerp::runs::verify::self_test::MethodStatus;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::state::State;

use super::headless::Window;
use super::{SIZE, WINDOW};

fn untested(state: &State) -> usize {
    let methods = Method::all().filter(|method| state.machine.is_untested(*method));
    methods.count()
}

#[test]
fn the_first_frame_shows_the_picture_before_anything_is_tested() {
    let mut window = Window::starting(WINDOW, 1.0, |_| {});
    assert!(known_clock(window.host.viewer.gpu()).is_none());
    let all = untested(window.state());
    assert!(all > 10, "{all} methods are to be tested");
    window.frame();
    let left = untested(window.state());
    assert!(left > 0, "a frame runs only some of the tests");
    let area = window.grab().area(SIZE).0;
    assert!(!area.is_plain(), "the picture is shown");
    window.until_it("no method is untested", |window| {
        untested(window.state()) == 0
    });
    assert!(known_clock(window.host.viewer.gpu()).is_some());
    assert!(Method::all().all(|method| window.state().machine.usable().contains(&method)));
}

#[test]
fn a_method_asked_for_before_it_is_tested_is_shown_once_it_has_passed() {
    let mut window = Window::starting(WINDOW, 1.0, |_| {});
    assert_eq!(window.state().comparison.chosen.a, Method::WaveLerpDeferred);
    let method = Method::WaveLerpBallot;
    window.state().ask(Action::PickMethod(method));
    window.until_it("the method is shown", |window| {
        let state = window.state();
        let is_shown = state.comparison.chosen.a == method;
        let is_offered = !state.machine.is_untested(method);
        assert!(!is_shown || is_offered, "the method was not offered yet");
        is_shown
    });
    window.state().ask(Action::Measure);
    window.until_it("methods are measured", |window| {
        window.host.viewer.is_measuring()
    });
}

#[test]
fn a_method_that_fails_its_test_gives_way_to_another_and_the_log_says_why() {
    let mut window = Window::starting(WINDOW, 1.0, |_| {});
    let (state, failed) = (window.state(), Method::WaveLerpDeferred);
    state.comparison.chosen.a = failed;
    let status = MethodStatus {
        unavailable: Some("its result is out of bounds on this driver".to_owned()),
        is_untested: false,
        ..MethodStatus::untested(failed, &state.machine.caps)
    };
    state.take_status(&status);
    assert_eq!(state.comparison.chosen.a, Method::PixelLoop);
    assert!(window.has_said("wave-lerp-deferred cannot run here: its result is out of bounds"));
    // Results of tests on one device are also valid on the next.
    let state = window.state();
    state.take_status(&MethodStatus {
        unavailable: None,
        ..status
    });
    assert!(!state.machine.usable().contains(&failed));
}
