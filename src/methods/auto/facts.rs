//! Facts about lists on which `auto` bases its choice.

use crate::model::methods::Source;

/// Facts about lists that a choice depends on, in addition to the adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    pub pixels: u32,
    /// Mean number of layers of a list.
    pub mean: f64,
    /// Number of layers of the longest list.
    pub longest: u32,
    pub layers: Source,
}

/// Factor within which lists may differ from the timed lists for the times to hold.
const ALIKE: f64 = 1.25;

impl Facts {
    /// True if times measured with these lists hold for `other` lists.
    pub fn are_like(&self, other: &Self) -> bool {
        let near = |a: f64, b: f64| a.max(b) + 1.0 <= ALIKE * (a.min(b) + 1.0);
        (self.pixels, self.layers) == (other.pixels, other.layers)
            && near(self.mean, other.mean)
            && near(self.longest.into(), other.longest.into())
    }
}
