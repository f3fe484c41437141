//! Stochastic transparency (Enderton and others, I3D 2010; Laine and Karras, EGSR 2011).
//!
//! A pixel has S samples. A layer covers `⌊αk + ξ⌋` of the first k samples, for each k that is S or a multiple of 8;
//! which of eight samples a layer covers is random. Each sample keeps the nearest layer that covers it. The result is
//! noisy, but does not depend on order.
//!
//! **Randomness** is a hash in u32 arithmetic, so that a shader draws the same numbers ([`hash`]). ξ is the upper 24
//! bits of the hash, and α is counted in steps of 2⁻²⁴. Each group of eight samples takes the next [`pcg`], whose upper
//! 16 bits select one of the masks with the same number of ones, in numerical order. If more than half of the samples
//! are covered, the mask selects the uncovered ones.

use std::sync::LazyLock;

use super::bounds::{LEAST, Rounding, SECOND_ORDER, normalised, summed};
use super::layers::{Layer, OitResult, counting, resolved, transmittance};
use super::{OwnBuffer, Seen, Technique};
use crate::model::Feature;
use crate::model::constant::Constant;
use crate::model::flag_value::flag_values;
use crate::model::methods::entry::{APPROXIMATE, DRAWN_SUMS, Entry, NUMBER, PixelBytes, Trait};
use crate::model::options::rows::{Any, Within, own_options};
use crate::model::reference::composite::ROUNDOFF;
use crate::model::scene::random::pcg;

pub const STOCHASTIC: Entry = Entry {
    name: "stochastic",
    module: "methods/stochastic",
    traits: &[Trait::SharesPixels],
    mapping: "as average; layers cover S samples at random, each keeps its nearest (--samples, --estimate)",
    cost: "two walks; a hash per layer and 8 samples; no sort; S numbers of state, or 2S for mean and corrected",
    guarantee: "no order; --estimate mean is exact in expectation, corrected and depth keep transmittance; noise",
    origin: "stochastic transparency (Enderton et al. 2010)",
    bench_options: "samples=8 estimate=depth | samples=1 estimate=depth | samples=64 estimate=depth | samples=8 estimate=corrected | samples=8 estimate=mean",
    ..APPROXIMATE
};

own_options! {
    "Approximate: stochastic"
    pub struct StochasticOptions {
        /// Samples per pixel of `stochastic`, 1 to 64
        pub samples in "COUNT": u32 = 8, Within([1, 64]), ["stochastic"];
        /// Estimate that `stochastic` forms from its samples: mean, mean over the exact transmittance, or weights by depth
        pub estimate: Mode = Mode::default(), Any, ["stochastic"];
        /// Frames that `stochastic` accumulates while nothing moves, 1 to 1024: over time in the window, at once elsewhere
        pub accumulate in "FRAMES": u32 = 1, Within([1, 1024]), ["stochastic"];
    }
}

/// Bytes of a pixel's sums and of the number of accumulated frames.
const SUMS: u64 = 20;
/// Loss from a colour of the table that is flushed to zero: a pixel multiplies that colour by up to 256.
const LEAST_SEEN: f64 = 256.0 * LEAST;
/// Relative error of a fraction of the samples, multiplied by an opacity: a division and two roundings.
const PART_ERROR: f64 = 8.0 * ROUNDOFF;

/// The hash of a pixel (x and y below 65,536), an item and a frame: `pcg(pcg(pcg(seed) ^ (x | y << 16)) + item)`.
pub fn hash(pixel: [u32; 2], item: u32, seed: u32) -> u32 {
    pcg(pcg(pcg(seed) ^ (pixel[0] | pixel[1] << 16)).wrapping_add(item))
}

flag_values! {
    pub enum Mode {
        #[value(help = "The mean of their colours: exact in expectation, the most noise")]
        Mean,
        // Adds nothing if no sample is covered. Biased, because it is a ratio.
        #[value(help = "The mean of the covered samples, over the exact transmittance")]
        Corrected,
        // Samples keep only depth, and a second walk resolves N(w). Biased, because it is a ratio.
        #[default]
        #[value(help = "Layers weighted by the share of samples not in front of them: the least noise")]
        Depth,
    }
}

/// Stochastic transparency. Frames accumulate as sums, because [`Mode::Corrected`] and [`Mode::Depth`] are ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stochastic {
    pub own: StochasticOptions,
    /// Pixel coordinates, x and y.
    pub pixel: [u32; 2],
    /// Seed of the first frame; each further frame increases the seed by 1.
    pub seed: u32,
}

impl Stochastic {
    /// A single frame at pixel 0.
    pub fn new(samples: u32, estimate: Mode) -> Self {
        let own = StochasticOptions {
            samples,
            estimate,
            accumulate: 1,
        };
        Self::of(own, &Seen::default())
    }

