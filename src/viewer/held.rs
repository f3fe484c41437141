//! The displayed range of differences: fitted to the first measurement of two methods in a scene, and held while the
//! scene runs, so that colours keep their meaning.

use crate::methods::Specialization;
use crate::report::range::{DifferenceRange, Histogram};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPair {
    pub scene: u64,
    pub methods: [Specialization; 2],
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldRange {
    range: DifferenceRange,
    of: Option<ComparedPair>,
}

impl HeldRange {
    /// The range; the default one before fitting.
    pub fn range(&self) -> DifferenceRange {
        self.range
    }

    /// True if the range was fitted to differences of `compared`, and no refit was requested since.
    pub fn is_of(&self, compared: &ComparedPair) -> bool {
        self.of.as_ref() == Some(compared)
    }

    pub fn is_fitted(&self) -> bool {
        self.of.is_some()
    }

    /// Fits the range to the measurement, if it was fitted to something else and anything differs.
    pub fn follow(&mut self, compared: ComparedPair, differences: &Histogram) {
        if !self.is_of(&compared)
            && let Some(range) = differences.range()
        {
            (self.range, self.of) = (range, Some(compared));
        }
    }

    pub fn fit_again(&mut self) {
        self.of = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::Method;

    #[test]
    fn the_range_is_held_until_what_is_compared_changes_or_it_is_to_be_fitted_again() {
        let methods = [Method::WaveTree, Method::PixelLoop].map(Specialization::new);
        let mut held = HeldRange::default();
        let mut range = |scene, difference: f32, again: bool| {
            if again {
                held.fit_again();
            }
            let differences = Histogram::of(&[difference; 100]);
            held.follow(ComparedPair { scene, methods }, &differences);
            held.range().exponents()
        };
        assert_eq!(range(1, 3e-7, false), [-7, -6]);
        assert_eq!(range(1, 3e-4, false), [-7, -6], "the scene runs");
        assert_eq!(range(2, 3e-5, false), [-5, -4], "another scene");
        assert_eq!(range(2, 3e-2, true), [-2, -1]);
    }
}
