//! The table of methods, used with mouse and keyboard, and the panel's texts about `auto`.

use std::time::Instant;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use super::{
    UNAVAILABLE, built, click, controls, count, dock_of, find, pane, readings, says, state,
    type_into,
};
use wavelerp::frame::Counters;
use wavelerp::live::MethodTimes;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Inputs;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::dock::Pane;
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::state::State;

fn auto() -> State {
    let mut state = state();
    state.comparison.chosen.a = Method::Auto;
    state
}

#[test]
fn what_auto_chose_and_why_is_shown() {
    let harness = pane(Pane::Methods, auto(), readings::rich);
    harness.get_by_label("auto runs split-depth 4");
    harness.get_by_label_contains("4 threads per pixel, so that few pixels fill the GPU");
    harness.get_by_label("auto: split-depth 4");
    harness.get_by_label("pixel-loop-staged: pixel-loop-staged 1");
    // The pane has the controls of the method that `auto` runs.
    let wave = pane(Pane::Options, auto(), readings::rich);
    wave.get_by_label_contains("runs differ in length by the remainder");
}

#[test]
fn lists_that_were_not_made_have_no_lengths() {
    let lengths = |made| {
        let readings = move || {
            let rich = readings::rich();
            Readings {
                counters: Counters {
                    made,
                    ..rich.counters
                },
                ..rich
            }
        };
        let harness = pane(Pane::Scene, state(), readings);
        harness.get_by_label_contains("61234 visible particles");
        let texts = [
            "particles, – tile entries",
            "– layers per list on average, – in the longest",
        ];
        texts.map(|text| says(&harness, text))
    };
    assert_eq!(lengths(Inputs::VISIBLE_ITEMS), [true; 2]);
    assert_eq!(lengths(Inputs::LISTS), [false; 2]);
}

#[test]
fn a_and_b_are_measured_alone_if_nothing_else_is_asked_for() {
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    click(&mut harness, Role::Button, "only…");
    let all = controls(&harness).into_iter();
    let mut named = all.filter(|control| control.label.starts_with("A and B, about"));
    let label = named.next().expect("a label with a time").label;
    click(&mut harness, Role::Button, &label);
    let state = harness.state();
    let chosen = &state.comparison.chosen;
    let expected = Action::MeasureOnly(vec![chosen.a, chosen.b]);
    assert_eq!(state.asked, [expected]);
}

/// Labels of the radio buttons for A from top to bottom.
fn rows(harness: &Harness<State>) -> Vec<String> {
    let radios = harness.query_all(by().role(Role::RadioButton));
    let row = |radio: egui_kittest::Node| {
        let label = radio.accesskit_node().label().expect("a name");
        (radio.rect().top(), label)
    };
    let rows = radios.map(row);
    let rows = rows.filter(|(_, label)| !label.starts_with("B: "));
    let mut rows: Vec<(f32, String)> = rows.collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, label)| label).collect()
}

/// Label of the focused control.
fn focused(harness: &Harness<State>) -> Option<String> {
    let mut nodes = harness.root().children_recursive();
    let focused = nodes.find(|node| node.accesskit_node().is_focused())?;
    focused.accesskit_node().label()
}

fn press(harness: &mut Harness<State>, keys: &[egui::Key]) {
    for key in keys {
        harness.key_press(*key);
        harness.run_ok();
    }
}

#[test]
fn a_title_sorts_the_rows_both_ways_and_then_as_they_were() {
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    let usual = rows(&harness);
    let all: Vec<&str> = Method::all().map(Method::name).collect();
    assert_eq!(usual, all);
    let timed = ["wave-lerp-deferred", "read-lane-loop", "pixel-loop"];
    for title in ["sort by composite time", "sort by ratio"] {
        click(&mut harness, Role::Button, title);
        assert_eq!(rows(&harness)[..3], timed, "{title}");
        click(&mut harness, Role::Button, title);
        let mut back = rows(&harness)[..3].to_vec();
        back.reverse();
        assert_eq!(back, timed, "{title}");
        click(&mut harness, Role::Button, title);
        assert_eq!(rows(&harness), usual, "{title}");
    }
    click(&mut harness, Role::Button, "sort by error");
    let exact = Method::exact().count();
    assert_eq!(rows(&harness)[0], "pixel-loop");
    let erring = ["mlab", "average", "weighted"];
    assert_eq!(rows(&harness)[exact..exact + 3], erring);
    click(&mut harness, Role::Button, "sort by method");
    let sorted = rows(&harness);
    let (exact, approximate) = sorted.split_at(Method::exact().count());
    assert!(exact.is_sorted() && approximate.is_sorted());
    assert_eq!(approximate[0], "a-buffer");
    // A row that has moved can be clicked at its new place.
    click(&mut harness, Role::RadioButton, "fixed-function");
    assert_eq!(harness.state().comparison.chosen.a, Method::FixedFunction);
}

