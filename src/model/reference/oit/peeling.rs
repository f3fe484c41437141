//! Depth peeling (Everitt 2001) and dual depth peeling (Bavoil and Myers 2008): every walk finds the next layer behind the
//! last one, or the next from both ends.
//!
//! Exact up to n layers, or 2n; those behind, or between the ends, are lost. Order does not matter.

use serde::{Deserialize, Serialize};

use super::{Believed, Layer, Technique, composited, sorted};
use crate::model::flag_value::written_as_in_flags;

/// The ends from which each walk takes a layer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// The near end.
    #[value(help = "The nearest layer that is left")]
    #[default]
    Front,
    /// Both ends: dual depth peeling.
    #[value(help = "The nearest and the farthest: what is lost is the middle")]
    Both,
}

written_as_in_flags!(Ends);

/// Depth peeling and its dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peeling {
    /// n, walks over the list, or layers that fewer walks take, 1 to 1024, default 4 (VTK's).
    pub walks: u32,
    /// Default front.
    pub ends: Ends,
    /// T in front at which it stops, 0 to 0.1, default 0: never before the list ends.
    pub early_out: f32,
}

impl Peeling {
    /// Without an early-out.
    pub fn new(walks: u32, ends: Ends) -> Self {
        Self {
            walks,
            ends,
            early_out: 0.0,
        }
    }

    /// The layers that it takes, front to back, and how many decisions were close.
    pub fn taken(&self, layers: &[Layer]) -> (Vec<usize>, u32) {
        let mut order = sorted(layers);
        let walks = self.walks.clamp(1, 1024) as usize;
        let (kept, near_ties) = cut(layers, &order, walks, self.early_out);
        let back = match self.ends {
            // As many from the far end as walks were made, of what the near end has left.
            Ends::Both => kept.max(order.len().saturating_sub(kept)),
            Ends::Front => order.len(),
        };
        order.drain(kept..back);
        (order, near_ties)
    }
}

impl Technique for Peeling {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let (order, near_ties) = self.taken(layers);
        Believed {
            near_ties,
            ..composited(layers, order)
        }
    }
}

/// How many layers are in front after which T is under `early_out`, `most` at the most, and how many decisions were close.
///
/// The kernel's T is a product in f32: one that is within 1e-5 of the bound, relative to it, is a near tie.
pub(super) fn cut(layers: &[Layer], order: &[usize], most: usize, early_out: f32) -> (usize, u32) {
    let (mut left, mut near_ties) = (1.0, 0);
    let bound = f64::from(early_out);
    for (at, &index) in order.iter().enumerate() {
        if at >= most || left < bound {
            return (at, near_ties);
        }
        left *= 1.0 - layers[index].alpha();
        near_ties += u32::from((left - bound).abs() < 1e-5 * bound);
    }
    (order.len(), near_ties)
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
