//! Change of a time between two runs: the ratio of the medians, with an interval.
//!
//! Rounds of one sitting agree within fractions of a per cent, but buffer addresses and other load shift all rounds of
//! a sitting together. Therefore the rounds of all sittings of a run form one sample. Its interval is as wide as the
//! differences between sittings.

use serde::Serialize;

use crate::model::samples::Summary;

/// Minimum ratio of medians that counts as a change. Runs of one kernel sometimes differ by 1 to 3 %.
pub const LEAST_CHANGE: f64 = 1.03;
/// A change is certain if its whole interval is beyond this ratio.
pub const CERTAIN: f64 = 1.02;
/// Minimum number of samples for a verdict.
pub const LEAST_SAMPLES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// New median divided by old median.
    #[serde(rename = "ratio")]
    pub value: f64,
    /// Low end of the new median's interval divided by the high end of the old one's.
    pub low: f64,
    /// High end of the new median's interval divided by the low end of the old one's.
    pub high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The median rose by more than [`LEAST_CHANGE`], and by more than [`CERTAIN`] over its whole interval.
    Slower,
    /// The median fell by more than the same ratios.
    Faster,
    /// The whole interval is within [`LEAST_CHANGE`].
    Same,
    /// The times vary too much, or the change is in between.
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

impl Ratio {
    /// Ratio of the times of two runs. `None` if a run has fewer than [`LEAST_SAMPLES`] times, or times of zero.
    pub fn between(old: &[f64], new: &[f64]) -> Option<Self> {
        let median = |samples: &[f64]| {
            let all = Summary::of(samples).filter(|all| all.n >= LEAST_SAMPLES)?;
            let [low, high] = all.interval.filter(|[low, _]| *low > 0.0)?;
            Some([all.median, low, high])
        };
        let ([old, old_low, old_high], [new, new_low, new_high]) = (median(old)?, median(new)?);
        Some(Self {
            value: new / old,
            low: new_low / old_high,
            high: new_high / old_low,
        })
    }

    /// Verdict on the program. `clock` is the ratio of the known workload's times, if recorded. A change is certain
    /// only if both time and GPU clock cycles show it.
    pub fn verdict(self, clock: Option<f64>) -> Verdict {
        let both = [self, self.over(clock.unwrap_or(1.0))];
        let is_within = self.low > 1.0 / LEAST_CHANGE && self.high < LEAST_CHANGE;
        match () {
            () if both.iter().all(|of| of.is_slower(CERTAIN)) => Verdict::Slower,
            () if both.iter().all(|of| of.inverse().is_slower(CERTAIN)) => Verdict::Faster,
            () if is_within => Verdict::Same,
            () => Verdict::Unclear,
        }
    }

    /// True if the row may have changed and must be measured again before the verdict.
    pub fn is_suspect(self) -> bool {
        self.is_slower(1.0) || self.inverse().is_slower(1.0)
    }

    fn is_slower(self, certain: f64) -> bool {
        self.value > LEAST_CHANGE && self.low > certain
    }

    fn over(self, factor: f64) -> Self {
        let Self { value, low, high } = self;
        let [value, low, high] = [value, low, high].map(|ratio| ratio / factor);
        Self { value, low, high }
    }

    fn inverse(self) -> Self {
        let [value, low, high] = [self.value, self.high, self.low].map(f64::recip);
        Self { value, low, high }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Number of rows and passes that two runs of `bench --quick` share.
    const ROWS: u64 = 2178;

    /// Times like those of a GPU, with relative noise `noise`. One in ten is an outlier up to 30 % above the median.
    pub(crate) fn times(seed: u64, n: usize, median: f64, noise: f64) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(seed);
        let sample = |_| {
            let normal = normal(&mut random);
            let is_outlier = random.f64() < 0.1;
            let outlier = if is_outlier { 0.3 * random.f64() } else { 0.0 };
            median * (1.0 + normal * noise + outlier)
        };
        (0..n).map(sample).collect()
    }

    /// Sum of 12 uniform numbers minus 6, which is nearly normal with variance 1.
    fn normal(random: &mut fastrand::Rng) -> f64 {
        (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
    }

    /// Ten rounds in each of several sittings. The medians of sittings differ by `between` (relative standard
    /// deviation).
    fn run(seed: u64, sittings: u64, median: f64, [noise, between]: [f64; 2]) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(!seed);
        let sitting = |number| {
            let median = median * (1.0 + between * normal(&mut random));
            times(8 * seed + number, 10, median, noise)
        };
        (0..sittings).flat_map(sitting).collect()
    }

    /// Verdict on a row that takes `factor` times as long in the new run. A suspect row is measured again.
    fn verdict(seed: u64, factor: f64, spread: [f64; 2]) -> Verdict {
        let ratio = |sittings| {
            let old = run(2 * seed, 2, 100.0, spread);
            let new = run(2 * seed + 1, sittings, 100.0 * factor, spread);
            Ratio::between(&old, &new).expect("20 samples each")
        };
        let first = ratio(2);
        let last = if first.is_suspect() { ratio(4) } else { first };
        last.verdict(None)
    }

    fn count(rows: u64, factor: f64, spread: [f64; 2], wanted: Verdict) -> usize {
        let verdicts = (0..rows).map(|seed| verdict(seed, factor, spread));
        verdicts.filter(|verdict| *verdict == wanted).count()
    }

    #[test]
    fn of_2178_equal_rows_at_most_five_are_called_different_and_most_are_the_same() {
        for spread in [[0.005, 0.002], [0.012, 0.003], [0.012, 0.01]] {
            let of = |wanted| count(ROWS, 1.0, spread, wanted);
            let different = of(Verdict::Slower) + of(Verdict::Faster);
            assert!(different <= 5, "{spread:?}: {different}");
            let same = of(Verdict::Same);
            assert!(spread[1] > 0.005 || same > 1900, "{spread:?}: {same}");
        }
        // Negative control: sittings differ as much as the change to be found.
        assert!(count(ROWS, 1.0, [0.005, 0.03], Verdict::Slower) > 5);
    }

    #[test]
    fn nine_of_ten_rows_that_are_slower_by_five_per_cent_are_found() {
        for spread in [[0.005, 0.002], [0.005, 0.005], [0.012, 0.003]] {
            let slower = count(200, 1.05, spread, Verdict::Slower);
            assert!(slower >= 180, "{spread:?}: {slower}");
            let faster = count(200, 1.0 / 1.05, spread, Verdict::Faster);
            assert!(faster >= 180, "{spread:?}: {faster}");
            assert_eq!(count(200, 1.1, spread, Verdict::Slower), 200);
        }
    }

    #[test]
    fn what_is_slower_by_its_clock_alone_is_unclear() {
        let ratio = Ratio::between(&[100.0; 20], &[125.0; 20]).expect("enough");
        let verdicts = [None, Some(1.0), Some(1.25), Some(0.8)].map(|clock| ratio.verdict(clock));
        let slower = Verdict::Slower;
        assert_eq!(verdicts, [slower, slower, Verdict::Unclear, slower]);
    }

    #[test]
    fn few_samples_and_zero_times_get_no_verdict() {
        let enough = [1.0; LEAST_SAMPLES];
        assert!(Ratio::between(&enough, &enough).is_some());
        for wrong in [&enough[1..], &[0.0; 20], &[f64::NAN; 20]] {
            assert_eq!(Ratio::between(wrong, &enough), None);
            assert_eq!(Ratio::between(&enough, wrong), None);
        }
    }
}
