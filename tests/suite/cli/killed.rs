//! A capture that is killed, or whose disk is full, leaves no half of a file under a name that a reader would look for.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Desk, png_pixels};
use crate::harness::{entries, name_of};

/// It goes on for some seconds after its first picture.
const CAPTURE: &str = "capture --size 320x181 --particles 300 --fog-slices 4 --quiet";

/// The pictures in folders whose names begin so, hidden ones too.
fn pictures(desk: &Desk, start: &str) -> Vec<String> {
    let mut folders = entries(&desk.path(""));
    folders.retain(|path| name_of(path).starts_with(start));
    let files = folders.iter().flat_map(|folder| entries(folder));
    let names = files.map(|path| name_of(&path));
    names.filter(|name| name.ends_with(".png")).collect()
}

/// Starts a capture and waits until a picture is written into a folder whose name begins so.
fn started(desk: &Desk, more: &str, folder: &str) -> Child {
    let mut command = desk.command();
    command.args(CAPTURE.split(' ')).args(more.split(' '));
    let child = command.stdout(Stdio::null()).spawn().expect("it starts");
    let began = Instant::now();
    while pictures(desk, folder).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "no picture");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Kills a capture. `false` if it had ended before, as it may on a machine that is busy with something else.
fn kill(mut child: Child, signal: &str) -> bool {
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let status = child.wait().expect("it ends");
    assert!(status.code().is_none_or(|code| code == 0), "{status}");
    status.code().is_none()
}

/// Tries until a capture has died of the signal, a few times: one that always ends by itself does not take it.
fn until_killed(signal: &str, capture: impl Fn() -> (Desk, Child)) -> Desk {
    for _ in 0..4 {
        let (desk, child) = capture();
        if kill(child, signal) {
            return desk;
        }
    }
    panic!("no capture dies of {signal}");
}

#[test]
fn a_killed_capture_leaves_nothing_under_the_name_of_its_folder() {
    for signal in ["INT", "KILL"] {
        let desk = until_killed(signal, || {
            let desk = Desk::new();
            let child = started(&desk, "--out set", ".set");
            (desk, child)
        });
        assert!(!desk.path("set").exists(), "{signal}");
        // What is left is in nobody's way.
        let small =
            "capture --size 20x12 --particles 9 --fog-slices 2 --methods pixel-loop --quiet";
        desk.run(&format!("{small} --out set")).good();
    }
}

#[test]
fn a_capture_that_is_killed_while_it_replaces_a_set_leaves_whole_files_and_no_report() {
    let desk = until_killed("KILL", || {
        let desk = Desk::new();
        desk.folder("set");
        desk.write("set/report.json", "old");
        let child = started(&desk, "--out set --force", "set");
        (desk, child)
    });
    assert!(!desk.path("set/report.json").exists());
    let pictures = pictures(&desk, "set");
    assert!(!pictures.is_empty());
    for name in pictures {
        let (size, _) = png_pixels(&desk.read(&format!("set/{name}")));
        assert!(size[0] >= 320, "{name} is whole");
    }
}

#[test]
fn a_capture_whose_disk_is_full_says_so_and_leaves_no_folder() {
    let desk = Desk::new();
    // Every file that grows beyond a few kilobytes fails, as on a full disk.
    let full =
        "trap '' XFSZ; ulimit -f 8; export MESA_SHADER_CACHE_DISABLE=true; exec \"$0\" \"$@\"";
    let line = format!("{CAPTURE} --methods pixel-loop --out set");
    let run = desk.run_in_shell(full, &line);
    assert_eq!(run.code, 2, "{run}");
    run.warns("cannot write | set: ");
    let names = desk.names("");
    assert!(!names.iter().any(|name| name.contains("set")), "{run}");
}
