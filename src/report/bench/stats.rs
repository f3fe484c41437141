//! Statistics of times: whether one run's are slower than another's, when thousands of rows are asked at once.
//!
//! Rounds of one sitting agree within parts of a per cent, and say little: where buffers come to lie, and what
//! else the machine does, moves all of them together. So the unit is a sitting's median, on a logarithmic
//! scale. A row has few sittings; its variance is therefore drawn towards that of all rows, as the moderated t
//! does (Smyth, "Linear models and empirical Bayes methods", 2004, with a prior of fixed weight), and the
//! number of rows is allowed for by the procedure of Benjamini and Hochberg (1995). Everything is
//! deterministic: the same samples give the same verdicts.

use puruspe::{betai, invbetai};
use serde::Serialize;

use crate::model::samples::Sorted;

/// A change of more than this is worth a look. Runs of one kernel differ by 1 to 3 % now and then.
pub const LEAST_EFFECT: f64 = 0.05;
/// Rows whose medians differ by less than this may be called the same.
pub const SAME: f64 = 0.02;
/// The greatest expected share of errors among the rows that are called different, if the model holds.
pub const FALSE_DISCOVERIES: f64 = 0.01;
/// A row that may be different with this probability of an error is looked at again.
pub const SUSPECT: f64 = 0.05;

/// Fewer samples of a row get no verdict.
pub const LEAST_SAMPLES: usize = 8;

/// Sittings that the variance of all rows counts for beside a row's own.
const PRIOR: f64 = 10.0;
/// Standard deviation of a sitting's median where no row has two sittings.
const USUAL: f64 = 0.01;

/// One row of two runs: logarithms of the medians of its sittings.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    old: Vec<f64>,
    new: Vec<f64>,
    /// Mean variance of such a median, by the spread of the rounds in it.
    within: f64,
    /// The change counted in cycles of the GPU's clock instead of time, where that is known.
    in_cycles: Option<f64>,
}

/// A ratio of medians with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Ratio {
    /// The new times over the old ones.
    #[serde(rename = "ratio")]
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// The probability of such a ratio or one further from 1, if the row had changed by [`LEAST_EFFECT`] or
    /// less.
    #[serde(skip)]
    pub p: f64,
}

/// What a comparison of two runs found of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The new is slower by more than [`LEAST_EFFECT`], beyond doubt.
    Slower,
    /// The new is faster, by the same measure.
    Faster,
    /// They differ by less than [`SAME`], and beyond doubt by less than [`LEAST_EFFECT`].
    Same,
    /// Anything else: the times spread too much, or the change lies between [`SAME`] and [`LEAST_EFFECT`].
    Unclear,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Slower => "SLOWER",
            Verdict::Faster => "faster",
            Verdict::Same => "same",
            Verdict::Unclear => "unclear",
        }
    }
}

impl Pair {
    /// Pairs the sittings of a row in two runs. `None` with fewer than [`LEAST_SAMPLES`] times in a run, or times
    /// of zero. `cycles` is the time that known work took in each run, if that was recorded.
    pub fn new<S: AsRef<[f64]>>(old: &[S], new: &[S], cycles: Option<(f64, f64)>) -> Option<Self> {
        let mut within = Vec::new();
        let mut medians = |sittings: &[S]| {
            let count: usize = sittings.iter().map(|of| of.as_ref().len()).sum();
            if count < LEAST_SAMPLES {
                return None;
            }
            let median = |sitting: &S| {
                let sorted = Sorted::new(sitting.as_ref())?;
                within.push(variance_of_median(&sorted));
                let median = sorted.median();
                (median > 0.0).then(|| median.ln())
            };
            sittings.iter().map(median).collect::<Option<Vec<f64>>>()
        };
        let (old, new) = (medians(old)?, medians(new)?);
        let change = mean(&new) - mean(&old);
        Some(Self {
            in_cycles: cycles.map(|(old, new)| change - (new / old).ln()),
            within: mean(&within),
            old,
            new,
        })
    }

    fn change(&self) -> f64 {
        mean(&self.new) - mean(&self.old)
    }

    /// How far sittings of one run lie from one another: the sum of squares, and its degrees of freedom.
    fn spread(&self) -> [f64; 2] {
        let squares = |of: &[f64]| {
            let middle = mean(of);
            of.iter().map(|value| (value - middle).powi(2)).sum::<f64>()
        };
        let freedom = self.old.len() + self.new.len() - 2;
        [squares(&self.old) + squares(&self.new), freedom as f64]
    }

    /// The ratio of the medians, if `variance` is that of sittings over all rows.
    fn ratio(&self, variance: f64) -> Ratio {
        let [squares, freedom] = self.spread();
        let own = (PRIOR * variance + squares) / (PRIOR + freedom);
        let sittings = 1.0 / self.old.len() as f64 + 1.0 / self.new.len() as f64;
        let error = (own.max(self.within) * sittings).sqrt().max(1e-9);
        let change = self.change();
        let freedom = PRIOR + freedom;
        // Where a lower clock explains a part of a slowdown, only the rest counts; likewise for what got faster.
        let in_cycles = self.in_cycles.unwrap_or(change);
        let least = if change > 0.0 {
            change.min(in_cycles).max(0.0)
        } else {
            -change.max(in_cycles).min(0.0)
        };
        let beyond = (least - LEAST_EFFECT.ln_1p()) / error;
        let p = student_t_above(beyond, freedom);
        let half = student_t_two_sided(0.05, freedom) * error;
        Ratio {
            value: change.exp(),
            low: (change - half).exp(),
            high: (change + half).exp(),
            p,
        }
    }
}

