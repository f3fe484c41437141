//! The A-buffer: each pixel takes the layers that it sees from an unsorted list and sorts them itself (per-pixel linked
//! lists, Yang and others, EGSR 2010, and lists of a tile that each pixel sorts in registers).
//!
//! Exact while they fit. What does not fit are those that come last in the list, however near they are: results then
//! depend on order. `linked-list` is the same with its nodes in memory.

use super::kbuffer::{Tail, behind_core};
use super::{Believed, Layer, Technique, counting, sorted};

/// An A-buffer and its dials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ABuffer {
    /// Layers that a pixel holds, 1 to 4096: 8, 16 or 32 in registers, default 16; as many as memory has room for in linked lists.
    pub capacity: u32,
    /// What becomes of layers that find no room: default drop, as a full pool does.
    pub overflow: Tail,
}

impl ABuffer {
    /// With room for `capacity` layers.
    #[must_use]
    pub fn new(capacity: u32, overflow: Tail) -> Self {
        Self { capacity, overflow }
    }
}

impl Technique for ABuffer {
    fn believe(&self, layers: &[Layer]) -> Believed {
        let capacity = self.capacity.clamp(1, 4096) as usize;
        let tail: Vec<usize> = counting(layers).skip(capacity).collect();
        let end = tail.first().copied().unwrap_or(layers.len());
        let core = sorted(&layers[..end]);
        behind_core(layers, &core, &tail, self.overflow)
    }
}
