//! Lists are made where a method needs them, and nowhere else.

use wavelerp::frame::Counters;
use wavelerp::gpu::{Gpu, Profiler, Recorder};
use wavelerp::methods::composite::Composite;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::{Inputs, Label, Pass};
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, scene, settings};

/// Draws a set's frame with its first composite. Returns the labels of its passes and its counters, as if it had made
/// lists.
fn drawn(gpu: &Gpu, capture: &Capture, composites: &[Composite]) -> (Vec<Label>, Counters) {
    let set = capture.set(composites);
    let [before, after] = set.frame.as_ref().expect("passes around it");
    let mut profiler = Profiler::timed(gpu).expect("a profiler");
    let mut recorder = Recorder::new(gpu, &mut profiler, "frame");
    before(&mut recorder).expect("a scene");
    (set.subjects[0].record)(&mut recorder, 1).expect("a composite");
    after(&mut recorder).expect("a picture");
    let recorded = recorder.finish();
    let done = profiler.submit_and_wait(gpu, recorded).expect("a frame");
    let labels = done.spans.into_iter().map(|span| span.label).collect();
    let counters = capture.frame.read_counters(gpu, Inputs::LISTS);
    (labels, counters.expect("counters"))
}

#[test]
fn a_frame_makes_lists_only_where_one_of_its_methods_needs_them() {
    let harness = Harness::new();
    let gpu = &harness.gpu;
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let capture = harness.capture(&scene, &settings);
    let composite = |method| capture.composite_of(settings.options.specialize(method));
    let mut composites = vec![composite(Method::WeightedDrawn).expect("it compiles")];

    let (labels, counters) = drawn(gpu, &capture, &composites);
    let is_of_lists = |label: &Label| [Pass::Bin, Pass::Lists].contains(&label.pass);
    assert!(!labels.iter().any(is_of_lists), "{labels:?}");
    assert!(counters.visible > 100);
    assert_eq!([counters.room, counters.listed_layers], [0; 2]);
    let alone = capture.frame.read_composite(gpu).expect("pixels");

    // Beside a method that needs lists they are made, and the picture is the same.
    composites.push(composite(Method::PixelLoop).expect("it compiles"));
    let (_, counters) = drawn(gpu, &capture, &composites);
    assert_eq!(counters, capture.counters);
    assert!(alone == capture.frame.read_composite(gpu).expect("pixels"));
}

#[test]
fn a_capture_for_methods_without_lists_has_none_and_refuses_the_others() {
    let harness = Harness::new();
    let scene = scene("temple");
    let settings = settings(&scene, [97, 55], 600, 8);
    let mut capture = harness.capture_for(&scene, &settings, &[Method::FixedFunction]);
    assert!(!capture.counters.has_lists());
    let refused = capture.picture(Method::PixelLoop).err();
    let why = refused.expect("no lists").to_string();
    assert!(why.contains("pixel-loop needs tile lists"), "{why}");
    let picture = |capture: &mut Capture| {
        let picture = capture.picture(Method::FixedFunction);
        picture.expect("a picture").composite
    };
    let alone = picture(&mut capture);
    let whole = picture(&mut harness.capture(&scene, &settings));
    assert!(alone == whole);
}
