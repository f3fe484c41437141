//! The range of differences on screen: fitted to what was measured first of two methods in a scene, and held while the
//! scene runs, so that a colour keeps its meaning. Pure.

use crate::methods::Specialization;
use crate::report::range::{DifferenceRange, Histogram};

/// What differences are of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    pub scene: u64,
    /// Methods A and B with their options.
    pub methods: [Specialization; 2],
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldRange {
    range: DifferenceRange,
    of: Option<Compared>,
}

impl HeldRange {
    /// The range; before anything was fitted, the default one.
    pub fn range(&self) -> DifferenceRange {
        self.range
    }

    /// Whether the range was fitted to differences of this, and was not to be fitted again since.
    pub fn is_of(&self, compared: &Compared) -> bool {
        self.of.as_ref() == Some(compared)
    }

    pub fn is_fitted(&self) -> bool {
        self.of.is_some()
    }

    /// Fits the range to what was measured, if it was fitted to something else and anything differs.
    pub fn follow(&mut self, compared: Compared, differences: &Histogram) {
        if !self.is_of(&compared)
            && let Some(range) = differences.range()
        {
            (self.range, self.of) = (range, Some(compared));
        }
    }

    /// Fits the range again to the next result; until then it stays.
    pub fn fit_again(&mut self) {
        self.of = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::Method;

    fn compared(scene: u64, methods: [Method; 2]) -> Compared {
        Compared {
            scene,
            methods: methods.map(Specialization::new),
        }
    }

    fn of(difference: f32) -> Histogram {
        Histogram::of(&[difference; 100])
    }

    fn range(low: i32) -> DifferenceRange {
        DifferenceRange::new(low, low + 1).expect("a range")
    }

    #[test]
    fn the_range_is_held_until_a_method_or_the_scene_changes_or_it_is_to_be_fitted_again() {
        let methods = [Method::WaveTree, Method::PixelLoop];
        let mut held = HeldRange::default();
        held.follow(compared(1, methods), &of(3e-7));
        assert_eq!(held.range(), range(-7));
        held.follow(compared(1, methods), &of(3e-4));
        assert_eq!(held.range(), range(-7), "the scene runs");
        held.follow(compared(2, methods), &of(3e-5));
        assert_eq!(held.range(), range(-5), "another scene");
        let others = [Method::WaveTree, Method::ReadLaneLoop];
        held.follow(compared(2, others), &of(3e-6));
        assert_eq!(held.range(), range(-6), "another method");
        held.fit_again();
        assert_eq!(held.range(), range(-6), "until there is a result");
        held.follow(compared(2, others), &of(3e-2));
        assert_eq!(held.range(), range(-2));
    }
}
