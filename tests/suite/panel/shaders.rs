//! The dot that says how the shaders stand to their files, and what the log says of them.

use std::path::Path;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::{click, harness, says, state, steps};
use wavelerp::viewer::dock::{Dock, Pane};
use wavelerp::viewer::messages::Severity;
use wavelerp::viewer::panes::Readings;
use wavelerp::viewer::shaders::{Freshness, ShaderStatus};
use wavelerp::viewer::state::State;

/// What the panel shows of a status that lives as long as the test.
fn showing(status: ShaderStatus) -> impl Fn() -> Readings<'static> {
    let status: &'static ShaderStatus = Box::leak(Box::new(status));
    move || Readings {
        shaders: Some(status),
        ..Readings::default()
    }
}

#[test]
fn the_dot_has_a_word_and_explains_itself_when_the_mouse_rests_on_it() {
    for (freshness, word) in [
        (Freshness::Unchanged, "unchanged"),
        (Freshness::Fresh, "fresh"),
        (Freshness::Failed, "failed"),
    ] {
        let mut status = ShaderStatus::new(Some((Path::new("/project/shaders"), "all files")));
        status.happened(freshness, "rebuilt 3 pipelines".to_owned());
        let mut harness = harness(state(), showing(status));
        let origin = "/project/shaders (all files)";
        let dot = format!("shaders: {word}");
        // Before, only those who cannot see the panel are told.
        let shown = |harness: &Harness<State>| harness.query_all_by_label_contains(origin).count();
        let before = shown(&harness);
        harness.get_by_label(&dot).hover();
        steps(&mut harness, 6);
        assert_eq!(shown(&harness), before + 1, "{word}");
        assert!(says(&harness, "s ago: rebuilt 3 pipelines"));
        // Negative control: elsewhere the mouse brings up something else.
        harness.get_by_label("Test adapter").hover();
        steps(&mut harness, 6);
        assert_eq!(shown(&harness), before, "{word}");
    }
}

#[test]
fn the_log_shows_where_a_shader_is_wrong() {
    let line = "shaders/frame/resolve.wesl:31: no definition in scope for identifier: `colour`";
    let mut failed = state();
    failed.messages.say(Severity::Error, line);
    harness(failed, Readings::default).get_by_label(line);
    // Negative control: nobody else says so.
    let plain = harness(state(), Readings::default);
    assert!(plain.query_by_label(line).is_none());
}

#[test]
fn while_a_shader_is_broken_the_bar_says_where_and_a_click_opens_the_log() {
    let place = "shaders/frame/resolve.wesl:31";
    let sign = format!("broken: {place}");
    let mut status = ShaderStatus::new(None);
    let said = "1 of 2 cannot be rebuilt".to_owned();
    status.failed(Some(place.to_owned()), said);
    let mut harness = harness(state(), showing(status.clone()));
    harness.state_mut().panes.dock = Dock::default();
    harness.run_ok();
    assert!(!harness.state().panes.dock.shows(Pane::Log));
    click(&mut harness, Role::Button, &sign);
    harness.run_ok();
    assert!(harness.state().panes.dock.shows(Pane::Log));
    status.happened(Freshness::Fresh, "mended".to_owned());
    let mended = super::harness(state(), showing(status));
    assert!(mended.query_by_label(&sign).is_none());
}

#[test]
fn the_log_says_when() {
    let mut said = state();
    said.messages.say(Severity::Note, "saved a.png");
    let time = said.messages.log().next().expect("a line").time_of_day();
    assert!(time.len() == 8 && time.split(':').count() == 3, "{time}");
    harness(said, Readings::default).get_by_label(&time);
}
