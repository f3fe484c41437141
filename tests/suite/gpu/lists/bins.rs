//! Frames with more macro tiles than one iteration of the scan that allocates their entries can handle.

use wavelerp::frame::macro_tiles::SCAN_TURN;

use super::{checked, one_emitter};
use crate::harness::{Harness, settings};

#[test]
fn macro_tiles_of_several_turns_of_the_scan_are_listed_right() {
    let harness = Harness::new();
    let scene = one_emitter(20_000, |emitter| emitter.extent = [3.0; 3]);
    let settings = settings(&scene, [1400, 1200], 20_000, 0);
    let lists = checked(&harness, &scene, &settings);
    let filled = |tiles: &[Vec<[u32; 2]>]| tiles.iter().filter(|tile| !tile.is_empty()).count();
    let (first, others) = lists.macro_entries.split_at(SCAN_TURN as usize);
    assert!(filled(first) > 100 && filled(others) > 100);
}
