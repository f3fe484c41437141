//! Depth peeling (Everitt 2001): every walk finds the next layer behind the previous one.
//!
//! The result is exact up to the number of layers taken; layers behind those are lost. Order does not matter.

use super::Technique;
use super::bounds::{bound_of_order, picked};
use super::keeping::NODE;
use super::layers::{Layer, OitResult, composited, sorted};
use crate::model::constant::Constant;
use crate::model::methods::entry::{APPROXIMATE, Entry, NUMBER, PixelBytes};
use crate::model::options::rows::{Among, Within, own_options};

pub const PEELING: Entry = Entry {
    name: "peeling",
    module: "methods/peeling",
    mapping: "as list-order; each walk takes the next nearest layer (--peels)",
    cost: "a walk of n evaluations per layer taken, until none is left; no sort; 12 numbers of state",
    guarantee: "no order; exact up to as many layers as walks; the others are lost",
    origin: "depth peeling (Everitt 2001)",
    bench_options: "peels=4 | peels=16",
    ..APPROXIMATE
};

pub const A_BUFFER: Entry = Entry {
    name: "a-buffer",
    module: "methods/peeling",
    mapping: "as peeling, several layers a walk, sorted in registers (--capacity, --passes)",
    cost: "n evaluations and insertions per walk; no sort of lists; 6 numbers of state per layer taken",
    guarantee: "no order; exact up to passes times capacity layers, the others are lost",
    origin: "per-pixel sorted lists (Yang et al. 2010), in passes",
    bench_options: "passes=1 | passes=4",
    ..APPROXIMATE
};

own_options! {
    "Approximate: peeling, a-buffer"
    pub struct PeelingOptions {
        /// Walks of `peeling`, 1 to 64: each takes the next layer
        pub peels in "COUNT": u32 = 4, Within([1, 64]), ["peeling"];
        /// Layers that a pixel of `a-buffer` takes and sorts in one pass: 8 or 16
        pub capacity in "COUNT": u32 = 16, Among(&[8, 16]), ["a-buffer"];
        /// Maximum passes of `a-buffer` over the list, 1 to 64; layers behind those taken are lost
        pub passes in "COUNT": u32 = 1, Within([1, 64]), ["a-buffer"];
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peeling {
    pub walks: u32,
    /// Number of layers taken and sorted per walk: 1 for peeling, 8 or 16 for an A-buffer.
    pub capacity: u32,
}

impl Peeling {
    pub fn new(walks: u32, capacity: u32) -> Self {
        Self { walks, capacity }
    }

    fn taken(&self, layers: &[Layer]) -> Vec<usize> {
        let mut order = sorted(layers);
        order.truncate((self.walks * self.capacity) as usize);
        order
    }
}

impl Technique for Peeling {
    fn composite(&self, layers: &[Layer]) -> OitResult {
        composited(layers, self.taken(layers))
    }

    fn bound(&self, layers: &[Layer], _: &OitResult) -> [f64; 4] {
        bound_of_order(&picked(layers, &self.taken(layers)))
    }

    /// When drawn, peeling needs the depths of two walks and their composite; an A-buffer stores every layer.
    fn bytes(&self) -> PixelBytes {
        PixelBytes {
            state: self.capacity * NODE + 4 * NUMBER,
            drawn: (self.capacity == 1).then_some(2 * 4 + 8),
        }
    }

    fn constants(&self) -> Vec<(&'static str, Constant)> {
        vec![
            ("WALKS", self.walks.into()),
            ("TAKEN", self.capacity.into()),
        ]
    }

    fn words(&self) -> Option<String> {
        Some(match self.capacity {
            1 => self.walks.to_string(),
            capacity => format!("{} x {capacity}", self.walks),
        })
    }

    /// Each walk searches for a layer's place in steps of four, the first step without a loop.
    fn turns(&self) -> u32 {
        1 + self.walks * (1 + self.capacity.div_ceil(4))
    }
}
