//! List building on the GPU is compared with `oracles::lists` bit by bit, starting from the depths and tile rectangles
//! of the GPU's own project pass, at any wave size.

use wavelerp::frame::counters::{COUNT, COUNTER_STRIDE, PLACED};
use wavelerp::frame::lists::has_entry_tiles;
use wavelerp::frame::macro_tiles::{CHUNK, MACRO_SHIFTS, macro_tiles};
use wavelerp::frame::{BufferId, Counters, Frame, FrameShape, frame_input};
use wavelerp::gpu::{Pipelines, Profiler, read_buffer};
use wavelerp::model::passes::Inputs;
use wavelerp::model::scene::{Amount, EmitterSpec, Scene};
use wavelerp::model::settings::Settings;
use wavelerp::runs::capture::Capture;

use crate::harness::{Harness, all_scenes, scene, settings, splats_of_items};
use crate::oracles::lists as twin;
use crate::oracles::lists::{Limits, Splat};
use crate::tile_lists::TileLists;

mod bins;
mod coarse;
mod limits;
mod long;
mod unsorted;

/// Input and output of list building, read back from the GPU.
#[derive(Clone)]
pub struct Lists {
    splats: Vec<Splat>,
    /// Order key of each splat.
    keys: Vec<u32>,
    near: u32,
    slice_keys: Vec<u32>,
    slice_fronts: Vec<u32>,
    limits: Option<Vec<u32>>,
    tiles: [u32; 2],
    macro_edge: u32,
    /// Entries of each macro tile: order key and splat.
    macro_entries: Vec<Vec<[u32; 2]>>,
    /// Joined entries of each macro tile: splat, and a word with the bits of its tiles and, above them, its slice.
    joined: Vec<Vec<[u32; 2]>>,
    tile_entries: Vec<[u32; 2]>,
    tile_lists: Vec<[u32; 2]>,
    entry_splats: Vec<u32>,
    layers: Vec<u32>,
    pub counters: Counters,
    placed: u32,
}

impl Lists {
    fn list(&self, tile: usize) -> &[u32] {
        let [first, count] = self.tile_lists[tile].map(|word| word as usize);
        &self.layers[first..first + count]
    }
}

fn read(harness: &Harness, frame: &Frame) -> Lists {
    let (gpu, resources, shape) = (&harness.gpu, &frame.resources, frame.shape());
    let words = |id, count| read_buffer(gpu, resources.buffer(id), count).expect("read-back");
    let pairs = |id, count| read_buffer(gpu, resources.buffer(id), count).expect("read-back");
    let counters = frame.read_counters(gpu, Inputs::LISTS).expect("counters");
    let splats = splats_of_items(gpu, frame);
    let tiles = frame.tiles() as usize;
    let macros = macro_tiles(shape) as usize;
    let room = shape.entry_capacity / 2;
    let firsts: Vec<[u32; 2]> = pairs(BufferId::MacroLists, macros + 1);
    let ends: Vec<u32> = words(BufferId::MacroCursors, macros * COUNTER_STRIDE as usize);
    let ends: Vec<u32> = ends.into_iter().step_by(COUNTER_STRIDE as usize).collect();
    let table = TileLists::read(gpu, frame);
    let has_solids = frame.input().shape.has_triangles();
    let nexts = firsts.iter().skip(1).map(|[first, _]| *first);
    // Entries of a macro tile end where the entries of the next one begin.
    assert!(nexts.eq(ends.iter().copied()));
    let ranges = firsts.iter().zip(&ends).map(|([first, _], end)| {
        let end = room.min(*end) as usize;
        end.min(*first as usize)..end
    });
    let filled = ends.iter().copied().max().unwrap_or(0).min(room) as usize;
    let mut all = pairs(BufferId::MacroEntries, filled);
    if has_entry_tiles(shape) {
        // Key, splat and tiles share two words. Joined entries and lists show whether the tiles are right.
        let spare = (shape.far.to_bits() - shape.near.to_bits()).leading_zeros();
        for entry in &mut all {
            let both = u64::from(entry[0]) << 32 | u64::from(entry[1]);
            let splat = (both >> 16) & ((1 << (16 + spare)) - 1);
            *entry = [entry[0] >> spare, splat as u32];
        }
    }
    let joined = pairs(BufferId::JoinedEntries, filled);
    let (fronts, fars) = (
        &frame.input().slice_bounds[..shape.slices as usize],
        &frame.input().slice_bounds[1..],
    );
    let bits = |bounds: &[f32]| bounds.iter().map(|bound| bound.to_bits()).collect();
    Lists {
        keys: splats.iter().map(|it| it.order_key).collect(),
        splats: splats.iter().map(|splat| Splat::of(splat, shape)).collect(),
        near: shape.near.to_bits(),
        slice_keys: bits(fars),
        slice_fronts: bits(fronts),
        limits: has_solids.then(|| table.limits.iter().map(|limit| limit.to_bits()).collect()),
        tiles: shape.tiles(),
        macro_edge: 1 << shape.macro_shift,
        macro_entries: ranges.clone().map(|range| all[range].to_vec()).collect(),
        joined: ranges.map(|range| joined[range].to_vec()).collect(),
        tile_entries: table.entries,
        tile_lists: table.layers,
        entry_splats: words(BufferId::EntrySplats, counters.entries as usize),
        layers: {
            let layers = counters.entries as usize + tiles * shape.slices as usize;
            read_buffer(gpu, resources.listed(), layers).expect("layers")
        },
        placed: words(BufferId::Counters, COUNT)[PLACED as usize],
        counters,
    }
}

