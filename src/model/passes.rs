//! The passes of a frame in order, and others that are timed: one label each for debug groups, timers, tables and traces.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::methods::Method;

/// Declares the passes, each by its label: those of a frame in their order, with the inputs of methods that they make, and
/// others.
macro_rules! passes {
    (
        of_a_frame { $($(#[$doc:meta])* $pass:ident = $label:literal, $makes:expr;)* }
        beside { $($(#[$other_doc:meta])* $other:ident = $other_label:literal;)* }
    ) => {
        /// A pass; reports and records have its label.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Pass {
            $($(#[$doc])* $pass,)*
            $($(#[$other_doc])* $other,)*
        }

        impl Pass {
            /// Those of a frame in their order, but for [`Pass::Ui`], which only a window has.
            pub const ALL: [Self; [$($label),*].len()] = [$(Self::$pass),*];

            pub const fn label(self) -> &'static str {
                match self {
                    $(Pass::$pass => $label,)*
                    $(Pass::$other => $other_label,)*
                }
            }

            /// Whether a method that needs `inputs` needs this pass before its composite.
            fn makes(self, inputs: Inputs) -> bool {
                let makes: fn(Inputs) -> bool = match self {
                    $(Pass::$pass => $makes,)*
                    $(Pass::$other)|* => |_| false,
                };
                makes(inputs)
            }
        }
    };
}

passes! {
    of_a_frame {
        /// Where every particle is now.
        Simulate = "simulate", |of| of.have(Inputs::VISIBLE_ITEMS);
        /// Which triangle is seen, and its depth.
        Opaque = "opaque", |_| true;
        /// Visible particles become splats.
        Project = "project", |of| of.have(Inputs::VISIBLE_ITEMS);
        /// Splats by macro tile.
        Bin = "bin", Inputs::have_lists;
        /// Tile lists that are not in order of depth.
        UnsortedLists = "unsorted lists", Inputs::have_unsorted;
        /// Tile lists in the order of depth keys of few bits.
        CoarseLists = "coarse lists", |of| of.have(Inputs::COARSE_LISTS);
        /// Tile lists, cut at opaque surfaces, fog slices merged in.
        Lists = "lists", |of| of.have(Inputs::LISTS);
        /// Depth from the sun.
        Shadow = "shadow", |_| true;
        /// The light of opaque surfaces.
        Surface = "surface", |_| true;
        /// Froxels, sheets and splats lit.
        Light = "light", |of| of.have(Inputs::VISIBLE_ITEMS);
        /// The method at work.
        Composite = "composite", |_| false;
        /// The glow around what is bright.
        Bloom = "bloom", |_| false;
        /// Tone map, dither, antialiasing.
        Resolve = "resolve", |_| false;
    }
    beside {
        /// In a window: the pictures on screen, and the panes over them.
        Ui = "ui";
        /// Behind the window's frames, where it is wanted: a debug view's values.
        DebugView = "debug view";
        /// The same: method A measured against B.
        Metrics = "metrics";
        /// The same: a pixel's layers.
        Probe = "probe";
        /// The same: one method for its value at the probed pixel.
        ProbeComposite = "probe composite";
        /// In a measurement: work of known length, which shows the GPU's clock.
        KnownWork = "known work";
        /// In a benchmark: fog along a column.
        Integrate = "integrate";
    }
}

impl Serialize for Pass {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.label())
    }
}

impl<'de> Deserialize<'de> for Pass {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let label = String::deserialize(deserializer)?;
        let found = Self::ALL.into_iter().find(|pass| pass.label() == label);
        found.ok_or_else(|| D::Error::custom(format!("no pass is called \"{label}\"")))
    }
}

/// What a time is of: a pass, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    pub pass: Pass,
    /// Of a composite, the method at work; none where all methods have one name.
    pub method: Option<Method>,
    /// Of a method of several passes, one that is not the method's own, such as "stream".
    pub part: Option<&'static str>,
}

impl Label {
    /// Of a method's composite.
    pub fn of(method: Method) -> Self {
        Self {
            method: Some(method),
            ..Pass::Composite.into()
        }
    }

    /// Of a part of it.
    pub fn part(self, part: &'static str) -> Self {
        Self {
            part: Some(part),
            ..self
        }
    }

    /// The debug group that it stands in: the same for all methods.
    pub fn group(&self) -> String {
        let pass = match self.pass {
            Pass::ProbeComposite => Pass::Composite,
            pass => pass,
        };
        self.with_part(pass.label())
    }

    fn with_part(&self, name: &str) -> String {
        match self.part {
            Some(part) => format!("{name} ({part})"),
            None => name.to_owned(),
        }
    }
}

impl From<Pass> for Label {
    fn from(pass: Pass) -> Self {
        Self {
            pass,
            method: None,
            part: None,
        }
    }
}

/// The method's name, or the pass's, with the part: `fixed-function (stream)`.
impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.method.map_or(self.pass.label(), Method::name);
        f.write_str(&self.with_part(name))
    }
}

/// What a method, or all that looks at a frame, needs of it before the composite: a set. Opaque surfaces, lit, are in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs(u8);

impl Inputs {
    /// Nothing else.
    pub const OPAQUE: Self = Self(0);
    /// Items projected and lit, those dropped that are not seen.
    pub const VISIBLE_ITEMS: Self = Self(0b0001);
    /// Tile lists in the order of items, fog slices behind them.
    pub const UNSORTED_LISTS: Self = Self(0b0011);
    /// Tile lists in the order of depth keys of few bits, fog slices to be merged in.
    pub const COARSE_LISTS: Self = Self(0b0101);
    /// Tile lists in order of depth, fog slices merged in.
    pub const LISTS: Self = Self(0b1001);
    /// Tile lists in whatever order items were binned, fog slices behind them.
    pub const ANY_LISTS: Self = Self(0b1_0001);
    pub const ALL: Self = Self(0b1_1111);

    /// Whether `needed` is among them.
    pub fn have(self, needed: Self) -> bool {
        self.0 & needed.0 == needed.0
    }

    /// These and `others`.
    pub fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// All of them, or none.
    pub fn of(all: impl Iterator<Item = Self>) -> Option<Self> {
        all.reduce(Self::with)
    }

    /// Whether there are lists, in whatever order: all kinds are of the same lengths.
    pub fn have_lists(self) -> bool {
        let kinds = [
            Self::UNSORTED_LISTS,
            Self::COARSE_LISTS,
            Self::ANY_LISTS,
            Self::LISTS,
        ];
        kinds.into_iter().any(|kind| self.have(kind))
    }

    /// Whether there are lists in the order of items, or in any.
    fn have_unsorted(self) -> bool {
        self.have(Self::UNSORTED_LISTS) || self.have(Self::ANY_LISTS)
    }

    /// The passes that make them.
    pub fn passes(self) -> impl Iterator<Item = Pass> {
        Pass::ALL.into_iter().filter(move |pass| pass.makes(self))
    }
}

impl Default for Inputs {
    /// What most methods need.
    fn default() -> Self {
        Self::LISTS
    }
}