/// The probability that Student's t with `freedom` degrees of freedom is above `t`.
fn student_t_above(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * betai(0.5 * freedom, 0.5, freedom / (freedom + t * t));
    if t < 0.0 { 1.0 - tail } else { tail }
}

/// The value that the size of Student's t exceeds with probability `p`.
fn student_t_two_sided(p: f64, freedom: f64) -> f64 {
    (freedom * (1.0 / invbetai(p, 0.5 * freedom, 0.5) - 1.0)).sqrt()
}

/// The ratios of all rows of two runs, in their order.
pub fn ratios(pairs: &[Pair]) -> Vec<Ratio> {
    let spreads = pairs.iter().map(Pair::spread);
    let with_two: Vec<f64> = spreads
        .filter(|[_, freedom]| *freedom > 0.0)
        .map(|[squares, freedom]| squares / freedom)
        .collect();
    // The median of the variances is robust, but lies below the mean that is wanted: at 0.455 of it for one
    // degree of freedom, at 0.693 for two.
    let variance = Sorted::new(&with_two).map_or(USUAL * USUAL, |of| of.median() / 0.6);
    pairs.iter().map(|pair| pair.ratio(variance)).collect()
}

/// The verdict on each ratio. It depends on how many ratios there are, so all are judged together.
pub fn verdicts(ratios: &[Ratio]) -> Vec<Verdict> {
    let limit = benjamini_hochberg(&ratios.iter().map(|ratio| ratio.p).collect::<Vec<_>>());
    let (same, least) = (SAME.ln_1p(), LEAST_EFFECT.ln_1p());
    let verdict = |ratio: &Ratio| {
        let change = ratio.value.ln();
        let is_within = ratio.high.ln() < least && ratio.low.ln() > -least;
        match ratio.p <= limit {
            true if change > 0.0 => Verdict::Slower,
            true => Verdict::Faster,
            false if change.abs() <= same && is_within => Verdict::Same,
            false => Verdict::Unclear,
        }
    };
    ratios.iter().map(verdict).collect()
}

/// The greatest probability that is small enough for the share of errors among all that small to stay within
/// [`FALSE_DISCOVERIES`] (Benjamini and Hochberg); below 0 where none is.
fn benjamini_hochberg(probabilities: &[f64]) -> f64 {
    let mut sorted = probabilities.to_vec();
    sorted.sort_by(f64::total_cmp);
    let share = FALSE_DISCOVERIES / sorted.len().max(1) as f64;
    let is_small = |&(place, p): &(usize, &f64)| *p <= share * (place + 1) as f64;
    let passing = sorted.iter().enumerate().rfind(is_small);
    passing.map_or(-1.0, |(_, p)| *p)
}

