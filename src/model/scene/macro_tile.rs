//! Size of the macro tiles that bin and sort a frame's items.

use crate::model::flag_value::flag_values;

flag_values! {
    /// Tiles of a macro tile: a square of tiles with items that one workgroup sorts. The lists are the same with all sizes.
    pub enum MacroTile {
        /// 4x4, or 2x2 in frames with too many small items for a workgroup to sort a larger square at once.
        #[default]
        Auto,
        /// 16 tiles.
        #[serde(rename = "4x4")]
        #[value(name = "4x4")]
        Four,
        /// 4 tiles.
        #[serde(rename = "2x2")]
        #[value(name = "2x2")]
        Two,
        /// Every tile by itself.
        #[serde(rename = "1x1")]
        #[value(name = "1x1")]
        One,
    }
}

impl MacroTile {
    /// log2 of the edges in tiles that [`MacroTile::Auto`] chooses from: for most frames, and for frames with
    /// overfull macro tiles.
    pub const SHIFTS: [u32; 2] = [2, 1];

    /// log2 of its edge in tiles; none where it is chosen by the frame's counters.
    pub fn shift(self) -> Option<u32> {
        match self {
            MacroTile::Auto => None,
            MacroTile::Four => Some(2),
            MacroTile::Two => Some(1),
            MacroTile::One => Some(0),
        }
    }

    /// log2 of its edge in tiles, before the frame's counters are known.
    pub fn first_shift(self) -> u32 {
        self.shift().unwrap_or(Self::SHIFTS[0])
    }
}
