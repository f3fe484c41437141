//! The dot that says how the shaders stand to their files, and what the log says of them.

use std::path::Path;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::{harness, state};
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
        for _ in 0..6 {
            harness.step();
        }
        assert_eq!(shown(&harness), before + 1, "{word}");
        harness
            .query_all_by_label_contains("s ago: rebuilt 3 pipelines")
            .next()
            .expect("when");
        // Negative control: elsewhere the mouse brings up something else.
        harness.get_by_label("Test adapter").hover();
        for _ in 0..6 {
            harness.step();
        }
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
