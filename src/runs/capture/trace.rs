//! GPU times as a Chrome trace (Trace Event Format, JSON) for ui.perfetto.dev and chrome://tracing. A frame is a slice
//! that contains a slice for each pass. The composite contains the passes of the method.

use serde_json::{Value, json};

use super::Capture;
use crate::error::Result;
use crate::gpu::{Profiler, Span, clock};
use crate::model::methods::Method;
use crate::model::passes::Pass;
use crate::model::{Capabilities, Clock};

/// Track of passes that run one after the other.
const GPU: u32 = 1;
/// Track of passes that end before the preceding pass.
const BESIDE: u32 = 2;

/// Traces one frame of each method, after a warm-up frame.
pub fn of_methods(capture: &Capture, methods: &[Method]) -> Result<Value> {
    let mut timer = Profiler::timed(capture.gpu)?;
    let mut frames = Vec::new();
    for &method in methods {
        capture.whole_frame(&mut timer, method)?;
        frames.push((method.name(), capture.whole_frame(&mut timer, method)?));
    }
    let unchanged = capture.frame.unchanged_passes();
    let clock = clock(capture.gpu)?;
    Ok(chrome_trace(&capture.gpu.caps, clock, &frames, &unchanged))
}

/// Trace of frames, each named after its method. The spans of a method are parts of the composite. `unchanged` lists
/// passes that the frames skipped because nothing had changed.
pub fn chrome_trace(
    caps: &Capabilities,
    clock: &Clock,
    frames: &[(&str, Vec<Span>)],
    unchanged: &[Pass],
) -> Value {
    let spans = frames.iter().flat_map(|frame| &frame.1);
    let origin = spans.fold(f64::INFINITY, |first, span| first.min(span.start));
    let mut events = vec![
        naming("process_name", GPU, &caps.name),
        naming("thread_name", GPU, "passes"),
        naming("thread_name", BESIDE, "passes that overlapped others"),
    ];
    for (method, spans) in frames {
        let slices = frame_slices(method, spans);
        events.extend(slices.iter().map(|slice| slice.event(origin)));
    }
    let note = if caps.is_cpu {
        "CPU adapter: not GPU measurements"
    } else {
        "GPU times"
    };
    let clock = clock.to_string();
    json!({
        "displayTimeUnit": "ms",
        "otherData": {
            "adapter": caps.name,
            "driver": caps.driver,
            "clock": clock,
            "note": note,
            "not drawn, unchanged": unchanged,
        },
        "traceEvents": events,
    })
}

/// Times are in milliseconds.
struct Slice {
    track: u32,
    name: String,
    start: f64,
    end: f64,
    /// Details of a selected bar.
    args: Value,
}

impl Slice {
    fn event(&self, origin: f64) -> Value {
        json!({
            "ph": "X",
            "pid": 1,
            "tid": self.track,
            "name": self.name,
            "ts": (self.start - origin) * 1e3,
            "dur": (self.end - self.start) * 1e3,
            "args": self.args,
        })
    }
}

fn naming(what: &str, track: u32, name: &str) -> Value {
    json!({ "ph": "M", "pid": 1, "tid": track, "name": what, "args": { "name": name } })
}

/// Slices of a frame: the frame itself, its passes, and the parts of the composite.
fn frame_slices(method: &str, spans: &[Span]) -> Vec<Slice> {
    let frame = slice(&format!("frame by {method}"), spans);
    let mut done = frame.start;
    let mut slices = vec![frame];
    let is_pass = |span: &Span| span.label.method.is_none();
    for parts in spans.chunk_by(|a, b| !is_pass(a) && !is_pass(b)) {
        if parts.iter().any(is_pass) {
            slices.extend(parts.iter().map(|part| placed(part, &mut done)));
            continue;
        }
        let mut composite = slice(Pass::Composite.label(), parts);
        composite.args["method"] = method.into();
        composite.start = composite.start.max(done);
        done = composite.start;
        slices.push(composite);
        slices.extend(parts.iter().map(|part| placed(part, &mut done)));
    }
    slices
}

fn slice(name: &str, spans: &[Span]) -> Slice {
    let starts = spans.iter().map(|span| span.start);
    let start = starts.fold(f64::INFINITY, f64::min);
    let ends = spans.iter().map(|span| span.end);
    let end = ends.fold(f64::NEG_INFINITY, f64::max);
    Slice {
        track: GPU,
        name: name.to_owned(),
        start,
        end,
        args: json!({ "gpu_ms": end - start }),
    }
}

/// Places a span on the track of passes. It starts no earlier than the end of the preceding pass, because a GPU may
/// take the timestamp of a pass that is still waiting. A span that would end before that goes to the other track.
fn placed(span: &Span, done: &mut f64) -> Slice {
    let own = slice(&span.label.to_string(), std::slice::from_ref(span));
    if span.end <= *done {
        return Slice {
            track: BESIDE,
            ..own
        };
    }
    let start = span.start.max(*done);
    *done = span.end;
    Slice { start, ..own }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::model::passes::Label;

    fn span(label: impl Into<Label>, start: f64, end: f64) -> Span {
        Span {
            label: label.into(),
            key: None,
            start,
            end,
        }
    }

    /// Name, track, start and duration of each slice. Times are in microseconds.
    fn slices(trace: &Value) -> Vec<(&str, u64, f64, f64)> {
        let events = trace["traceEvents"].as_array().unwrap().iter();
        let bars = events.filter(|event| event["ph"] == "X");
        bars.map(|event| {
            let number = |key: &str| event[key].as_f64().unwrap();
            let track = event["tid"].as_u64().unwrap();
            let name = event["name"].as_str().unwrap();
            (name, track, number("ts"), number("dur"))
        })
        .collect()
    }

    #[test]
    fn passes_that_overlap_are_cut_or_put_beside() {
        let spans = vec![
            span(Pass::Lists, 0.0, 4.0),
            span(Pass::Shadow, 1.0, 3.0),
            span(Pass::Light, 2.0, 5.0),
        ];
        let trace = chrome_trace(
            &Capabilities::default(),
            &Clock::default(),
            &[("auto", spans)],
            &[],
        );
        let found = slices(&trace);
        assert_eq!(found[2], ("shadow", 2, 1000.0, 2000.0));
        assert_eq!(found[3], ("light", 1, 4000.0, 1000.0));
        // The reported time is kept in addition to the drawn one.
        assert_eq!(trace["traceEvents"][6]["args"]["gpu_ms"], 3.0);
    }
}
