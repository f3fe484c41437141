//! Pane "Frame": its rows and their colours.

use egui::accesskit::Role;
use egui_kittest::Harness;

use super::renderer::Painter;
use super::{alone, built, comparing, count, dock_of, find, readings, state};
use wavelerp::live::PassTimes;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::{Label, Pass};
use wavelerp::model::{Clock, ClockSource};
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::state::State;

const A: Method = Method::WaveLerpDeferred;
const B: Method = Method::PixelLoop;

fn harness(times: &'static [PassTimes]) -> Harness<'static, State> {
    let mut state = comparing(A, B);
    state.panes.dock = dock_of(&[Pane::Frame]);
    state.comparison.chosen.split_on = true;
    let builder = Harness::builder().with_size([800.0, 500.0]);
    let readings = move || Readings {
        times,
        ..readings::rich()
    };
    built(builder.renderer(Painter::new()), state, readings)
}

/// The row of a pass: how far down its name is, and the colour of the square before it.
fn row(harness: &mut Harness<State>, name: &str) -> (f32, [u8; 3]) {
    let picture = harness.render().expect("it is drawn");
    let name = find(harness, Role::Label, name).rect();
    let square = name.left_center() - egui::vec2(9.5, 0.0);
    let [r, g, b, _] = picture.get_pixel(square.x as u32, square.y as u32).0;
    (name.top(), [r, g, b])
}

/// The times that [`readings::rich`] has, and B's.
fn times(left_out: Option<Pass>) -> &'static [PassTimes] {
    let mut times = readings::rich().times.to_vec();
    let mut other = times[0].clone();
    other.label = Label::of(B);
    times.insert(5, other);
    times.retain(|of| Some(of.label.pass) != left_out);
    times.leak()
}

#[test]
fn a_pass_has_one_color_whatever_else_is_timed_and_a_is_blue_and_b_orange() {
    let mut all = harness(times(None));
    let mut fewer = harness(times(Some(Pass::Simulate)));
    for pass in ["bin", "lists", "light", "resolve"] {
        let [before, after] = [&mut all, &mut fewer].map(|of| row(of, pass).1);
        assert_eq!(before, after, "{pass}");
    }
    let [_, _, blue] = row(&mut all, A.name()).1.map(i32::from);
    let [red, _, other_blue] = row(&mut all, B.name()).1.map(i32::from);
    assert!(blue > 150 && red > 150 && other_blue < 80, "{blue} {red}");
}

#[test]
fn a_and_b_are_the_first_rows_of_the_table() {
    let mut harness = harness(times(None));
    let rows = [A.name(), B.name(), "simulate", "lists", "resolve"];
    let tops = rows.map(|name| row(&mut harness, name).0);
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
        let harness = alone(Pane::Frame, state(), [800.0, 500.0], readings);
        count(&harness, Role::Label, "light") == 1
    };
    assert!(has_light(ClockSource::Wall, 0, Vec::new()));
    // Of other work; left as it was; no part of the frame.
    assert!(!has_light(ClockSource::Wall, 1, Vec::new()));
    assert!(!has_light(ClockSource::Wall, 0, vec![Pass::Light]));
    assert!(!has_light(ClockSource::Timestamps, 0, Vec::new()));
}
