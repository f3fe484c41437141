//! Depth peeling (Everitt 2001): every walk finds the next layer behind the last one.
//!
//! Exact up to n layers; those behind are lost. Order does not matter.

use super::{Believed, Layer, Technique, composited, sorted};

/// Depth peeling and its dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peeling {
    /// n, walks over the list, or layers that fewer walks take, 1 to 1024, default 4 (VTK's).
    pub walks: u32,
}

impl Peeling {
    /// The layers that it takes, front to back.
    pub fn taken(&self, layers: &[Layer]) -> Vec<usize> {
        let mut order = sorted(layers);
        order.truncate(self.walks.clamp(1, 1024) as usize);
        order
    }
}

impl Technique for Peeling {
    fn believe(&self, layers: &[Layer]) -> Believed {
        composited(layers, self.taken(layers))
    }
}
