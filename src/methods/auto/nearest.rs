//! Predicts the time of a candidate on lists that were not measured by those of the measured lists nearest to them.
//! Pure arithmetic.
//!
//! Lists are near one another where their numbers of pixels, mean and longest lengths and splats differ by few doublings.
//! Of a few such lists the logarithms of times are averaged, those nearby more: inverse distance weighting (Shepard 1968).
//! That is off by some per cent, but in the same direction for all candidates, and rivals are tried. Lists with more
//! layers of pixels than any that was measured take longer in proportion.

use super::Facts;

/// How many of the measured lists count.
const NEAREST: usize = 3;
/// Doublings that are added to every distance, so that no single time decides where it was measured, odd as it may be.
const BLUR: f64 = 0.05;

/// Measured times of one candidate, µs, on lists at these places.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Times(Vec<(Place, f64)>);

/// Pixels, mean and longest list, and splats, each as base-2 logarithm.
type Place = [f64; 4];

fn place(facts: &Facts) -> Place {
    [
        f64::from(facts.pixels),
        1.0 + facts.mean,
        1.0 + f64::from(facts.longest),
        1.0 + facts.splats,
    ]
    .map(|amount| amount.max(1.0).log2())
}

impl Times {
    /// None where nothing was measured.
    pub fn new<'a>(measured: impl Iterator<Item = (&'a Facts, f64)>) -> Option<Self> {
        let timed = measured.filter(|(_, time)| *time > 0.0);
        let times: Vec<_> = timed.map(|(facts, time)| (place(facts), time)).collect();
        (!times.is_empty()).then_some(Self(times))
    }

    /// The predicted µs on lists like `facts`.
    pub fn at(&self, facts: &Facts) -> f64 {
        let here = place(facts);
        let distance = |there: &Place| {
            let squares = there.iter().zip(here).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt()
        };
        let mut near: Vec<(f64, f64)> = self
            .0
            .iter()
            .map(|(place, time)| (distance(place), *time))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(NEAREST);
        let weighted = near.iter().map(|(distance, time)| {
            let weight = 1.0 / (distance + BLUR);
            (weight * time.ln(), weight)
        });
        let (sum, weights) = weighted.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        // Beyond all that was measured, time grows with the work.
        let most = self.0.iter().map(|(place, _)| place[0] + place[1]);
        let beyond = here[0] + here[1] - most.fold(0.0, f64::max);
        (sum / weights).exp() * beyond.max(0.0).exp2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pixels: u32, layers: u32) -> Facts {
        Facts {
            pixels,
            mean: layers.into(),
            longest: layers,
            splats: 0.0,
        }
    }

    fn times(measured: &[(Facts, f64)]) -> Option<Times> {
        Times::new(measured.iter().map(|(facts, time)| (facts, *time)))
    }

    #[test]
    fn a_time_lies_between_those_of_the_lists_around_and_near_that_of_the_nearest() {
        let measured = [
            (facts(1 << 10, 16), 1.0),
            (facts(1 << 14, 16), 4.0),
            (facts(1 << 18, 16), 64.0),
            (facts(1 << 20, 4096), 9000.0),
        ];
        let times = times(&measured).expect("there are times");
        for (of, time) in &measured[..3] {
            assert!((times.at(of) / time - 1.0).abs() < 0.15, "{of:?}");
        }
        let between = times.at(&facts(1 << 16, 16));
        assert!(between > 4.0 && between < 64.0, "{between}");
    }

    #[test]
    fn beyond_what_was_measured_time_grows_with_the_work() {
        let measured = [(facts(1 << 10, 15), 1.0), (facts(1 << 14, 15), 16.0)];
        let times = times(&measured).expect("there are times");
        let [largest, four_times] = [14, 16].map(|bits| times.at(&facts(1 << bits, 15)));
        assert!(four_times > 2.0 * largest, "{largest} {four_times}");
    }

    #[test]
    fn no_times_predict_nothing() {
        assert_eq!(times(&[]), None);
        assert_eq!(times(&[(facts(1, 1), 0.0)]), None);
    }
}
