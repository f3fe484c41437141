//! How the program ends, and whether these tests would notice if the validation layers had something to
//! say.

use super::display::wait;
use super::program::{Program, all_pictures, entries};
use super::{Desk, TEMPLE, WIDE, WINDOW, with_panes};

#[test]
fn closing_through_the_window_manager_is_a_good_end() {
    let desk = Desk::new();
    let program = desk.open(TEMPLE, WINDOW);
    program.keys(&["alt+F4"]);
    assert_eq!(program.ended(), "");
}

#[test]
fn escape_closes_what_is_on_top_one_after_the_other_and_ctrl_q_ends_the_program() {
    let desk = Desk::new();
    // The first window shows a card.
    let mut program = desk.open(&with_panes().replace("--fresh", ""), WIDE);
    // What stands below the button "recent" and where the card is, once nothing fades in or out any more.
    let seen = |program: &mut Program, key: &str| {
        program.keys(&[key]);
        let mut before = None;
        let settled = wait(|| {
            let window = program.shot_by("ctrl+F2").picture;
            let places = [([20, 30], [160, 60]), ([900, 100], [300, 60])];
            let now = places.map(|(corner, size)| window.part(corner, size));
            let is_settled = before.as_ref() == Some(&now);
            before = Some(now);
            is_settled.then(|| before.clone())?
        });
        settled.unwrap_or_else(|| program.fail("the window does not come to rest"))
    };
    program.shot();
    let [_, card] = seen(&mut program, "Shift_L");
    program.point([100, 13]);
    for is_down in [true, false] {
        program.shot();
        program.press("1", is_down);
    }
    program.shot();
    program.point([100, 700]);
    let [menu, _] = seen(&mut program, "Shift_L");
    let [closed, still] = seen(&mut program, "Escape");
    assert!(menu != closed, "the menu is closed");
    assert!(still == card, "and nothing else");
    let [_, free] = seen(&mut program, "Escape");
    assert!(free != card, "the card is closed");
    let [_, same] = seen(&mut program, "Escape");
    assert!(
        same == free && program.runs(),
        "there is nothing left to close"
    );
    program.keys(&["ctrl+q"]);
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
