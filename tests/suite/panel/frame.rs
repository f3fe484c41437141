//! Pane "Frame": which rows it has, and in which order.

use egui::accesskit::Role;

use super::{comparing, count, find, pane, readings, state};
use wavelerp::live::PassTimes;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::{Label, Pass};
use wavelerp::model::{Clock, ClockSource};
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::panes::Readings;

const A: Method = Method::WaveLerpDeferred;
const B: Method = Method::PixelLoop;

/// The times that [`readings::rich`] has, and B's.
fn times() -> &'static [PassTimes] {
    let mut times = readings::rich().times.to_vec();
    let mut other = times[0].clone();
    other.label = Label::of(B);
    times.insert(5, other);
    times.leak()
}

#[test]
fn a_and_b_are_the_first_rows_of_the_table() {
    let mut state = comparing(A, B);
    state.comparison.chosen.split_on = true;
    let times = times();
    let readings = move || Readings {
        times,
        ..readings::rich()
    };
    let harness = pane(Pane::Frame, state, readings);
    let rows = [A.name(), B.name(), "simulate", "lists", "resolve"];
    let tops = rows.map(|name| find(&harness, Role::Label, name).rect().top());
    assert!(tops.is_sorted(), "{tops:?}");
}

#[test]
fn by_the_wall_clock_a_pass_without_a_time_in_the_newest_frame_keeps_its_last() {
    let has_light = |source: ClockSource, of: u64, unchanged: Vec<Pass>| {
        let mut times = readings::rich().times.to_vec();
        let mut timed = times.iter_mut();
        let light = timed.find(|times| times.label == Pass::Light.into());
        let light = light.expect("it is timed");
        light.frame -= 1;
        light.of += of;
        let times: &'static [PassTimes] = times.leak();
        let clock: &'static Clock = Box::leak(Box::new(Clock {
            source,
            ..readings::rich().clock.expect("a clock").clone()
        }));
        let readings = move || Readings {
            times,
            clock: Some(clock),
            unchanged: unchanged.clone(),
            ..readings::rich()
        };
        let harness = pane(Pane::Frame, state(), readings);
        count(&harness, Role::Label, "light") == 1
    };
    assert!(has_light(ClockSource::Wall, 0, Vec::new()));
    // Of other work; left as it was; no part of the frame.
    assert!(!has_light(ClockSource::Wall, 1, Vec::new()));
    assert!(!has_light(ClockSource::Wall, 0, vec![Pass::Light]));
    assert!(!has_light(ClockSource::Timestamps, 0, Vec::new()));
}
