//! A frame makes lists only if a method needs them.

use wavelerp::model::methods::Method;
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, scene, settings};

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
