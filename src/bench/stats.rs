//! Statistics of times: their spread, and whether one set of times is slower than another.
//!
//! Times of a GPU have a hard floor and a tail of outliers, so that everything here rests on
//! medians and ranks. Everything is deterministic: the same samples give the same verdict.

use std::collections::BTreeMap;

use crate::compare::samples::Sorted;

/// A ratio of medians within this of 1 is equal. Two runs of one kernel differ by 1 to 3 % through
/// clocks, temperature and where its memory came to lie; more than 5 % is worth a look.
pub const LEAST_EFFECT: f64 = 0.05;

/// Fewer samples get no verdict: the range of all `n` samples holds the true median with probability
/// 1 - 0.5^(n-1), which reaches the 99 % of the interval at 8.
pub const LEAST_SAMPLES: usize = 8;

/// Bootstrap draws of a ratio: 20 lie beyond the interval, so that its ends do not hang on one draw.
const DRAWS: usize = 4000;
/// Draws beyond each end of the interval: 0.5 % of them, 99 % lie inside.
const BEYOND: usize = DRAWS / 200;

/// Seeds of the draws for the two sets; any two different numbers.
const SEEDS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

/// A ratio of medians with its 99 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Median of the new samples over that of the old.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// What a comparison of two sets of times found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The new is slower, beyond doubt and by more than [`LEAST_EFFECT`].
    Slower,
    /// The new is faster, by the same measure.
    Faster,
    /// Neither.
    Equal,
}

impl Ratio {
    /// The verdict at [`LEAST_EFFECT`].
    #[must_use]
    pub fn verdict(self) -> Verdict {
        self.verdict_beyond(LEAST_EFFECT)
    }

    /// Slower if the whole interval lies above `1 + effect`, faster if below `1 / (1 + effect)`.
    fn verdict_beyond(self, effect: f64) -> Verdict {
        let limit = 1.0 + effect;
        match () {
            () if self.low > limit => Verdict::Slower,
            () if self.high < 1.0 / limit => Verdict::Faster,
            () => Verdict::Equal,
        }
    }
}

impl Verdict {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Slower => "SLOWER",
            Verdict::Faster => "faster",
            Verdict::Equal => "equal",
        }
    }
}

/// Bootstrap of medians. Which ranks the median of a resample falls on depends on the number of
/// samples alone, so that the draws are made once per number and shared by all rows.
#[derive(Debug, Default)]
pub struct Bootstrap {
    ranks: BTreeMap<(usize, u64), Vec<[usize; 2]>>,
}

impl Bootstrap {
    /// The ratio of the medians `new : old` with its interval; `None` with fewer than
    /// [`LEAST_SAMPLES`] times on a side, or times of zero.
    pub fn ratio(&mut self, old: &[f64], new: &[f64]) -> Option<Ratio> {
        let [old, new] = [Sorted::new(old)?, Sorted::new(new)?];
        let fewest = old.values().len().min(new.values().len());
        if fewest < LEAST_SAMPLES || old.values()[0] <= 0.0 {
            return None;
        }
        let old_draws = self.medians(&old, SEEDS[0]);
        let new_draws = self.medians(&new, SEEDS[1]);
        let ratios = old_draws.iter().zip(&new_draws);
        let mut ratios: Vec<f64> = ratios.map(|(old, new)| new / old).collect();
        let mut ranked = |rank| *ratios.select_nth_unstable_by(rank, f64::total_cmp).1;
        Some(Ratio {
            value: new.median() / old.median(),
            low: ranked(BEYOND),
            high: ranked(DRAWS - 1 - BEYOND),
        })
    }

    /// Medians of resamples.
    fn medians(&mut self, sorted: &Sorted, seed: u64) -> Vec<f64> {
        let values = sorted.values();
        let n = values.len();
        let ranks = self.ranks.entry((n, seed));
        let ranks = ranks.or_insert_with(|| median_ranks(n, seed));
        let median = |&[low, high]: &[usize; 2]| f64::midpoint(values[low], values[high]);
        ranks.iter().map(median).collect()
    }
}

