//! The k-buffer (Bavoil and others, I3D 2007) and hybrid transparency (Maule and others, I3D 2013): the K nearest layers,
//! sorted, and a tail of what did not fit.
//!
//! One walk. Layers go into the core in whatever order they come; the farthest of more than K leaves it and joins the
//! tail. Exact up to K layers; fog fills the core. The core does not depend on order, a tail in list order does.

use serde::Serialize;

use super::weighted::Weight;
use super::{Believed, Layer, Technique, counting, in_order, shares};
use crate::model::flag_value::written_as_in_flags;

/// What becomes of layers outside the core, or without room in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Tail {
    /// They are lost, and what they hid shows: the k-buffer. Errs by at most `T_core (1 - T_tail)`.
    #[value(help = "They are lost, as in k-buffer")]
    Drop,
    /// Their average by opacity, behind the core: hybrid transparency.
    #[value(help = "Averaged by opacity")]
    #[default]
    Average,
    /// Weighted blending with [`Weight::Paper7`], α once.
    #[value(help = "Averaged by opacity and a weight of their depth, paper7")]
    Weighted,
    /// Blended in the order in which they leave the core or come, earliest nearest. Exact on sorted lists.
    #[value(help = "Blended in the order in which they are left out")]
    ListOrder,
}

/// k-buffer and hybrid transparency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KBuffer {
    /// K, layers of the core, 2 to 16, default 8.
    pub core: u32,
    pub tail: Tail,
    /// The least opacity that enters the core, 0 to 0.5, default 0. 0.05 (HTGS) keeps fog out of it.
    pub threshold: f32,
}

impl KBuffer {
    pub fn new(core: u32, tail: Tail) -> Self {
        Self {
            core,
            tail,
            threshold: 0.0,
        }
    }

    /// The core front to back, and the tail in the order in which layers joined it.
    pub fn split(&self, layers: &[Layer]) -> (Vec<usize>, Vec<usize>) {
        let most = self.core.clamp(2, 16) as usize;
        let (mut core, mut tail) = (Vec::new(), Vec::new());
        for index in counting(layers) {
            if layers[index].opacity < self.threshold {
                tail.push(index);
                continue;
            }
            let behind = |&other: &usize| layers[other].order(&layers[index]).is_gt();
            let place = core.iter().position(behind).unwrap_or(core.len());
            core.insert(place, index);
            if core.len() > most {
                tail.extend(core.pop());
            }
        }
        (core, tail)
    }
}

impl Technique for KBuffer {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let (core, tail) = self.split(layers);
        behind_core(layers, &core, &tail, self.tail)
    }
}

/// A sorted core over a tail.
pub(super) fn behind_core(layers: &[Layer], core: &[usize], tail: &[usize], way: Tail) -> Believed {
    let (mut all, front) = in_order(layers, core.iter().copied());
    let (in_turn, behind) = in_order(layers, tail.iter().copied());
    let weight = |index: usize| match way {
        Tail::Weighted => Weight::Paper7.at(f64::from(layers[index].depth), 0.0, 0.0),
        _ => 1.0,
    };
    let (tail_shares, behind) = match way {
        Tail::Drop => (vec![0.0; layers.len()], 1.0),
        Tail::ListOrder => (in_turn, behind),
        Tail::Average | Tail::Weighted => {
            let mut weights = vec![0.0; layers.len()];
            tail.iter()
                .for_each(|&index| weights[index] = weight(index));
            (shares(layers, &weights, 1.0 - behind), behind)
        }
    };
    let sums = all.iter_mut().zip(tail_shares);
    sums.for_each(|(share, tail)| *share += front * tail);
    Believed::of(layers, all, front * behind)
}

written_as_in_flags!(Tail);

#[cfg(test)]
mod tests {
    use super::super::tests::{error, layers};
    use super::super::{sorted, transmittance};
    use super::*;

    /// Times the spread of colours, which is 1; a dropped tail errs by all of it in transmittance.
    #[test]
    fn a_tail_errs_by_no_more_than_the_core_lets_through() {
        for seed in 0..40 {
            let list = layers(30, seed, 0.02..0.4);
            let order = sorted(&list);
            let left = |part: &[usize]| {
                let part: Vec<Layer> = part.iter().map(|&index| list[index]).collect();
                transmittance(&part)
            };
            let bound = left(&order[..4]) * (1.0 - left(&order[4..]));
            for tail in [Tail::Drop, Tail::Average, Tail::Weighted, Tail::ListOrder] {
                let found = error(&KBuffer::new(4, tail), &list);
                assert!(found <= bound + 1e-12, "{tail:?}: {found} {bound}");
                assert!(tail != Tail::Drop || found > 0.99 * bound);
            }
        }
    }
}
