//! The row of a method.

use serde::{Deserialize, Serialize};

/// What an adapter must offer for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Waves,
    /// Wave operations and SPIR-V passthrough (Vulkan).
    NativeSpirv,
    Blending,
}

/// Methods that run alike; each group has one file in `src/methods/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    PerPixel,
    /// A wave per pixel, which may walk several.
    PerWave,
    /// A thread per one or several pixels, and the list in workgroup memory.
    Staged,
    SplitDepth,
    Batches,
    /// Drawn by the blending hardware. Such a method cannot stop early.
    Blended,
    /// Chosen for every frame ([`crate::methods::auto`]).
    Auto,
    /// A thread per pixel, or several, that walk a list in any order ([`crate::model::techniques`]).
    AnyOrder,
}

/// How far a method's result may be from the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// It computes the exact result, within this bound.
    Exact(Bound),
    /// It computes something else: its distance from the exact result is reported, and no fault while it is a number.
    Approximate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// That of f32 ([`crate::model::reference::composite::error_bound`]), or, where a method composites in half floats if
    /// asked to, that of [`crate::model::reference::half::error_bound_half_runs`].
    Rounding,
    /// Every step rounds to a half float ([`crate::model::reference::half::error_bound_half`]).
    HalfBlends,
}

/// What the program has to know of a method besides its shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// It composites in half floats if asked to ([`Precision::Half`](crate::model::options::Precision)), and has then a bound of its own
    /// ([`crate::model::reference::half::error_bound_half_runs`]).
    TakesHalf,
    /// It forms an exclusive prefix product, so that the hazard concerns it.
    PrefixProduct,
    /// Lanes without a layer leave its loop, unless [`Tail::Padded`](crate::model::options::Tail) is asked for.
    Ragged,
    /// Lanes loop over the lanes of their wave.
    LoopsOverLanes,
    /// The last lane is found by an opcode that WGSL lacks: it is patched into the SPIR-V.
    FindsMsbNatively,
    /// Several threads can share a pixel, each with a part of its list.
    SharesPixels,
    /// It reads the value of one lane in all others, so that [`LaneRead`](crate::model::options::LaneRead) concerns it.
    ReadsLanes,
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in CLI, files and reports.
    pub name: &'static str,
    /// Shader module below `shaders/`.
    pub module: &'static str,
    pub needs: Needs,
    pub group: Group,
    pub accuracy: Accuracy,
    /// What else the program has to know of the method.
    pub traits: &'static [Trait],
    /// Who does what: the mapping of threads to pixels and layers.
    pub mapping: &'static str,
    pub cost: &'static str,
    pub guarantee: &'static str,
    /// How the partial last wave of a list is handled.
    pub tail: &'static str,
    /// How the transmittance of a group reaches the next.
    pub carry: &'static str,
    pub origin: &'static str,
    /// The options at which a benchmark tells the error of an approximate method beside its time, the usual ones first: `field=value`,
    /// several joined by blanks, parted by `|`.
    pub bench_options: &'static str,
}

impl Entry {
    pub fn has(&self, what: Trait) -> bool {
        self.traits.contains(&what)
    }
}

/// The row of an approximate method but for what its own says.
pub const APPROXIMATE: Entry = Entry {
    accuracy: Accuracy::Approximate,
    ..row(Group::AnyOrder)
};

/// What the methods of a group share unless their rows say otherwise: a thread takes layer after layer.
pub const fn row(group: Group) -> Entry {
    Entry {
        name: "",
        module: "",
        needs: match group {
            Group::PerWave => Needs::Waves,
            _ => Needs::Nothing,
        },
        group,
        accuracy: Accuracy::Exact(Bound::Rounding),
        traits: &[],
        mapping: "",
        cost: "",
        guarantee: "",
        tail: "none: one layer at a time",
        carry: "in the thread, layer by layer",
        origin: "",
        bench_options: "",
    }
}

/// What a technique keeps of a pixel, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelBytes {
    /// In this program's kernel: registers, or a thread's column of workgroup memory.
    pub state: u32,
    /// In the targets that engines draw it into, beside the picture: sums in half floats, `T` and colours in 8 bits a channel,
    /// depths in 32, unless options say otherwise. None where it depends on how many layers a pixel has.
    pub drawn: Option<u32>,
}

/// Bytes of a number in a thread's registers.
pub const NUMBER: u32 = size_of::<f32>() as u32;
/// Bytes of the targets of weighted sums: four half floats, and `T` in 8 bits.
pub const DRAWN_SUMS: u32 = 9;

impl PixelBytes {
    /// In the kernel, and in the targets that engines draw it into.
    pub const fn new(state: u32, drawn: u32) -> Self {
        Self {
            state,
            drawn: Some(drawn),
        }
    }
}
