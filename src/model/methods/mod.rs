//! The methods: one [`table`] with their names, what they are, what they need, and which shader runs them; and the
//! [`source`] of their layers.

mod source;
mod table;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, suggestion};
use crate::model::Capabilities;

pub use source::{Cost, Kinds, ListKind, Source, Stored};
pub use table::TABLE;

/// One way to composite a tile's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A thread per pixel.
    PixelLoop,
    /// A lane per layer; a loop of WaveReadLaneAt.
    ReadLaneLoop,
    /// WaveActiveLerp; the carry comes from WaveActiveProduct.
    WaveLerpProduct,
    /// WaveActiveLerp; the carry is read from the last lane, found by ballot.
    WaveLerpBallot,
    /// WaveActiveLerp; the ballot's bits are made scalar before the last lane is found.
    WaveLerpBallotScalar,
    /// WaveActiveLerp; the last lane is found by a native opcode.
    WaveLerpFindMsb,
    /// WaveActiveLerp with a padded tail: all lanes are active, and the carry is read from the last of them.
    WaveLerpKnownLast,
    /// Like [`Method::WaveLerpKnownLast`], with one sum over the lanes after the list's last group.
    WaveLerpDeferred,
    /// A thread per one or several pixels; the list is staged through workgroup memory.
    PixelLoopStaged,
    /// A lane per layer; an ordered butterfly over the lanes.
    WaveTree,
    /// Several threads per pixel.
    SplitDepth,
    /// Several workgroups per list.
    SplitBatches,
    /// Drawn back to front by the blending hardware, into 32-bit floats.
    FixedFunction,
    /// Drawn back to front by the blending hardware, into 16-bit floats.
    #[serde(rename = "fixed-function-f16")]
    FixedFunctionF16,
    /// Picks the method that should be fastest, for every frame.
    Auto,
    // Approximate methods from here on.
    /// Alpha blending in the order of the list.
    ListOrder,
    /// Colours averaged by opacity over the exact transmittance.
    Average,
    /// The same, averaged by a weight of each layer's depth and opacity.
    Weighted,
    /// The same, drawn and added up by the blending hardware.
    WeightedDrawn,
    /// The same, averaged by transmittance from a histogram of absorbance.
    Histogram,
    /// The nearest layers in order, without the rest.
    KBuffer,
    /// The nearest layers in order, over an average of the rest.
    Hybrid,
    /// Nodes in order; the two farthest blend where one is too many.
    Mlab,
    /// Steps of transmittance; the one that matters least goes where one is too many.
    Adaptive,
    /// The same, averaged by transmittance from moments of absorbance.
    Moment,
    /// A sum of all layers in which the background is one more.
    WeightedSum,
    /// Each layer covers some samples of a pixel at random.
    Stochastic,
    /// A walk for each of the nearest layers.
    Peeling,
    /// A walk for each few of the nearest layers, which a pixel sorts.
    ABuffer,
    /// Lists of a pixel in memory, which it sorts.
    LinkedList,
    /// Alpha blending in the order of depth keys of few bits.
    Coarse,
}

/// What an adapter must offer for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing beyond compute shaders.
    Nothing,
    /// Wave operations.
    Waves,
    /// Wave operations and SPIR-V passthrough (Vulkan).
    NativeSpirv,
    /// Blending into 32-bit float targets.
    Blending,
}

/// Methods that run alike; each has one file in `src/methods/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A thread per pixel.
    PerPixel,
    /// A wave per pixel, which may walk several.
    PerWave,
    /// A thread per one or several pixels, and the list in workgroup memory.
    Staged,
    /// Several threads per pixel.
    SplitDepth,
    /// Several workgroups per list.
    Batches,
    /// Drawn by the blending hardware. Such a method cannot stop early.
    Blended,
    /// Chosen for every frame ([`crate::methods::auto`]).
    Auto,
    /// A technique that needs no sorted list, or a coarsely sorted one, and errs.
    Approximate(Approximate),
}

/// Families of approximate methods: a thread per pixel walks a list in any order, staged through workgroup memory, but for those that
/// are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Approximate {
    /// Nothing but colour and opacity.
    Baselines,
    /// A weight of the layer's own depth and opacity.
    Weighted,
    /// The same, drawn by the blending hardware.
    WeightedDrawn,
    /// A weight that bins of absorbance over depth give.
    Histogram,
    /// The nearest layers in order.
    KBuffer,
    /// So many nodes, of which two are joined to make room for a layer.
    MultiLayer,
    /// A weight that moments of absorbance over depth give.
    Moment,
    /// The same, and the background in the sum.
    WeightedSum,
    /// Samples of a pixel that a layer covers at random.
    Stochastic,
    /// The nearest layers, walk by walk.
    Peeling,
    /// Lists of a pixel in memory.
    LinkedList,
    /// An order that is nearly right.
    Coarse,
}