    pub fn of(own: StochasticOptions, seen: &Seen) -> Self {
        Self {
            own,
            pixel: seen.pixel,
            seed: seen.time.to_bits(),
        }
    }

    /// The samples that a layer covers in a frame, as bits.
    fn coverage(&self, layer: &Layer, frame: u32) -> u64 {
        if !layer.counts() {
            return 0;
        }
        let samples = self.own.samples;
        let start = hash(self.pixel, layer.item, self.seed.wrapping_add(frame));
        let opacity = (layer.opacity.min(1.0) * 16_777_216.0) as u32;
        let (mut bits, mut before, mut state) = (0, 0, start);
        for first in (0..samples).step_by(8) {
            let of = (samples - first).min(8);
            let covered = (opacity * (first + of) + (start >> 8)) >> 24;
            state = pcg(state);
            bits |= chosen(covered - before, of, state) << first;
            before = covered;
        }
        bits
    }

    fn nearest(&self, layers: &[Layer], frame: u32) -> Vec<Option<usize>> {
        let mut nearest: Vec<Option<usize>> = vec![None; self.own.samples as usize];
        for index in counting(layers) {
            let coverage = self.coverage(&layers[index], frame);
            for (sample, kept) in nearest.iter_mut().enumerate() {
                let is_nearer =
                    kept.is_none_or(|kept: usize| layers[index].order(&layers[kept]).is_lt());
                if coverage >> sample & 1 == 1 && is_nearer {
                    *kept = Some(index);
                }
            }
        }
        nearest
    }
}

/// The masks of 8 bits with 0 to 4 ones, each in ascending order.
static MASKS: LazyLock<[Vec<u64>; 5]> = LazyLock::new(|| {
    let of = |ones: usize| (0..256u64).filter(move |mask| mask.count_ones() as usize == ones);
    std::array::from_fn(|ones| of(ones).collect())
});

/// Selects `covered` of up to 8 samples, as bits; all choices are equally likely.
fn chosen(covered: u32, samples: u32, drawn: u32) -> u64 {
    let few = covered.min(samples - covered);
    let masks = &MASKS[few as usize];
    let ways = masks.partition_point(|mask| mask >> samples == 0);
    let mask = masks[(((drawn >> 16) * ways as u32) >> 16) as usize];
    match few == covered {
        true => mask,
        false => mask ^ ((1 << samples) - 1),
    }
}

struct Samples {
    /// For each layer, the fraction of the samples that keep it.
    parts: Vec<f64>,
    depths: Vec<f64>,
    total: f64,
}

impl Samples {
    /// Fraction of the samples that keep nothing nearer than `depth`.
    fn reached(&self, depth: f64) -> f64 {
        let nearer = self.depths.iter().filter(|at| **at < depth).count();
        (self.total - nearer as f64) / self.total
    }

    /// Fraction of the samples for which each layer counts: samples that keep it or, in [`Mode::Depth`], reach it.
    fn parts(&self, mode: Mode, layers: &[Layer]) -> Vec<f64> {
        match mode {
            Mode::Mean | Mode::Corrected => self.parts.clone(),
            Mode::Depth => {
                let depths = layers.iter().map(|layer| f64::from(layer.depth));
                depths.map(|depth| self.reached(depth)).collect()
            }
        }
    }
}

impl Stochastic {
    fn sampled(&self, layers: &[Layer]) -> Samples {
        let frames = 0..self.own.accumulate;
        let kept = frames.flat_map(|frame| self.nearest(layers, frame));
        let kept: Vec<Option<usize>> = kept.collect();
        let total = kept.len() as f64;
        let (mut parts, mut depths) = (vec![0.0; layers.len()], Vec::new());
        for &index in kept.iter().flatten() {
            parts[index] += 1.0 / total;
            depths.push(f64::from(layers[index].depth));
        }
        Samples {
            parts,
            depths,
            total,
        }
    }
}