fn unequal<T: PartialEq + std::fmt::Debug>(what: &str, gpu: &[T], twin: &[T]) -> Option<String> {
    if gpu.len() != twin.len() {
        return Some(format!("{what}: {} for {}", gpu.len(), twin.len()));
    }
    let at = (0..gpu.len()).find(|&index| gpu[index] != twin[index])?;
    Some(format!("{what} {at}: {:?} for {:?}", gpu[at], twin[at]))
}

/// The first macro tile whose entries differ from the twin's. Entries are sorted within each chunk, and if there are
/// several chunks, their entries are also joined in order.
fn wrong_macro_tile(gpu: &Lists, twin: &[Vec<u32>]) -> Option<String> {
    for (number, expected) in twin.iter().enumerate() {
        let entries = &gpu.macro_entries[number];
        let is_long = entries.len() > CHUNK as usize;
        let mut sorted = entries.clone();
        sorted.sort_unstable();
        let own = |entry: &[u32; 2]| entry[0] == gpu.keys[entry[1] as usize];
        let splats: Vec<u32> = sorted.iter().map(|entry| entry[1]).collect();
        let mut chunks = entries.chunks(CHUNK as usize);
        let wrong = unequal(&format!("entry of macro tile {number}"), &splats, expected)
            .or_else(|| (!entries.iter().all(own)).then(|| "an entry's key".to_owned()))
            .or_else(|| {
                let in_order = chunks.all(|chunk| chunk.is_sorted());
                (!in_order).then(|| format!("a chunk of macro tile {number} is not in order"))
            })
            .or_else(|| {
                let joined = gpu.joined[number].iter().map(|entry| entry[0]);
                let joined: Vec<u32> = joined.filter(|_| is_long).collect();
                unequal(
                    &format!("joined splat of macro tile {number}"),
                    &joined,
                    if is_long { expected } else { &[] },
                )
            });
        if wrong.is_some() {
            return wrong;
        }
    }
    None
}

/// Describes two lists that overlap, if any do.
fn overlap(lists: &[[u32; 2]]) -> Option<String> {
    let ranges = lists.iter().map(|[first, count]| [*first, first + count]);
    let mut ranges: Vec<[u32; 2]> = ranges.collect();
    ranges.sort_unstable();
    let clash = ranges.windows(2).find(|pair| pair[0][1] > pair[1][0])?;
    Some(format!("lists {clash:?} overlap"))
}

