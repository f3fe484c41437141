//! Files are read while the window is open, and can be chosen in the system's dialog.

use std::os::unix::fs::PermissionsExt;

use super::display::wait;
use super::{Desk, SIZE, TEMPLE, WINDOW};
use crate::cli::{BINARY, Run};
use crate::harness::says;
use crate::splats::{bytes_of, fixture};

#[test]
fn a_file_comes_into_the_open_window_and_a_wrong_one_ends_it_with_its_error() {
    let desk = Desk::new();
    let bytes = bytes_of("inria-3.ply");
    let write = |name: &str, bytes: &[u8]| std::fs::write(desk.path(name), bytes).expect("a file");
    write("some.ply", &bytes);
    write("bad.ply", &bytes[..bytes.len() - 9]);
    let flags = "--size 160x90 --fresh --bare --view picture --against pixel-loop";
    let program = desk.open(&format!("some.ply {flags}"), WINDOW);
    program.until_it("splats are visible", || {
        let window = program.grab();
        window.is_some_and(|window| window.area(SIZE).0.is_lively())
    });
    program.close();

    let line = format!("run bad.ply {flags}");
    let run = Run::of(&line, desk.command(BINARY).args(line.split(' ')));
    assert_eq!(run.code, 2, "{run}");
    run.warns("bad.ply: ");
}

#[test]
fn a_file_chosen_in_the_systems_dialog_is_opened_and_a_cancelled_dialog_changes_nothing() {
    let desk = Desk::new();
    // A script replaces the dialog: it answers any question with the contents of a file. Without the file, it cancels.
    let dialog = desk.path("bin/zenity");
    std::fs::create_dir(desk.path("bin")).expect("a folder");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] || echo \"$@\" >> asked\n[ \"$1\" = --version ] || cat answer\n";
    std::fs::write(&dialog, script).expect("a script");
    let all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&dialog, all).expect("a program");
    let own = std::env::var("PATH").expect("a path");
    let path = format!("{}:{own}", desk.path("bin").display());

    let mut program = desk.open_with(TEMPLE, WINDOW, &[("PATH", &path)]);
    let before = program.shot();
    let asked = |count: usize| {
        let lines = std::fs::read_to_string(desk.path("asked")).ok()?;
        (lines.lines().count() == count).then_some(lines)
    };
    program.keys(&["ctrl+o"]);
    program.until("the dialog was asked", || asked(1));
    assert_eq!(
        program.shot().command,
        before.command,
        "the dialog was cancelled"
    );
    let file = desk.path("some.ply");
    std::fs::copy(fixture("inria-3.ply"), &file).expect("a file");
    std::fs::write(desk.path("answer"), file.to_str().expect("text")).expect("an answer");
    program.keys(&["ctrl+o"]);
    let lines = program.until("the dialog was asked again", || asked(2));
    says(lines, "*.ply | *.ron");
    let shown = wait(|| program.shot().command.contains("some.ply").then_some(()));
    shown.unwrap_or_else(|| program.fail("its scene is not shown"));
    // Pictures of one method and of two do not reveal the folders of files.
    for key in ["x", "x"] {
        program.keys(&[key]);
        let command = program.shot().command;
        let is_plain = command.contains("some.ply") && !command.contains("/some.ply");
        assert!(is_plain, "{command}");
    }
    program.close();
}
