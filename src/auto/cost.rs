//! Predicts the time of a candidate on lists that were not measured: by a cost model that is fitted to the
//! measured lists, corrected by the model's error on measured lists nearby. Pure arithmetic.
//!
//! By the model a dispatch takes some time at least. Beyond that, all pixels and their layers take some time by their
//! number, and the longest list takes some per layer of its own, however idle the rest of the GPU is. Each hides the other,
//! but not wholly where both take about as long: together they take the root of the sum of their squares. Where lists are
//! cut into batches, no more than a batch is composited in a row, and the parts are joined in further dispatches. Splats and
//! fog slices are told apart, as they are evaluated in other ways. All of these are times, so that none is negative: the fit
//! is one of non-negative least squares of relative errors.

use super::Facts;
use super::kriging::{Interpolation, Place};

/// The number of terms of the model.
const TERMS: usize = 9;
/// Those of all pixels and their layers, and those of the longest list. The ones in front of them are of dispatches.
const BULK: std::ops::Range<usize> = 2..6;
const LONGEST: std::ops::Range<usize> = 6..9;
/// The number of rounds of the fit. Each round makes the model linear about the terms of the round before, and gives less
/// weight to the points that those missed by far, so that one odd time does not bend it (iteratively reweighted least
/// squares, Huber 1964).
const ROUNDS: u32 = 20;
/// The relative error above which a time loses weight.
const ODD: f64 = 0.15;
/// The number of sweeps over all terms in each round.
const SWEEPS: u32 = 100;
/// The least slope of a hidden term, of what it is where nothing hides it, so that it can come back.
const LEAST_SLOPE: f64 = 0.02;

/// The cost model of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CostModel {
    /// The most layers that are composited in a row, if lists are cut.
    batch: Option<u32>,
    terms: [f64; TERMS],
    /// The logarithm of measured over modelled time.
    correction: Interpolation,
}

impl CostModel {
    /// Fits the model to the microseconds on measured lists, which are cut into batches of `batch` layers or not at all.
    /// There is none where no list was measured.
    pub fn fit(batch: Option<u32>, measured: &[(Facts, f64)]) -> Option<Self> {
        let rows: Vec<_> = measured
            .iter()
            .filter(|(_, time)| *time > 0.0)
            .map(|(facts, time)| (amounts(facts, batch), facts, *time))
            .collect();
        if rows.is_empty() {
            return None;
        }
        let mut weights = vec![1.0; rows.len()];
        let mut terms = [0.0; TERMS];
        for round in 0..ROUNDS {
            let linear = rows
                .iter()
                .zip(&weights)
                .map(|((amounts, _, time), weight)| {
                    let slopes = slopes(&terms, amounts);
                    (slopes.map(|slope| slope / time), *weight)
                });
            let next = non_negative_least_squares(linear, terms);
            for (term, next) in terms.iter_mut().zip(next) {
                *term = if round == 0 {
                    next
                } else {
                    0.5 * (*term + next)
                };
            }
            for (weight, (amounts, _, time)) in weights.iter_mut().zip(&rows) {
                let error = (modelled(&terms, amounts) / time - 1.0).abs();
                *weight = (ODD / error).min(1.0);
            }
        }
        let error = |(amounts, facts, time): &(_, &Facts, f64)| {
            (place(facts), (time / modelled(&terms, amounts)).ln())
        };
        let errors: Vec<_> = rows.iter().map(error).collect();
        Some(Self {
            batch,
            terms,
            correction: Interpolation::new(&errors),
        })
    }

    /// The predicted microseconds on lists like `facts`: the model's time, corrected by the model's error on measured
    /// lists nearby.
    pub fn predict(&self, facts: &Facts) -> f64 {
        modelled(&self.terms, &amounts(facts, self.batch)) * self.correction.at(&place(facts)).exp()
    }
}