impl Technique for Stochastic {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let samples = self.sampled(layers);
        let parts = samples.parts(self.own.estimate, layers);
        let hit: f64 = parts.iter().sum();
        let found = match self.own.estimate {
            Mode::Mean => OitResult::of(layers, parts, 1.0 - hit),
            Mode::Corrected => {
                let left = transmittance(layers);
                let scale = if hit > 0.0 { (1.0 - left) / hit } else { 0.0 };
                let shares = parts.iter().map(|part| part * scale).collect();
                OitResult::of(layers, shares, left)
            }
            Mode::Depth => resolved(layers, &parts),
        };
        found.with_curve(move |depth| samples.reached(depth))
    }

    /// Samples may all keep colours that are flushed to zero.
    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        let StochasticOptions {
            samples,
            estimate,
            accumulate: frames,
        } = self.own;
        let parts = self.sampled(layers).parts(estimate, layers);
        // The frames are added one by one.
        let of_frames = f64::from(frames) * ROUNDOFF;
        let rounding = Rounding::Single(PART_ERROR + of_frames);
        // If there are several frames, each is added with a factor of 1/1024.
        let scaled = if frames > 1 { 1024.0 } else { 1.0 };
        let flushed = scaled * LEAST_SEEN * layers.len() as f64;
        let mut bound = match estimate {
            Mode::Mean => {
                let terms = f64::from(samples * frames) + 1.0;
                let error = terms * ROUNDOFF + PART_ERROR;
                let channel = |at| SECOND_ORDER * error * summed(layers, &parts, at);
                [channel(0), channel(1), channel(2), PART_ERROR]
            }
            Mode::Corrected => normalised(layers, &parts, rounding),
            Mode::Depth => {
                let products = layers.iter().zip(parts);
                let products: Vec<f64> =
                    products.map(|(layer, part)| layer.alpha() * part).collect();
                normalised(layers, &products, rounding)
            }
        };
        bound[..3].iter_mut().for_each(|bound| *bound += flushed);
        bound
    }

    /// A sample stores a depth and, except for `depth`, the item. When drawn, it stores a colour instead of the item.
    fn bytes(&self) -> PixelBytes {
        let samples = self.own.samples;
        let [numbers, drawn] = match self.own.estimate {
            Mode::Mean => [2, samples * 8],
            Mode::Corrected => [2, samples * 8 + 1],
            Mode::Depth => [1, samples * 4 + DRAWN_SUMS],
        };
        PixelBytes::new((samples * numbers + 5) * NUMBER, drawn)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        let mut constants = vec![
            ("SAMPLES", self.own.samples.into()),
            ("ESTIMATE", (self.own.estimate as u32).into()),
        ];
        if self.own.accumulate > 1 {
            constants.push(("FRAMES", self.own.accumulate.into()));
        }
        constants
    }

    /// Tables in uniform buffers free a storage buffer for the sums.
    fn features(&self) -> Vec<Feature> {
        match self.own.accumulate {
            1 => Vec::new(),
            _ => vec![Feature::Accumulated, Feature::UniformTables],
        }
    }

    fn words(&self) -> Option<String> {
        let frames = match self.own.accumulate {
            1 => "",
            frames => &format!(" x {frames}"),
        };
        let (samples, estimate) = (self.own.samples, self.own.estimate);
        Some(format!("{samples}{frames} {estimate}"))
    }

    /// Threads can join samples only if the samples store nothing except depths.
    fn shares_pixels(&self) -> bool {
        self.own.estimate == Mode::Depth
    }

    fn buffer(&self) -> Option<OwnBuffer> {
        (self.own.accumulate > 1).then_some(OwnBuffer {
            name: "frame_sums",
            bytes: SUMS,
            frames: self.own.accumulate,
            remedy: |_| "choose --accumulate 1 or a smaller size".to_owned(),
        })
    }

    /// Both walks go through blocks of 16 samples; the first walk draws eight samples per iteration.
    fn turns(&self) -> u32 {
        let with_end = |turns: u32| turns + 1;
        let walks = 2 * with_end(self.own.samples.div_ceil(16));
        1 + with_end(self.own.samples.div_ceil(8)) + walks + 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::exact;
    use super::super::tests::layers;
    use super::*;
    use std::collections::BTreeMap;

    fn seeded(technique: Stochastic, seed: u32) -> Stochastic {
        Stochastic { seed, ..technique }
    }

    /// Mean and variance of a channel over different seeds.
    fn spread(technique: Stochastic, list: &[Layer], channel: usize, count: u32) -> (f64, f64) {
        let found = (0..count).map(|seed| seeded(technique, seed).composite(list).result[channel]);
        let (mut mean, mut square) = (0.0, 0.0);
        for value in found {
            mean += value / f64::from(count);
            square += value * value / f64::from(count);
        }
        (mean, square - mean * mean)
    }

    #[test]
    fn the_hash_is_the_same_for_ever_and_chooses_evenly() {
        assert_eq!(pcg(0), 129_708_002);
        assert_eq!(hash([3, 5], 7, 11), pcg(pcg(pcg(11) ^ (3 | 5 << 16)) + 7));
        let mut counts = BTreeMap::new();
        for start in 0..20_000 {
            *counts.entry(chosen(2, 5, pcg(start))).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|count| (1800..2200).contains(count)));
    }

    #[test]
    fn the_mean_is_exact_in_expectation_and_the_ratios_are_not() {
        let list = layers(4, 3, 0.1..0.4);
        let truth = exact(&list).result[0];
        let off = [Mode::Mean, Mode::Corrected, Mode::Depth].map(|mode| {
            let (mean, variance) = spread(Stochastic::new(1, mode), &list, 0, 4000);
            (mean - truth).abs() / (variance / 4000.0).sqrt()
        });
        assert!(off[0] < 4.0 && off[1] > 6.0 && off[2] > 6.0);
    }
}
