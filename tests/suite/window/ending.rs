//! How the program ends, and whether these tests would notice if the validation layers had something to
//! say.

use super::program::{all_pictures, entries};
use super::{Desk, TEMPLE, WINDOW};

#[test]
fn closing_through_the_window_manager_is_a_good_end() {
    let desk = Desk::new();
    let program = desk.open(TEMPLE, WINDOW);
    program.keys(&["alt+F4"]);
    assert_eq!(program.ended(), "");
}

#[test]
fn without_a_display_one_line_names_capture() {
    let desk = crate::cli::Desk::new();
    let mut command = desk.command();
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.env("XDG_CONFIG_HOME", desk.path("config"));
    let run = crate::cli::Run::of("", &command.output().expect("the binary starts"));
    assert_eq!(run.code, 3, "{run}");
    assert_eq!(run.stdout, "", "{run}");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
    assert!(run.stderr.contains("wavelerp capture"), "{run}");
    assert!(desk.everything().is_empty(), "{run}");
}

#[test]
fn messages_of_the_validation_layers_would_be_heard() {
    let desk = Desk::new();
    let advice = [
        ("RUST_LOG", "warn"),
        (
            "VK_LAYER_ENABLES",
            "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT",
        ),
    ];
    let program = desk.open_with(TEMPLE, WINDOW, &advice);
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    assert!(said.contains("warn: VALIDATION"), "{said}");
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
    assert!(
        said.contains("finishing") && said.contains("comparison set"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn after_three_lost_devices_the_window_gives_up_aloud_and_keeps_its_settings() {
    let desk = Desk::new();
    // Each device in its first frame: a CPU adapter draws no more of them than it needs.
    let lost = [("WAVELERP_LOSE_DEVICE", "frame:1")];
    let program = desk.open_with(&TEMPLE.replace("--fresh", ""), WINDOW, &lost);
    let said = program.ended_with(1);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("error: ") && said.contains("lost 3 times"),
        "{said}"
    );
    assert!(desk.path("config/wavelerp/last.ron").exists(), "{said}");
}
