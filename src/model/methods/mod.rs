//! The methods: one [`table`] with their names, what they are, what they need, and which shader runs them; and the
//! [`source`] of their layers.

mod source;
mod table;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, suggestion};
use crate::model::Capabilities;
use crate::model::adapter::drawing_part;

pub use source::{Cost, Kinds, ListKind, Source, Stored};
pub use table::TABLE;

/// One way to composite a tile's list; its row of [`TABLE`] says how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    PixelLoop,
    ReadLaneLoop,
    WaveLerpProduct,
    WaveLerpBallot,
    WaveLerpBallotScalar,
    WaveLerpFindMsb,
    WaveLerpKnownLast,
    WaveLerpDeferred,
    PixelLoopStaged,
    WaveTree,
    SplitDepth,
    SplitBatches,
    FixedFunction,
    #[serde(rename = "fixed-function-f16")]
    FixedFunctionF16,
    Auto,
    // Approximate methods from here on.
    ListOrder,
    Average,
    Weighted,
    WeightedDrawn,
    Histogram,
    KBuffer,
    Hybrid,
    Mlab,
    Adaptive,
    Moment,
    WeightedSum,
    Stochastic,
    Peeling,
    ABuffer,
    LinkedList,
    Coarse,
}

/// What an adapter must offer for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Waves,
    /// Wave operations and SPIR-V passthrough (Vulkan).
    NativeSpirv,
    Blending,
}

/// Methods that run alike; each has one file in `src/methods/`.
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
    /// A technique that needs no sorted list, or a coarsely sorted one, and errs.
    Approximate(Approximate),
}

/// Families of approximate methods: a thread per pixel walks a list in any order, staged through workgroup memory, but for those that
/// are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Approximate {
    Baselines,
    Weighted,
    WeightedDrawn,
    Histogram,
    KBuffer,
    /// So many nodes, of which two are joined to make room for a layer.
    MultiLayer,
    Moment,
    WeightedSum,
    /// Samples of a pixel that a layer covers at random.
    Stochastic,
    Peeling,
    LinkedList,
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
    pub method: Method,
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

    pub fn exact() -> impl Iterator<Item = Method> {
        Self::all().filter(|method| method.is_exact())
    }

    pub fn approximate() -> impl Iterator<Item = Method> {
        Self::all().filter(|method| !method.is_exact())
    }

    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

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

    pub fn uses_waves(self) -> bool {
        matches!(self.entry().needs, Needs::Waves | Needs::NativeSpirv)
    }

    pub fn has(self, what: Trait) -> bool {
        self.entry().traits.contains(&what)
    }

    pub fn is_drawn(self) -> bool {
        matches!(
            self.entry().group,
            Group::Blended | Group::Approximate(Approximate::WeightedDrawn)
        )
    }

    /// How much of this GPU can draw, of a method that draws where that is little: its times do not compare with others.
    pub fn drawing_part(self, adapter: &str) -> Option<&'static str> {
        drawing_part(adapter).filter(|_| self.is_drawn())
    }

    /// A sentence on those of `methods` whose times do not compare with others on this adapter, if there are any.
    pub fn not_compared(methods: impl Iterator<Item = Self>, adapter: &str) -> Option<String> {
        let drawn: Vec<&str> = methods.filter(|of| of.is_drawn()).map(Self::name).collect();
        let part = drawing_part(adapter).filter(|_| !drawn.is_empty())?;
        let names = drawn.join(", ");
        Some(format!(
            "Only {part} of this GPU can draw, so drawn methods ({names}) are timed but not compared."
        ))
    }

    /// Whether its result is the exact one within a bound.
    pub fn is_exact(self) -> bool {
        self.entry().accuracy != Accuracy::Approximate
    }

    pub fn rounds_to_half(self) -> bool {
        self.entry().accuracy == Accuracy::Exact(Bound::HalfBlends)
    }

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

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
