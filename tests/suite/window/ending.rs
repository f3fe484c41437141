//! How the program ends, and whether these tests would notice if the validation layers had something to
//! say.

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
    program.keys(&["Escape"]);
    let said = program.ended();
    assert!(said.contains("warn: VALIDATION"), "{said}");
}
