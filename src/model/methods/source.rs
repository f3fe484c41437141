//! Where the layers of a list come from, which a method's shader is compiled for.

use crate::model::flag_value::flag_values;
use crate::model::items::{ItemCounts, ItemKind, KINDS};

/// Where layers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The frame's particles and fog slices, and what else it has.
    Frame(Kinds),
    /// Those of a frame that has Gaussians and nothing else.
    Gaussians(Stored),
    /// A table of given layers (`verify`).
    Table,
    /// Round splats alone (the case `cloud` of `bench`).
    Cloud(Stored),
    /// Synthetic layers (`bench`).
    Synthetic(Cost, ListKind),
}

/// How the splats are stored of a frame that has nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stored {
    /// In single precision (`shaders/common/splat.wesl`).
    #[default]
    Whole,
    /// In half floats, but for their places (`shaders/common/half_splat.wesl`).
    Halves,
}

/// What a frame's lists hold beside some particles and fog slices. Shaders know the kinds that there are, and no others: code
/// that is never run takes registers, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds {
    /// Kinds of items besides particles, at their places in [`ItemKind::ALL`].
    pub items: [bool; KINDS],
    /// Fog is integrated: layers are seen through it, and it is none of them.
    pub integrated: bool,
    /// More particles than a tile has fog slices.
    pub crowd: bool,
}

flag_values! {
    /// What evaluating one layer of a synthetic list costs.
    pub enum Cost {
        /// A gaussian: about 12 instructions.
        #[default]
        Cheap,
        /// A gaussian and a texture fetch.
        Textured,
        /// A gaussian and value noise computed in place.
        Procedural,
    }

    /// What a synthetic list is made of.
    pub enum ListKind {
        /// Particles alone.
        #[default]
        Particles,
        /// Fog slices alone.
        Fog,
        /// Either, at random, so that lanes with one layer each diverge.
        Mixed,
    }
}

impl Kinds {
    /// Kinds of items, without fog.
    pub fn of(counts: &ItemCounts) -> Self {
        Self {
            items: ItemKind::ALL.map(|kind| kind.feature().is_some() && counts.has(kind)),
            ..Self::default()
        }
    }

    pub fn has(&self, kind: ItemKind) -> bool {
        self.items[kind as usize]
    }
}

impl Default for Source {
    fn default() -> Self {
        Source::Frame(Kinds::default())
    }
}

impl Source {
    /// The source itself, or, where it is a frame's, what that frame has.
    pub fn in_frame(self, of_frame: Source) -> Self {
        match self {
            Source::Frame(_) => of_frame,
            other => other,
        }
    }

    /// Bytes of workgroup memory that a staged layer takes: the fields of `Fetched` that the source fills
    /// (`shaders/methods/staging.wesl`).
    pub fn staged_bytes(self) -> u32 {
        const FIELD: u32 = 16;
        match self {
            Source::Table => FIELD,
            Source::Cloud(_) | Source::Gaussians(Stored::Halves) | Source::Synthetic(..) => {
                2 * FIELD
            }
            Source::Gaussians(Stored::Whole) => 3 * FIELD,
            Source::Frame(_) => 4 * FIELD,
        }
    }
}
