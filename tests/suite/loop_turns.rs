//! Some drivers stop a shader after so many loop turns and return wrong numbers: no dispatch of the
//! composite can come to that limit.

use wavelerp::methods::Specialization;
use wavelerp::methods::composite::layers_per_dispatch;
use wavelerp::model::Capabilities;
use wavelerp::model::methods::{Family, Method};
use wavelerp::model::options::{Dial, Options};

use crate::shaders::capabilities;

/// As software Vulkan: all turns of all loops count together, and the turn that finds that a loop is
/// over is one of them.
const LIMIT: u64 = 65_535;

/// Turns that one invocation makes, counted loop by loop as the method's shader has them.
fn turns(method: Method, pixels: u64, layers: u64, wave: u64) -> u64 {
    let with_end = |body: u64| body + 1;
    let groups = layers.div_ceil(wave);
    match method {
        Method::PixelLoop => with_end(layers),
        Method::ReadLaneLoop => {
            let whole = layers / wave * with_end(wave);
            let rest = layers % wave;
            let of_rest = if rest > 0 { with_end(rest) } else { 0 };
            walked_turns(pixels, groups) + pixels * (whole + of_rest)
        }
        _ if stages(method) => unreachable!("counted by staged_turns"),
        _ if method.is_drawn() => 0,
        _ => walked_turns(pixels, groups),
    }
}

/// The loops over blocks of pixels, at worst of one pixel each, and over groups.
fn walked_turns(pixels: u64, groups: u64) -> u64 {
    pixels * (1 + groups + 1) + 1
}

/// The loops of the methods that stage layers in chunks.
fn staged_turns(of: &Specialization, layers: u64, wave: u32) -> u64 {
    let with_end = |body: u64| body + 1;
    let shape = of.geometry(&software(wave));
    let tile = u64::from(of.options.frame.pixels_of_tile());
    let [staged, workgroup, pixels] =
        [shape.staged, shape.workgroup, of.dial().pixels()].map(u64::from);
    match of.dial() {
        Dial::Threads(threads) if threads > 1 => {
            let threads = u64::from(threads);
            let pixels = u64::from(shape.pixels) / (workgroup / threads);
            let (run, slots) = (layers.div_ceil(threads), staged / threads);
            let chunk = 1 + with_end(slots * (1 + with_end(pixels) + with_end(pixels - 1)));
            let tree = 2 * (u64::from(of.options.frame.tile).ilog2() as u64 + 16);
            with_end(run.div_ceil(slots) * chunk) + with_end(pixels) + with_end(pixels * (1 + tree))
        }
        _ => {
            let tiles = workgroup * pixels / tile;
            let slots = staged / tiles;
            let per_thread = slots.div_ceil(workgroup / tiles);
            let fold = |layers| with_end(layers * (1 + with_end(pixels)));
            let chunk = |layers| 1 + with_end(per_thread) + fold(layers) + with_end(pixels);
            let list = |layers: u64| with_end(layers.div_ceil(slots) * chunk(slots.min(layers)));
            let around = with_end(tiles) + 2 * with_end(pixels);
            let is_cut = of.method.entry().family == Family::Batches;
            let batch = is_cut.then_some(of.options.method.layers_per_batch);
            match batch.map(u64::from) {
                // One workgroup for all of them, as where their parts have no room.
                Some(batch) => {
                    let each = with_end(per_thread) + list(batch) + 2 * with_end(pixels) + 1;
                    with_end(layers.div_ceil(batch) * each) + around
                }
                None => list(layers) + around,
            }
        }
    }
}

/// The loops of methods that walk a list in any order.
fn turns_in_any_order(of: &Specialization, layers: u64) -> u64 {
    let with_end = |body: u64| body + 1;
    let samples = u64::from(of.options.method.samples);
    let blocks = with_end(samples.div_ceil(16));
    // For each walk the turns for a layer.
    let walks = match of.method {
        Method::Stochastic => vec![1 + with_end((samples / 2).div_ceil(4)) + blocks, 1 + blocks],
        Method::Peeling => vec![2; samples as usize],
        Method::ABuffer => {
            let places = u64::from(of.options.method.capacity) / 4;
            vec![1 + places; samples as usize]
        }
        _ => vec![1],
    };
    let slots = u64::from(of.geometry(&software(4)).staged);
    // Searches among 512 slices for a layer, and, for up to eight slices of a thread, among the list's items.
    let (search, places) = match of.method {
        Method::Coarse => (with_end(10), with_end(8 * (1 + with_end(17)))),
        _ => (0, 0),
    };
    // A thread stages one or two of the slots.
    let stage = with_end(2 * (1 + search));
    let walk = |turns: u64| with_end(layers.div_ceil(slots) * (1 + stage)) + layers * turns;
    // Of lists in memory every eight nodes are a walk over all of them.
    let own = match of.method {
        Method::LinkedList => {
            let room = u64::from(of.options.method.list_room);
            with_end(room.div_ceil(8) * (1 + with_end(8) + with_end(room * 3) + with_end(8)))
        }
        _ => 0,
    };
    walks.into_iter().map(walk).sum::<u64>() + places + own + 100
}

