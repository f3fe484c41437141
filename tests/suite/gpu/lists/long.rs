//! Macro tiles of several chunks: entries are counted while chunks are joined, and each chunk is distributed on its
//! own.

use wavelerp::frame::Frame;
use wavelerp::frame::macro_tiles::CHUNK;
use wavelerp::frame::macro_tiles::MACRO_SHIFTS;
use wavelerp::gpu::{Pipelines, Profiler};
use wavelerp::model::passes::Inputs;
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::Settings;

use super::{difference, drawn_once, limits, one_emitter, read};
use crate::harness::{Harness, edited, rows, scene, settings};

/// Chunks of a macro tile that `shaders/frame/join.wesl` counts in workgroup memory.
const NEAR_CHUNKS: usize = 16;

/// Small splats at about 8 metres in a scene with solids, spread over 16 tiles.
pub fn crowd(particles: u32) -> (Scene, Settings) {
    let mut scene = scene("stress");
    scene.emitters = one_emitter(particles, |emitter| {
        emitter.origin = [0.0, 0.0, -8.0];
        emitter.extent = [2.0, 2.0, 6.0];
    })
    .emitters;
    let mut settings = settings(&scene, [32, 32], particles, 7);
    settings.options.frame.tile = 8;
    (scene, settings)
}

/// A crowd drawn in macro tiles of one size.
fn drawn_in(
    harness: &Harness,
    pipelines: &Pipelines,
    (scene, settings): &(Scene, Settings),
    macro_shift: u32,
) -> Frame {
    let capture = harness.capture_by(pipelines, scene, settings);
    drawn_once(harness, pipelines, &capture, |shape| {
        shape.macro_shift = macro_shift
    })
}

#[test]
fn macro_tiles_of_more_chunks_than_are_counted_in_workgroup_memory_are_listed_right() {
    let harness = Harness::new();
    // All tiles end in front of the last splats.
    let pipelines = limits::pipelines("* 0.0 + 13.0");
    let frame = drawn_in(&harness, &pipelines, &crowd(20_000), MACRO_SHIFTS[0]);
    let lists = read(&harness, &frame);
    assert_eq!(difference(&lists), None);
    let [entries] = &lists.macro_entries[..] else {
        panic!("one macro tile");
    };
    assert!(entries.len() > NEAR_CHUNKS * CHUNK as usize);
    let mut keys: Vec<u32> = entries.iter().map(|entry| entry[0]).collect();
    keys.sort_unstable();
    let equal = keys.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(equal > 0, "no two entries at the same depth");
    let bits_and_slice = lists.joined[0].iter().map(|entry| entry[1]);
    let shown = bits_and_slice.filter(|word| word & 0xffff != 0).count();
    assert!(shown > NEAR_CHUNKS * CHUNK as usize, "{shown} are shown");
    if harness.gpu.caps.draws_with_depth {
        assert!(shown < entries.len(), "no entry is hidden");
    }
}

#[test]
fn chunks_without_solids_and_fog_are_listed_right_at_both_sizes_of_macro_tiles() {
    let harness = Harness::new();
    let mut crowd = crowd(20_000);
    crowd.0.meshes.clear();
    crowd.0.ground = None;
    for (macro_shift, slices) in MACRO_SHIFTS.into_iter().zip([0, 3]) {
        crowd.1.fog_slices = slices;
        let lists = read(
            &harness,
            &drawn_in(&harness, &harness.pipelines, &crowd, macro_shift),
        );
        assert_eq!(difference(&lists), None, "{macro_shift}");
        let long = |entries: &&Vec<[u32; 2]>| entries.len() > CHUNK as usize;
        assert!(lists.macro_entries.iter().any(|entries| long(&entries)));
        assert_eq!(lists.slice_keys.len() as u32, slices);
    }
}

mod controls {
    use super::*;

    #[test]
    fn a_fault_of_counting_or_dealing_out_chunks_shows_in_lists() {
        let harness = Harness::new();
        let crowd = crowd(3000);
        let wrong = |pipelines: &Pipelines| {
            let frame = drawn_in(&harness, pipelines, &crowd, MACRO_SHIFTS[0]);
            let mut profiler = Profiler::untimed(&harness.gpu).expect("a profiler");
            // Once more, into the same buffers.
            let drawn = frame.draw_scene(&harness.gpu, &mut profiler, Inputs::LISTS);
            drawn.expect("drawn");
            difference(&read(&harness, &frame))
        };
        assert_eq!(wrong(&harness.pipelines), None);
        // Faults: entries of a chunk overwrite entries of the macro tile's first chunk; counts of the previous frame are
        // included; an entry is also ranked in its own chunk.
        for [module, find, replace] in rows(
            "
frame/deal_chunks | chunk.first_row + chunk.index, bit | chunk.first_row, bit
frame/chunk_sort | MOST_MACRO_TILES)] = 0u; | MOST_MACRO_TILES)] += 0u;
frame/join | if other == chunk.first { continue; } | if other == chunk.first { }
",
        ) {
            let found = wrong(&edited(module, find, replace));
            assert!(found.is_some(), "{module}: {replace}");
        }
    }
}
