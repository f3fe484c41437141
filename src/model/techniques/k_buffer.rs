//! The k-buffer (Bavoil and others, I3D 2007) and hybrid transparency (Maule and others, I3D 2013): a sorted core of the
//! K nearest layers, and a tail of all others.
//!
//! There is only one walk. Layers enter the core in any order; when the core overflows, its farthest layer joins the
//! tail. The result is exact for up to K layers, but fog fills the core. The core does not depend on the order of the
//! list; a tail in list order does.

use super::Technique;
use super::keeping::{DRAWN_NODE, NODE, Rest, behind_core, bound_of_core};
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
    pub kept: u32,
    pub rest: Rest,
    /// Minimum opacity of layers that enter the core. 0.05 (as in HTGS) keeps fog out of the core.
    pub core_opacity: f32,
}

impl KBuffer {
    pub fn new(kept: u32, rest: Rest) -> Self {
        Self {
            kept,
            rest,
            core_opacity: 0.0,
        }
    }

    /// The core front to back, and the tail in the order of joining.
    fn split(&self, layers: &[Layer]) -> (Vec<usize>, Vec<usize>) {
        let most = self.kept as usize;
        let (mut core, mut tail) = (Vec::new(), Vec::new());
        for index in counting(layers) {
            if layers[index].opacity < self.core_opacity {
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
        behind_core(layers, &core, &tail, self.rest)
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        bound_of_core(self.split(layers), self.rest, layers)
    }

    fn bytes(&self) -> PixelBytes {
        let [rest, drawn] = self.rest.bytes();
        PixelBytes::new(self.kept * NODE + rest, self.kept * DRAWN_NODE + drawn)
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("KEPT", self.kept.into()),
            ("REST", (self.rest as u32).into()),
            ("CORE_OPACITY", self.core_opacity.into()),
        ]
    }

    fn words(&self) -> Option<String> {
        let mut words = self.kept.to_string();
        if ![Rest::Drop, Rest::default()].contains(&self.rest) {
            words += &format!(" {}", self.rest);
        }
        if self.core_opacity > 0.0 {
            words += &format!(" from {}", self.core_opacity);
        }
        Some(words)
    }

    fn takes_any_order(&self) -> bool {
        self.rest != Rest::ListOrder
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::{sorted, transmittance};
    use super::super::tests::{error, layers};
    use super::*;

    // Colours differ by at most 1; a dropped tail errs by its whole transmittance.
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
            for rest in [Rest::Drop, Rest::Average, Rest::Weighted, Rest::ListOrder] {
                let found = error(&KBuffer::new(4, rest), &list);
                assert!(found <= bound + 1e-12, "{rest:?}: {found} {bound}");
                assert!(rest != Rest::Drop || found > 0.99 * bound);
            }
        }
    }
}
