//! Kinds of items, and the numbers of items in a frame. An item is anything that may become a splat in a frame's lists.

use super::Feature;

/// Kind of an item. The code in `src/frame/layers` projects and lights each kind and owns its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    Particle,
    /// A cell of a sheet.
    Cell,
    /// A splat from a file.
    Gaussian,
}

impl ItemKind {
    /// Every kind, in the order of item numbers and of the constants in `shaders/common/items.wesl`.
    pub const ALL: [Self; KINDS] = [Self::Particle, Self::Cell, Self::Gaussian];

    pub fn name(self) -> &'static str {
        match self {
            Self::Particle => "particle",
            Self::Cell => "cell",
            Self::Gaussian => "splat",
        }
    }

    /// Feature of the shaders that can evaluate this kind; `None` if all shaders can.
    pub fn feature(self) -> Option<Feature> {
        match self {
            Self::Particle => None,
            Self::Cell => Some(Feature::Sheets),
            Self::Gaussian => Some(Feature::Gaussians),
        }
    }

    /// True if splats of this kind can be stored in half floats (`shaders/common/half_splat.wesl`).
    pub fn fits_halves(self) -> bool {
        match self {
            Self::Particle | Self::Gaussian => true,
            Self::Cell => false,
        }
    }
}

pub const KINDS: usize = 3;

/// Length of `first_items` in `shaders/common/frame.wesl`: a start for each kind and the end of all items.
pub const MOST_STARTS: usize = 8;
const _: () = assert!(KINDS < MOST_STARTS);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemCounts([u32; KINDS]);

impl ItemCounts {
    pub fn new(count: impl FnMut(ItemKind) -> u32) -> Self {
        Self(ItemKind::ALL.map(count))
    }

    pub fn only(kind: ItemKind, count: u32) -> Self {
        Self::new(|other| if other == kind { count } else { 0 })
    }

    pub fn of(&self, kind: ItemKind) -> u32 {
        self.0[kind as usize]
    }

    pub fn has(&self, kind: ItemKind) -> bool {
        self.of(kind) > 0
    }

    /// Kinds that have items.
    pub fn kinds(&self) -> impl Iterator<Item = ItemKind> {
        ItemKind::ALL.into_iter().filter(|&kind| self.has(kind))
    }

    /// True if there are items and all of them are of this kind.
    pub fn are_all(&self, kind: ItemKind) -> bool {
        self.kinds().eq([kind])
    }

    pub fn total(&self) -> u32 {
        self.0.into_iter().fold(0, u32::saturating_add)
    }

    /// Number of the first item of a kind.
    pub fn first(&self, kind: ItemKind) -> u32 {
        let before = self.0.iter().take(kind as usize);
        before.copied().fold(0, u32::saturating_add)
    }

    /// Number of the first item of each kind, followed by the total number of items.
    pub fn starts(&self) -> [u32; MOST_STARTS] {
        let mut starts = [self.total(); MOST_STARTS];
        for kind in ItemKind::ALL {
            starts[kind as usize] = self.first(kind);
        }
        starts
    }

    /// Kind of an item, and the item's number within that kind.
    pub fn kind_of(&self, item: u32) -> (ItemKind, u32) {
        let from_last = ItemKind::ALL.into_iter().rev();
        let mut kinds = from_last.map(|kind| (kind, self.first(kind)));
        let found = kinds.find(|(kind, first)| item >= *first && self.has(*kind));
        found.map_or((ItemKind::Particle, item), |(kind, first)| {
            (kind, item - first)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_has_the_kind_that_its_number_lies_in() {
        let counts = ItemCounts([3, 0, 2]);
        let kinds: Vec<_> = (0..counts.total())
            .map(|item| counts.kind_of(item))
            .collect();
        let particles = (0..3).map(|number| (ItemKind::Particle, number));
        let gaussians = (0..2).map(|number| (ItemKind::Gaussian, number));
        assert!(particles.chain(gaussians).eq(kinds));
        assert_eq!(counts.starts()[..4], [0, 3, 3, 5]);
        assert!(!counts.are_all(ItemKind::Gaussian));
        assert!(ItemCounts([0, 0, 2]).are_all(ItemKind::Gaussian));
        assert!(!ItemCounts::default().are_all(ItemKind::Particle));
    }
}
