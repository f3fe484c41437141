//! Unsorted lists are compared with sorted ones: every tile has the same items and slices, in item order, shuffled or
//! in any order.

use wavelerp::frame::Frame;
use wavelerp::frame::unsorted::UnsortedKind;
use wavelerp::gpu::{Pipelines, Profiler, read_buffer};
use wavelerp::live::inspect::FOG;
use wavelerp::model::options::{ListOrder, SplatOrder};
use wavelerp::model::passes::Inputs;
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::Settings;

use super::long::crowd;
use crate::harness::{Harness, all_scenes, edited, rows, scene, settings};
use crate::tile_lists::TileLists;

/// The list of every tile, of the given kind; slices without a word come after the items.
pub fn listed(harness: &Harness, frame: &Frame, kind: UnsortedKind) -> Vec<Vec<u32>> {
    let (gpu, tiles) = (&harness.gpu, frame.tiles() as usize);
    let buffer = |id| frame.resources.buffer(id);
    let [rows, items] = kind.buffers().map(buffer);
    let rows = read_buffer::<[u32; 2]>(gpu, rows, 2 * tiles).expect("read-back");
    let items = read_buffer::<u32>(gpu, items, items.size() as usize / 4).expect("read-back");
    let (lists, entries) = rows.split_at(tiles);
    let list = |(list, entries): (&[u32; 2], &[u32; 2])| {
        let [first, count] = entries.map(|word| word as usize);
        let slices = (0..list[1] - entries[1]).map(|slice| FOG | slice);
        let items = items[first..first + count].iter().copied();
        items.chain(slices).collect()
    };
    lists.iter().zip(entries).map(list).collect()
}

fn sorted(harness: &Harness, frame: &Frame) -> Vec<Vec<u32>> {
    let table = TileLists::read(&harness.gpu, frame);
    let listed = frame.resources.listed();
    let words = read_buffer::<u32>(&harness.gpu, listed, listed.size() as usize / 4);
    let words = words.expect("read-back");
    let list = |[first, count]: &[u32; 2]| words[*first as usize..][..*count as usize].to_vec();
    table.layers.iter().map(list).collect()
}

/// Sorted and unsorted lists of a scene. Lists in any order are brought into item order.
struct Both {
    sorted: Vec<Vec<u32>>,
    unsorted: Vec<Vec<u32>>,
    /// True if a frame with only unsorted lists has the same lists and the same counters.
    alone_alike: bool,
}

fn both(
    harness: &Harness,
    pipelines: &Pipelines,
    (scene, settings): (&Scene, &Settings),
    kind: UnsortedKind,
) -> Both {
    let gpu = &harness.gpu;
    let mut frame = harness.capture(scene, settings).frame;
    let mut draw = |inputs| {
        let mut profiler = Profiler::untimed(gpu).expect("a profiler");
        let counters = frame.draw_scene_complete(gpu, pipelines, &mut profiler, inputs);
        let counters = counters.expect("drawn");
        let mut of_lists = counters;
        of_lists.made = Inputs::LISTS;
        let mut unsorted = listed(harness, &frame, kind);
        if kind == UnsortedKind::Any {
            unsorted.iter_mut().for_each(|list| list.sort_unstable());
        }
        (of_lists, unsorted, sorted(harness, &frame))
    };
    let (counters, alone, _) = draw(kind.inputs());
    let (counters_of_both, unsorted, sorted) = draw(kind.inputs().with(Inputs::LISTS));
    Both {
        alone_alike: counters == counters_of_both && alone == unsorted,
        sorted,
        unsorted,
    }
}

/// The first tile whose unsorted list has other contents than its sorted list.
fn wrong(both: &Both) -> Option<usize> {
    let expected = both.sorted.iter().map(|list| {
        let mut list = list.clone();
        list.sort_unstable();
        list
    });
    expected
        .zip(&both.unsorted)
        .position(|(expected, found)| expected != *found)
}

#[test]
fn unsorted_lists_have_what_sorted_ones_have_in_the_order_of_items() {
    let harness = Harness::new();
    let orders = [(0, SplatOrder::Depth), (7, SplatOrder::Distance)];
    for ((scene, particles), (slices, order)) in all_scenes().into_iter().zip(orders.iter().cycle())
    {
        let mut settings = settings(&scene, [97, 55], particles.min(700), *slices);
        settings.options.frame.splat_order = *order;
        for kind in [UnsortedKind::Unsorted, UnsortedKind::Any] {
            let both = both(&harness, &harness.pipelines, (&scene, &settings), kind);
            assert_eq!(wrong(&both), None, "{} {slices} {kind:?}", scene.name);
            assert!(both.alone_alike);
            assert!(both.sorted.iter().any(|list| list.len() > 1));
        }
    }
}

#[test]
fn long_macro_tiles_are_appended_chunk_after_chunk_and_faults_show() {
    let harness = Harness::new();
    // The macro tiles are small and have several chunks each.
    let (scene, settings) = crowd(8000);
    let is_right_by = |pipelines: &Pipelines, kind| {
        let both = both(&harness, pipelines, (&scene, &settings), kind);
        // If a fault makes several threads write to one place, the list may differ between frames.
        both.alone_alike && wrong(&both).is_none()
    };
    let all = [UnsortedKind::Unsorted, UnsortedKind::Any];
    assert!(all.map(|kind| is_right_by(&harness.pipelines, kind)) == [true; 2]);
    for [module, find, replace] in rows(
        "
frame/append_tiles | += tile_marks[wave.local] | += 0u
frame/append_tiles | packed_of(looked_up(y), place) | packed_of(looked_up(x), place)
frame/append_tiles | < macro_tile { | <= macro_tile {
frame/unsorted_pairs | = carry + scanned.before; | = carry;
frame/unsorted_pairs | = listed_item(index); | = listed_item(index ^ 1u);
",
    ) {
        let pipelines = edited(module, find, replace);
        let are_right = all.map(|kind| is_right_by(&pipelines, kind));
        assert!(are_right.contains(&false), "{replace}");
    }
}

#[test]
fn shuffled_lists_are_the_same_layers_in_one_random_order() {
    let harness = Harness::new();
    let scene = scene("stress");
    let mut settings = settings(&scene, [97, 55], 700, 7);
    settings.options.frame.order = ListOrder::Shuffled;
    let mut both = both(
        &harness,
        &harness.pipelines,
        (&scene, &settings),
        UnsortedKind::Unsorted,
    );
    assert!(wrong(&both).is_some(), "the list is not shuffled");
    let lists = both.unsorted.clone();
    both.unsorted
        .iter_mut()
        .for_each(|list| list.sort_unstable());
    assert_eq!(wrong(&both), None, "the lists have other layers");
    // Items shared by two tiles have the same order in both.
    let longest = |list: &&Vec<u32>| list.len();
    let long = lists.iter().max_by_key(longest).expect("a list");
    let place = |word: &u32| long.iter().position(|other| other == word);
    let is_alike = |list: &Vec<u32>| list.iter().filter_map(place).is_sorted();
    assert!(lists.iter().all(is_alike));
}
