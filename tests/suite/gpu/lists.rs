//! List building on the GPU against `oracles::lists`, entry by entry, bit by bit: from
//! the depths and tile rectangles that the GPU's own project pass left, at any wave size.

use wavelerp::capture::Capture;
use wavelerp::compare::Picture;
use wavelerp::gpu::layout;
use wavelerp::gpu::shader::Edit;
use wavelerp::gpu::{Pipelines, Profiler, read_buffer};
use wavelerp::methods::Method;
use wavelerp::render::counters::SORT_BLOCK;
use wavelerp::render::lists::entries_variant;
use wavelerp::render::{BufferId, Counters, Frame, frame_input};
use wavelerp::scene::{Amount, EmitterSpec, Scene};
use wavelerp::settings::Settings;

use crate::harness::{Harness, all_scenes, scene, settings, source};
use crate::oracles::lists::{self as twin, Entry, Limits, Splat};

/// Everything that list building reads and writes, as the GPU left it.
#[derive(Clone)]
pub struct Lists {
    splats: Vec<Splat>,
    slice_keys: Vec<u32>,
    slice_fronts: Vec<u32>,
    limits: Option<Vec<u32>>,
    tiles: [u32; 2],
    capacity: usize,
    order: Vec<u32>,
    offsets: Vec<u32>,
    emitted: Vec<Entry>,
    sorted: Vec<Entry>,
    tile_entries: Vec<[u32; 2]>,
    tile_lists: Vec<[u32; 2]>,
    layers: Vec<u32>,
    pub counters: Counters,
}

impl Lists {
    fn list(&self, tile: usize) -> &[u32] {
        let [first, count] = self.tile_lists[tile].map(|word| word as usize);
        &self.layers[first..first + count]
    }
}

fn entries(tiles: Vec<u32>, splats: Vec<u32>) -> Vec<Entry> {
    let pairs = tiles.into_iter().zip(splats);
    pairs.map(|(tile, splat)| Entry { tile, splat }).collect()
}

/// First entries of splats, from those within blocks of 256 splats and those of blocks.
fn offsets(within: Vec<u32>, blocks: &[u32]) -> Vec<u32> {
    let whole = |(splat, offset)| blocks[splat / 256] + offset;
    within.into_iter().enumerate().map(whole).collect()
}

/// Reads a frame's lists. Sorting has reused the side of the entry buffers that the emit kernel
/// wrote, so this runs that kernel once more, after everything else is read.
fn read(harness: &Harness, frame: &Frame) -> Lists {
    let (gpu, resources, uniform) = (&harness.gpu, &frame.resources, frame.uniform());
    let counters = frame.read_counters(gpu).expect("counters");
    let words = |buffer: &wgpu::Buffer, count: u32| {
        read_buffer::<u32>(gpu, buffer, count as usize).expect("read-back")
    };
    let splats: Vec<layout::Splat> = read_buffer(
        gpu,
        resources.buffer(BufferId::Splats),
        counters.visible as usize,
    )
    .expect("splats");
    let side = resources.sorted().entries;
    let sorted = entries(
        words(resources.side(BufferId::EntryTiles, side), counters.entries),
        words(
            resources.side(BufferId::EntrySplats, side),
            counters.entries,
        ),
    );
    let tiles = frame.tiles();
    let mut lists = Lists {
        splats: splats
            .iter()
            .map(|splat| Splat::of(splat, uniform))
            .collect(),
        slice_keys: frame.input().slice_bounds[1..]
            .iter()
            .map(|far| far.to_bits())
            .collect(),
        slice_fronts: frame.input().slice_bounds[..uniform.slices as usize]
            .iter()
            .map(|front| front.to_bits())
            .collect(),
        limits: (!frame.input().vertices.is_empty())
            .then(|| words(resources.buffer(BufferId::TileLimits), tiles)),
        tiles: uniform.tiles,
        capacity: uniform.entry_capacity as usize,
        order: words(
            resources.side(BufferId::Order, resources.sorted().order),
            counters.visible,
        ),
        offsets: offsets(
            words(resources.buffer(BufferId::Offsets), counters.visible),
            &words(
                resources.buffer(BufferId::BlockSums),
                counters.visible.div_ceil(256),
            ),
        ),
        emitted: Vec::new(),
        sorted,
        tile_entries: read_buffer(gpu, resources.buffer(BufferId::TileEntries), tiles as usize)
            .expect("entries"),
        tile_lists: read_buffer(gpu, resources.buffer(BufferId::TileLists), tiles as usize)
            .expect("lists"),
        layers: words(
            resources.listed(),
            counters.entries + tiles * uniform.slices,
        ),
        counters,
    };
    let emit = harness
        .pipelines
        .compute(gpu, &entries_variant(&gpu.caps, uniform), "emit")
        .expect("emit compiles");
    let mut encoder = gpu.encoder("emit");
    let mut pass = encoder.begin_compute_pass(&Default::default());
    let groups = counters.entries.div_ceil(SORT_BLOCK);
    emit.dispatch(gpu, &mut pass, &[resources.unsorted_binds()], groups)
        .expect("emit runs");
    drop(pass);
    gpu.submit_and_wait(encoder.finish()).expect("emit ends");
    lists.emitted = entries(
        words(resources.side(BufferId::EntryTiles, 0), counters.entries),
        words(resources.side(BufferId::EntrySplats, 0), counters.entries),
    );
    lists
}

