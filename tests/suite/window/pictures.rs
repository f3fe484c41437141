//! Pictures that keys save: of the view, and of the whole window.

use std::path::Path;

use super::{Desk, Picture, SIZE, TEMPLE, WINDOW};
use crate::cli::{BINARY, Run};

/// Runs a `wavelerp capture` line unchanged except for `--out FOLDER`, and returns the method's picture.
fn captured(desk: &Desk, line: &str, folder: &str, method: &str) -> Picture {
    assert!(line.starts_with("wavelerp capture "), "{line}");
    let programs = Path::new(BINARY).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(programs.into()).chain(std::env::split_paths(&path));
    let mut shell = desk.command("sh");
    shell.args(["-c", &format!("{line} --out {folder}")]);
    shell.env("PATH", std::env::join_paths(path).expect("a PATH"));
    // The command names the folder of shaders.
    shell.env_remove("WAVELERP_SHADERS");
    Run::of(line, &mut shell).good();
    Picture::read(&desk.path(folder).join(format!("{method}.png")))
}

#[test]
fn f2_saves_what_is_on_screen_and_its_command_makes_the_same_picture() {
    let desk = Desk::new();
    let mut program = desk.open(TEMPLE, WINDOW);
    program.keys(&["4"]);
    let shot = program.shot();
    assert!(shot.path.starts_with(desk.path("screenshots/local/temple")));
    assert!(shot.is_of("wave-lerp-ballot"));
    assert_eq!(program.shows(&shot.picture), 1);
    let same = captured(&desk, &shot.command, "same", "wave-lerp-ballot");
    assert!(same == shot.picture, "capture makes another picture");

    // A picture that is taken while the clock runs states its moment.
    program.keys(&["space"]);
    let running = program.shot();
    program.keys(&["space"]);
    assert_ne!(running.command, shot.command);
    let same = captured(&desk, &running.command, "running", "wave-lerp-ballot");
    assert!(same == running.picture, "capture makes another picture");

    // With Ctrl, the picture shows the whole window.
    program.until_it("messages about earlier pictures are gone", || {
        let below = [0, (WINDOW[1] + SIZE[1]) / 2];
        let size = [WINDOW[0], WINDOW[1] - below[1]];
        let window = program.grab();
        window.is_some_and(|window| window.part(below, size).is_plain())
    });
    let plain = program.shot().picture;
    let window = program.shot_by("ctrl+F2").picture;
    assert_eq!(window.size, WINDOW);
    assert!(window.area(SIZE).0 == plain);
    // Closing the window through the window manager also ends the program without errors.
    program.keys(&["alt+F4"]);
    assert_eq!(program.ended(), "");
}