/// How much lists have of each term of the model: one dispatch, and further ones where lists are cut; thousands of pixels,
/// thousands of splats, of slices and of parts to be joined over all pixels; and the splats and the slices of the
/// longest list that are composited in a row, and its parts.
fn amounts(facts: &Facts, batch: Option<u32>) -> [f64; TERMS] {
    let pixels = f64::from(facts.pixels) * 1e-3;
    let splats = facts.splats.min(facts.mean);
    let slices = facts.mean - splats;
    let longest = f64::from(facts.longest).max(slices);
    let (in_a_row, joined) = match batch {
        Some(batch) => {
            let joined = facts.longest.saturating_sub(1) / batch;
            (longest.min(f64::from(batch)) / longest.max(1.0), joined)
        }
        None => (1.0, 0),
    };
    // Of how many lists there are parts nobody knows: no more than if all layers were in parts.
    let parts = batch.map_or(0.0, |batch| facts.mean / f64::from(batch));
    [
        1.0,
        f64::from(joined.min(1)),
        pixels,
        pixels * splats,
        pixels * slices,
        pixels * parts.min(joined.into()),
        in_a_row * (longest - slices),
        in_a_row * slices,
        joined.into(),
    ]
}

/// The place of lists among others, as base-2 logarithms, so that distances are in doublings.
fn place(facts: &Facts) -> Place {
    [
        f64::from(facts.pixels),
        1.0 + facts.mean,
        1.0 + f64::from(facts.longest),
        1.0 + facts.splats,
    ]
    .map(|amount| amount.max(1.0).log2())
}

/// The time of all pixels and their layers, and of the longest list alone.
fn bulk_and_longest(terms: &[f64; TERMS], amounts: &[f64; TERMS]) -> [f64; 2] {
    let part = |part: std::ops::Range<usize>| {
        let both = terms[part.clone()].iter().zip(&amounts[part]);
        both.map(|(term, amount)| term * amount).sum()
    };
    [part(BULK), part(LONGEST)]
}

/// The time by the model in µs, which is greater than 0.
fn modelled(terms: &[f64; TERMS], amounts: &[f64; TERMS]) -> f64 {
    let [bulk, longest] = bulk_and_longest(terms, amounts);
    let dispatches = terms[0] * amounts[0] + terms[1] * amounts[1];
    (dispatches + bulk.hypot(longest)).max(1e-3)
}

/// How fast the modelled time grows with each term. Times the terms, these sum to the modelled time.
fn slopes(terms: &[f64; TERMS], amounts: &[f64; TERMS]) -> [f64; TERMS] {
    let [bulk, longest] = bulk_and_longest(terms, amounts);
    let both = bulk.hypot(longest);
    let mut slopes = *amounts;
    for (part, time) in [(BULK, bulk), (LONGEST, longest)] {
        let share = if both > 0.0 { time / both } else { 1.0 };
        for slope in &mut slopes[part] {
            *slope *= share.max(LEAST_SLOPE);
        }
    }
    slopes
}