/// Variance of the logarithm of a median, by the interval of its order statistics that holds it with 68 %.
fn variance_of_median(sorted: &Sorted) -> f64 {
    let values = sorted.values();
    let n = values.len() as f64;
    let beyond = (0.5 * (n - n.sqrt())).floor().max(0.0) as usize;
    let (low, high) = (values[beyond], values[values.len() - 1 - beyond]);
    (0.5 * (high - low) / sorted.median().max(1e-12)).powi(2)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Times as a GPU gives them: noise of `noise` (relative), one in ten an outlier up to 30 % above.
    pub(crate) fn times(seed: u64, n: usize, median: f64, noise: f64) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut uniform = move || random.f64();
        let sample = |_| {
            // The sum of 12 uniforms less 6 is near a normal distribution of variance 1.
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            let is_outlier = uniform() < 0.1;
            let outlier = if is_outlier { 0.3 * uniform() } else { 0.0 };
            median * (1.0 + normal * noise + outlier)
        };
        (0..n).map(sample).collect()
    }

    /// Two sittings, which lie `between` apart (relative standard deviation).
    fn sittings(seed: u64, median: f64, noise: f64, between: f64) -> [Vec<f64>; 2] {
        let mut random = fastrand::Rng::with_seed(!seed);
        let mut normal = || (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
        [0, 1].map(|sitting| {
            let median = median * (1.0 + between * normal());
            times(2 * seed + sitting, 10, median, noise)
        })
    }

    fn pair(seed: u64, factor: f64, noise: f64, between: f64) -> Pair {
        let old = sittings(2 * seed + 1, 100.0, noise, between);
        let new = sittings(2 * seed + 2, 100.0 * factor, noise, between);
        Pair::new(&old, &new, None).expect("20 samples each")
    }

    /// How often each verdict is given to the first of `count` rows, the others being equal.
    fn counts(changed: u64, count: u64, factor: f64, noise: f64, between: f64) -> [usize; 4] {
        let row = |seed| {
            let factor = if seed < changed { factor } else { 1.0 };
            pair(seed, factor, noise, between)
        };
        let pairs: Vec<Pair> = (0..count).map(row).collect();
        let mut counts = [0; 4];
        for verdict in &verdicts(&ratios(&pairs))[..changed as usize] {
            counts[*verdict as usize] += 1;
        }
        counts
    }

    #[test]
    fn a_planted_tenth_in_50_of_1884_rows_is_found() {
        for between in [0.002, 0.005] {
            let [slower, faster, ..] = counts(50, 1884, 1.1, 0.005, between);
            assert!(slower >= 47, "{between}: {slower} of 50");
            assert_eq!(faster, 0);
            let [slower, faster, ..] = counts(50, 1884, 1.0 / 1.1, 0.005, between);
            assert!(faster >= 47, "{between}: {faster} of 50");
            assert_eq!(slower, 0);
        }
    }

    #[test]
    fn of_1884_equal_rows_none_is_called_different() {
        for (noise, between) in [(0.01, 0.0), (0.01, 0.01), (0.04, 0.02)] {
            let [slower, faster, same, _] = counts(1884, 1884, 1.0, noise, between);
            assert_eq!([slower, faster], [0; 2], "{noise} {between}");
            assert!(between > 0.005 || same > 1700, "{same} are the same");
        }
    }

    #[test]
    fn a_planted_thirtieth_is_never_the_same_in_all_rows() {
        let [slower, faster, same, unclear] = counts(50, 1884, 1.03, 0.01, 0.003);
        assert_eq!(faster, 0);
        assert!(slower + unclear > 40, "{same} of 50 are called the same");
    }

    #[test]
    fn without_allowing_for_the_number_of_rows_equal_ones_would_be_called_different() {
        let pairs: Vec<Pair> = (0..1884).map(|seed| pair(seed, 1.0, 0.04, 0.05)).collect();
        let ratios = ratios(&pairs);
        let chance = ratios.iter().filter(|ratio| ratio.p < SUSPECT);
        assert!(chance.count() > 0, "the check above could not fail");
        let limit = benjamini_hochberg(&ratios.iter().map(|of| of.p).collect::<Vec<_>>());
        assert!(limit < 0.0);
    }

    #[test]
    fn what_is_slower_by_its_clock_alone_is_unclear() {
        let samples = |time: f64| [vec![time; 10], vec![time * 1.001; 10]];
        let row = |cycles| Pair::new(&samples(100.0), &samples(125.0), cycles).expect("enough");
        let verdict = |cycles| verdicts(&ratios(&[row(cycles)]))[0];
        assert_eq!(verdict(None), Verdict::Slower);
        assert_eq!(verdict(Some((10.0, 10.0))), Verdict::Slower);
        assert_eq!(verdict(Some((10.0, 12.5))), Verdict::Unclear);
        assert_eq!(verdict(Some((12.5, 10.0))), Verdict::Slower);
    }

    #[test]
    fn the_procedure_of_benjamini_and_hochberg_steps_up() {
        // Of ten the third is small enough for its rank, and takes the two before it along.
        let mut p = vec![0.0009, 0.0025, 0.0029];
        p.extend([0.5; 7]);
        assert_eq!(benjamini_hochberg(&p), 0.0029);
        assert!(benjamini_hochberg(&[0.5; 10]) < 0.0);
        assert!(benjamini_hochberg(&[]) < 0.0);
    }

    #[test]
    fn one_outlier_decides_nothing() {
        let old = sittings(1, 100.0, 0.01, 0.003);
        let mut new = old.clone();
        new[0][3] = 5000.0;
        let pair = Pair::new(&old, &new, None).expect("enough");
        assert_eq!(verdicts(&ratios(&[pair])), [Verdict::Same]);
    }

    #[test]
    fn few_samples_and_zero_times_get_no_verdict() {
        let enough = [1.0; LEAST_SAMPLES];
        let pair = |old: &[f64], new: &[f64]| Pair::new(&[old], &[new], None);
        assert!(pair(&enough, &enough).is_some());
        assert!(pair(&enough[1..], &enough).is_none());
        assert!(pair(&enough, &enough[1..]).is_none());
        assert!(pair(&[0.0; 20], &enough).is_none());
        assert!(pair(&[f64::NAN; 20], &enough).is_none());
    }

    #[test]
    fn students_t_is_that_of_tables() {
        // Freedom, and the value that its size exceeds with probability 0.05.
        for (freedom, value) in [(1.0, 12.706_205), (4.0, 2.776_445), (30.0, 2.042_272)] {
            let found = student_t_two_sided(0.05, freedom);
            assert!((found - value).abs() < 1e-5, "{freedom}: {found}");
            let above = student_t_above(value, freedom);
            assert!((above - 0.025).abs() < 1e-7, "{freedom}: {above}");
            assert!((student_t_above(-value, freedom) - 0.975).abs() < 1e-7);
        }
        assert_eq!(student_t_above(0.0, 7.0), 0.5);
    }
}