/// The first stage at which the GPU's lists differ from the twin's.
fn difference(gpu: &Lists) -> Option<String> {
    let key = |(splat, key): (&Splat, &u32)| match splat.is_culled() {
        true => *key == u32::MAX,
        false => *key == splat.depth_key - gpu.near,
    };
    let wrong_key = (gpu.splats.iter().zip(&gpu.keys)).position(|pair| !key(pair));
    if let Some(item) = wrong_key {
        return Some(format!("the order key of item {item}"));
    }
    let (splats, order) = (&gpu.splats, twin::by_depth(&gpu.splats));
    let of_tiles = twin::splats_of(&order, splats, gpu.tiles, 1);
    let entries: usize = of_tiles.iter().map(Vec::len).sum();
    let limits = gpu.limits.as_ref().map(|limits| Limits {
        tiles: limits,
        slice_fronts: &gpu.slice_fronts,
    });
    let lists = twin::lists(&of_tiles, splats, &gpu.slice_keys, limits);
    let lengths: Vec<u32> = lists.iter().map(|list| list.len() as u32).collect();
    let mut of_splats = lists.clone();
    for list in &mut of_splats {
        list.retain(|layer| layer & twin::FOG_BIT == 0);
    }
    let macros = twin::splats_of(&order, splats, gpu.tiles, gpu.macro_edge);
    let rooms = macros.iter().map(|entries| 2 * entries.len() as u32);
    let counters = Counters {
        visible: order.len() as u32,
        entries_needed: rooms.sum::<u32>().max(entries as u32),
        entries: (entries as u32).min(gpu.counters.room),
        longest_list: lengths.iter().copied().max().expect("a tile"),
        listed_layers: lengths.iter().sum(),
        room: gpu.counters.room,
        made: Inputs::LISTS,
    };
    let found: Vec<u32> = gpu.tile_lists.iter().map(|list| list[1]).collect();
    let placed: u32 = of_splats.iter().map(|list| list.len() as u32).sum();
    wrong_macro_tile(gpu, &macros)
        .or_else(|| unequal("list length", &found, &lengths))
        .or_else(|| overlap(&gpu.tile_entries))
        .or_else(|| overlap(&gpu.tile_lists))
        .or_else(|| unequal("entries placed", &[gpu.placed], &[placed]))
        .or_else(|| {
            let splats_of = |[first, count]: &[u32; 2]| {
                gpu.entry_splats[*first as usize..(first + count) as usize].to_vec()
            };
            let found: Vec<Vec<u32>> = gpu.tile_entries.iter().map(splats_of).collect();
            unequal("splats of tile", &found, &of_splats)
        })
        .or_else(|| {
            let found: Vec<&[u32]> = (0..lists.len()).map(|tile| gpu.list(tile)).collect();
            let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
            unequal("list", &found, &lists)
        })
        .or_else(|| unequal("counters", &[gpu.counters], &[counters]))
}

fn lists_of(harness: &Harness, scene: &Scene, settings: &Settings) -> Lists {
    let capture = harness.capture(scene, settings);
    read(harness, &capture.frame)
}

/// Asserts that a scene's lists equal the twin's, and returns them.
pub fn checked(harness: &Harness, scene: &Scene, settings: &Settings) -> Lists {
    let lists = lists_of(harness, scene, settings);
    let place = format!(
        "{} at {:?}, tile {}, {} slices",
        scene.name, settings.size, settings.options.frame.tile, settings.fog_slices
    );
    assert_eq!(difference(&lists), None, "{place}");
    lists
}

/// `two` with one emitter of `amount` particles, changed by `edit`.
fn one_emitter(amount: u32, edit: impl FnOnce(&mut EmitterSpec)) -> Scene {
    let mut scene = scene("two");
    scene.emitters.truncate(1);
    scene.emitters[0].amount = Amount::Exactly(amount);
    scene.emitters[0].radius_start = 0.05;
    edit(&mut scene.emitters[0]);
    scene
}

