//! Rows of the table of methods.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Waves,
    /// Wave operations and SPIR-V passthrough (Vulkan).
    NativeSpirv,
    Blending,
}

/// Methods that run in the same way; each group has one file in `src/methods/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    PerPixel,
    /// A wave for each pixel, or for several pixels.
    PerWave,
    /// A thread for one or several pixels, with the list in workgroup memory.
    Staged,
    SplitDepth,
    Batches,
    /// Drawn by the blending hardware, so it cannot stop early.
    Blended,
    /// Chosen for every frame ([`crate::methods::auto`]).
    Auto,
    /// A thread for one or several pixels, walking a list in any order ([`crate::model::techniques`]).
    AnyOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    Exact(Bound),
    /// An approximation. The distance from the exact result is reported, but any distance is accepted.
    Approximate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The bound of f32 ([`crate::model::reference::composite::error_bound`]), or
    /// [`crate::model::reference::half::error_bound_half_runs`] if the method composites in half floats on request.
    Rounding,
    /// Every step rounds to a half float ([`crate::model::reference::half::error_bound_half`]).
    HalfBlends,
}

/// Properties of a method that matter outside its shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// Composites in half floats on request ([`Precision::Half`](crate::model::options::Precision)), with the bound
    /// [`crate::model::reference::half::error_bound_half_runs`].
    TakesHalf,
    /// Forms an exclusive prefix product, so the hazard option applies.
    PrefixProduct,
    /// Lanes without a layer leave the loop, except with [`Tail::Padded`](crate::model::options::Tail).
    Ragged,
    LoopsOverLanes,
    /// Finds the last lane with an opcode that WGSL lacks and that is patched into the SPIR-V.
    FindsMsbNatively,
    /// Several threads can share a pixel, each with a part of the list.
    SharesPixels,
    /// Reads the value of one lane in all other lanes, so [`LaneRead`](crate::model::options::LaneRead) applies.
    ReadsLanes,
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// Shader module below `shaders/`.
    pub module: &'static str,
    pub needs: Needs,
    pub group: Group,
    pub accuracy: Accuracy,
    pub traits: &'static [Trait],
    /// Mapping of threads to pixels and layers.
    pub mapping: &'static str,
    pub cost: &'static str,
    pub guarantee: &'static str,
    /// Handling of the partial last wave of a list.
    pub tail: &'static str,
    /// How the transmittance of one group reaches the next group.
    pub carry: &'static str,
    pub origin: &'static str,
    /// Option values that a benchmark measures, defaults first: `field=value` joined by spaces, alternatives joined by `|`.
    pub bench_options: &'static str,
}

impl Entry {
    pub fn has(&self, what: Trait) -> bool {
        self.traits.contains(&what)
    }
}

pub const APPROXIMATE: Entry = Entry {
    accuracy: Accuracy::Approximate,
    ..row(Group::AnyOrder)
};

/// Default row of a group in which each thread composites its layers one by one.
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

/// Bytes of a technique's state per pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelBytes {
    /// Bytes in this program's kernel: in registers, or in a thread's column of workgroup memory.
    pub state: u32,
    /// Bytes in an engine's targets besides the picture: by default sums in half floats, `T` and colours in 8 bits per
    /// channel, and depths in 32 bits. `None` if the size depends on the number of layers at a pixel.
    pub drawn: Option<u32>,
}

pub const NUMBER: u32 = size_of::<f32>() as u32;
/// Bytes of the targets for weighted sums: four half floats, and `T` in 8 bits.
pub const DRAWN_SUMS: u32 = 9;

impl PixelBytes {
    pub const fn new(state: u32, drawn: u32) -> Self {
        Self {
            state,
            drawn: Some(drawn),
        }
    }
}
