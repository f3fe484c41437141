//! F12: frames of the window recorded for RenderDoc, or the word that it is not attached.

use super::program::entries;
use super::{Desk, SIZE, TEMPLE, WINDOW};
use crate::renderdoc::{ATTACHED, replay};
use wavelerp::model::passes;

#[test]
fn f12_records_a_frame_by_each_method_shown_and_ui_is_its_last_group() {
    let desk = Desk::new();
    let methods = ["wave-lerp-deferred", "pixel-loop"];
    let arguments = format!("{TEMPLE} --methods {}", methods[0]);
    let program = desk.open_with(&format!("{arguments} --split 0.5"), WINDOW, &ATTACHED);
    program.keys(&["F12"]);
    let files = methods.map(|method| desk.path(&format!("captures/temple_{method}.rdc")));
    program.until("both recordings are there", || {
        files.iter().all(|file| file.exists()).then_some(())
    });
    let mut groups = passes::ALL.to_vec();
    groups.push(passes::UI);
    program.close();
    for (file, method) in files.iter().zip(methods) {
        let checked = replay(file).check(&groups, method);
        checked.unwrap_or_else(|why| panic!("{method}: {why}"));
    }
    assert_eq!(entries(&desk.path("captures")).len(), 2);
}

#[test]
fn without_renderdoc_f12_says_so_in_the_window_and_makes_nothing() {
    let desk = Desk::new();
    let program = desk.open(TEMPLE, WINDOW);
    // Messages stand below the picture, where there is nothing else.
    let top = (WINDOW[1] + SIZE[1]) / 2;
    let below = || Some(program.grab()?.part([0, top], [SIZE[0], WINDOW[1] - top]));
    let empty = program.until("nothing is said", || {
        program.picture_area(SIZE)?.0.is_lively().then_some(())?;
        let below = below()?;
        let first = below.pixels[0];
        below
            .pixels
            .iter()
            .all(|&pixel| pixel == first)
            .then_some(below)
    });
    program.until("something is said", || {
        // A message goes after some seconds; a slow machine may look too late for one.
        program.keys(&["F12"]);
        (below()?.share_changed(&empty) > 0.01).then_some(())
    });
    assert!(entries(&desk.path("captures")).is_empty());
    program.close();
}

#[test]
fn closing_finishes_the_recordings_that_were_asked_for_just_before() {
    let desk = Desk::new();
    let arguments = format!("{TEMPLE} --methods wave-lerp-deferred --split 0.5");
    let program = desk.open_with(&arguments, WINDOW, &ATTACHED);
    program.keys(&["F12", "ctrl+q"]);
    program.ended();
    assert_eq!(entries(&desk.path("captures")).len(), 2);
}
