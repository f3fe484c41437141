//! State that is kept for the next start: settings, panes and the window's size.

use wavelerp::viewer::dock::{Arrangement, Dock};

use super::{Desk, TEMPLE, WIDE};

/// The scene flags of [`TEMPLE`] alone.
fn remembered() -> String {
    TEMPLE.replace("--fresh", "--tail own")
}

/// Arrangement of panes in the file of the last run.
fn last_panes(desk: &Desk) -> String {
    let file = desk.path("config/wavelerp/last.ron");
    let text = std::fs::read_to_string(file).expect("the settings are kept");
    let (_, panes) = text.split_once("panes: \"").expect("the file has panes");
    panes.split('"').next().unwrap_or_default().to_owned()
}

#[test]
fn the_window_opens_again_as_it_was_closed_and_with_a_broken_file_as_at_first() {
    let desk = Desk::new();
    let mut program = desk.open(&remembered().replace("--bare", ""), WIDE);
    // The layout has a single picture: if a difference were shown as well, its range would be fitted again.
    program.keys(&["6", "x", "b", "period", "F7", "g", "g"]);
    let before = program.shot();
    program.close();
    assert_eq!(last_panes(&desk), Dock::from(Arrangement::Profile).text());

    let mut program = desk.open_as_it_opens("");
    assert_eq!(program.place().1, WIDE);
    let after = program.shot();
    assert_eq!(after.command, before.command);
    assert!(after.picture == before.picture);
    program.close();
    assert_eq!(last_panes(&desk), Dock::from(Arrangement::Profile).text());

    // For a broken file, the program uses defaults, warns, and keeps the file.
    let file = desk.path("config/wavelerp/last.ron");
    let whole = std::fs::read(&file).expect("the settings are kept");
    let broken = &whole[..whole.len() / 2];
    std::fs::write(&file, broken).expect("the test's file is written");
    let mut program = desk.open_as_it_opens("--paused");
    assert_eq!(program.place().1, WIDE, "its size is in another file");
    assert_ne!(program.shot().command, before.command);
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines.len() == 1 && said.starts_with("warning: "), "{said}");
    assert!(said.contains(&file.display().to_string()), "{said}");
    let kept = desk.path("config/wavelerp/last.broken.ron");
    assert_eq!(std::fs::read(kept).expect("the file is kept"), broken);
    // By default, a new window compares a wave lerp with the fastest form of the lane-read loop. Flags and stored settings
    // take precedence.
    let new = std::fs::read_to_string(&file).expect("the settings are kept again");
    for text in [
        "a: r#wave-lerp-deferred",
        "b: r#read-lane-loop",
        "tail: padded",
    ] {
        assert!(new.contains(text), "{text}: {new}");
    }
    assert!(
        String::from_utf8_lossy(&whole).contains("tail: own"),
        "the control"
    );
}
