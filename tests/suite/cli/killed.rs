//! A capture that is killed, or runs out of disk space, leaves no partial file under a final name.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::Desk;
use crate::harness::{entries, name_of};

/// A capture that goes on for some seconds after its first picture.
const CAPTURE: &str = "capture --size 320x181 --particles 300 --fog-slices 4 --quiet --methods pixel-loop,read-lane-loop,wave-tree";

/// True if the folder contains a hidden folder in which a picture is being written.
fn has_begun(desk: &Desk, folder: &str) -> bool {
    let hidden = entries(&desk.path(folder)).into_iter();
    let hidden = hidden.filter(|path| name_of(path).starts_with('.'));
    let mut files = hidden.flat_map(|path| entries(&path));
    files.any(|path| name_of(&path).ends_with(".png"))
}

#[test]
fn a_killed_capture_leaves_the_older_set_as_it_was_and_nothing_in_its_way() {
    let desk = Desk::new();
    desk.folder("set");
    // A run that ends before the kill, as may happen on a busy machine, is repeated.
    let killed = (0..4).any(|_| {
        desk.write("set/report.json", "old");
        let mut command = desk.command();
        command
            .args(CAPTURE.split(' '))
            .args("--out set --force".split(' '));
        let mut child = command
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let began = Instant::now();
        while !has_begun(&desk, "set") {
            assert!(began.elapsed() < Duration::from_secs(60), "no picture");
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("the program is killed");
        child.wait().expect("the program ends").code().is_none()
    });
    assert!(killed, "every capture ended before the kill");
    assert_eq!(desk.read("set/report.json"), b"old");
    let small = "capture --size 20x12 --particles 9 --fog-slices 2 --methods pixel-loop --quiet";
    desk.run(&format!("{small} --out set --force")).good();
    assert!(desk.json("set/report.json").is_object());
}

#[test]
fn a_capture_whose_disk_is_full_says_so_and_leaves_no_folder() {
    let desk = Desk::new();
    // Every file that grows beyond a few kilobytes fails, as on a full disk.
    let full =
        "trap '' XFSZ; ulimit -f 8; export MESA_SHADER_CACHE_DISABLE=true; exec \"$0\" \"$@\"";
    let line = format!("{CAPTURE} --out set");
    let run = desk.run_in_shell(full, &line);
    assert_eq!(run.code, 2, "{run}");
    run.warns("cannot write | set: ");
    let names = desk.names("");
    assert!(!names.iter().any(|name| name.contains("set")), "{run}");
}
