//! F12 records frames of the window for RenderDoc.

use super::{Desk, TEMPLE, WINDOW};
use crate::harness::{entries, usual_passes};
use crate::renderdoc::{ATTACHED, check, replay};
use wavelerp::model::passes::Pass;

#[test]
fn f12_records_a_frame_by_each_method_shown_also_just_before_the_window_closes() {
    let desk = Desk::new();
    let methods = ["wave-lerp-deferred", "pixel-loop"];
    let arguments = format!("{TEMPLE} --methods {}", methods[0]);
    let program = desk.open_with(&format!("{arguments} --split 0.5"), WINDOW, &ATTACHED);
    program.keys(&["F12", "ctrl+q"]);
    program.ended();
    let files = methods.map(|method| desk.path(&format!("captures/temple_{method}.rdc")));
    // The last group is the painting of the window.
    let mut groups: Vec<&str> = usual_passes().map(Pass::label).collect();
    groups.push(Pass::Ui.label());
    for (file, method) in files.iter().zip(methods) {
        let checked = check(&replay(file), &groups, method);
        checked.unwrap_or_else(|why| panic!("{method}: {why}"));
    }
    assert_eq!(entries(&desk.path("captures")).len(), 2);
}