#[test]
fn splats_whose_numbers_have_more_than_sixteen_bits_are_listed_right() {
    let harness = Harness::new();
    // Visible splats come last. Without fog, the second word of an entry has its tiles and 16 bits of an index.
    let mut scene = one_emitter(200, |_| ());
    let mut unseen = scene.emitters[0].clone();
    unseen.amount = Amount::Exactly(1 << 16);
    unseen.opacity = 0.0;
    scene.emitters.insert(0, unseen);
    let settings = settings(&scene, [64, 40], (1 << 16) + 200, 0);
    let lists = checked(&harness, &scene, &settings);
    let entries = lists.macro_entries.iter().flatten();
    let seen = entries.filter(|entry| entry[1] >= 1 << 16).count();
    assert!(seen > 100, "{seen} entries");
    assert!(lists.counters.visible <= 200);
}

#[test]
fn lists_equal_the_twins_on_every_scene_size_and_tile() {
    let harness = Harness::new();
    for (scene, particles) in all_scenes() {
        let name = &scene.name;
        for (size, tile) in [([83, 45], 8), ([80, 48], 16)] {
            let mut settings = settings(&scene, size, particles, scene.fog_slices);
            settings.options.frame.tile = tile;
            let lists = checked(&harness, &scene, &settings);
            let longest = lists.counters.longest_list;
            assert!(lists.counters.visible > 1, "{name}: nothing is seen");
            assert!(name != "stress" || longest > 1064, "{longest} layers");
        }
    }
}

mod controls {
    use super::*;

    #[test]
    fn a_single_wrong_entry_of_any_stage_is_found() {
        let harness = Harness::new();
        let scene = scene("stress");
        let good = checked(&harness, &scene, &settings(&scene, [96, 61], 6000, 16));
        let mut macros = good.macro_entries.iter();
        let long = macros.position(|entries| entries.len() > CHUNK as usize);
        let long = long.expect("a macro tile of several chunks");
        let faults: [fn(&mut Lists, usize); 14] = [
            |lists, _| lists.keys[9] += 1,
            |lists, long| lists.macro_entries[long][3][1] ^= 1,
            |lists, long| _ = lists.macro_entries[long].pop(),
            |lists, long| lists.macro_entries[long].swap(3, 4),
            |lists, _| {
                let chunk = CHUNK as usize;
                let mut short = lists.macro_entries.iter_mut();
                let short = short.find(|entries| (2..=chunk).contains(&entries.len()));
                short.expect("a macro tile of one chunk").swap(0, 1);
            },
            |lists, long| lists.joined[long].swap(3, 4),
            |lists, _| lists.entry_splats.swap(0, 1),
            |lists, _| lists.layers.swap(0, 1),
            |lists, _| lists.tile_lists[1][1] -= 1,
            |lists, _| lists.tile_lists[2][0] += 1,
            |lists, _| lists.tile_entries[1][1] += 1,
            |lists, _| lists.counters.longest_list += 1,
            |lists, _| lists.counters.listed_layers -= 1,
            // Fog after the particle at equal depths.
            |lists, _| lists.slice_keys.iter_mut().for_each(|key| *key += 1),
        ];
        for (number, fault) in faults.iter().enumerate() {
            let mut lists = good.clone();
            fault(&mut lists, long);
            assert!(difference(&lists).is_some(), "fault {number} is not found");
        }
    }
}

#[test]
fn equal_depths_keep_particle_order_and_fog_comes_first() {
    let harness = Harness::new();
    // One macro tile has more than a chunk of splats, all exactly at the end depth of slice 2 of 4. A bucket then has
    // more entries than are compared pairwise, so the network sorts them.
    let scene = one_emitter(12_000, |emitter| {
        emitter.origin = [0.0, 0.0, -8.0];
        emitter.extent = [6.0, 3.0, 0.0];
    });
    let settings = settings(&scene, [61, 31], 12_000, 4);
    let lists = checked(&harness, &scene, &settings);
    assert_eq!(lists.counters.visible, 12_000);
    let key = 8.0f32.to_bits();
    assert!(lists.splats.iter().all(|splat| splat.depth_key == key));
    let is_long = |entries: &Vec<[u32; 2]>| entries.len() > CHUNK as usize;
    assert!(lists.macro_entries.iter().any(is_long), "several chunks");
    let fog = |slice: u32| twin::FOG_BIT | slice;
    for tile in 0..lists.tile_lists.len() {
        let list = lists.list(tile);
        assert_eq!(list[..3], [fog(0), fog(1), fog(2)]);
        assert_eq!(list.last(), Some(&fog(3)));
        assert!(list[3..list.len() - 1].is_sorted());
    }
}

