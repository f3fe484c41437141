//! The pane of generated code shows the program's counts for A and B, and the WGSL of each.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use super::{UNAVAILABLE, adapter, built, click, comparing, find, readings, steps};
use wavelerp::gpu::shader::Edit;
use wavelerp::model::methods::Method;
use wavelerp::model::options::Tail;
use wavelerp::runs::codegen::Sheet;
use wavelerp::viewer::action::Action;
use wavelerp::viewer::code::CodePage;
use wavelerp::viewer::dock::Dock;
use wavelerp::viewer::readings::Readings;
use wavelerp::viewer::state::State;

/// The code pane, in front or behind another tab, and the picture.
fn shown(
    mut state: State,
    is_in_front: bool,
    readings: impl Fn() -> Readings<'static> + 'static,
) -> Harness<'static, State> {
    let front = u8::from(!is_in_front);
    let panes = format!("Row([(1.0,Tabs({front},[Code,Log])),(1.0,Tabs(0,[Picture]))])");
    state.panes.dock = Dock::parse(&panes).expect("an arrangement");
    let builder = Harness::builder().with_size([1600.0, 2400.0]);
    built(builder, state, readings)
}

/// The panes with A and B picked and the code pane in front.
fn opened(a: Method, b: Method) -> Harness<'static, State> {
    let mut harness = shown(comparing(a, b), false, Readings::default);
    // While the pane is behind another tab, nothing is compiled.
    assert_eq!(harness.state().panes.code.made(), 0);
    click(&mut harness, Role::Button, "Code");
    harness
}

/// Texts of the pane, in order.
fn texts(harness: &Harness<State>) -> Vec<String> {
    let nodes = harness.root().children_recursive();
    let texts = nodes
        .map(|node| node.accesskit_node())
        .filter(|node| node.role() == Role::Label)
        .filter_map(|node| node.label().or_else(|| node.value()));
    texts.skip_while(|text| !text.starts_with("A: ")).collect()
}

/// The two cells after a row's name.
fn cells(harness: &Harness<State>, row: &str) -> [String; 2] {
    let texts = texts(harness);
    let at = texts.iter().position(|text| text == row);
    let at = at.unwrap_or_else(|| panic!("{row} is not in {texts:?}"));
    [texts[at + 1].clone(), texts[at + 2].clone()]
}

#[test]
fn the_counts_of_a_and_b_are_the_programs() {
    let mut harness = opened(Method::WaveLerpProduct, Method::WaveLerpBallot);
    // Each operation occurs once, in two loops, for all pixels that share a fetched layer.
    assert_eq!(cells(&harness, "FMul ExclusiveScan"), ["1 (2)", "1 (2)"]);
    assert_eq!(cells(&harness, "FMul Reduce"), ["1 (2)", "-"]);
    assert_eq!(cells(&harness, "Ballot"), ["-", "1 (2)"]);
    let settings = harness.state().subject.settings.clone();
    let source = crate::shaders::source();
    let expected = [Method::WaveLerpProduct, Method::WaveLerpBallot].map(|method| {
        let own = settings.options.specialize(method);
        let sheet = Sheet::new(&source, &adapter(), &own, cfg!(debug_assertions));
        let counts = sheet.expect("the shader compiles").counts;
        let row = counts.row("load storage buffer").expect("a row");
        format!("{} ({})", row.sites, row.by_loops.len() - 1)
    });
    assert_eq!(cells(&harness, "load storage buffer"), expected);
    // Another method has other counts.
    harness.state_mut().comparison.chosen.a = Method::PixelLoop;
    harness.run_ok();
    assert_eq!(cells(&harness, "Ballot"), ["-", "1 (2)"]);
    assert!(!texts(&harness).contains(&"FMul Reduce".to_owned()));
}

#[test]
fn nothing_is_compiled_twice_until_the_shaders_change() {
    let mut harness = opened(Method::WaveLerpProduct, Method::WaveLerpBallot);
    assert_eq!(harness.state().panes.code.made(), 2);
    steps(&mut harness, 5);
    assert_eq!(harness.state().panes.code.made(), 2);
    // A dial changes the code, and going back finds the cached code.
    for tail in [Tail::Own, Tail::Padded, Tail::Own] {
        harness.state_mut().subject.settings.options.method.tail = tail;
        harness.run_ok();
        assert_eq!(harness.state().panes.code.made(), 4);
    }
    // Edited WGSL is visible if there is a page of it.
    let edit = Edit::new(
        "methods/wave_lerp_product",
        "return with_group(block.result, group);",
        "return with_group(block.result, Rgba(group.r, group.g, group.b, subgroupMul(group.a)));",
    );
    assert_eq!(cells(&harness, "FMul Reduce"), ["1 (2)", "-"]);
    harness.state_mut().panes.code = CodePage::new(crate::shaders::edited([edit]));
    harness.run_ok();
    assert_eq!(cells(&harness, "FMul Reduce"), ["2 (2)", "-"]);
}

#[test]
fn the_wgsl_of_both_is_shown_and_copied() {
    let mut harness = opened(Method::WaveLerpDeferred, Method::ReadLaneLoop);
    let text = |module| crate::shaders::source().file(module).expect("embedded");
    let [padded, loops] = ["methods/wave_lerp_deferred", "methods/read_lane_loop"].map(text);
    let shown = texts(&harness);
    assert!(shown.contains(&padded) && shown.contains(&loops));
    click(&mut harness, Role::Button, "copy WGSL of A");
    click(&mut harness, Role::Button, "copy WGSL of B");
    let copied = [Action::Copy(padded), Action::Copy(loops)];
    assert_eq!(harness.state().asked, copied);
    find(&harness, Role::Button, "copy WGSL of A").hover();
    steps(&mut harness, 6);
    harness.get_by_label_contains("shaders/methods/wave_lerp_deferred.wesl");
}

#[test]
fn of_auto_the_method_that_runs_is_shown_and_what_cannot_run_says_why() {
    let mut state = comparing(Method::Auto, UNAVAILABLE);
    state.machine.caps.native_spirv = false;
    let chosen = shown(state, true, readings::rich);
    chosen.get_by_label("A: split-depth 4");
    chosen.get_by_label_contains("B: wave-lerp-find-msb: needs SPIR-V passthrough");
    assert_eq!(chosen.state().panes.code.made(), 1);
    let open = opened(Method::Auto, Method::PixelLoop);
    open.get_by_label("A: auto, which picks a method once it is shown");
}
