//! The Chrome trace written by `wavelerp capture --trace`.

use serde_json::Value;

use super::{Desk, items};
use crate::harness::usual_passes;
use wavelerp::model::passes::Pass;

const SMALL: &str = "capture --size 64x36 --particles 4000 --fog-slices 4 --out pictures --quiet";

fn number(event: &Value, key: &str) -> f64 {
    let number = event[key].as_f64();
    number.unwrap_or_else(|| panic!("{key}: {event}"))
}

fn name(event: &Value) -> &str {
    event["name"].as_str().unwrap_or_else(|| panic!("{event}"))
}

#[test]
fn a_trace_has_every_pass_that_a_methods_frame_draws_in_order() {
    let desk = Desk::new();
    let methods = ["pixel-loop", "wave-lerp-ballot"];
    let line = format!("{SMALL} --trace frame.json --methods {}", methods.join(","));
    let run = desk.run(&line).good();
    assert!(run.stdout.ends_with("\nframe.json\n"), "{run}");
    let trace = desk.json("frame.json");
    assert!(trace["otherData"]["adapter"].is_string(), "{trace}");
    let unchanged = &trace["otherData"]["not drawn, unchanged"];
    assert_eq!(unchanged, &serde_json::json!(["shadow"]));
    let events = items(&trace["traceEvents"]).iter();
    let slices: Vec<&Value> = events.filter(|event| event["ph"] == "X").collect();
    let frames: Vec<&[&Value]> = slices
        .chunk_by(|_, next| !name(next).starts_with("frame by"))
        .collect();
    assert_eq!(frames.len(), methods.len());
    let mut done = 0.0;
    for (frame, method) in frames.iter().zip(methods) {
        done = check_frame(frame, method, done);
    }
}

/// Checks a frame's slices, which must begin after `done`. Returns the end of the last slice.
fn check_frame(slices: &[&Value], method: &str, done: f64) -> f64 {
    let mut expected = vec![format!("frame by {method}")];
    // The shadow map comes from an earlier frame.
    for pass in usual_passes().filter(|pass| *pass != Pass::Shadow) {
        expected.push(pass.label().to_owned());
        if pass == Pass::Composite {
            expected.push(method.to_owned());
        }
    }
    let names: Vec<&str> = slices.iter().map(|slice| name(slice)).collect();
    assert_eq!(names, expected);
    let (start, length) = (number(slices[0], "ts"), number(slices[0], "dur"));
    assert!(start >= done, "{start} {done}");
    let mut last = start;
    for slice in &slices[1..] {
        let (at, dur) = (number(slice, "ts"), number(slice, "dur"));
        let on_gpu = number(&slice["args"], "gpu_ms");
        assert!(dur > 0.0 && on_gpu > 0.0, "{slice}");
        assert!(at >= last, "in order: {slice}");
        // Only the sum may be rounded.
        assert!(
            at + dur <= start + length + 1e-3,
            "inside the frame: {slice}"
        );
        last = at;
    }
    start + length
}
