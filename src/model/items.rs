//! Kinds of items, the things that may become a splat in a frame's lists, and their numbers in a frame.

use super::Feature;

/// Kind of an item. Their projection, light and buffers are in `src/frame/layers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    Particle,
    /// A cell of a sheet.
    Cell,
    /// A splat of a file.
    Gaussian,
}

impl ItemKind {
    /// Every kind, in the order of its items' numbers and of the constants in `shaders/common/items.wesl`.
    pub const ALL: [Self; KINDS] = [Self::Particle, Self::Cell, Self::Gaussian];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Particle => "particle",
            Self::Cell => "cell",
            Self::Gaussian => "splat",
        }
    }

    /// Feature of shaders that can evaluate this kind; `None` if all can.
    pub fn feature(self) -> Option<Feature> {
        match self {
            Self::Particle => None,
            Self::Cell => Some(Feature::Sheets),
            Self::Gaussian => Some(Feature::Gaussians),
        }
    }

    /// True if half floats can store its splats (`shaders/common/half_splat.wesl`).
    pub fn fits_halves(self) -> bool {
        match self {
            Self::Particle | Self::Gaussian => true,
            Self::Cell => false,
        }
    }
}

pub const KINDS: usize = 3;

/// Length of `first_items` in `shaders/common/frame.wesl`: a start per kind and the end of all.
pub const MOST_STARTS: usize = 8;
const _: () = assert!(KINDS < MOST_STARTS);

/// Numbers of items of each kind.
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

    /// Kinds with items.
    pub fn kinds(&self) -> impl Iterator<Item = ItemKind> {
        ItemKind::ALL.into_iter().filter(|&kind| self.has(kind))
    }

    /// True if there are items, all of this kind.
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

    /// Number of the first item of each kind, then the number of all items.
    pub fn starts(&self) -> [u32; MOST_STARTS] {
        let mut starts = [self.total(); MOST_STARTS];
        for kind in ItemKind::ALL {
            starts[kind as usize] = self.first(kind);
        }
        starts
    }

    /// Kind of an item, and its number among those of its kind.
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
