//! Lists in batches: results are equal to the bit wherever the parts are stored, even if the parts do not fit.

use wavelerp::frame::Extent;
use wavelerp::gpu::{Pipelines, Profiler, Recorder};
use wavelerp::methods::{Composite, Specialization};
use wavelerp::model::methods::Method;
use wavelerp::model::options::Dial;
use wavelerp::runs::capture::Capture;

use super::pictures::few_of;
use crate::harness::{Harness, edited};

/// Layers per batch, few enough that lists of the thinned scene have many batches.
const BATCH: u32 = 32;

/// Output bits of a method that composites twice. Data of the first run must not affect the second run.
fn bits(
    harness: &Harness,
    pipelines: &Pipelines,
    capture: &Capture,
    specialization: Specialization,
    extent: Extent,
) -> Vec<[u32; 4]> {
    let (gpu, frame) = (&harness.gpu, &capture.frame);
    let composite =
        Composite::new(gpu, pipelines, specialization, extent).expect("the shader compiles");
    let mut profiler = Profiler::untimed(gpu).expect("a profiler");
    let mut recorder = Recorder::new(gpu, &mut profiler, "batches");
    // Every channel starts as NaN, so that a pixel that is not written fails the test.
    let poison = vec![0xff; frame.target.composites.size() as usize];
    gpu.queue.write_buffer(&frame.target.composites, 0, &poison);
    let label = composite.label();
    frame
        .record_composite(&mut recorder, &composite, &frame.target, label, 2)
        .expect("the method is recorded");
    let recorded = recorder.finish();
    profiler
        .submit_and_wait(gpu, recorded)
        .expect("the work runs");
    let pixels = frame.read_composite(gpu).expect("a picture");
    let bits = pixels.into_iter().map(|pixel| pixel.map(f32::to_bits));
    bits.collect()
}

/// Asserts that one long list in batches gives the same bits with the required capacity and with others, in words.
fn in_rooms(
    harness: &Harness,
    pipelines: &Pipelines,
    early_out: f32,
    tile: u32,
) -> [(&'static str, Vec<[u32; 4]>); 6] {
    let (scene, mut settings) = few_of("stress");
    settings.options.frame.tile = tile;
    settings.options.frame.early_out = early_out;
    settings.options.method = settings.options.method.at(Dial::Batch(BATCH));
    let capture = harness.capture(&scene, &settings);
    let counters = capture.counters;
    let (longest, listed) = (counters.longest_list, counters.listed_layers);
    assert!(longest > 20 * BATCH, "{longest}");
    let of = settings.options.specialize(Method::SplitBatches);
    // A list of this assumed length is so long that the plan decides the capacity.
    let planned = 1000 * BATCH;
    [
        ("room for all", planned, listed),
        ("room for ten", planned, 10 * BATCH),
        ("room for none", planned, 0),
        ("lists have grown", BATCH, listed),
        ("the same room for all", longest, listed),
        ("the same room, too little for some", 4 * BATCH, listed),
    ]
    .map(|(what, longest, listed)| {
        let extent = capture.frame.extent(longest, listed);
        (what, bits(harness, pipelines, &capture, of, extent))
    })
}

#[test]
fn every_bit_is_the_same_wherever_the_parts_of_lists_find_room() {
    let harness = Harness::new();
    for (early_out, tile) in [(0.0, 8), (0.25, 8), (0.0, 16)] {
        let [(_, whole), others @ ..] = in_rooms(&harness, &harness.pipelines, early_out, tile);
        for (room, found) in others {
            let differing = whole.iter().zip(&found).filter(|(a, b)| a != b).count();
            let what = format!("{room}, early-out {early_out}, tiles of {tile}");
            assert_eq!(differing, 0, "{what}");
        }
    }
}

mod controls {
    use super::*;

    #[test]
    fn batches_that_are_mixed_up_are_found_where_they_are_split() {
        let harness = Harness::new();
        let (find, replace) = ("vec2u(tile, i + 1u)", "vec2u(tile, count - i)");
        let pipelines = edited("methods/plan_batches", find, replace);
        let [(_, split), _, (_, whole), ..] = in_rooms(&harness, &pipelines, 0.0, 8);
        assert!(split != whole);
    }
}
