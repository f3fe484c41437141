use crate::model::methods::Source;

/// Facts about lists that the choice of `auto` depends on, besides the adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    pub pixels: u32,
    pub mean: f64,
    pub longest: u32,
    pub layers: Source,
}

/// Measured times hold for other lists that differ by less than this factor.
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
