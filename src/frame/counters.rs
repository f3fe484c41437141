//! The counters that a frame's passes hand to one another, mirrored from `shaders/common/counters.wesl`: those of the
//! frame, which are read back, and behind them one for each macro tile.

use crate::model::passes::Inputs;

pub const VISIBLE: u32 = 0;
pub const ENTRIES_NEEDED: u32 = 1;
pub const ENTRIES: u32 = 2;
pub const LONGEST_LIST: u32 = 3;
pub const LISTED_LAYERS: u32 = 4;
pub const PLACED: u32 = 5;
/// Tile entries that there is room for.
pub const ROOM: u32 = 6;
pub const PAIRS: u32 = 7;
/// Number of counters of the frame.
pub const COUNT: usize = 8;

/// Words from one macro tile's counter to the next, and of all the frame's.
pub const COUNTER_STRIDE: u64 = 32;

/// Elements per workgroup of one-invocation-per-element kernels.
pub const ELEMENT_BLOCK: u32 = 256;
/// Pairs per workgroup of the radix sort.
pub const SORT_BLOCK: u32 = 2048;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Visible particles, cells and Gaussians.
    pub visible: u32,
    /// Room for tile entries that the frame needs: for those of its splats, and for twice as many as macro tiles
    /// have; these have half as much room.
    pub entries_needed: u32,
    /// Tile entries of the frame's splats, before depth is asked, as many as there is room for.
    pub entries: u32,
    /// Tile entries that there is room for.
    pub room: u32,
    /// Layers in the longest list, fog slices included.
    pub longest_list: u32,
    /// Layers in all lists, fog slices included.
    pub listed_layers: u32,
    /// What the frame made. Without lists, all but `visible` and `entries_needed` is 0.
    pub made: Inputs,
}

impl Counters {
    /// From the buffer's words, after a frame that made `made`.
    pub fn from_words(words: &[u32], made: Inputs) -> Self {
        let word = |index: u32| words.get(index as usize).copied().unwrap_or_default();
        Self {
            visible: word(VISIBLE),
            entries_needed: word(ENTRIES_NEEDED),
            entries: word(ENTRIES),
            room: word(ROOM),
            longest_list: word(LONGEST_LIST),
            listed_layers: word(LISTED_LAYERS),
            made,
        }
    }

    /// Whether the frame made lists: without them their lengths are not known.
    pub fn has_lists(&self) -> bool {
        self.made.have_lists()
    }

    /// Entries for which there was no room. Layers are missing from the picture unless it is 0.
    pub fn dropped(&self) -> u32 {
        match self.has_lists() {
            true => self.entries_needed.saturating_sub(self.room),
            false => 0,
        }
    }
}
