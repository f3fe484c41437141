//! A device that is lost while a command works ends it with one clear line and exit code 1, and with nothing half
//! written. What there is of a comparison set is written. Debug builds lose their device on purpose where WAVELERP_LOSE_DEVICE says so.

use super::Desk;
use crate::harness::says;
use crate::renderdoc::ATTACHED;

const SMALL: &str = "--size 20x12 --particles 9 --fog-slices 2 --methods pixel-loop";
const CELL: &str = "--parts sweep --outputs 16x16 --layers 8 --cost cheap --kind particles \
                    --methods pixel-loop --pixels-per-wave 8 --rounds 2";
const ADVICE: &str = "the device was lost | start again";

/// Runs a line that loses its device with this command encoder, counted from 1.
fn loses(desk: &Desk, line: &str, encoder: &str) {
    let lost = [("WAVELERP_LOSE_DEVICE", encoder)];
    desk.refuses_with(line, &lost, 1, ADVICE);
}

#[test]
fn a_loss_before_the_first_picture_of_a_capture_leaves_nothing_or_the_older_set() {
    let desk = Desk::new();
    let line = format!("capture {SMALL} --out a");
    loses(&desk, &line, "pixel-loop:1");
    desk.folder("a");
    desk.write("a/report.json", "old");
    loses(&desk, &format!("{line} --force"), "pixel-loop:1");
    assert_eq!(desk.read("a/report.json"), b"old");
}

#[test]
fn a_loss_later_in_a_capture_leaves_what_there_is_and_says_of_each_method_what_it_lacks() {
    let line = format!("capture {SMALL},wave-tree --quiet --out a");
    // The second picture; the first pass that is timed.
    for (encoder, drawn) in [("wave-tree:1", 1), ("timed pass:1", 2)] {
        let desk = Desk::new();
        let run = desk.run_with(&line, &[("WAVELERP_LOSE_DEVICE", encoder)]);
        assert_eq!(run.code, 1, "{run}");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        run.warns("the device was lost");
        let pictures = desk.names("a").into_iter();
        let pictures = pictures.filter(|name| name.starts_with("diff_"));
        assert_eq!(pictures.count(), drawn, "{encoder}");
        let report = desk.json("a/report.json");
        for (index, method) in super::items(&report["methods"]).iter().enumerate() {
            let lacks = ["untimed", "unavailable"][usize::from(index >= drawn)];
            let reason = method[lacks].as_str().unwrap_or_default();
            says(reason, "the device was lost");
        }
    }
}

#[test]
fn a_loss_during_a_benchmark_and_checks_leaves_nothing() {
    let desk = Desk::new();
    loses(&desk, &format!("bench {CELL} --out b"), "timed round:2");
    let verify = "verify --methods pixel-loop --json v.json";
    loses(&desk, verify, "facts:1");
    let probe = format!("probe --pixel 5,5 {SMALL} --json p.json");
    loses(&desk, &probe, "probe:1");
}

#[test]
fn a_loss_during_a_recording_leaves_nothing() {
    let line = format!("capture --renderdoc {SMALL} --out r");
    // The first frame is drawn before RenderDoc begins.
    let lost = [ATTACHED[0], ("WAVELERP_LOSE_DEVICE", "frame:2")];
    Desk::new().refuses_with(&line, &lost, 1, ADVICE);
}