#[test]
fn a_narrow_table_keeps_the_time_and_words_of_dials_have_room() {
    let titles = ["composite time", "ratio", "error", "age"];
    for (size, kept) in [
        ([1000.0, 600.0], [true, false, false, false]),
        ([1920.0, 1080.0], [true; 4]),
    ] {
        let harness = built(Harness::builder().with_size(size), state(), readings::rich);
        let found = titles.map(|of| count(&harness, Role::Button, &format!("sort by {of}")) == 1);
        assert_eq!(found, kept, "{size:?}");
    }
    let harness = pane(Pane::Methods, state(), readings::rich);
    let dial = harness.get_by_label("moment: moment power4").rect();
    assert!(dial.width() > 40.0, "{dial}");
}

#[test]
fn the_search_stays_where_it_is_while_the_pane_scrolls() {
    let mut state = state();
    state.panes.dock = dock_of(&[Pane::Methods]);
    let mut harness = built(
        Harness::builder().with_size([1000.0, 300.0]),
        state,
        readings::rich,
    );
    let places = |harness: &Harness<State>| {
        let measure = find(harness, Role::Button, "measure all methods").rect();
        [find(harness, Role::TextInput, "search").rect(), measure].map(|of| of.top())
    };
    let before = places(&harness);
    harness.hover_at(egui::pos2(100.0, before[1]));
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -40.0),
        modifiers: egui::Modifiers::NONE,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
    });
    harness.run_ok();
    let after = places(&harness);
    assert!(
        before[0] == after[0] && before[1] > after[1],
        "{before:?} {after:?}"
    );
}

#[test]
fn a_search_leaves_the_rows_that_it_finds_until_escape_or_its_button_empties_it() {
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    let headings =
        |harness: &_| ["exact", "approximate"].map(|name| count(harness, Role::Label, name));
    let all = rows(&harness);
    assert_eq!(headings(&harness), [1, 1]);
    for end in ["Escape", "clear search"] {
        type_into(&mut harness, "search", "ballot");
        let found = ["wave-lerp-ballot", "wave-lerp-ballot-scalar"];
        assert_eq!(rows(&harness), found);
        assert_eq!(headings(&harness), [1, 0]);
        match end {
            "Escape" => press(&mut harness, &[egui::Key::Escape]),
            button => click(&mut harness, Role::Button, button),
        }
        assert_eq!(rows(&harness), all, "{end}");
    }
    type_into(&mut harness, "search", "no such");
    assert_eq!(rows(&harness), [""; 0]);
    harness.get_by_label("no method with this name");
}

#[test]
fn a_click_picks_a_or_b_and_does_nothing_where_the_method_cannot_run() {
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    for method in [Method::WaveTree, Method::Mlab, Method::FixedFunction] {
        type_into(&mut harness, "search", method.name());
        click(&mut harness, Role::RadioButton, method.name());
        click(&mut harness, Role::RadioButton, &format!("B: {method}"));
        let chosen = &harness.state().comparison.chosen;
        assert_eq!([chosen.a, chosen.b], [method; 2]);
        click(&mut harness, Role::Button, "clear search");
    }
    click(&mut harness, Role::RadioButton, UNAVAILABLE.name());
    assert_eq!(harness.state().comparison.chosen.a, Method::FixedFunction);
    let node = find(&harness, Role::RadioButton, UNAVAILABLE.name());
    assert!(node.accesskit_node().is_disabled());
}

#[test]
fn an_error_is_told_with_its_kind_until_an_option_has_changed() {
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    let said = "average\nRMSE 0.170, max 1.36 of the picture";
    let is_said = |harness: &Harness<State>| harness.query_by_label(said).is_some();
    assert!(is_said(&harness));
    let sorts_first = |harness: &Harness<State>| rows(harness)[Method::exact().count()].clone();
    click(&mut harness, Role::Button, "sort by error");
    assert_eq!(sorts_first(&harness), "mlab");
    // The time stays, struck through, and no longer affects the order.
    let options = &mut harness.state_mut().subject.settings.options;
    options.method.keeping.kept += 1;
    harness.event(egui::Event::PointerMoved(egui::pos2(1.0, 1700.0)));
    harness.run_ok();
    assert!(is_said(&harness));
    assert_eq!(sorts_first(&harness), "list-order");
}

#[test]
fn tab_goes_from_row_to_row_past_methods_that_cannot_run_and_space_picks() {
    use egui::Key::{Space, Tab};
    let mut harness = pane(Pane::Methods, state(), readings::rich);
    let mut stops: Vec<String> = Vec::new();
    while stops.last().is_none_or(|stop| stop != "B: wave-tree") && stops.len() < 200 {
        press(&mut harness, &[Tab]);
        stops.extend(focused(&harness));
    }
    press(&mut harness, &[Space]);
    assert_eq!(harness.state().comparison.chosen.b, Method::WaveTree);
    for stop in ["sort by ratio", "pixel-loop", "B: pixel-loop", "wave-tree"] {
        assert!(stops.iter().any(|label| label == stop), "{stops:?}");
    }
    assert!(!stops.iter().any(|label| label.contains(UNAVAILABLE.name())));
}

