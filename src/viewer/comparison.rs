//! Comparison of A and B: view settings and results. Independent of winit and wgpu.

use clap::ValueEnum;

use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::report::range::{DifferenceRange, Histogram, RangeChoice};

use super::flip::Flip;
use super::preset::Compare;
use super::view::{BESIDE_THE_PICTURE, Layout, ONLY_A, View};

/// Seconds for which each method is shown while blinking.
const BLINK: f32 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPair {
    pub scene: u64,
    pub methods: [Specialization; 2],
}

/// Displayed range of differences, fitted once per scene and pair of methods, so that a colour keeps its meaning.
#[derive(Default)]
pub struct FittedRange {
    /// The default range until the first fit.
    pub range: DifferenceRange,
    of: Option<ComparedPair>,
}

impl FittedRange {
    /// True if the range was fitted to differences of `compared`, and no refit has been requested since.
    pub fn is_of(&self, compared: &ComparedPair) -> bool {
        self.of.as_ref() == Some(compared)
    }

    /// Fits the range to `differences`, unless it is already fitted to `compared`.
    pub fn follow(&mut self, compared: ComparedPair, differences: &Histogram) {
        if !self.is_of(&compared)
            && let Some(range) = differences.range()
        {
            (self.range, self.of) = (range, Some(compared));
        }
    }
}

#[derive(Default)]
pub struct Comparison {
    pub chosen: Compare,
    pub fitted_range: FittedRange,
    pub hold_reference: bool,
    /// Seconds since blinking last switched to A.
    blink_time: f32,
    pub flip: Option<Flip>,
}

impl Comparison {
    /// Selects the next usable method as B. After the last method comes the first.
    pub fn next_other(&mut self, usable: &[Method]) {
        let at = usable.iter().position(|method| *method == self.chosen.b);
        let next = at.map_or(0, |at| at + 1) % usable.len().max(1);
        self.chosen.b = usable.get(next).copied().unwrap_or(self.chosen.b);
    }

    pub fn advance_blink(&mut self, seconds: f32) {
        self.blink_time = (self.blink_time + seconds) % (2.0 * BLINK);
    }

    /// Method shown on the left: the reference while key R is held.
    pub fn left(&self) -> Method {
        if self.hold_reference {
            self.chosen.reference
        } else {
            self.chosen.a
        }
    }

    /// Method B, if the view needs it.
    pub fn right(&self) -> Option<Method> {
        let chosen = &self.chosen;
        let beside = chosen.split_on || chosen.blink || chosen.layout == Layout::SideBySide;
        let needed =
            self.view_shown().is_difference() || chosen.metrics || (beside && !self.hold_reference);
        needed.then_some(chosen.b)
    }

    pub fn shown(&self) -> [Option<Method>; 2] {
        [Some(self.left()), self.right()]
    }

    /// Fraction of the picture's width that shows A, 0…1, or [`ONLY_A`].
    pub fn split_now(&self) -> f32 {
        let chosen = &self.chosen;
        let is_picture = chosen.view == View::Picture || chosen.layout != Layout::Single;
        if !is_picture || self.hold_reference {
            ONLY_A
        } else if chosen.blink {
            if self.blink_time < BLINK { ONLY_A } else { 0.0 }
        } else if chosen.split_on {
            chosen.split
        } else {
            ONLY_A
        }
    }

    pub fn view_beside(&self) -> View {
        match self.chosen.view {
            View::Picture => BESIDE_THE_PICTURE,
            view => view,
        }
    }

    pub fn view_chosen(&self) -> View {
        match self.chosen.layout {
            Layout::Single => self.chosen.view,
            Layout::WithDifference | Layout::SideBySide => self.view_beside(),
        }
    }

    /// Chooses a view. In layouts that also show the picture, [`View::Picture`] means the default difference.
    pub fn choose_view(&mut self, view: View) {
        let is_usual = self.chosen.layout != Layout::Single && view == BESIDE_THE_PICTURE;
        self.chosen.view = if is_usual { View::Picture } else { view };
    }

    pub fn next_difference(&mut self) {
        let next = match self.view_chosen().next_difference() {
            View::Picture if self.chosen.layout != Layout::Single => {
                View::Picture.next_difference()
            }
            next => next,
        };
        self.choose_view(next);
    }

    pub fn view_shown(&self) -> View {
        match self.hold_reference {
            true => View::Picture,
            false => self.view_chosen(),
        }
    }

    pub fn difference_range(&self) -> DifferenceRange {
        match self.chosen.difference_range {
            RangeChoice::Auto => self.fitted_range.range,
            RangeChoice::Fixed(range) => range,
        }
    }

    /// Range for a saved picture of the current view, if the view shows differences and the range is known.
    pub fn range_shown(&self) -> Option<DifferenceRange> {
        let is_fixed = self.chosen.difference_range != RangeChoice::Auto;
        let is_known = is_fixed || self.fitted_range.of.is_some();
        let is_shown = self.view_shown() == View::Log;
        (is_shown && is_known).then(|| self.difference_range())
    }

    /// Requests a fit of the range to the next result.
    pub fn fit_range(&mut self) {
        self.chosen.difference_range = RangeChoice::Auto;
        self.fitted_range.of = None;
    }

    pub fn flags(&self) -> String {
        let (chosen, mut flags) = (&self.chosen, String::new());
        if self.right().is_some() {
            flags += &format!(" --against {}", chosen.b);
        }
        if let Some(layout) = chosen.layout.to_possible_value() {
            flags += &format!(" --layout {}", layout.get_name());
        }
        if chosen.view != View::Picture {
            flags += &format!(" --view {}", chosen.view.flag());
        }
        if let Some(range) = self.range_shown() {
            flags += &format!(" --difference-range {range}");
        }
        if chosen.split_on {
            flags += &format!(" --split {}", chosen.split);
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_kept_until_what_is_compared_changes_or_it_is_to_be_fitted_again() {
        let methods = [Method::WaveTree, Method::PixelLoop].map(Specialization::new);
        let mut comparison = Comparison::default();
        let mut range = |scene, difference: f32, again: bool| {
            if again {
                comparison.fit_range();
            }
            let differences = Histogram::of(&[difference; 100]);
            let fitted = &mut comparison.fitted_range;
            fitted.follow(ComparedPair { scene, methods }, &differences);
            comparison.difference_range().exponents()
        };
        assert_eq!(range(1, 3e-7, false), [-7, -6]);
        assert_eq!(range(1, 3e-4, false), [-7, -6], "the scene runs");
        assert_eq!(range(2, 3e-5, false), [-5, -4], "another scene");
        assert_eq!(range(2, 3e-2, true), [-2, -1]);
    }
}
