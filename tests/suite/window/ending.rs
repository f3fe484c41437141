//! How the program ends, and whether these tests would notice if the validation layers had something to
//! say.

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
    assert_eq!(sets.len(), 1, "and nothing unfinished: {here:?}");
    assert!(sets[0].join("report.json").exists(), "{said}");
    says(&said, "finishing | comparison set");
    assert_eq!(said.lines().count(), 1, "{said}");
}
