//! The rows of the pane "Frame", and their order.

use egui::accesskit::Role;

use super::{count, pane, readings, state};
use wavelerp::live::PassTimes;
use wavelerp::model::passes::Pass;
use wavelerp::model::{Clock, ClockSource};
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::readings::Readings;

#[test]
fn by_the_wall_clock_a_pass_without_a_time_in_the_newest_frame_keeps_its_last() {
    let has_light = |source: ClockSource, of: u64, unchanged: Vec<Pass>| {
        let mut times = readings::rich().times.to_vec();
        let mut timed = times.iter_mut();
        let light = timed.find(|times| times.label == Pass::Light.into());
        let light = light.expect("the pass is timed");
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
    // Passes of other work, skipped passes, and passes that are not part of the frame.
    assert!(!has_light(ClockSource::Wall, 1, Vec::new()));
    assert!(!has_light(ClockSource::Wall, 0, vec![Pass::Light]));
    assert!(!has_light(ClockSource::Timestamps, 0, Vec::new()));
}