#[test]
fn few_particles_none_in_sight_and_all_in_one_tile_are_listed_right() {
    let harness = Harness::new();
    let behind = one_emitter(500, |emitter| emitter.origin = [0.0, 0.0, 5.0]);
    // The picture's centre is a corner of tiles; a point one and a half pixels away is not.
    let in_one_tile = one_emitter(1500, |emitter| {
        emitter.origin = [0.05, -0.05, -3.0];
        emitter.extent = [0.0, 0.0, 1.0];
        emitter.radius_start = 0.005;
    });
    let one = one_emitter(1, |_| ());
    let cases = [
        (scene("stress"), 0, 0),
        (scene("two"), 0, 0),
        (one, 1, 1),
        (behind, 500, 0),
        (in_one_tile, 1500, 1500),
    ];
    for (scene, particles, visible) in cases {
        for (size, tile, slices) in [([160, 96], 8, 4), ([160, 96], 16, 0)] {
            let mut settings = settings(&scene, size, particles, slices);
            settings.options.frame.tile = tile;
            let lists = checked(&harness, &scene, &settings);
            assert_eq!(lists.counters.visible, visible);
            if particles == 1500 {
                assert_eq!(lists.counters.entries, 1500);
                assert_eq!(lists.counters.longest_list, 1500 + slices);
            }
            if visible == 0 {
                assert_eq!(lists.counters.longest_list, slices);
            }
        }
    }
}

#[test]
fn macro_tiles_of_both_sizes_give_the_same_lists() {
    let harness = Harness::new();
    let scene = scene("stress");
    let capture = harness.capture(&scene, &settings(&scene, [96, 61], 6000, 16));
    let [large, small] = MACRO_SHIFTS.map(|shift| {
        let frame = drawn_once(&harness, &harness.pipelines, &capture, |shape| {
            shape.macro_shift = shift;
        });
        let lists = read(&harness, &frame);
        assert_eq!((difference(&lists), lists.macro_edge), (None, 1 << shift));
        let layers = |tile| lists.list(tile).to_vec();
        Vec::from_iter((0..lists.tile_lists.len()).map(layers))
    });
    assert!(large == small);
}

#[test]
fn a_frame_of_very_many_small_splats_gets_small_macro_tiles() {
    let harness = Harness::new();
    let scene = one_emitter(40_000, |emitter| {
        emitter.origin = [0.0, 0.0, -8.0];
        emitter.extent = [6.0, 3.0, 1.0];
        emitter.radius_start = 0.01;
        emitter.radius_end = Some(0.01);
    });
    let edge = |particles| {
        let settings = settings(&scene, [64, 64], particles, 0);
        let captured = harness.capture(&scene, &settings);
        1 << captured.frame.shape().macro_shift
    };
    assert_eq!((edge(40_000), edge(2000)), (2, 4));
}

#[test]
fn splats_over_many_macro_tiles_are_in_the_lists_of_all() {
    let harness = Harness::new();
    let scene = one_emitter(40, |emitter| {
        emitter.origin = [0.0, 0.0, -4.0];
        emitter.extent = [0.5; 3];
        emitter.radius_start = 20.0;
        emitter.radius_end = Some(20.0);
    });
    // The picture has 9 by 5 macro tiles.
    let lists = checked(&harness, &scene, &settings(&scene, [520, 136], 40, 2));
    let macros = lists.macro_entries.iter();
    assert!(macros.filter(|entries| entries.len() == 40).count() > 32);
}

