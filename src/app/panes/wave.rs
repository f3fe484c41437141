//! Pane "Wave": how wide the waves of A and B are, and the knobs of how methods are compiled.

use egui::Ui;

use super::Readings;
use super::style::warn;
use crate::app::controls::{choice, slider, text, value};
use crate::app::state::State;
use crate::gpu::Capabilities;
use crate::methods::{Dial, Hazard, Knobs, LaneRead, Method, Precision, Tail};

/// Wave details (shown) and dials (switchable).
pub fn wave(ui: &mut Ui, state: &mut State, readings: &Readings) {
    let runs = |method| match readings.choice {
        Some(choice) if method == Method::Auto => choice.specialization.runs,
        _ => method,
    };
    let (method, other) = (runs(state.left()), state.right().map(runs));
    let size =
        |size: Option<u32>| size.map_or("unknown".to_owned(), |size| format!("{size} lanes"));
    let [ran, other_ran] = readings.wave_sizes;
    if method.uses_waves() {
        ui.label(format!("{method} ran at a wave of {}", size(ran)));
    } else {
        ui.label(format!("{method} uses no waves"));
    }
    if let Some(other) = other.filter(|other| other.uses_waves() && method.uses_waves())
        && let (Some(a), Some(b)) = (ran, other_ran)
        && a != b
    {
        warn(
            ui,
            format!("{other} ran at a wave of {b} lanes: compare their times with care"),
        );
    }
    ui.label(format!("tail: {}", method.entry().tail));
    ui.label(format!("carry: {}", method.entry().carry));
    let longest = readings.counters.longest_list;
    let lanes = ran.unwrap_or(state.caps.wave_max).max(1);
    ui.label(format!(
        "longest list: {longest} layers, {} groups of {lanes}",
        longest.div_ceil(lanes)
    ));
    knobs(ui, state);
}

/// The knobs of how methods are compiled. The tile's stands with the frame's size.
fn knobs(ui: &mut Ui, state: &mut State) {
    let defaults = state.defaults.knobs;
    let Knobs {
        tile,
        hazard,
        early_out,
        pixels_per_wave,
        dial,
        tail,
        precision,
        lane_read,
    } = &mut state.settings.knobs;
    let hazards = [
        (Hazard::Driver, "The driver's exclusive product"),
        (
            Hazard::DriverGuarded,
            "Exclusive product of max(1-t, 1e-5), as the article suggests: layers behind an \
            opaque one leak by 1e-5",
        ),
        (
            Hazard::Division,
            "Inclusive product / (1-t): not a number where t = 1, shown in magenta",
        ),
        (
            Hazard::DivisionGuarded,
            "Inclusive product / max(1-t, 1e-5): layers behind an opaque one leak by 1e-5",
        ),
    ];
    choice(
        ui,
        text("hazard", "How to form the exclusive prefix product"),
        value(hazard, &defaults.hazard),
        &named(hazards, Hazard::name),
    );
    slider(
        ui,
        text(
            "early-out",
            "A pixel may stop below this transmittance; 0 is off. The error is at most this times \
            the largest radiance skipped. Keep it off when comparing.",
        ),
        value(early_out, &defaults.early_out),
        0.0..=0.5,
        |slider| slider.logarithmic(true).smallest_positive(1e-4),
    );
    let most = *tile * *tile;
    *pixels_per_wave = (*pixels_per_wave).min(most);
    let counts: Vec<_> = (0..=most.ilog2())
        .map(|power| (1 << power, (1 << power).to_string(), String::new()))
        .collect();
    choice(
        ui,
        text(
            "pixels per wave",
            "Pixels of its tile that a wave walks. Changes times several-fold: compare methods at \
            the same value.",
        ),
        value(pixels_per_wave, &defaults.pixels_per_wave.min(most)),
        &counts,
    );
    let places = places(&state.caps);
    let nearest = |dial: Dial| {
        if places.iter().any(|place| place.0 == dial) {
            dial
        } else {
            Dial::Threads(Dial::most_threads(&state.caps))
        }
    };
    *dial = nearest(*dial);
    choice(
        ui,
        text(
            "dial",
            "pixel-loop-staged: pixels per thread. split-depth: threads per pixel, up to this \
            adapter's workgroup size. split-batches: layers per batch. A method without this setting keeps its default. auto sets it itself.",
        ),
        value(dial, &nearest(defaults.dial)),
        &places,
    );
    choice(
        ui,
        text(
            "tail",
            "How to handle the last wave of a list, which has fewer layers than lanes",
        ),
        value(tail, &defaults.tail),
        &tails(),
    );
    // A setting from another machine's preset can be undone.
    if state.caps.native_spirv || *lane_read != defaults.lane_read {
        choice(
            ui,
            text(
                "lane read",
                "How a wave reads one lane's value: read-lane-loop reads each in turn, other \
                methods the last lane",
            ),
            value(lane_read, &defaults.lane_read),
            &lane_reads(),
        );
    }
    if state.caps.half_floats || *precision != defaults.precision {
        choice(
            ui,
            text(
                "precision",
                "Compositing precision. Half floats affect pixel-loop-staged, and auto if it \
                picks that; a pixel's error is some thousandths.",
            ),
            value(precision, &defaults.precision),
            &precisions(),
        );
    }
}

