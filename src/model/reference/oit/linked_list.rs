//! Lists of a pixel in memory (per-pixel linked lists, Yang and others, EGSR 2010): each pixel stores the layers that it sees as
//! they come, and sorts them in the end.
//!
//! Exact while they fit. What does not fit are those that come last in the list, however near they are: results then
//! depend on order.

use super::kbuffer::{Tail, behind_core};
use super::{Believed, Layer, Technique, counting, sorted};

/// Lists in memory and their dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkedList {
    /// Layers that a pixel has room for, 4 to 64, default 16.
    pub room: u32,
    /// What becomes of the others: a full pool of an engine drops them.
    pub rest: Tail,
}

impl LinkedList {
    /// With room for `room` layers.
    pub fn new(room: u32, rest: Tail) -> Self {
        Self { room, rest }
    }

    /// The layers that are stored, front to back, and the others in the order in which they come.
    pub fn split(&self, layers: &[Layer]) -> (Vec<usize>, Vec<usize>) {
        let rest: Vec<usize> = counting(layers).skip(self.room as usize).collect();
        let end = rest.first().copied().unwrap_or(layers.len());
        (sorted(&layers[..end]), rest)
    }
}

impl Technique for LinkedList {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let (stored, rest) = self.split(layers);
        behind_core(layers, &stored, &rest, self.rest)
    }
}
