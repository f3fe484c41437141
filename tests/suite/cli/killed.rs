//! A capture that is killed, or whose disk is full, leaves no half of a file under a name that a reader would look for.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{BINARY, Desk, Run, png_pixels};

/// It goes on for some seconds after its first picture.
const CAPTURE: &str = "capture --size 320x181 --particles 300 --fog-slices 4 --quiet";

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Starts a capture and waits until a picture is written, which `find` finds.
fn started(desk: &Desk, more: &str, find: impl Fn() -> Option<String>) -> Child {
    let mut command = Command::new(BINARY);
    command.args(CAPTURE.split(' ')).args(more.split(' '));
    command.current_dir(desk.path("."));
    command.env("WAVELERP_SHADERS", desk.shaders.path());
    let child = command.stdout(Stdio::null()).spawn().expect("it starts");
    let began = Instant::now();
    while find().is_none() {
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
            let hidden = || {
                names(&desk.path(""))
                    .into_iter()
                    .find(|name| name.starts_with(".set"))
            };
            let picture = || {
                names(&desk.path(&hidden()?))
                    .into_iter()
                    .find(|name| name.ends_with(".png"))
            };
            let child = started(&desk, "--out set", picture);
            (desk, child)
        });
        assert!(!desk.path("set").exists(), "{signal}");
        // What is left is in nobody's way.
        let run = desk.run(&format!("{CAPTURE} --methods pixel-loop --out set"));
        run.good();
    }
}

#[test]
fn a_capture_that_is_killed_while_it_replaces_a_set_leaves_whole_files_and_no_report() {
    let pictures = |desk: &Desk| {
        let all = names(&desk.path("set")).into_iter();
        all.filter(|name| name.ends_with(".png"))
            .collect::<Vec<_>>()
    };
    let desk = until_killed("KILL", || {
        let desk = Desk::new();
        std::fs::create_dir(desk.path("set")).expect("a folder");
        desk.write("set/report.json", "old");
        let child = started(&desk, "--out set --force", || pictures(&desk).pop());
        (desk, child)
    });
    assert!(!desk.path("set/report.json").exists());
    let pictures = pictures(&desk);
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
    let full = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = desk.command_of("sh");
    command.args(["-c", full, BINARY]).args(CAPTURE.split(' '));
    command.args(["--methods", "pixel-loop", "--out", "set"]);
    command.env("MESA_SHADER_CACHE_DISABLE", "true");
    let run = Run::of("capture", &command.output().expect("it starts"));
    assert_eq!(run.code, 2, "{run}");
    assert!(
        run.stderr.contains("cannot write") && run.stderr.contains("set: "),
        "{run}"
    );
    assert!(
        names(&desk.path(""))
            .iter()
            .all(|name| !name.contains("set")),
        "{run}"
    );
}
