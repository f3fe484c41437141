//! Predicts the time of a candidate on lists that were not measured: by a cost model that is fitted to the
//! measured lists, corrected by the model's error on measured lists nearby. Pure arithmetic.
//!
//! The model is a sum: a dispatch takes some time at least, every pixel takes some, every layer of every pixel
//! takes some, and the longest list takes some per layer of its own, however idle the rest of the GPU is.
//! Splats and fog slices are told apart, as they are evaluated in other ways. All of these are times, so
//! that none is negative: the fit is one of non-negative least squares of relative errors.

use super::Facts;

/// The number of terms of the model.
const TERMS: usize = 6;
/// The number of rounds of the fit. Each round gives less weight to the points that the round before missed by far,
/// so that one odd time does not bend the model (iteratively reweighted least squares, Huber 1964).
const ROUNDS: u32 = 6;
/// The relative error above which a time loses weight.
const ODD: f64 = 0.15;
/// The number of sweeps over all terms in each round.
const SWEEPS: u32 = 500;

/// The weight of a measured point falls with this power of its distance, so that near points decide.
const DISTANCE_POWER: i32 = 4;
/// The least distance between lists, in doublings. Lists that are nearer to a measured point count as measured.
const LEAST_DISTANCE: f64 = 0.05;

/// The cost model of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CostModel {
    terms: [f64; TERMS],
    /// The place of every measured list, and the logarithm of measured over modelled time there.
    corrections: Vec<([f64; 4], f64)>,
}

impl CostModel {
    /// Fits the model to the microseconds on measured lists. There is none where no list was measured.
    pub fn fit(measured: &[(Facts, f64)]) -> Option<Self> {
        let rows: Vec<_> = measured
            .iter()
            .filter(|(_, time)| *time > 0.0)
            .map(|(facts, time)| (amounts(facts).map(|amount| amount / time), facts, time))
            .collect();
        if rows.is_empty() {
            return None;
        }
        let mut weights = vec![1.0; rows.len()];
        let mut terms = [0.0; TERMS];
        for _ in 0..ROUNDS {
            let weighted = rows
                .iter()
                .zip(&weights)
                .map(|(row, weight)| (row.0, *weight));
            terms = non_negative_least_squares(weighted);
            for (weight, row) in weights.iter_mut().zip(&rows) {
                let error = (dot(&terms, &row.0) - 1.0).abs();
                *weight = (ODD / error).min(1.0);
            }
        }
        let correction = |&(_, facts, time): &(_, &Facts, &f64)| {
            (place(facts), (time / modelled(&terms, facts)).ln())
        };
        let corrections = rows.iter().map(correction).collect();
        Some(Self { terms, corrections })
    }

    /// The predicted microseconds on lists like `facts`: the model's time, corrected by the model's error on measured
    /// lists nearby. Source of the weights: Shepard, "A two-dimensional interpolation function for irregularly-spaced
    /// data", 1968.
    pub fn predict(&self, facts: &Facts) -> f64 {
        let here = place(facts);
        let (mut weights, mut sum) = (0.0, 0.0);
        for (there, correction) in &self.corrections {
            let squares = here.iter().zip(there).map(|(a, b)| (a - b).powi(2));
            let distance = squares.sum::<f64>().sqrt().max(LEAST_DISTANCE);
            let weight = distance.powi(-DISTANCE_POWER);
            weights += weight;
            sum += weight * correction;
        }
        modelled(&self.terms, facts) * (sum / weights).exp()
    }
}

/// How much lists have of each term of the model: one dispatch, thousands of pixels, thousands of splats and of
/// slices over all pixels, and the splats and the slices of the longest list.
fn amounts(facts: &Facts) -> [f64; TERMS] {
    let pixels = f64::from(facts.pixels) * 1e-3;
    let splats = facts.splats.min(facts.mean);
    let slices = facts.mean - splats;
    let longest = f64::from(facts.longest).max(slices);
    [
        1.0,
        pixels,
        pixels * splats,
        pixels * slices,
        longest - slices,
        slices,
    ]
}

/// The place of lists among others, as base-2 logarithms, so that distances are in doublings.
fn place(facts: &Facts) -> [f64; 4] {
    [
        f64::from(facts.pixels),
        1.0 + facts.mean,
        1.0 + f64::from(facts.longest),
        1.0 + facts.splats,
    ]
    .map(|amount| amount.max(1.0).log2())
}

/// The time by the model in µs, which is greater than 0.
fn modelled(terms: &[f64; TERMS], facts: &Facts) -> f64 {
    dot(terms, &amounts(facts)).max(1e-3)
}

fn dot(a: &[f64; TERMS], b: &[f64; TERMS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The non-negative x with the least sum of weighted squares of row · x - 1. It improves one term after the other,
/// which converges because the problem is convex (coordinate descent).
fn non_negative_least_squares(rows: impl Iterator<Item = ([f64; TERMS], f64)>) -> [f64; TERMS] {
    let (mut products, mut sums) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
    for (row, weight) in rows {
        for i in 0..TERMS {
            sums[i] += weight * row[i];
            for j in 0..TERMS {
                products[i][j] += weight * row[i] * row[j];
            }
        }
    }
    let mut x = [0.0; TERMS];
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
        dot(&[5.0, 0.01, 0.004, 0.003, 0.2, 0.1], &amounts(facts))
    }

    fn fitted(time: impl Fn(&Facts) -> f64) -> CostModel {
        let measured: Vec<_> = lists().into_iter().map(|of| (of, time(&of))).collect();
        CostModel::fit(&measured).expect("there are points")
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
            assert!(error.abs() < 0.01, "{error} at {of:?}");
        }
    }

    #[test]
    fn no_term_is_negative_and_nothing_is_free() {
        let measured = [
            (facts(1000, 1.0, 0.0, 1), 3.0),
            (facts(4000, 1.0, 0.0, 1), 2.0),
        ];
        let cost = CostModel::fit(&measured).expect("two points");
        assert!(cost.terms.iter().all(|term| *term >= 0.0), "{cost:?}");
        assert!(cost.predict(&facts(1 << 22, 0.0, 0.0, 0)) > 0.0);
        assert_eq!(CostModel::fit(&[]), None);
    }
}
