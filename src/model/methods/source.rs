//! Sources of layers; a method's shader is compiled for one of them.

use crate::model::flag_value::flag_values;
use crate::model::items::{ItemCounts, ItemKind, KINDS};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The frame's particles and fog slices, and other kinds.
    Frame(Kinds),
    /// A frame with only Gaussians.
    Gaussians(Stored),
    Table,
    /// Only round splats (the case `cloud` of `bench`).
    Cloud(Stored),
    Synthetic(Cost, ListKind),
}

/// Storage of splats in a frame that contains nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stored {
    /// Single precision (`shaders/common/splat.wesl`).
    #[default]
    Whole,
    /// Half floats except for positions (`shaders/common/half_splat.wesl`).
    Halves,
}

/// Contents of a frame's lists in addition to a few particles and fog slices. Shaders are compiled only for the kinds
/// present, because even unused code takes registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds {
    /// Flags for the kinds of items besides particles, at their places in [`ItemKind::ALL`].
    pub items: [bool; KINDS],
    /// Fog is integrated: layers are seen through it, but it is not a layer.
    pub integrated: bool,
    /// True if a tile may have more particles than fog slices.
    pub crowd: bool,
}

flag_values! {
    /// Cost of evaluating a layer of a synthetic list.
    pub enum Cost {
        /// A Gaussian: about 12 instructions.
        #[default]
        Cheap,
        Textured,
        /// A Gaussian and value noise computed in place.
        Procedural,
    }

    pub enum ListKind {
        #[default]
        Particles,
        Fog,
        /// Either, at random, so that lanes with a layer each diverge.
        Mixed,
    }
}

impl Kinds {
    /// Kinds of the counted items, without fog.
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
    /// Source of a method inside a frame: `of_frame` if this source is a frame, otherwise this source.
    pub fn in_frame(self, of_frame: Source) -> Self {
        match self {
            Source::Frame(_) => of_frame,
            other => other,
        }
    }

    /// Bytes of a staged layer in workgroup memory: the fields of `Fetched` that the source fills.
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