fn specialization(method: Method, tile: u32, pixels_per_wave: u32) -> Specialization {
    let options = Options::default()
        .with_frame(|frame| {
            frame.tile = tile;
            frame.early_out = 0.5;
        })
        .with_method(|method| method.pixels_per_wave = pixels_per_wave);
    options.specialize(method)
}

fn software(wave: u32) -> Capabilities {
    Capabilities {
        draws_with_depth: true,
        loop_turns: Some(LIMIT as u32),
        is_cpu: true,
        ..capabilities(wave, true)
    }
}

#[test]
fn no_dispatch_can_come_to_the_limit() {
    let mut failures = Vec::new();
    for method in Method::all().filter(|method| !stages(*method) && *method != Method::Auto) {
        for wave in [4, 8, 16, 32, 64, 128] {
            let up_to = |most: u32, tile: u32| (0..=most).map(move |power| (tile, 1 << power));
            for (tile, pixels) in up_to(6, 8).chain(up_to(8, 16)) {
                let of = specialization(method, tile, pixels);
                let layers = layers_per_dispatch(&software(wave), &of);
                let [pixels, many, wave] = [pixels, layers, wave].map(u64::from);
                let turns = turns(method, pixels, many, wave);
                if turns >= LIMIT || layers == 0 {
                    let how = format!("wave {wave}: {layers} layers, {turns} turns");
                    failures.push(format!("{of:?} {how}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Whether it stages its list in chunks.
fn stages(method: Method) -> bool {
    match method.entry().family {
        Family::Staged | Family::SplitDepth | Family::Batches => true,
        Family::PerPixel | Family::PerWave | Family::Blended => false,
        // What it runs is one of the others.
        Family::Auto => false,
        Family::Approximate(_) => !method.is_drawn(),
    }
}

#[test]
fn no_dispatch_that_stages_its_list_can_come_to_the_limit() {
    let waves = [8, 16].map(|tile| [4, 32, 128].map(|wave| (tile, wave)));
    for (tile, wave) in waves.into_iter().flatten() {
        for dial in Dial::all() {
            let method = match dial {
                Dial::Batch(_) => Method::SplitBatches,
                Dial::Threads(threads) if threads > 1 => Method::SplitDepth,
                _ => Method::PixelLoopStaged,
            };
            let mut of = specialization(method, tile, 1);
            of.options.method = of.options.method.at(dial);
            let layers = layers_per_dispatch(&software(wave), &of);
            let turns = staged_turns(&of, u64::from(layers), wave);
            let is_split_too_much = turns * 8 < LIMIT && dial.pixels() > 1;
            let is_good = turns < LIMIT && !is_split_too_much;
            assert!(
                is_good,
                "{of:?} wave {wave}: {layers} layers, {turns} turns"
            );
        }
    }
    let staging = Method::approximate().filter(|method| stages(*method));
    for mut of in staging.map(|method| specialization(method, 8, 1)) {
        for (samples, capacity) in [(1, 8), (8, 16), (64, 16)] {
            let own = &mut of.options.method;
            (own.samples, own.capacity) = (samples, capacity);
            own.kept = capacity;
            (own.peels, own.passes) = (samples, samples);
            own.list_room = samples.max(4);
            let layers = layers_per_dispatch(&software(4), &of);
            assert!(turns_in_any_order(&of, u64::from(layers)) < LIMIT, "{of:?}");
        }
    }
}

#[test]
fn work_is_not_split_more_than_needed() {
    for method in Method::all() {
        let of = specialization(method, 8, 1);
        let least = 29_000 / of.family().turns_per_layer(&of).unwrap_or(1);
        assert!(layers_per_dispatch(&software(4), &of) > least, "{method}");
        let unlimited = capabilities(4, true);
        assert_eq!(layers_per_dispatch(&unlimited, &of), u32::MAX);
    }
}

#[test]
fn the_count_of_turns_sees_a_list_that_is_too_long() {
    assert!(turns(Method::PixelLoop, 1, 65_535, 4) > LIMIT);
    assert!(turns(Method::ReadLaneLoop, 64, 1000, 4) > LIMIT);
    assert!(turns(Method::ReadLaneLoop, 64, 1000, 4) > turns(Method::ReadLaneLoop, 64, 1000, 8));
    assert!(turns(Method::WaveLerpDeferred, 64, 1000, 4) < LIMIT);
}