/// Every place of the dial that an adapter can do, with its name and what it does.
fn places(caps: &Capabilities) -> Vec<(Dial, String, String)> {
    let most = Dial::most_threads(caps);
    let named = |dial| match dial {
        Dial::Threads(threads) if threads > most => None,
        Dial::Threads(1) => Some((
            dial,
            "1 thread per pixel".to_owned(),
            "One thread composites one pixel".to_owned(),
        )),
        Dial::Threads(threads) => Some((
            dial,
            format!("{threads} threads per pixel"),
            "Each thread composites a run of the pixel's layers, and the runs are joined in \
            order: for few pixels or long lists."
                .to_owned(),
        )),
        Dial::Batch(layers) => Some((
            dial,
            format!("{layers} layers per batch"),
            "Cuts lists into batches of this many layers, composites them in parallel workgroups \
            and joins them in order: for lists of very different lengths."
                .to_owned(),
        )),
        Dial::Pixels(pixels) => Some((
            dial,
            format!("{pixels} pixels per thread"),
            "A thread composites neighbouring pixels and fetches each layer once for all of them: \
            for many pixels"
                .to_owned(),
        )),
    };
    Dial::all().filter_map(named).collect()
}

/// The choices of a knob, each with its name and what it does.
fn named<T: Copy, const N: usize>(
    choices: [(T, &str); N],
    name: fn(T) -> &'static str,
) -> [(T, String, String); N] {
    choices.map(|(choice, does)| (choice, name(choice).to_owned(), does.to_owned()))
}

/// The ways to handle a partial last wave.
fn tails() -> [(Tail, String, String); 2] {
    named(
        [
            (
                Tail::Own,
                "The method's own way: in the article's methods, lanes without a layer leave the loop",
            ),
            (
                Tail::Padded,
                "In every method, lanes without a layer stay and take one that changes nothing",
            ),
        ],
        Tail::name,
    )
}

/// The ways to read a lane.
fn lane_reads() -> [(LaneRead, String, String); 2] {
    named(
        [
            (
                LaneRead::Shuffle,
                "By a shuffle; the index may differ between lanes. DXC compiles WaveReadLaneAt to it",
            ),
            (
                LaneRead::Broadcast,
                "By OpGroupNonUniformBroadcast; the index is the same in all lanes",
            ),
        ],
        LaneRead::name,
    )
}

/// What layers may be composited in.
fn precisions() -> [(Precision, String, String); 2] {
    named(
        [
            (Precision::Full, "Single precision"),
            (
                Precision::Half,
                "Opacities and colours in half floats, two pixels at a time; positions stay in single precision",
            ),
        ],
        Precision::name,
    )
}
