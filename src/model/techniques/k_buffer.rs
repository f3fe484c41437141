//! The k-buffer (Bavoil and others, I3D 2007) and hybrid transparency (Maule and others, I3D 2013): a sorted core of the K
//! nearest layers, and a tail of all others.
//!
//! One walk. Layers enter the core in any order; when it overflows, the farthest joins the tail. Exact up to K layers; fog
//! fills the core. The core does not depend on order, but a tail in list order does.

use super::Technique;
use super::keeping::{DRAWN_NODE, NODE, Tail, behind_core, bound_of_core};
use super::layers::{Layer, OitResult, counting};
use crate::model::constant::Constant;
use crate::model::methods::entry::{APPROXIMATE, Entry, PixelBytes};
use crate::model::options::rows::{Within, own_options};

pub const K_BUFFER: Entry = Entry {
    name: "k-buffer",
    module: "methods/k_buffer",
    mapping: "as list-order; the nearest layers of a pixel in registers, in order (--kept)",
    cost: "n sequential evaluations per pixel; no sort; up to K exchanges for a layer that enters, 6 K numbers of state",
    guarantee: "exact up to K layers, no order; layers behind them are lost, and the background shows through",
    origin: "k-buffer (Bavoil and others 2007)",
    bench_options: "kept=8 | kept=4 | kept=16 | core_opacity=0.05",
    ..APPROXIMATE
};

pub const HYBRID: Entry = Entry {
    name: "hybrid",
    module: "methods/k_buffer",
    mapping: "as k-buffer; layers behind the nearest are averaged, or blended differently (--rest)",
    cost: "as k-buffer, with 5 more numbers of state",
    guarantee: "exact up to K layers, exact transmittance, no order unless --rest list-order; fog fills the core",
    origin: "hybrid transparency (Maule and others 2013)",
    bench_options: "kept=8 | kept=4 | kept=16 | rest=weighted | rest=list-order | core_opacity=0.05",
    ..APPROXIMATE
};

own_options! {
    "Approximate: k-buffer, hybrid, mlab, adaptive, linked-list"
    pub struct KBufferOptions {
        /// Minimum opacity of layers that `k-buffer` and `hybrid` keep, 0 to 0.5; above 0 it keeps fog out of the core
        pub core_opacity in "OPACITY": f32 = 0.0, Within([0.0, 0.5]), ["k-buffer", "hybrid"];
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KBuffer {
    pub core: u32,
    pub tail: Tail,
    /// Least opacity that enters the core. 0.05 (HTGS) keeps fog out of it.
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
    fn split(&self, layers: &[Layer]) -> (Vec<usize>, Vec<usize>) {
        let most = self.core as usize;
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
    fn composite(&self, layers: &[Layer]) -> OitResult {
        let (core, tail) = self.split(layers);
        behind_core(layers, &core, &tail, self.tail)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        bound_of_core(self.split(layers), self.tail, layers)
    }

    fn bytes(&self) -> PixelBytes {
        let [rest, drawn] = self.tail.bytes();
        PixelBytes::new(self.core * NODE + rest, self.core * DRAWN_NODE + drawn)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("KEPT", self.core.into()),
            ("REST", (self.tail as u32).into()),
            ("CORE_OPACITY", self.threshold.into()),
        ]
    }

    fn words(&self) -> Option<String> {
        let mut words = self.core.to_string();
        if ![Tail::Drop, Tail::default()].contains(&self.tail) {
            words += &format!(" {}", self.tail);
        }
        if self.threshold > 0.0 {
            words += &format!(" from {}", self.threshold);
        }
        Some(words)
    }

    fn takes_any_order(&self) -> bool {
        self.tail != Tail::ListOrder
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::{sorted, transmittance};
    use super::super::tests::{error, layers};
    use super::*;

    // The spread of colours is 1; a dropped tail errs by its whole transmittance.
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