fn dot(a: &[f64; TERMS], b: &[f64; TERMS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The non-negative x with the least sum of weighted squares of row · x - 1, sought from `first` on. It improves one term
/// after the other, which converges because the problem is convex (coordinate descent).
fn non_negative_least_squares(
    rows: impl Iterator<Item = ([f64; TERMS], f64)>,
    first: [f64; TERMS],
) -> [f64; TERMS] {
    let (mut products, mut sums) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
    for (row, weight) in rows {
        for i in 0..TERMS {
            sums[i] += weight * row[i];
            for j in 0..TERMS {
                products[i][j] += weight * row[i] * row[j];
            }
        }
    }
    let mut x = first;
    for _ in 0..SWEEPS {
        for i in 0..TERMS {
            if products[i][i] > 0.0 {
                let slope = dot(&products[i], &x) - sums[i];
                x[i] = f64::max(0.0, x[i] - slope / products[i][i]);
            }
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pixels: u32, splats: f64, slices: f64, longest: u32) -> Facts {
        Facts {
            pixels,
            mean: splats + slices,
            longest,
            splats,
        }
    }

    /// Lists of all kinds.
    fn lists() -> Vec<Facts> {
        let mut lists = Vec::new();
        for pixels in [1 << 14, 1 << 18, 1 << 21] {
            for (splats, slices) in [
                (0.0, 4.0),
                (0.0, 64.0),
                (20.0, 1.0),
                (100.0, 64.0),
                (3.0, 8.0),
            ] {
                for spread in [1.0, 6.0, 40.0] {
                    lists.push(facts(
                        pixels,
                        splats,
                        slices,
                        (splats * spread + slices) as u32,
                    ));
                }
            }
        }
        lists
    }

    /// 5 µs, 10 ns a thousandth pixel, and so on.
    fn true_time(facts: &Facts) -> f64 {
        let terms = [5.0, 0.0, 0.01, 0.004, 0.003, 0.0, 0.2, 0.1, 0.0];
        modelled(&terms, &amounts(facts, None))
    }

    fn fitted(time: impl Fn(&Facts) -> f64) -> CostModel {
        let measured: Vec<_> = lists().into_iter().map(|of| (of, time(&of))).collect();
        CostModel::fit(None, &measured).expect("there are points")
    }

    /// Lists that are not among the measured.
    fn others() -> [Facts; 3] {
        [
            facts(640 * 360, 40.0, 30.0, 900),
            facts(1920 * 1080, 7.0, 63.0, 3064),
            facts(1280 * 720, 0.0, 4.0, 4),
        ]
    }

    #[test]
    fn times_that_follow_the_model_are_predicted_everywhere() {
        let cost = fitted(true_time);
        for of in others() {
            let (predicted, time) = (cost.predict(&of), true_time(&of));
            assert!((predicted / time - 1.0).abs() < 0.02, "{predicted} {time}");
        }
    }

    #[test]
    fn lists_that_are_cut_are_waited_for_no_longer_than_a_batch() {
        let terms = [5.0, 3.0, 0.01, 0.004, 0.003, 0.02, 0.2, 0.1, 0.05];
        let true_time = |facts: &Facts| modelled(&terms, &amounts(facts, Some(64)));
        let measured: Vec<_> = lists().iter().map(|of| (*of, true_time(of))).collect();
        let [cut, whole] = [Some(64), None].map(|batch| CostModel::fit(batch, &measured));
        let error = |cost: &Option<CostModel>, of: &Facts| {
            let cost = cost.as_ref().expect("there are points");
            (cost.predict(of) / true_time(of) - 1.0).abs()
        };
        let mut most = [0.0_f64; 2];
        for of in others().iter().chain([&facts(1 << 16, 40.0, 0.0, 5000)]) {
            most = [most[0].max(error(&cut, of)), most[1].max(error(&whole, of))];
        }
        assert!(most[0] < 0.05, "{most:?}");
        assert!(most[1] > 2.0 * most[0], "{most:?}");
    }

    #[test]
    fn one_odd_time_does_not_bend_the_model() {
        let odd = lists()[0];
        let cost = fitted(|of| true_time(of) * if *of == odd { 30.0 } else { 1.0 });
        for of in others() {
            let error = cost.predict(&of) / true_time(&of) - 1.0;
            assert!(error.abs() < 0.1, "{error} at {of:?}");
        }
        // Where it was measured it is believed.
        assert!(cost.predict(&odd) > 20.0 * true_time(&odd));
    }

    #[test]
    fn what_the_model_cannot_say_is_corrected_near_what_was_measured() {
        let slower = |of: &Facts| true_time(of) * if of.pixels > 1 << 20 { 1.5 } else { 1.0 };
        let cost = fitted(slower);
        for of in lists() {
            let error = cost.predict(&of) / slower(&of) - 1.0;
            assert!(error.abs() < 0.05, "{error} at {of:?}");
        }
    }

    #[test]
    fn no_term_is_negative_and_nothing_is_free() {
        let measured = [
            (facts(1000, 1.0, 0.0, 1), 3.0),
            (facts(4000, 1.0, 0.0, 1), 2.0),
        ];
        let cost = CostModel::fit(None, &measured).expect("two points");
        assert!(cost.terms.iter().all(|term| *term >= 0.0), "{cost:?}");
        assert!(cost.predict(&facts(1 << 22, 0.0, 0.0, 0)) > 0.0);
        assert_eq!(CostModel::fit(None, &[]), None);
    }
}
