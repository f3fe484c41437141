//! Interpolates values that were measured at a few places: near them by what was measured, the nearest most, and far from
//! all of them by 0. Pure arithmetic.
//!
//! Source: kriging with an exponential covariance (Matheron, "Principles of geostatistics", 1963), which is the mean of a
//! Gaussian process. Of places that lie close together each counts less, so that it does not matter how many points
//! were measured where.

/// The number of coordinates of a place.
pub(super) const COORDINATES: usize = 4;
/// A place, in units in which distances can be compared.
pub(super) type Place = [f64; COORDINATES];

/// The distance over which two values have less in common by a factor of e.
const REACH: f64 = 2.0;
/// The variance of what is odd about each value alone, over that of what it has in common with those nearby.
const ODDITY: f64 = 0.1;

/// Values between measured ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interpolation {
    /// Every measured place and its weight.
    points: Vec<(Place, f64)>,
}

impl Interpolation {
    /// An interpolation of measured values.
    pub fn new(measured: &[(Place, f64)]) -> Self {
        let rows = measured.iter().enumerate().map(|(row, (here, _))| {
            let columns = measured.iter().enumerate().map(|(column, (there, _))| {
                let own = if row == column { ODDITY } else { 0.0 };
                in_common(here, there) + own
            });
            columns.collect()
        });
        let values = measured.iter().map(|(_, value)| *value).collect();
        let weights = solved(rows.collect(), values);
        let places = measured.iter().map(|(place, _)| *place);
        Self {
            points: places.zip(weights).collect(),
        }
    }

    /// The value at a place.
    pub fn at(&self, here: &Place) -> f64 {
        let parts = self.points.iter();
        parts
            .map(|(there, weight)| weight * in_common(here, there))
            .sum()
    }
}

/// How much two values have in common, from 0 to 1.
fn in_common(a: &Place, b: &Place) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
    (-squares.sum::<f64>().sqrt() / REACH).exp()
}

/// The x with `rows` x = `values`. The matrix is symmetric, and its least eigenvalue is no less than [`ODDITY`], so that
/// no pivot of the elimination is 0.
fn solved(mut rows: Vec<Vec<f64>>, mut values: Vec<f64>) -> Vec<f64> {
    let count = values.len();
    for pivot in 0..count {
        let (done, below) = rows.split_at_mut(pivot + 1);
        let first = &done[pivot];
        for (row, later) in below.iter_mut().zip(pivot + 1..) {
            let factor = row[pivot] / first[pivot];
            for (number, above) in row.iter_mut().zip(first) {
                *number -= factor * above;
            }
            values[later] -= factor * values[pivot];
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|of| rows[row][of] * values[of]).sum();
        values[row] = (values[row] - known) / rows[row][row];
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f64) -> Place {
        [x, 1.0, 2.0, 3.0]
    }

    #[test]
    fn equations_are_solved() {
        let rows = vec![
            vec![2.0, 1.0, 0.5],
            vec![1.0, 3.0, 0.25],
            vec![0.5, 0.25, 1.5],
        ];
        let x = solved(rows.clone(), vec![1.0, -2.0, 4.0]);
        for (row, value) in rows.iter().zip([1.0, -2.0, 4.0]) {
            let sum: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((sum - value).abs() < 1e-12, "{x:?}");
        }
        assert!(solved(Vec::new(), Vec::new()).is_empty());
    }

    #[test]
    fn values_are_found_again_and_fade_away_from_where_they_were_measured() {
        let between = Interpolation::new(&[(place(0.0), 1.0), (place(8.0), -1.0)]);
        assert!((between.at(&place(0.0)) - 1.0).abs() < 0.15);
        assert!((between.at(&place(8.0)) + 1.0).abs() < 0.15);
        assert!(between.at(&place(4.0)).abs() < 1e-9);
        assert!(between.at(&place(1.0)) > between.at(&place(2.0)));
        assert!(between.at(&place(40.0)).abs() < 1e-3);
        assert_eq!(Interpolation::new(&[]).at(&place(0.0)), 0.0);
    }

    #[test]
    fn many_points_at_one_place_count_as_little_more_than_one() {
        let one = [(place(0.0), 1.0), (place(4.0), -1.0)];
        let mut many = one.to_vec();
        many.extend([(place(0.0), 1.0); 9]);
        let [one, many] =
            [&one[..], &many].map(|points| Interpolation::new(points).at(&place(2.0)));
        assert!(one.abs() < 1e-9);
        assert!(many.abs() < 0.05, "{many}");
    }
}
