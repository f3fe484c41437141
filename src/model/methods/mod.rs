//! The methods: a [`table`] with their names, properties, requirements and shaders, and the [`source`] of their layers.

pub(in crate::model) mod entry;
pub(in crate::model) mod source;
mod table;

use crate::error::{Error, Result, suggestion};
use crate::model::Capabilities;
use crate::model::adapter::drawing_part;
use crate::model::options::Precision;

pub use entry::{Accuracy, Bound, Entry, Group, Needs, PixelBytes, Trait};
pub use source::{Cost, Kinds, ListKind, Source, Stored};
pub use table::{Method, TABLE};

impl Method {
    pub fn all() -> impl Iterator<Item = Method> {
        Self::ALL.iter().copied()
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

    /// Methods that a word of `--methods` selects: `exact`, `approximate`, `all` or a name.
    pub fn meant_by(word: &str) -> Result<Vec<Self>> {
        Ok(match word {
            "exact" => Self::exact().collect(),
            "approximate" => Self::approximate().collect(),
            "all" => Self::all().collect(),
            name => vec![Self::by_name(name)?],
        })
    }

    pub fn is_group(word: &str) -> bool {
        ["exact", "approximate", "all"].contains(&word)
    }

    pub fn uses_waves(self) -> bool {
        matches!(self.entry().needs, Needs::Waves | Needs::NativeSpirv)
    }

    pub fn has(self, what: Trait) -> bool {
        self.entry().has(what)
    }

    pub fn is_drawn(self) -> bool {
        self.entry().group == Group::Blended
    }

    /// Part of this GPU that can draw, if it is small and the method draws. Such a method's times are not comparable.
    pub fn drawing_part(self, adapter: &str) -> Option<&'static str> {
        drawing_part(adapter).filter(|_| self.is_drawn())
    }

    /// A sentence that names the methods with incomparable times on this adapter, if there are any.
    pub fn not_compared(methods: impl Iterator<Item = Self>, adapter: &str) -> Option<String> {
        let drawn: Vec<&str> = methods.filter(|of| of.is_drawn()).map(Self::name).collect();
        let part = drawing_part(adapter).filter(|_| !drawn.is_empty())?;
        let names = drawn.join(", ");
        Some(format!(
            "Only {part} of this GPU can draw, so drawn methods ({names}) are timed but not compared."
        ))
    }

    pub fn is_exact(self) -> bool {
        self.entry().accuracy != Accuracy::Approximate
    }

    pub fn rounds_to_half(self) -> bool {
        self.entry().accuracy == Accuracy::Exact(Bound::HalfBlends)
    }

    pub fn uses_prefix_product(self) -> bool {
        self.has(Trait::PrefixProduct)
    }

    /// Reason why this adapter cannot run the method, if it cannot.
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

impl Precision {
    /// Refuses half floats if none of `methods` supports them.
    pub fn check(self, methods: &[Method]) -> Result<()> {
        if self == Precision::Full || methods.iter().any(|method| method.has(Trait::TakesHalf)) {
            return Ok(());
        }
        let takes = |method: &Method| method.has(Trait::TakesHalf);
        let able: Vec<&str> = Method::all().filter(takes).map(Method::name).collect();
        Err(Error::usage(format!(
            "--precision half: the named methods composite only in f32; leave it out, or name one of {}",
            able.join(", ")
        )))
    }
}