fn unequal<T: PartialEq + std::fmt::Debug>(what: &str, gpu: &[T], twin: &[T]) -> Option<String> {
    if gpu.len() != twin.len() {
        return Some(format!("{what}: {} for {}", gpu.len(), twin.len()));
    }
    let at = (0..gpu.len()).find(|&index| gpu[index] != twin[index])?;
    Some(format!("{what} {at}: {:?} for {:?}", gpu[at], twin[at]))
}

/// The first stage at which the GPU's lists are not the twin's. Every stage starts from the GPU's
/// output of the stage before.
fn difference(gpu: &Lists) -> Option<String> {
    let order = twin::sort_by_depth(&gpu.splats);
    let offsets = twin::entry_offsets(&gpu.order, &gpu.splats).expect("offsets");
    let (needed, offsets) = offsets.split_last().expect("a total");
    let mut emitted = twin::entries(&gpu.order, &gpu.splats, gpu.tiles).expect("entries");
    emitted.truncate(gpu.capacity);
    let sorted = twin::sort_by_tile(&gpu.emitted);
    let starts = twin::tile_starts(&gpu.sorted, gpu.tiles[0] * gpu.tiles[1]).expect("starts");
    let (splats, slices) = (&gpu.splats, &gpu.slice_keys);
    let limits = gpu.limits.as_ref().map(|limits| Limits {
        tiles: limits,
        slice_fronts: &gpu.slice_fronts,
    });
    let merged =
        twin::merge(&starts, &gpu.sorted, splats, slices, gpu.tiles, limits).expect("merged");
    let ends: Vec<[u32; 2]> = (merged.list_starts.windows(2))
        .map(|list| [list[0], list[1]])
        .collect();
    let lengths: Vec<u32> = ends.iter().map(|[start, end]| end - start).collect();
    let firsts: Vec<u32> = (0..)
        .zip(&starts)
        .map(|(tile, start)| start + tile * slices.len() as u32)
        .take(lengths.len())
        .collect();
    let lists = |of: fn(&[u32; 2]) -> u32| gpu.tile_lists.iter().map(of).collect::<Vec<_>>();
    let entry_starts: Vec<u32> = gpu.tile_entries.iter().map(|entries| entries[0]).collect();
    let counters = Counters {
        visible: gpu.splats.len() as u32,
        entries_needed: *needed,
        entries: emitted.len() as u32,
        longest_list: lengths.iter().copied().max().expect("a tile"),
        listed_layers: lengths.iter().sum(),
    };
    unequal("depth order", &gpu.order, &order)
        .or_else(|| unequal("offset", &gpu.offsets, offsets))
        .or_else(|| unequal("emitted entry", &gpu.emitted, &emitted))
        .or_else(|| unequal("sorted entry", &gpu.sorted, &sorted))
        .or_else(|| unequal("tile start", &entry_starts, &starts[..lengths.len()]))
        .or_else(|| unequal("list start", &lists(|list| list[0]), &firsts))
        .or_else(|| unequal("list length", &lists(|list| list[1]), &lengths))
        .or_else(|| {
            let whole = |tile: usize| gpu.list(tile).to_vec();
            let layers = (0..lengths.len()).flat_map(whole).collect::<Vec<_>>();
            unequal("layer", &layers, &merged.layers)
        })
        .or_else(|| unequal("counters", &[gpu.counters], &[counters]))
}

