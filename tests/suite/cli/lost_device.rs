//! A device that is lost while a command works ends it with one clear line and exit code 1, and with nothing half
//! written. Debug builds lose their device on purpose where WAVELERP_LOSE_DEVICE says so.

use super::Desk;
use crate::renderdoc::ATTACHED;

const SMALL: &str = "--size 20x12 --particles 9 --fog-slices 2 --methods pixel-loop";
const CELL: &str = "--parts sweep --outputs 16x16 --layers 8 --cost cheap --kind particles \
                    --methods pixel-loop --pixels-per-wave 8 --rounds 2";
const ADVICE: [&str; 2] = ["the device was lost", "start again"];

/// Runs a line that loses its device with this command encoder, counted from 1.
fn loses(desk: &Desk, line: &str, encoder: &str) {
    let lost = [("WAVELERP_LOSE_DEVICE", encoder)];
    desk.refuses_with(line, &lost, 1, &ADVICE);
}

#[test]
fn a_loss_during_a_capture_leaves_nothing_or_the_older_set() {
    let desk = Desk::new();
    for encoder in ["pixel-loop:1", "timed pass:1"] {
        loses(&desk, &format!("capture {SMALL} --out a"), encoder);
    }
    std::fs::create_dir(desk.path("a")).expect("a folder");
    desk.write("a/report.json", "old");
    loses(
        &desk,
        &format!("capture {SMALL} --out a --force"),
        "pixel-loop:1",
    );
    assert_eq!(desk.read("a/report.json"), b"old");
}

#[test]
fn a_loss_during_a_benchmark_a_calibration_and_checks_leaves_nothing() {
    let desk = Desk::new();
    loses(&desk, &format!("bench {CELL} --out b"), "timed round:2");
    loses(&desk, "calibrate --frames --out c.json", "timed round:2");
    loses(
        &desk,
        "verify --methods pixel-loop --json v.json",
        "facts:1",
    );
    let probe = format!("probe --pixel 5,5 {SMALL} --json p.json");
    loses(&desk, &probe, "probe:1");
}

#[test]
fn a_loss_during_a_recording_leaves_nothing() {
    let line = format!("capture --renderdoc {SMALL} --out r");
    // The first frame is drawn before RenderDoc begins.
    let lost = [ATTACHED[0], ("WAVELERP_LOSE_DEVICE", "frame:2")];
    Desk::new().refuses_with(&line, &lost, 1, &ADVICE);
}
