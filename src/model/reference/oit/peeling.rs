//! Depth peeling (Everitt 2001) and dual depth peeling (Bavoil and Myers 2008): every walk finds the next layer behind the
//! last one, or the next from both ends.
//!
//! Exact up to n layers, or 2n; those behind, or between the ends, are lost. Order does not matter.

use serde::{Deserialize, Serialize};

use super::{Believed, Layer, Technique, composited, sorted};
use crate::model::flag_value::written_as_in_flags;

/// The ends from which each walk takes a layer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// The nearest layer that is left
    #[default]
    Front,
    /// The nearest and the farthest: what is lost is the middle
    Both,
}

written_as_in_flags!(Ends);

/// Depth peeling and its dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peeling {
    /// n, walks over the list, or layers that fewer walks take, 1 to 1024, default 4 (VTK's).
    pub walks: u32,
    pub ends: Ends,
}

impl Peeling {
    pub fn new(walks: u32, ends: Ends) -> Self {
        Self { walks, ends }
    }

    /// The layers that it takes, front to back.
    pub fn taken(&self, layers: &[Layer]) -> Vec<usize> {
        let mut order = sorted(layers);
        let walks = self.walks.clamp(1, 1024) as usize;
        let front = order.len().min(walks);
        let back = match self.ends {
            // As many from the far end as walks were made, of what the near end has left.
            Ends::Both => front.max(order.len() - front),
            Ends::Front => order.len(),
        };
        order.drain(front..back);
        order
    }
}

impl Technique for Peeling {
    fn believe(&self, layers: &[Layer]) -> Believed {
        composited(layers, self.taken(layers))
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact;
    use super::super::tests::{apart, in_depth, layers};
    use super::*;

    #[test]
    fn what_is_left_out_is_the_farthest_or_the_middle() {
        let list = layers(20, 3, 0.05..0.4);
        let order = in_depth(&list);
        let expect = |technique: Peeling, kept: &[Layer]| {
            let found = technique.believe(&list).result;
            assert!(apart(found, exact(kept).result) < 1e-12, "{technique:?}");
        };
        expect(Peeling::new(4, Ends::Front), &order[..4]);
        expect(
            Peeling::new(4, Ends::Both),
            &[&order[..4], &order[16..]].concat(),
        );
    }
}
