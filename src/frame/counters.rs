//! Counters that a frame's passes share, as in `shaders/common/counters.wesl`. The frame's counters come first and are
//! read back. One counter per macro tile follows.

use crate::model::passes::Inputs;

pub const VISIBLE: u32 = 0;
pub const ENTRIES_NEEDED: u32 = 1;
pub const ENTRIES: u32 = 2;
pub const LONGEST_LIST: u32 = 3;
pub const LISTED_LAYERS: u32 = 4;
pub const PLACED: u32 = 5;
/// Index of the counter with the capacity in tile entries.
pub const ROOM: u32 = 6;
pub const PAIRS: u32 = 7;
pub const COUNT: usize = 8;

/// Words per macro tile's counter. The frame's counters have as many words.
pub const COUNTER_STRIDE: u64 = 32;

/// Elements per workgroup in kernels with one invocation per element.
pub const ELEMENT_BLOCK: u32 = 256;
/// Pairs per workgroup in the radix sort.
pub const SORT_BLOCK: u32 = 2048;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Number of visible particles, cells and Gaussians.
    pub visible: u32,
    /// Tile entries that the frame needs room for: its splats' entries, and twice the entries of macro tiles, which get
    /// half the room.
    pub entries_needed: u32,
    /// Tile entries of the frame's splats before depth tests, at most the capacity.
    pub entries: u32,
    /// Capacity in tile entries.
    pub room: u32,
    /// Number of layers in the longest list, including fog slices.
    pub longest_list: u32,
    /// Number of layers in all lists, including fog slices.
    pub listed_layers: u32,
    /// Inputs that the frame computed. Without lists, all counters except `visible` and `entries_needed` are 0.
    pub made: Inputs,
}

impl Counters {
    /// Parses the buffer's words after a frame that computed `made`.
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

    /// False if the frame made no lists, which leaves their lengths unknown.
    pub fn has_lists(&self) -> bool {
        self.made.have_lists()
    }

    /// Number of entries that did not fit. If it is not 0, the picture lacks layers.
    pub fn dropped(&self) -> u32 {
        match self.has_lists() {
            true => self.entries_needed.saturating_sub(self.room),
            false => 0,
        }
    }
}