/// How far a method's result may be from the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// It computes the exact result, within this bound.
    Exact(Bound),
    /// It computes something else: its distance from the exact result is reported, and no fault while it is a number.
    Approximate,
}

/// The bound of an exact method.
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
    /// It reads the value of one lane in all others, so that [`LaneRead`](crate::model::options::LaneRead) concerns it.
    ReadsLanes,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub method: Method,
    /// Its name in CLI, files and reports.
    pub name: &'static str,
    /// Shader module below `shaders/`.
    pub module: &'static str,
    /// What the adapter must offer.
    pub needs: Needs,
    pub family: Family,
    pub accuracy: Accuracy,
    /// What else the program has to know of the method.
    pub traits: &'static [Trait],
    /// Who does what: the mapping of threads to pixels and layers.
    pub mapping: &'static str,
    /// What it costs, one line.
    pub cost: &'static str,
    /// What it guarantees, one line.
    pub guarantee: &'static str,
    /// How the partial last wave of a list is handled.
    pub tail: &'static str,
    /// How the transmittance of a group reaches the next.
    pub carry: &'static str,
    /// Where it comes from.
    pub origin: &'static str,
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

impl Method {
    pub fn all() -> impl Iterator<Item = Method> {
        TABLE.iter().map(|entry| entry.method)
    }

    /// Those that are exact, in order.
    pub fn exact() -> impl Iterator<Item = Method> {
        Self::all().filter(|method| method.is_exact())
    }

    /// Those that are not.
    pub fn approximate() -> impl Iterator<Item = Method> {
        Self::all().filter(|method| !method.is_exact())
    }

    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The method called `name`.
    ///
    /// # Errors
    /// There is no such method; the message names the nearest.
    pub fn by_name(name: &str) -> Result<Self> {
        let found = Self::all().find(|method| method.name() == name);
        found.ok_or_else(|| {
            let near = suggestion(name, Self::all().map(Self::name));
            Error::usage(format!("there is no method \"{name}\"{near}"))
        })
    }

    /// The methods that a word of `--methods` means: `exact`, `approximate`, `all` or a name.
    pub fn meant_by(word: &str) -> Result<Vec<Self>> {
        Ok(match word {
            "exact" => Self::exact().collect(),
            "approximate" => Self::approximate().collect(),
            "all" => Self::all().collect(),
            name => vec![Self::by_name(name)?],
        })
    }

    /// Whether `word` means several methods, not one by its name.
    pub fn is_group(word: &str) -> bool {
        ["exact", "approximate", "all"].contains(&word)
    }

    /// Whether it needs wave operations.
    pub fn uses_waves(self) -> bool {
        matches!(self.entry().needs, Needs::Waves | Needs::NativeSpirv)
    }

    /// Whether the table says this of it.
    pub fn has(self, what: Trait) -> bool {
        self.entry().traits.contains(&what)
    }

    pub fn is_drawn(self) -> bool {
        matches!(
            self.entry().family,
            Family::Blended | Family::Approximate(Approximate::WeightedDrawn)
        )
    }

    /// Whether its result is the exact one within a bound.
    pub fn is_exact(self) -> bool {
        self.entry().accuracy != Accuracy::Approximate
    }

    /// Whether every step rounds to a half float.
    pub fn rounds_to_half(self) -> bool {
        self.entry().accuracy == Accuracy::Exact(Bound::HalfBlends)
    }

    /// Whether it forms an exclusive prefix product ([`Trait::PrefixProduct`]).
    pub fn uses_prefix_product(self) -> bool {
        self.has(Trait::PrefixProduct)
    }

    /// Why this adapter cannot run it, if so.
    pub fn missing_on(self, caps: &Capabilities) -> Option<String> {
        if self.is_drawn() && !caps.draws_with_depth {
            return Some(
                "this driver crashes when it draws with vectors this wide; set LP_NATIVE_VECTOR_WIDTH \
                 to 256 or less"
                    .to_owned(),
            );
        }
        match self.entry().needs {
            Needs::Waves | Needs::NativeSpirv if !caps.waves => {
                Some("this adapter has no wave (subgroup) operations".to_owned())
            }
            Needs::NativeSpirv if !caps.native_spirv => Some(format!(
                "needs SPIR-V passthrough, which the {} back end does not offer here",
                caps.backend
            )),
            Needs::Blending if !caps.blends_f32 => Some(
                "this adapter cannot blend into 32-bit float targets (FLOAT32_BLENDABLE)"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// A method's name for messages.
impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_found_by_its_name() {
        for method in Method::all() {
            assert_eq!(Method::by_name(method.name()).ok(), Some(method));
        }
        assert!(Method::by_name("wave-lerp").is_err());
    }
}
