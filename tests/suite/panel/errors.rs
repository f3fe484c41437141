//! The plot of error against time has a dot per measured method, with a text and an action.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{click, pane, readings, state};
use wavelerp::model::methods::Method;
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::state::State;

/// Text and position of each dot.
fn dots(harness: &Harness<State>) -> Vec<(String, egui::Pos2)> {
    let found = harness.query_all(by().role(Role::RadioButton).label_contains("RMSE"));
    let dot = |node: egui_kittest::Node| {
        let label = node.accesskit_node().label().expect("a name");
        (label, node.rect().center())
    };
    found.map(dot).collect()
}

fn at(dots: &[(String, egui::Pos2)], name: &str) -> egui::Pos2 {
    let is_named = |dot: &&(String, egui::Pos2)| {
        let told = dot.0.trim_start_matches(['A', 'B', ':', ' ']);
        told.starts_with(name)
    };
    dots.iter()
        .find(is_named)
        .expect("the method was measured")
        .1
}

#[test]
fn a_dot_stands_where_time_and_error_put_it_and_exact_methods_on_one_line_below() {
    let dots = dots(&pane(Pane::Errors, state(), readings::rich));
    assert_eq!(dots.len(), 6);
    let of = |name: &str| at(&dots, name);
    let exact = ["pixel-loop", "read-lane-loop", "wave-lerp-deferred"].map(of);
    assert!(exact.iter().all(|dot| dot.y == exact[0].y), "{exact:?}");
    let [average, weighted, mlab] = ["average", "weighted", "mlab"].map(of);
    assert!(weighted.y < average.y && average.y < mlab.y && mlab.y < exact[0].y);
    assert!(average.x < mlab.x && mlab.x < exact[2].x && exact[2].x < weighted.x);
}

#[test]
fn a_click_on_a_dot_makes_it_method_b_and_dots_go_where_an_option_has_changed() {
    let mut harness = pane(Pane::Errors, state(), readings::rich);
    let said = |harness: &_, start: &str| {
        let found = dots(harness)
            .into_iter()
            .find(|dot| dot.0.starts_with(start));
        found.expect("a dot").0
    };
    let mlab = said(&harness, "mlab");
    click(&mut harness, Role::RadioButton, &mlab);
    assert_eq!(harness.state().comparison.chosen.b, Method::Mlab);
    said(&harness, "A: wave-lerp-deferred");
    said(&harness, "B: mlab");
    let options = &mut harness.state_mut().subject.settings.options;
    options.method.keeping.kept += 1;
    harness.run_ok();
    assert_eq!(dots(&harness).len(), 0);
    let hint = "no errors measured for this picture; measure all methods (M)";
    harness.get_by_label(hint);
    let fresh = pane(Pane::Errors, state(), Readings::default);
    fresh.get_by_label(hint);
}
