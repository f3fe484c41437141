//! Passes of a frame in order, and other timed passes. Each has one label for debug groups, timers, tables and traces.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::methods::Method;

/// Declares the passes and their labels: a frame's passes in order with the inputs that they make, then other passes.
macro_rules! passes {
    (
        of_a_frame { $($(#[$doc:meta])* $pass:ident = $label:literal, $makes:expr;)* }
        beside { $($(#[$other_doc:meta])* $other:ident = $other_label:literal;)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Pass {
            $($(#[$doc])* $pass,)*
            $($(#[$other_doc])* $other,)*
        }

        impl Pass {
            /// Passes of a frame in order, without [`Pass::Ui`], which only windows have.
            pub const ALL: [Self; [$($label),*].len()] = [$(Self::$pass),*];

            pub const fn label(self) -> &'static str {
                match self {
                    $(Pass::$pass => $label,)*
                    $(Pass::$other => $other_label,)*
                }
            }

            /// True if a method that needs `inputs` needs this pass before its composite.
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
        Simulate = "simulate", |of| of.have(Inputs::VISIBLE_ITEMS);
        /// Visible triangle per pixel, and its depth.
        Opaque = "opaque", |_| true;
        /// Projects visible particles to splats.
        Project = "project", |of| of.have(Inputs::VISIBLE_ITEMS);
        /// Sorts splats into macro tiles.
        Bin = "bin", Inputs::have_lists;
        /// Tile lists without depth order.
        UnsortedLists = "unsorted lists", Inputs::have_unsorted;
        /// Tile lists ordered by depth keys of few bits.
        CoarseLists = "coarse lists", |of| of.have(Inputs::COARSE_LISTS);
        /// Tile lists, cut at opaque surfaces, fog slices merged in.
        Lists = "lists", |of| of.have(Inputs::LISTS);
        /// Depth from the sun.
        Shadow = "shadow", |_| true;
        /// Lights opaque surfaces.
        Surface = "surface", |_| true;
        /// Lights froxels, sheets and splats.
        Light = "light", |of| of.have(Inputs::VISIBLE_ITEMS);
        /// The method itself.
        Composite = "composite", |_| false;
        /// Glow around bright areas.
        Bloom = "bloom", |_| false;
        /// Tone map, dither, antialiasing.
        Resolve = "resolve", |_| false;
    }
    beside {
        /// In a window: the displayed pictures, and the panes above them.
        Ui = "ui";
        /// After a window's frame, on request: values of a debug view.
        DebugView = "debug view";
        /// After a window's frame, on request: errors of method A against B.
        Metrics = "metrics";
        /// After a window's frame, on request: layers of a pixel.
        Probe = "probe";
        /// After a window's frame, on request: a method's value at the probed pixel.
        ProbeComposite = "probe composite";
        /// In a measurement: a known workload, which reveals the GPU's clock.
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

/// A timed pass, or a timed part of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    pub pass: Pass,
    /// Method of a composite pass; `None` if the label is for all methods.
    pub method: Option<Method>,
    /// A part of a multi-pass method that is named separately, such as "stream".
    pub part: Option<&'static str>,
}

impl Label {
    pub fn of(method: Method) -> Self {
        Self {
            method: Some(method),
            ..Pass::Composite.into()
        }
    }

    pub fn part(self, part: &'static str) -> Self {
        Self {
            part: Some(part),
            ..self
        }
    }

    /// Name of the debug group, which is the same for all methods.
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

/// Name of the method or pass, with the part: `fixed-function (stream)`.
impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.method.map_or(self.pass.label(), Method::name);
        f.write_str(&self.with_part(name))
    }
}

/// Set of inputs needed before the composite pass. Every set includes lit opaque surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs(u8);

impl Inputs {
    /// Opaque surfaces alone.
    pub const OPAQUE: Self = Self(0);
    /// Items projected and lit, without invisible items.
    pub const VISIBLE_ITEMS: Self = Self(0b0001);
    /// Tile lists in item order, followed by fog slices.
    pub const UNSORTED_LISTS: Self = Self(0b0011);
    /// Tile lists ordered by depth keys of few bits; fog slices are merged later.
    pub const COARSE_LISTS: Self = Self(0b0101);
    /// Tile lists ordered by depth, fog slices merged in.
    pub const LISTS: Self = Self(0b1001);
    /// Tile lists in arbitrary binning order, followed by fog slices.
    pub const ANY_LISTS: Self = Self(0b1_0001);
    pub const ALL: Self = Self(0b1_1111);

    pub fn have(self, needed: Self) -> bool {
        self.0 & needed.0 == needed.0
    }

    pub fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Union of all the given inputs; `None` if there are none.
    pub fn of(all: impl Iterator<Item = Self>) -> Option<Self> {
        all.reduce(Self::with)
    }

    /// True if the inputs include lists in any order: lists of every kind have the same lengths.
    pub fn have_lists(self) -> bool {
        let kinds = [
            Self::UNSORTED_LISTS,
            Self::COARSE_LISTS,
            Self::ANY_LISTS,
            Self::LISTS,
        ];
        kinds.into_iter().any(|kind| self.have(kind))
    }

    /// True if the inputs include lists in item order or in arbitrary order.
    fn have_unsorted(self) -> bool {
        self.have(Self::UNSORTED_LISTS) || self.have(Self::ANY_LISTS)
    }

    pub fn passes(self) -> impl Iterator<Item = Pass> {
        Pass::ALL.into_iter().filter(move |pass| pass.makes(self))
    }
}

impl Default for Inputs {
    fn default() -> Self {
        Self::LISTS
    }
}