#[test]
fn lists_without_fog_and_with_one_slice_equal_the_twins() {
    let harness = Harness::new();
    let scene = scene("stress");
    for slices in [0, 1, 512] {
        let lists = checked(&harness, &scene, &settings(&scene, [97, 61], 8000, slices));
        assert_eq!(lists.slice_keys.len() as u32, slices);
    }
}

#[test]
fn a_frame_of_one_tile_is_listed_right() {
    let harness = Harness::new();
    let scene = scene("stress");
    let lists = checked(&harness, &scene, &settings(&scene, [7, 5], 8000, 8));
    assert_eq!(lists.tile_lists.len(), 1);
    assert!(lists.counters.entries > 1000);
}

/// Draws the lists once, after `change` has changed the frame's shape.
fn drawn_once(
    harness: &Harness,
    pipelines: &Pipelines,
    capture: &Capture,
    change: impl FnOnce(&mut FrameShape),
) -> Frame {
    let mut input = capture.frame.input().clone();
    change(&mut input.shape);
    let frame = Frame::new(&harness.gpu, pipelines, input).expect("a frame");
    let mut profiler = Profiler::untimed(&harness.gpu).expect("a profiler");
    let drawn = frame.draw_scene(&harness.gpu, &mut profiler, Inputs::LISTS);
    drawn.expect("drawn");
    frame
}

/// True if `part` is `whole` with some elements left out.
fn is_part_of(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|layer| rest.any(|other| other == layer))
}

#[test]
fn a_full_buffer_leaves_layers_out_in_order_and_says_how_many_had_no_room() {
    let harness = Harness::new();
    let scene = scene("stress");
    let settings = settings(&scene, [160, 91], 8000, 16);
    let capture = harness.capture(&scene, &settings);
    let whole = read(&harness, &capture.frame);
    let needed = whole.counters.entries_needed;
    assert_eq!(whole.counters.dropped(), 0);
    for capacity in [0, 1, 100, needed / 2, needed - 1, needed] {
        let frame = drawn_once(&harness, &harness.pipelines, &capture, |shape| {
            shape.entry_capacity = capacity;
        });
        let lists = read(&harness, &frame);
        assert_eq!(lists.counters.dropped(), needed - capacity);
        assert_eq!(lists.counters.entries_needed, needed);
        for (tile, [first, count]) in lists.tile_entries.iter().enumerate() {
            assert!(first + count <= capacity, "{capacity}: tile {tile}");
            let is_part = is_part_of(lists.list(tile), whole.list(tile));
            assert!(is_part, "{capacity}: tile {tile} is in another order");
        }
        let listed = lists.counters.listed_layers;
        if capacity == needed {
            assert_eq!(listed, whole.counters.listed_layers);
        }
        assert!(capacity > needed / 2 || listed < whole.counters.listed_layers);
    }
}

#[test]
fn buffers_that_grew_hold_the_same_lists_as_large_ones() {
    let harness = Harness::new();
    let scene = harness.drawable(&scene("stress"));
    let settings = settings(&scene, [160, 91], 8000, 16);
    let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
    let large = lists_of(&harness, &scene, &settings);
    let mut input = frame_input(&scene, &scene.cameras[0], &settings, &gpu.caps);
    input.shape.entry_capacity = 16;
    let mut frame = Frame::new(gpu, pipelines, input).expect("a frame");
    let mut profiler = Profiler::untimed(gpu).expect("a profiler");
    let counters = frame.draw_scene_complete(gpu, pipelines, &mut profiler, Inputs::LISTS);
    let counters = counters.expect("drawn");
    assert_eq!(counters.dropped(), 0);
    assert!(frame.shape().entry_capacity >= counters.entries_needed);
    let grown = read(&harness, &frame);
    assert_eq!(difference(&grown), None);
    for tile in 0..grown.tile_lists.len() {
        assert_eq!(grown.list(tile), large.list(tile));
    }
    let mut counters = grown.counters;
    counters.room = large.counters.room;
    assert_eq!(counters, large.counters);
}
