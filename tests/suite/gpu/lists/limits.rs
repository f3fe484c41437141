//! Lists end where opaque surfaces hide everything, and not before.

use wavelerp::frame::Counters;
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::methods::Method;
use wavelerp::model::scene::Scene;
use wavelerp::report::Picture;

use super::{difference, one_emitter, read};
use crate::harness::{Harness, apart, scene, settings, source};

/// Expression in `shaders/frame/tile_limits.wesl` that is applied to the greatest depth of a tile's pixels.
const LIMIT: &str = "* 1.000001 + frame.cell_depth";

/// Pipelines of the program's shaders with [`LIMIT`] replaced.
pub fn pipelines(replace: &'static str) -> Pipelines {
    let edit = Edit::new("frame/tile_limits", LIMIT, replace);
    Pipelines::new(source((replace != LIMIT).then_some(edit)))
}

/// Pictures of some methods, and list counters, with changed tile limits.
fn with_limits(
    harness: &Harness,
    scene: &Scene,
    replace: &'static str,
) -> (Vec<Picture>, Counters) {
    let pipelines = pipelines(replace);
    let settings = settings(scene, [97, 61], 3000, 16);
    let mut capture = harness.capture_by(&pipelines, scene, &settings);
    let some = [
        Method::PixelLoop,
        Method::ReadLaneLoop,
        Method::WaveLerpDeferred,
    ];
    let methods = some.into_iter().filter(|it| harness.methods().contains(it));
    let pictures = methods.map(|method| capture.picture(method).expect("a picture").composite);
    (pictures.collect(), capture.counters)
}

/// Largest channel difference of each picture.
fn differences(a: &[Picture], b: &[Picture]) -> Vec<f32> {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| apart(&a.pixels, &b.pixels)).collect()
}

#[test]
fn layers_behind_all_that_a_tile_shows_are_not_listed_and_not_missed() {
    let harness = Harness::new();
    for name in ["temple", "panes"] {
        let scene = scene(name);
        let (cut, short) = with_limits(&harness, &scene, LIMIT);
        let (whole, long) = with_limits(&harness, &scene, "* 0.0 + 3.0e38");
        let off = differences(&cut, &whole);
        assert_eq!(off[0], 0.0, "{name}: the plain loop");
        // Hidden splats in front of the far side of the last visible slice are omitted. That slice moves up a lane, so
        // sums are rounded differently.
        assert!(off.iter().all(|&off| off <= 1e-6), "{name}: {off:?}");
        assert_eq!(short.entries, long.entries);
        assert_eq!(long.listed_layers, long.entries + 16 * 13 * 8);
        // If solids cannot be drawn there are none, and nothing is cut.
        if harness.gpu.caps.draws_with_depth {
            assert!(short.listed_layers < long.listed_layers, "{name}");
            let (wrong, _) = with_limits(&harness, &scene, "* 0.7");
            let off = differences(&wrong, &whole);
            let is_early = off.iter().all(|&off| off > 1e-2);
            assert!(is_early, "{name}: cut too early, {off:?}");
        }
    }
}

#[test]
fn splats_are_listed_up_to_the_depth_at_which_a_tile_ends_and_none_from_there_on() {
    let harness = Harness::new();
    // The scene has solids, without which no tile ends, and all splats are exactly at 8 metres.
    let mut scene = scene("stress");
    scene.emitters = one_emitter(40, |emitter| {
        emitter.origin = [0.0, 0.0, -8.0];
        emitter.extent = [6.0, 3.0, 0.0];
    })
    .emitters;
    let settings = settings(&scene, [61, 31], 40, 4);
    let placed = [
        ("* 0.0 + 8.0", 8.0f32),
        ("* 0.0 + 8.000001", 8.0f32.next_up()),
    ];
    let placed = placed.map(|(replace, limit)| {
        let pipelines = pipelines(replace);
        let capture = harness.capture_by(&pipelines, &scene, &settings);
        let lists = read(&harness, &capture.frame);
        assert_eq!(difference(&lists), None, "{replace}");
        assert_eq!(lists.counters.visible, 40);
        let mut keys = lists.splats.iter().map(|splat| splat.depth_key);
        assert!(keys.all(|key| key == 8.0f32.to_bits()));
        if let Some(limits) = &lists.limits {
            assert!(limits.iter().all(|&of_tile| of_tile == limit.to_bits()));
        }
        (lists.placed, lists.counters.entries)
    });
    // If solids cannot be drawn there are none, and nothing is cut.
    let [(at, _), (before, entries)] = placed;
    assert_eq!(before, entries);
    let draws = harness.gpu.caps.draws_with_depth;
    assert_eq!(at, if draws { 0 } else { entries });
}
