//! What is kept: presets, and the settings of the last run.

use super::{Desk, TEMPLE, WINDOW};

/// The scene flags of [`TEMPLE`] alone.
fn remembered() -> String {
    TEMPLE.replace("--fresh", "")
}

#[test]
fn a_preset_brings_everything_back() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["2", "x"]);
    let before = program.shot();
    assert!(before.is_of("read-lane-loop-beside-pixel-loop"));
    program.keys(&["F5"]);
    let file = desk.path("config/wavelerp/presets/my-preset.ron");
    program.until("the preset is written", || file.exists().then_some(()));

    program.keys(&["5", "f", "x", "period", "period", "period"]);
    let changed = program.shot();
    assert!(changed.is_of("wave-lerp-ballot-scalar-absolute-pixel-loop"));
    assert!(changed.picture != before.picture);

    program.keys(&["F9"]);
    let back = program.shot();
    assert_eq!(back.command, before.command);
    assert!(back.picture == before.picture);
    program.shows(&back.picture);
    program.close();
}

#[test]
fn the_window_opens_again_as_it_was_closed() {
    let desk = Desk::new();
    let arguments = remembered();
    let mut program = desk.open(&arguments, WINDOW);
    program.keys(&["6", "x", "b", "period"]);
    let before = program.shot();
    assert!(before.is_of("wave-lerp-find-msb-beside-read-lane-loop"));
    program.close();

    let mut program = desk.open("", WINDOW);
    let after = program.shot();
    assert_eq!(after.command, before.command);
    program.shows(&before.picture);
    program.close();

    // Asked not to, it does not.
    let mut program = desk.open("--fresh --paused", WINDOW);
    let fresh = program.shot();
    assert_ne!(fresh.command, before.command);
    program.close();
}

#[test]
fn a_broken_file_of_the_last_run_gives_defaults_and_a_warning() {
    let desk = Desk::new();
    let program = desk.open(&remembered(), WINDOW);
    program.keys(&["6"]);
    program.close();
    let file = desk.path("config/wavelerp/last.ron");
    let whole = std::fs::read(&file).expect("the settings are kept");
    let broken = &whole[..whole.len() / 2];
    std::fs::write(&file, broken).expect("the test's file is written");

    let mut program = desk.open("--paused", WINDOW);
    let shot = program.shot();
    assert!(
        shot.is_of("auto-log10-read-lane-loop"),
        "{}",
        shot.path.display()
    );
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines.len() == 1 && said.starts_with("warning: "), "{said}");
    assert!(said.contains(&file.display().to_string()), "{said}");

    let kept = desk.path("config/wavelerp/last.broken.ron");
    assert_eq!(std::fs::read(kept).expect("it is kept"), broken);
    let new = std::fs::read(&file).expect("the settings are kept again");
    assert!(new.len() > broken.len());
}
