//! The built-in rules of `auto`, which need no measurements. The rule for GPUs is tuned on one large GPU. The other is
//! for CPU adapters. `tests/suite/frames.rs` compares both with recorded times.

use super::facts::Facts;
use crate::model::Capabilities;
use crate::model::items::{ItemCounts, ItemKind};
use crate::model::methods::{Kinds, Method, Source};
use crate::model::options::{Dial, Options};

/// Minimum number of layers per thread if several threads share a pixel.
const LEAST_RUN: f64 = 4.0;
/// Lists are uneven if the longest has more than this many times the mean number of layers.
const UNEVEN: f64 = 4.0;
/// Number of pixels that a large GPU composites at a time with one thread each. The values are for given lists, for
/// frames (smaller kernels), and for Gaussians (longer waits for the longest list).
const AT_A_TIME: f64 = 65_536.0;
const AT_A_TIME_IN_FRAMES: f64 = 98_304.0;
const AT_A_TIME_OF_GAUSSIANS: f64 = 196_608.0;
/// Number of layers in a batch, and in a small batch. Batches are small if all pixels together have fewer layers than
/// the third number, so that there are enough batches.
const BATCH: u32 = 128;
const SMALL_BATCH: u32 = 64;
const MANY_LAYERS: f64 = 9e7;
/// Number of pixels that fills any GPU.
const MANY_PIXELS: u32 = 1_500_000;
/// In frames with at least this many pixels, each thread composites two.
const PIXELS_FOR_TWO: u32 = 4_000_000;
/// Minimum mean number of layers in a list at which staging pays off.
const WORTH_STAGING: f64 = 8.0;
/// Mean numbers of layers on a CPU adapter. From the first on, two threads per pixel pay off. From the second on,
/// staging a crowd of particles pays off, or from the third on if lists are uneven. Lists are uneven if the longest has
/// more than the last value times the mean.
const SHORT_ON_A_CPU: f64 = 8.0;
const CROWDED_ON_A_CPU: f64 = 75.0;
const CROWDED_IF_UNEVEN: f64 = 128.0;
const UNEVEN_ON_A_CPU: f64 = 10.0;

/// Method and dial for lists like `facts`, and the reason for the choice. The only option used is the tile.
pub(super) fn built_in(
    caps: &Capabilities,
    options: &Options,
    facts: &Facts,
) -> (Method, Dial, String) {
    let wanted = match facts.layers {
        _ if caps.is_cpu => on_a_cpu(facts),
        Source::Frame(kinds) => of_frame(kinds, options.frame.tile, facts),
        Source::Gaussians(_) => {
            let counts = ItemCounts::only(ItemKind::Gaussian, 1);
            of_frame(Kinds::of(&counts), options.frame.tile, facts)
        }
        _ if waits_for_longest(facts) => (Method::SplitBatches, Dial::Batch(BATCH)),
        _ => (Method::PixelLoopStaged, Dial::of_lists(facts.pixels)),
    };
    let (mut method, mut dial) = wanted;
    if let Dial::Threads(threads) = dial {
        let most = ((facts.mean / LEAST_RUN).max(1.0) as u32).min(Dial::most_threads(caps));
        let threads = match caps.waves {
            true => threads.min(1 << most.ilog2()),
            false => 1,
        };
        dial = Dial::Threads(threads);
        if threads > 1 {
            method = Method::SplitDepth;
        }
    }
    let reason = match (method, dial) {
        (Method::SplitDepth, _) if caps.is_cpu => {
            format!(
                "{dial} threads per pixel, so that fewer pixels of a vector wait for the longest list"
            )
        }
        (Method::SplitDepth, _) => {
            format!("{dial} threads per pixel, so that few pixels fill the GPU")
        }
        (Method::SplitBatches, Dial::Batch(layers)) => {
            format!("batches of {layers} layers, so that long lists do not delay the others")
        }
        (Method::PixelLoop, _) => "one thread per pixel, without staging".to_owned(),
        (_, Dial::Pixels(count)) => {
            format!("{count} pixels per thread, because there are many")
        }
        _ => "one thread per pixel".to_owned(),
    };
    let why = format!(
        "{reason} ({} pixels, {:.0} layers on average, {} at most)",
        facts.pixels, facts.mean, facts.longest
    );
    (method, dial, why)
}

/// Choice for a CPU adapter, where waves are vectors of a few cores. Based on recorded times of llvmpipe.
fn on_a_cpu(facts: &Facts) -> (Method, Dial) {
    let is_crowd = matches!(facts.layers, Source::Frame(kinds) if kinds.crowd && !kinds.has(ItemKind::Gaussian));
    let is_even = f64::from(facts.longest) <= UNEVEN_ON_A_CPU * facts.mean;
    let crowded = match is_even {
        true => CROWDED_ON_A_CPU,
        false => CROWDED_IF_UNEVEN,
    };
    match facts.mean {
        ..SHORT_ON_A_CPU => (Method::PixelLoop, Dial::Threads(1)),
        // Most particles of such a list miss the pixel, and patches skip them.
        mean if is_crowd && mean >= crowded => (Method::PixelLoopStaged, Dial::Threads(1)),
        _ => (Method::PixelLoop, Dial::Threads(2)),
    }
}

/// True if a workgroup takes longer for the longest list than the GPU takes for all other lists.
fn waits_for_longest(facts: &Facts) -> bool {
    let longest = f64::from(facts.longest);
    longest > UNEVEN * facts.mean && outlasts_the_others(facts, AT_A_TIME)
}

/// True if the longest list outlasts all lists together, with `at_a_time` pixels composited at a time.
fn outlasts_the_others(facts: &Facts, at_a_time: f64) -> bool {
    f64::from(facts.longest) * at_a_time > f64::from(facts.pixels) * facts.mean
}

fn of_frame(kinds: Kinds, tile: u32, facts: &Facts) -> (Method, Dial) {
    let thread = Dial::Threads(1);
    let is_even = f64::from(facts.longest) <= UNEVEN * facts.mean;
    let has_few_pixels = matches!(Dial::of_lists(facts.pixels), Dial::Threads(2..));
    let is_long = facts.longest > 2 * SMALL_BATCH;
    let at_a_time = match kinds.has(ItemKind::Gaussian) {
        true => AT_A_TIME_OF_GAUSSIANS,
        false => AT_A_TIME_IN_FRAMES,
    };
    if is_long && outlasts_the_others(facts, at_a_time) && !(has_few_pixels && is_even) {
        let batch = match f64::from(facts.pixels) * facts.mean < MANY_LAYERS {
            true => SMALL_BATCH,
            false => BATCH,
        };
        return (Method::SplitBatches, Dial::Batch(batch));
    }
    if has_few_pixels {
        return (Method::PixelLoopStaged, Dial::of_lists(facts.pixels));
    }
    // In tiles of 8 pixels a workgroup is so small that a barrier costs more than reading a layer again. Large layers,
    // and patches that skip most layers, are exceptions.
    let stages = match tile {
        8 => kinds.crowd || kinds.has(ItemKind::Gaussian),
        _ => facts.mean >= WORTH_STAGING || facts.pixels < MANY_PIXELS,
    };
    match stages {
        false => (Method::PixelLoop, thread),
        true if tile > 8 && facts.pixels >= PIXELS_FOR_TWO && !kinds.has(ItemKind::Gaussian) => {
            (Method::PixelLoopStaged, Dial::Pixels(2))
        }
        true => (Method::PixelLoopStaged, thread),
    }
}