/// For each draw of `n` out of `n` ranks with replacement, the ranks of its middle two.
fn median_ranks(n: usize, seed: u64) -> Vec<[usize; 2]> {
    let mut random = Random(seed ^ n as u64);
    let mut draw = || {
        let mut drawn: Vec<usize> = (0..n).map(|_| random.below(n)).collect();
        drawn.sort_unstable();
        [drawn[(n - 1) / 2], drawn[n / 2]]
    };
    (0..DRAWS).map(|_| draw()).collect()
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform below `n`; the bias of 2^-64 · n is far below what the draws resolve.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Times as a GPU gives them: noise of `noise` (relative), one in ten an outlier up to 30 %
    /// above, and a drift that ends `drift` above its start.
    pub(in crate::bench) fn times(seed: u64, n: usize, median: f64, noise: f64) -> Vec<f64> {
        drifting(seed, n, median, noise, 0.0)
    }

    fn drifting(seed: u64, n: usize, median: f64, noise: f64, drift: f64) -> Vec<f64> {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut uniform = move || random.next() as f64 / u64::MAX as f64;
        let sample = |i: usize| {
            // The sum of 12 uniforms less 6 is near a normal distribution of variance 1.
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            let outlier = if uniform() < 0.1 {
                0.3 * uniform()
            } else {
                0.0
            };
            let drift = drift * i as f64 / n as f64;
            median * (1.0 + normal * noise + outlier + drift)
        };
        (0..n).map(sample).collect()
    }

    fn verdicts(factor: f64, noise: f64, drift: f64) -> [usize; 3] {
        let mut bootstrap = Bootstrap::default();
        let mut counts = [0; 3];
        for seed in 0..2000 {
            let old = drifting(2 * seed + 1, 30, 100.0, noise, drift);
            let new = drifting(2 * seed + 2, 30, 100.0 * factor, noise, drift);
            let ratio = bootstrap.ratio(&old, &new).expect("30 samples each");
            counts[ratio.verdict() as usize] += 1;
        }
        counts
    }

    #[test]
    fn a_planted_tenth_is_found() {
        for noise in [0.01, 0.02] {
            let [slower, faster, equal] = verdicts(1.1, noise, 0.02);
            assert!(
                slower >= 1960,
                "noise {noise}: {slower} found, {equal} missed"
            );
            assert_eq!(faster, 0);
            let [slower, faster, _] = verdicts(1.0 / 1.1, noise, 0.02);
            assert!(faster >= 1960, "noise {noise}: {faster} found");
            assert_eq!(slower, 0);
        }
    }

    #[test]
    fn fewer_than_one_in_500_of_equal_runs_are_called_different() {
        for (noise, drift) in [(0.01, 0.0), (0.02, 0.02), (0.04, 0.02)] {
            let [slower, faster, _] = verdicts(1.0, noise, drift);
            assert!(
                slower + faster < 4,
                "{slower} slower, {faster} faster of 2000"
            );
        }
    }

    #[test]
    fn two_runs_that_drifted_apart_by_two_per_cent_are_equal() {
        let [slower, faster, _] = verdicts(1.02, 0.02, 0.02);
        assert!(
            slower + faster < 4,
            "{slower} slower, {faster} faster of 2000"
        );
    }

    #[test]
    fn without_a_least_effect_equal_runs_would_be_called_different() {
        let mut bootstrap = Bootstrap::default();
        let different = (0..500).filter(|seed| {
            let [old, new] = [1, 2].map(|k| times(2 * seed + k, 30, 100.0, 0.02));
            let ratio = bootstrap.ratio(&old, &new).expect("30 samples each");
            ratio.verdict_beyond(0.0) != Verdict::Equal
        });
        assert!(different.count() >= 1, "the check above could not fail");
    }

    #[test]
    fn the_interval_holds_the_true_ratio_99_times_in_100() {
        let mut bootstrap = Bootstrap::default();
        let holds = (0..2000).filter(|seed| {
            let old = times(2 * seed + 1, 30, 100.0, 0.02);
            let new = times(2 * seed + 2, 30, 120.0, 0.02);
            let ratio = bootstrap.ratio(&old, &new).expect("30 samples each");
            assert!(ratio.low <= ratio.value && ratio.value <= ratio.high);
            (ratio.low..=ratio.high).contains(&1.2)
        });
        let holds = holds.count();
        assert!((1960..2000).contains(&holds), "{holds} of 2000");
    }

    #[test]
    fn one_outlier_decides_nothing() {
        let mut bootstrap = Bootstrap::default();
        let old = times(1, 30, 100.0, 0.01);
        let mut new = old.clone();
        new[3] = 5000.0;
        let ratio = bootstrap.ratio(&old, &new).expect("30 samples each");
        assert_eq!(ratio.verdict(), Verdict::Equal);
    }

    #[test]
    fn few_samples_and_zero_times_get_no_verdict() {
        let mut bootstrap = Bootstrap::default();
        let enough = [1.0; LEAST_SAMPLES];
        assert!(bootstrap.ratio(&enough, &enough).is_some());
        assert!(bootstrap.ratio(&enough[1..], &enough).is_none());
        assert!(bootstrap.ratio(&enough, &enough[1..]).is_none());
        assert!(bootstrap.ratio(&[0.0; 20], &enough).is_none());
        assert!(bootstrap.ratio(&[f64::NAN; 20], &enough).is_none());
    }

    #[test]
    fn the_same_samples_give_the_same_interval() {
        let [old, new] = [(1, 30), (2, 17)].map(|(seed, n)| times(seed, n, 50.0, 0.02));
        let once = Bootstrap::default().ratio(&old, &new);
        let mut used = Bootstrap::default();
        let _ = used.ratio(&new, &old);
        assert_eq!(used.ratio(&old, &new), once);
    }
}
