//! A method as compiled and dispatched: shader constants, shader features and dispatch size.

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::model::items::ItemKind;
use crate::model::methods::{Cost, ListKind, Method, Source, Trait};
use crate::model::options::{Effect, Fields, Hazard, LaneRead, Options, Precision};
use crate::model::passes::Inputs;
use crate::model::{Capabilities, Feature};

pub(super) const LEAST_WORKGROUP: u32 = 64;

/// Everything that is compiled into a method's shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specialization {
    pub method: Method,
    /// The method that runs. For `auto`, the chosen method.
    pub runs: Method,
    /// Options of the method. The shader is compiled with early-out on or off, but not with its threshold.
    pub options: Options,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub workgroup: u32,
    /// Number of pixels in a workgroup with as many waves as fit at the adapter's largest wave size.
    pub pixels: u32,
    pub staged: u32,
}

impl Options {
    /// `method` with the given options, for the layers of a frame.
    #[must_use]
    pub fn specialize(self, method: Method) -> Specialization {
        Specialization {
            method,
            runs: match method {
                // Runs until a rule has chosen.
                Method::Auto => Method::PixelLoopStaged,
                _ => method,
            },
            options: self,
            source: Source::default(),
        }
    }

    /// The reference for comparisons, with the same frame options: all layers in order, in single precision.
    pub fn exact(mut self) -> Specialization {
        (self.frame.early_out, self.frame.precision) = (0.0, Precision::Full);
        self.specialize(Method::PixelLoop)
    }
}

impl Specialization {
    /// A method with the default options, for the layers of a frame.
    pub fn new(method: Method) -> Self {
        Options::default().specialize(method)
    }

    /// Number of invocations in a workgroup of independent waves. It is a multiple of the adapter's largest wave size.
    pub fn workgroup(caps: &Capabilities) -> u32 {
        caps.wave_max.max(LEAST_WORKGROUP)
    }

    /// Method and dials as text: "split-depth 8", "wave-lerp-deferred P=32". For `auto`, the chosen method and dials.
    pub fn label(&self) -> String {
        let hazard = self.options.method.hazard;
        let is_named = hazard != Hazard::Driver && self.runs.uses_prefix_product();
        let reads_any = self.inputs() == Inputs::ANY_LISTS;
        let marks = [
            if is_named { &hazard.to_string() } else { "" },
            if self.broadcasts() { "broadcast" } else { "" },
            if self.is_half() { "half" } else { "" },
            if reads_any { "any order" } else { "" },
        ];
        let marks = marks.iter().filter(|mark| !mark.is_empty());
        let place = self.place().map(|place| format!(" {place}"));
        let dialled = self.runs.name().to_owned() + &place.unwrap_or_default();
        marks.fold(dialled, |label, mark| label + " " + mark)
    }

    /// True if `other` runs the same kernel with the same settings. Unused options are ignored.
    pub fn runs_like(&self, other: &Self) -> bool {
        self.runs == other.runs && self.label() == other.label()
    }

    /// True if the method composites in half floats.
    pub fn is_half(&self) -> bool {
        self.options.frame.precision == Precision::Half && self.runs.has(Trait::TakesHalf)
    }

    /// True if the method reads lanes with an opcode that WGSL lacks.
    fn broadcasts(&self) -> bool {
        self.options.method.lane_read == LaneRead::Broadcast && self.runs.has(Trait::ReadsLanes)
    }

    /// Fails if the method needs half floats or the native broadcast and the adapter lacks them.
    pub fn check(&self, caps: &Capabilities) -> Result<()> {
        let missing = match self.options {
            _ if self.is_half() && !caps.half_floats => {
                "half floats in shaders (SHADER_F16); leave --precision half out"
            }
            _ if self.broadcasts() && !caps.native_spirv => {
                "native broadcast (only on Vulkan with SPIR-V passthrough); leave --lane-read broadcast out"
            }
            _ => return Ok(()),
        };
        Err(Error::unavailable(format!(
            "{}: {} has no {missing}",
            self.method, caps.name
        )))
    }

    pub fn variant(&self, caps: &Capabilities) -> Variant {
        let native = self.runs.has(Trait::FindsMsbNatively) || self.broadcasts();
        let Options { frame, method } = self.options;
        let hazard = method.hazard;
        let geometry = self.geometry(caps);
        let variant = Variant::new(self.runs.entry().module);
        let mut variant = self.kernel().constants(self, caps, variant);
        let effects = frame.effects().into_iter();
        let constants = effects.filter(|(effect, ..)| *effect == Effect::Constant);
        let constants = constants.map(|(_, name, value)| (name, value));
        variant.constants.extend(constants);
        let is_of_a_frame = matches!(self.source, Source::Frame(_) | Source::Gaussians(_));
        let variant = variant
            .with("TILE", frame.tile)
            .with("WORKGROUP", geometry.workgroup)
            .with_bool("EARLY_OUT", frame.early_out > 0.0)
            .feature(Feature::Section, caps.is_cpu && is_of_a_frame)
            .feature(Feature::Wave, caps.waves)
            .feature(Feature::Native, native)
            .feature(Feature::Broadcast, self.broadcasts())
            .feature(Feature::Fused, caps.fuses())
            .feature(Feature::Half, self.is_half())
            .feature(Feature::Ordered, !self.runs.is_exact())
            .feature(Feature::Division, hazard.divides())
            .feature(Feature::Guarded, hazard.guards());
        self.source.features(variant)
    }
}

impl Source {
    pub fn features(self, variant: Variant) -> Variant {
        match self {
            Source::Frame(kinds) => {
                let variant = variant.feature(Feature::Integrated, kinds.integrated);
                ItemKind::ALL.into_iter().fold(variant, |variant, kind| {
                    let feature = kind.feature().into_iter();
                    feature.fold(variant, |of, feature| of.feature(feature, kinds.has(kind)))
                })
            }
            Source::Gaussians(stored) => stored
                .features(variant)
                .feature(Feature::GaussiansAlone, true),
            Source::Table => variant.feature(Feature::Table, true),
            Source::Cloud(stored) => stored.features(variant).feature(Feature::Cloud, true),
            Source::Synthetic(cost, kind) => {
                let kind = match kind {
                    ListKind::Particles => Feature::Particles,
                    ListKind::Fog => Feature::FogSlices,
                    ListKind::Mixed => Feature::MixedLayers,
                };
                variant
                    .feature(Feature::Synthetic, true)
                    .feature(kind, true)
                    .feature(Feature::Textured, cost == Cost::Textured)
                    .feature(Feature::Procedural, cost == Cost::Procedural)
            }
        }
    }
}
