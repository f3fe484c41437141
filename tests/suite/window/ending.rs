//! The ways in which the program ends. These tests also detect messages of the validation layers.

use super::program::all_pictures;
use super::{Desk, TEMPLE, WINDOW};
use crate::harness::{entries, says};

#[test]
fn messages_of_the_validation_layers_would_be_heard() {
    let desk = Desk::new();
    let best = "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT";
    let advice = [("RUST_LOG", "warn"), ("VK_LAYER_ENABLES", best)];
    let program = desk.open_with(TEMPLE, WINDOW, &advice);
    program.keys(&["ctrl+q"]);
    says(program.ended(), "warn: VALIDATION");
}

#[test]
fn closing_finishes_the_pictures_that_were_asked_for_just_before() {
    let desk = Desk::new();
    let program = desk.open(TEMPLE, WINDOW);
    program.keys(&["F2", "shift+F2", "ctrl+q"]);
    let said = program.ended();
    assert_eq!(all_pictures(&desk).len(), 1, "the view: {said}");
    let here = entries(&desk.path("screenshots/local/temple"));
    let sets: Vec<_> = here.iter().filter(|path| path.is_dir()).collect();
    assert_eq!(sets.len(), 1, "no unfinished set: {here:?}");
    assert!(sets[0].join("report.json").exists(), "{said}");
    says(&said, "finishing | comparison set");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_server_that_goes_away_is_told_in_one_sentence_and_settings_are_kept() {
    let desk = Desk::new();
    let mut program = desk.open(&TEMPLE.replace("--fresh", ""), WINDOW);
    program.keys(&["6"]);
    let saved = program.shot().path;
    desk.end_server();
    let said = program.ended_by(3);
    says(&said, "the display is gone | start wavelerp again");
    assert_eq!(said.lines().count(), 1, "{said}");
    let kept = |name: &str| std::fs::read_to_string(desk.path("config/wavelerp").join(name));
    let settings = kept("last.ron").expect("settings are kept");
    assert!(settings.contains("a: r#wave-lerp-find-msb"), "{settings}");
    // The saved files are kept for the next window's list.
    let window = kept("window.ron").expect("the list is kept");
    assert!(window.contains(&*saved.to_string_lossy()), "{window}");
}