/// State of a window in which methods took the given times.
fn timed(times: &[(Method, &[f64])]) -> State {
    let mut state = state();
    let methods: Vec<MethodTimes> = (1..)
        .zip(times)
        .map(|(set, (method, samples))| {
            let of = state.subject.settings.options.specialize(*method);
            MethodTimes::new(of, set, samples.iter().copied(), samples.len() as u64)
        })
        .collect();
    let settings = state.subject.settings.clone();
    let times = &mut state.times;
    times.follow(&methods, None, &settings, Instant::now());
    let chosen = &mut state.comparison.chosen;
    (chosen.a, chosen.b) = (Method::PixelLoop, Method::ReadLaneLoop);
    chosen.split_on = true;
    state
}

/// Readings of a window that times A and B.
fn timing() -> Readings<'static> {
    Readings {
        is_timing: true,
        ..Readings::default()
    }
}

#[test]
fn times_of_auto_are_of_what_it_runs_now() {
    let says = |readings: fn() -> Readings<'static>, sentence: &str| {
        let mut state = timed(&[(Method::Auto, &[9.0; 5]), (Method::ReadLaneLoop, &[3.0; 5])]);
        state.comparison.chosen.a = Method::Auto;
        let harness = pane(Pane::Methods, state, readings);
        assert!(super::says(&harness, sentence), "{sentence}");
    };
    says(Readings::default, "B is 3.00x faster than A");
    // Now auto runs another method.
    let other = || Readings {
        choice: readings::rich().choice,
        ..timing()
    };
    says(other, "measuring, 0 of 5");
    let idle = || Readings {
        choice: readings::rich().choice,
        ..Readings::default()
    };
    says(idle, "press M to compare A and B");
}

#[test]
fn there_is_no_verdict_below_five_times_and_none_where_times_overlap() {
    let verdict = |times: &[(Method, &[f64])], sentence: &str| {
        let harness = pane(Pane::Methods, timed(times), timing);
        assert!(says(&harness, sentence), "{sentence}");
    };
    let of_both = |a: &[f64], b: &[f64], sentence: &str| {
        verdict(
            &[(Method::PixelLoop, a), (Method::ReadLaneLoop, b)],
            sentence,
        );
    };
    of_both(&[9.0; 3], &[1.0; 8], "measuring, 3 of 5");
    of_both(&[9.0; 5], &[3.0; 8], "B is 3.00x faster than A");
    let overlapping = [[9.0, 9.1, 9.2, 9.3, 9.4], [9.1, 9.2, 9.3, 9.4, 9.5]];
    of_both(
        &overlapping[0],
        &overlapping[1],
        "A and B are equally fast (~0.99x)",
    );
    // A single outlier changes no conclusion.
    of_both(&[9.0, 9.0, 9.0, 9.0, 1.0], &[3.0; 5], "B is 3.00x faster");
    let three = [
        (Method::PixelLoop, &[9.0; 5][..]),
        (Method::ReadLaneLoop, &[3.0; 5]),
        (Method::Auto, &[4.5; 5]),
    ];
    let fastest = "fastest of 3 timed: read-lane-loop, 3.000 ms; auto takes 1.50x";
    verdict(&three, fastest);
    // If only a small part of the GPU can draw, drawn methods are timed but not compared, however fast they are.
    let drawn = [three[0], three[1], (Method::FixedFunction, &[1.0; 5])];
    verdict(&drawn, "fastest of 3 timed: fixed-function, 1.000 ms");
    let few = |b| {
        let mut state = timed(&drawn);
        state.machine.caps.name = "NVIDIA H100 PCIe".to_owned();
        state.comparison.chosen.b = b;
        pane(Pane::Methods, state, timing)
    };
    let harness = few(Method::FixedFunction);
    assert!(says(
        &harness,
        "fastest of 2 timed: read-lane-loop, 3.000 ms"
    ));
    let why = "Only 2 of 57 TPCs of this GPU can draw, so drawn methods (fixed-function)";
    assert!(says(&harness, why));
    assert!(says(&few(Method::ReadLaneLoop), "B is 3.00x faster than A"));
    // A method is called the fastest of all only if all were timed.
    let all: Vec<(Method, &[f64])> = Method::all().map(|of| (of, &[2.0; 5][..])).collect();
    verdict(&all, "fastest: pixel-loop, 2.000 ms; auto takes ~1.00x");
}
