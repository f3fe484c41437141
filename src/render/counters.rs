//! The counters that a frame's passes hand to one another, mirrored from `shaders/common/counters.wesl`.

/// Particles, cells of sheets and splats of files.
pub const ITEMS: u32 = 0;
/// Splats: visible particles, cells and splats of files.
pub const VISIBLE: u32 = 1;
/// Tile entries that the splats need.
pub const ENTRIES_NEEDED: u32 = 2;
/// Tile entries that fit.
pub const ENTRIES: u32 = 3;
/// Layers in the longest list.
pub const LONGEST_LIST: u32 = 4;
/// Layers in all lists.
pub const LISTED_LAYERS: u32 = 5;
/// Number of counters.
pub const COUNT: usize = 8;

/// Elements per workgroup of one-invocation-per-element kernels.
pub const ELEMENT_BLOCK: u32 = 256;
/// Pairs per workgroup of the radix sort, tile entries per workgroup that emits them.
pub const SORT_BLOCK: u32 = 2048;

/// Counters as read back after a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Visible particles, cells and splats of files.
    pub visible: u32,
    /// Tile entries that the splats need.
    pub entries_needed: u32,
    /// Tile entries that were listed.
    pub entries: u32,
    /// Layers in the longest list, fog slices included.
    pub longest_list: u32,
    /// Layers in all lists, fog slices included.
    pub listed_layers: u32,
}

impl Counters {
    /// From the buffer's words.
    pub fn from_words(words: &[u32]) -> Self {
        let word = |index: u32| words.get(index as usize).copied().unwrap_or_default();
        Self {
            visible: word(VISIBLE),
            entries_needed: word(ENTRIES_NEEDED),
            entries: word(ENTRIES),
            longest_list: word(LONGEST_LIST),
            listed_layers: word(LISTED_LAYERS),
        }
    }

    /// Layers that did not fit the buffers and are missing from the picture.
    pub fn dropped(&self) -> u32 {
        self.entries_needed - self.entries.min(self.entries_needed)
    }
}