fn lists_of(harness: &Harness, scene: &Scene, settings: &Settings) -> Lists {
    let capture = harness.capture(scene, settings);
    read(harness, &capture.frame)
}

/// Asserts that a scene's lists are the twin's, and returns them.
pub fn checked(harness: &Harness, scene: &Scene, settings: &Settings) -> Lists {
    let lists = lists_of(harness, scene, settings);
    let place = format!(
        "{} at {:?}, tile {}, {} slices",
        scene.name, settings.size, settings.knobs.tile, settings.fog_slices
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
fn lists_equal_the_twins_on_every_scene_size_and_tile() {
    let harness = Harness::new();
    for (scene, particles) in all_scenes() {
        let name = &scene.name;
        for (size, tile) in [([83, 45], 8), ([83, 45], 16), ([80, 48], 8), ([80, 48], 16)] {
            let mut settings = settings(&scene, size, particles, scene.fog_slices);
            settings.knobs.tile = tile;
            let lists = checked(&harness, &scene, &settings);
            let longest = lists.counters.longest_list;
            assert!(lists.counters.visible > 1, "{name}: nothing is seen");
            assert!(
                name != "stress" || longest > 1064,
                "stress: {longest} layers"
            );
        }
    }
}

#[test]
fn a_single_wrong_entry_of_any_stage_is_found() {
    let harness = Harness::new();
    let scene = scene("stress");
    let good = checked(&harness, &scene, &settings(&scene, [96, 61], 6000, 16));
    let same_tile = (0..good.sorted.len() - 1)
        .find(|&at| good.sorted[at].tile == good.sorted[at + 1].tile)
        .expect("a tile with two splats");
    let faults: [fn(&mut Lists, usize); 10] = [
        |lists, _| lists.order.swap(0, 1),
        |lists, _| lists.offsets[9] += 1,
        |lists, _| lists.emitted.swap(3, 4),
        |lists, at| lists.sorted.swap(at, at + 1),
        |lists, _| lists.layers.swap(0, 1),
        |lists, _| lists.tile_lists[1][1] -= 1,
        |lists, _| lists.tile_lists[2][0] += 1,
        |lists, _| lists.counters.longest_list += 1,
        |lists, _| lists.counters.listed_layers -= 1,
        // Fog after the particle, where their depths are equal.
        |lists, _| lists.slice_keys.iter_mut().for_each(|key| *key += 1),
    ];
    for (number, fault) in faults.iter().enumerate() {
        let mut lists = good.clone();
        fault(&mut lists, same_tile);
        assert!(difference(&lists).is_some(), "fault {number} is not found");
    }
}

#[test]
fn equal_depths_keep_particle_order_and_fog_comes_first() {
    let harness = Harness::new();
    // More than one block of the sort, all at exactly the depth at which slice 2 of 4 ends.
    let scene = one_emitter(3000, |emitter| {
        emitter.origin = [0.0, 0.0, -8.0];
        emitter.extent = [6.0, 3.0, 0.0];
    });
    let lists = checked(&harness, &scene, &settings(&scene, [161, 91], 3000, 4));
    assert_eq!(lists.splats.len(), 3000);
    let key = 8.0f32.to_bits();
    assert!(lists.splats.iter().all(|splat| splat.depth_key == key));
    assert!(lists.order.iter().copied().eq(0..3000));
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
    // The middle of the picture lies on a corner of tiles; a pixel and a half beside it does not.
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
        for (size, tile, slices) in [([160, 96], 8, 4), ([160, 96], 16, 0), ([160, 96], 8, 1)] {
            let mut settings = settings(&scene, size, particles, slices);
            settings.knobs.tile = tile;
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

/// Draws up to the lists once, with room for `capacity` entries.
fn drawn_once(harness: &Harness, capture: &Capture, capacity: u32) -> Frame {
    let mut input = capture.frame.input().clone();
    input.uniform.entry_capacity = capacity;
    let frame = Frame::new(&harness.gpu, &harness.pipelines, input).expect("a frame");
    let mut profiler = Profiler::untimed(&harness.gpu).expect("a profiler");
    frame
        .draw_scene(&harness.gpu, &mut profiler)
        .expect("drawn");
    frame
}

#[test]
fn a_full_buffer_drops_the_farthest_layers_and_says_how_many() {
    let harness = Harness::new();
    let scene = scene("stress");
    let settings = settings(&scene, [160, 91], 8000, 16);
    let capture = harness.capture(&scene, &settings);
    let whole = read(&harness, &capture.frame);
    let needed = whole.counters.entries_needed;
    assert_eq!(whole.counters.dropped(), 0);
    for capacity in [0, 1, 100, needed / 2, needed - 1, needed] {
        let lists = read(&harness, &drawn_once(&harness, &capture, capacity));
        assert_eq!(difference(&lists), None, "capacity {capacity}");
        assert_eq!(lists.counters.dropped(), needed - capacity);
        // What is listed is the near end of all there is.
        assert_eq!(lists.emitted, whole.emitted[..capacity as usize]);
    }
}

#[test]
fn buffers_that_grew_hold_the_same_lists_as_large_ones() {
    let harness = Harness::new();
    let scene = harness.drawable(&scene("stress"));
    let settings = settings(&scene, [160, 91], 8000, 16);
    let large = lists_of(&harness, &scene, &settings);
    let mut input = frame_input(&scene, &scene.cameras[0], &settings, &harness.gpu.caps);
    input.uniform.entry_capacity = 16;
    let mut frame = Frame::new(&harness.gpu, &harness.pipelines, input).expect("a frame");
    let mut profiler = Profiler::untimed(&harness.gpu).expect("a profiler");
    let counters = frame
        .draw_scene_complete(&harness.gpu, &mut profiler)
        .expect("drawn");
    assert_eq!(counters.dropped(), 0);
    assert!(frame.uniform().entry_capacity >= counters.entries_needed);
    let grown = read(&harness, &frame);
    assert_eq!(difference(&grown), None);
    for tile in 0..grown.tile_lists.len() {
        assert_eq!(grown.list(tile), large.list(tile));
    }
    assert_eq!(grown.counters, large.counters);
}

/// The pictures of some methods and what the lists came to, with the tiles' limits changed.
fn with_limits(
    harness: &Harness,
    scene: &Scene,
    replace: &'static str,
) -> (Vec<Picture>, Counters) {
    let limit = "* 1.000001 + frame.cell_depth";
    let edit = Edit {
        module: "lists",
        find: limit,
        replace,
    };
    let pipelines = Pipelines::new(source((replace != limit).then_some(edit)));
    let settings = settings(scene, [97, 61], 3000, 16);
    let mut capture = harness.capture_by(&pipelines, scene, &settings);
    let some = [
        Method::PixelLoop,
        Method::ReadLaneLoop,
        Method::WaveLerpPadded,
    ];
    let methods = some.into_iter().filter(|it| harness.methods().contains(it));
    let pictures = methods.map(|method| capture.picture(method).expect("a picture").composite);
    (pictures.collect(), capture.counters)
}

/// The largest difference of a channel, picture by picture.
fn differences(a: &[Picture], b: &[Picture]) -> Vec<f32> {
    let channels = |picture: &Picture| picture.pixels.as_flattened().to_vec();
    let largest = |(a, b): (&Picture, &Picture)| {
        let pairs = channels(a).into_iter().zip(channels(b));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    a.iter().zip(b).map(largest).collect()
}

#[test]
fn layers_behind_all_that_a_tile_shows_are_not_listed_and_not_missed() {
    let harness = Harness::new();
    for name in ["temple", "panes"] {
        let scene = scene(name);
        let (cut, short) = with_limits(&harness, &scene, "* 1.000001 + frame.cell_depth");
        let (whole, long) = with_limits(&harness, &scene, "* 0.0 + 3.0e38");
        let off = differences(&cut, &whole);
        assert_eq!(off[0], 0.0, "{name}: the plain loop");
        // Hidden splats in front of the far side of the last slice that shows are gone: it moves up
        // a lane, and sums are rounded otherwise.
        assert!(off.iter().all(|&off| off <= 1e-6), "{name}: {off:?}");
        assert_eq!(short.entries, long.entries);
        assert_eq!(long.listed_layers, long.entries + 16 * 13 * 8);
        // Where solids cannot be drawn there are none, and nothing is cut.
        if harness.gpu.caps.draws_with_depth {
            assert!(short.listed_layers < long.listed_layers, "{name}");
            let (wrong, _) = with_limits(&harness, &scene, "* 0.7");
            let off = differences(&wrong, &whole);
            assert!(
                off.iter().all(|&off| off > 1e-2),
                "{name}: cut too early, {off:?}"
            );
        }
    }
}
