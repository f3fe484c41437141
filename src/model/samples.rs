//! Percentiles of samples, and their summary as shown in all tables and files.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub fn distinct<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    BTreeSet::from_iter(values).into_iter().collect()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Sorted(Vec<f64>);

impl Sorted {
    /// Sorts samples without negative, NaN and infinite ones (after a clock reset, for example). `None` if none remain.
    pub fn new(samples: &[f64]) -> Option<Self> {
        let is_time = |sample: &f64| sample.is_finite() && *sample >= 0.0;
        let mut sorted: Vec<f64> = samples.iter().copied().filter(is_time).collect();
        sorted.sort_by(f64::total_cmp);
        (!sorted.is_empty()).then_some(Self(sorted))
    }

    /// The samples in ascending order; never empty.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The middle sample; for an even number, the mean of the middle two.
    pub fn median(&self) -> f64 {
        let n = self.0.len();
        f64::midpoint(self.0[(n - 1) / 2], self.0[n / 2])
    }

    /// Percentile by nearest rank: the smallest sample such that at least `per_cent` % of all samples do not exceed it.
    /// 0 gives the smallest sample, 100 and more the largest.
    pub fn percentile(&self, per_cent: usize) -> f64 {
        let n = self.0.len();
        let rank = (n * per_cent.min(100)).div_ceil(100).max(1);
        self.0[rank - 1]
    }
}

/// Probability that an interval contains the median, if there are enough samples.
const CONFIDENCE: f64 = 0.95;

/// Confidence interval of the median of the whole population.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub ends: [f64; 2],
    pub confidence: f64,
}

impl Sorted {
    /// The narrowest interval between two samples that contains the median with a probability of at least 95 %; for
    /// fewer than six samples, the interval of all of them. `None` for a single sample.
    ///
    /// From order statistics, for any distribution (Conover, "Practical Nonparametric Statistics", section 3.2).
    pub fn interval(&self) -> Option<Interval> {
        let n = self.0.len();
        // Probabilities that exactly this many samples, and at most this many, lie below the median.
        let mut exactly = 0.5_f64.powi(n as i32);
        let mut at_most = exactly;
        let mut left_out = 0;
        while left_out + 1 < n / 2 {
            exactly *= (n - left_out) as f64 / (left_out + 1) as f64;
            if 1.0 - 2.0 * (at_most + exactly) < CONFIDENCE {
                break;
            }
            at_most += exactly;
            left_out += 1;
        }
        (n > 1).then(|| Interval {
            ends: [self.0[left_out], self.0[n - 1 - left_out]],
            confidence: 1.0 - 2.0 * at_most,
        })
    }
}

/// Summary of samples, in their unit. docs/bench.md states the definitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub median: f64,
    /// The 95 % confidence interval of the median ([`Sorted::interval`]); `None` for one sample.
    pub interval: Option<[f64; 2]>,
    pub min: f64,
    pub p5: f64,
    pub p95: f64,
    pub n: usize,
}

impl Summary {
    /// Summarises samples. Leaves out the samples that [`Sorted::new`] leaves out; `None` if no sample remains.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let sorted = Sorted::new(samples)?;
        Some(Self {
            median: sorted.median(),
            interval: sorted.interval().map(|interval| interval.ends),
            min: sorted.percentile(0),
            p5: sorted.percentile(5),
            p95: sorted.percentile(95),
            n: sorted.values().len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_and_the_median_is_the_middle() {
        let of = |samples: &[f64]| Sorted::new(samples);
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let sorted = of(&hundred).expect("samples");
        assert_eq!(sorted.median(), 50.5);
        let percentiles = [0, 1, 5, 95, 100, 200].map(|p| sorted.percentile(p));
        assert_eq!(percentiles, [1.0, 1.0, 5.0, 95.0, 100.0, 100.0]);
        let one = of(&[f64::NAN, 7.0, -1.0, f64::INFINITY]).expect("one sample");
        assert_eq!([one.median(), one.percentile(5)], [7.0; 2]);
        assert_eq!(of(&[f64::NAN]), None);
        let summary = Summary::of(&hundred).expect("samples");
        assert_eq!((summary.p5, summary.n), (5.0, 100));
        assert_eq!(summary.interval, Some([40.0, 61.0]));
    }

    #[test]
    fn the_interval_holds_the_median_as_often_as_it_says() {
        let of = |n: usize| {
            let samples: Vec<f64> = (1..=n).map(|i| i as f64).collect();
            Sorted::new(&samples).and_then(|sorted| sorted.interval())
        };
        assert_eq!(of(1), None);
        // From tables of the binomial distribution, such as Conover's A3.
        for (n, ends, confidence) in [
            (2, [1.0, 2.0], 0.5),
            (5, [1.0, 5.0], 0.9375),
            (6, [1.0, 6.0], 0.96875),
            (8, [1.0, 8.0], 0.992_187_5),
            (9, [2.0, 8.0], 0.960_937_5),
            (20, [6.0, 15.0], 0.958_61),
            (30, [10.0, 21.0], 0.957_23),
        ] {
            let interval = of(n).expect("more than one sample");
            assert_eq!(interval.ends, ends, "{n}");
            assert!(
                (interval.confidence - confidence).abs() < 1e-5,
                "{n}: {interval:?}"
            );
        }
        let most = of(1000).expect("many samples");
        assert!((0.95..0.96).contains(&most.confidence), "{most:?}");
    }
}
