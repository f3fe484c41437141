//! The methods: one table with names, what they are, what they need, and which shader runs them.
//! The order is the order everywhere: CLI, panel, keys, reports.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, suggestion};
use crate::gpu::Capabilities;
use crate::gpu::shader::Variant;

/// One way to composite a tile's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Thread per pixel.
    PixelLoop,
    /// Lane per layer, loop of WaveReadLaneAt.
    ReadLaneLoop,
    /// WaveActiveLerp, carry by WaveActiveProduct.
    WaveLerpProduct,
    /// Carry from the last lane by ballot.
    WaveLerpBallot,
    /// Ballot bits made scalar first.
    WaveLerpBallotScalar,
    /// Last lane by the native opcode.
    WaveLerpFindMsb,
    /// Tail padded, all lanes active.
    WaveLerpPadded,
    /// Drawn back to front by the blending hardware, into 32-bit floats.
    FixedFunction,
    /// The same into 16-bit floats.
    #[serde(rename = "fixed-function-f16")]
    FixedFunctionF16,
}

/// What an adapter must offer for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Any compute device.
    Nothing,
    /// Wave operations.
    Waves,
    /// Wave operations and SPIR-V passed through (Vulkan).
    NativeSpirv,
    /// Blending into 32-bit float targets.
    Blending,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The method.
    pub method: Method,
    /// Its name in CLI, files and reports.
    pub name: &'static str,
    /// Shader module below `shaders/`.
    pub module: &'static str,
    /// What the adapter must offer.
    pub needs: Needs,
    /// Who does what: the mapping of threads to pixels and layers.
    pub mapping: &'static str,
    /// What it costs, one line.
    pub cost: &'static str,
    /// What it guarantees, one line.
    pub guarantee: &'static str,
    /// What becomes of the list's last group, which may be shorter than a wave.
    pub tail: &'static str,
    /// How the transmittance of a group reaches the next.
    pub carry: &'static str,
    /// Where it comes from.
    pub origin: &'static str,
}

/// All methods in order.
pub const TABLE: [Entry; 9] = [
    Entry {
        method: Method::PixelLoop,
        name: "pixel-loop",
        module: "composite/pixel_loop",
        needs: Needs::Nothing,
        mapping: "thread per pixel, walks the list from global memory",
        cost: "n evaluations in a row per thread; no wave operation",
        guarantee: "strict order, one rounding per step; runs everywhere",
        tail: "none: one layer at a time",
        carry: "in the thread, layer by layer",
        origin: "the article's plain loop",
    },
    Entry {
        method: Method::ReadLaneLoop,
        name: "read-lane-loop",
        module: "composite/read_lane_loop",
        needs: Needs::Waves,
        mapping: "wave per pixel, lane per layer; loop of WaveReadLaneAt and lerp",
        cost: "per layer one broadcast of 4 floats, done by all lanes alike",
        guarantee: "the article's order inside a group; ragged tail, no inactive lane is read",
        tail: "ragged: lanes without a layer leave the loop, the inner loop ends at the last layer",
        carry: "in every lane alike, layer by layer",
        origin: "article, the naive version",
    },
    Entry {
        method: Method::WaveLerpProduct,
        name: "wave-lerp-product",
        module: "composite/wave_lerp_product",
        needs: Needs::Waves,
        mapping: "wave per pixel, lane per layer; WavePrefixProduct and WaveActiveSum",
        cost: "per group a scan, a sum of 3 channels and a second reduction for the carry",
        guarantee: "within (3n+4) roundings; ragged tail",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "WaveActiveProduct(1-t) of the group",
        origin: "article, continued interpolation",
    },
    Entry {
        method: Method::WaveLerpBallot,
        name: "wave-lerp-ballot",
        module: "composite/wave_lerp_ballot",
        needs: Needs::Waves,
        mapping: "as wave-lerp-product; carry read from the last active lane by ballot",
        cost: "per group a scan, a sum, a ballot with vector firstbithigh, one lane read",
        guarantee: "within (3n+4) roundings; ragged tail, any wave up to 128 lanes",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by ballot",
        origin: "article, the cross-platform way",
    },
    Entry {
        method: Method::WaveLerpBallotScalar,
        name: "wave-lerp-ballot-scalar",
        module: "composite/wave_lerp_ballot_scalar",
        needs: Needs::Waves,
        mapping: "as wave-lerp-ballot; ballot bits through WaveReadLaneFirst",
        cost: "as wave-lerp-ballot plus one read; uniform bits may stay in scalar registers",
        guarantee: "as wave-lerp-ballot",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by ballot made scalar",
        origin: "article, the RDNA fix",
    },
    Entry {
        method: Method::WaveLerpFindMsb,
        name: "wave-lerp-find-msb",
        module: "composite/wave_lerp_find_msb",
        needs: Needs::NativeSpirv,
        mapping: "as wave-lerp-ballot; last lane by OpGroupNonUniformBallotFindMSB",
        cost: "as wave-lerp-ballot, the bit arithmetic replaced by one instruction",
        guarantee: "as wave-lerp-ballot; Vulkan only",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by one opcode",
        origin: "article, \"the SPIR-V way\"",
    },
    Entry {
        method: Method::WaveLerpPadded,
        name: "wave-lerp-padded",
        module: "composite/wave_lerp_padded",
        needs: Needs::Waves,
        mapping: "as wave-lerp-ballot; tail padded with a = 0, last lane is W-1",
        cost: "per group a scan, a sum and one lane read; no ballot",
        guarantee: "every lane always active: right also where drivers mishandle ragged loops",
        tail: "padded with a = 0: every lane stays",
        carry: "read from lane W-1",
        origin: "ours, the safe form",
    },
    Entry {
        method: Method::FixedFunction,
        name: "fixed-function",
        module: "composite/fixed_function",
        needs: Needs::Blending,
        mapping: "one indirect draw of a depth-sorted stream of splats and slices, a quad each",
        cost: "per layer and pixel a blend of 16 bytes in memory; no list, no early-out, a pass to store",
        guarantee: "strict order, back to front; within (3n+4) roundings; no wave operation",
        tail: "none: the hardware takes one layer at a time",
        carry: "in the target: its alpha is the transmittance",
        origin: "what engines do",
    },
    Entry {
        method: Method::FixedFunctionF16,
        name: "fixed-function-f16",
        module: "composite/fixed_function",
        needs: Needs::Nothing,
        mapping: "as fixed-function, into 16-bit floats",
        cost: "as fixed-function, half the memory traffic",
        guarantee: "every blend rounds to 11 bits: a bound of its own, some 3/1024 of the value per layer",
        tail: "none: the hardware takes one layer at a time",
        carry: "in the target: its alpha is the transmittance",
        origin: "what engines do",
    },
];

/// The caution in the article: how the exclusive prefix product is formed.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Hazard {
    /// As the driver gives it.
    #[default]
    Driver,
    /// Inclusive product / (1 - t): NaN when t = 1.
    Division,
    /// The same with max(1 - t, 1e-5): no NaN, layers behind an opaque one leak by 1e-5.
    Guarded,
}

impl Hazard {
    /// The WESL feature and the name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Hazard::Driver => "driver",
            Hazard::Division => "division",
            Hazard::Guarded => "guarded",
        }
    }
}

/// Everything that is baked into a method's shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Specialization {
    /// The method.
    pub method: Method,
    /// Tile edge in pixels, 8 or 16.
    pub tile: u32,
    /// Pixels that a wave walks; divides the tile's pixels. Unused by `pixel-loop`.
    pub pixels_per_wave: u32,
    /// Form of the exclusive product. Unused by methods without one.
    pub hazard: Hazard,
    /// Whether early-out is compiled in.
    pub early_out: bool,
    /// Layers come from a table instead of the frame (`verify`).
    pub table: bool,
}

impl Method {
    /// All methods in order.
    pub fn all() -> impl Iterator<Item = Method> {
        TABLE.iter().map(|entry| entry.method)
    }

    /// This method's row.
    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    /// Its name in CLI, files and reports.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The method called `name`.
    ///
    /// # Errors
    /// There is none; names the nearest (exit code 2).
    pub fn by_name(name: &str) -> Result<Self> {
        TABLE
            .iter()
            .find(|entry| entry.name == name)
            .map(|entry| entry.method)
            .ok_or_else(|| {
                Error::usage(format!(
                    "there is no method \"{name}\"{}",
                    suggestion(name, TABLE.iter().map(|entry| entry.name))
                ))
            })
    }

    /// Whether a wave (not a thread) composites a pixel.
    pub fn uses_waves(self) -> bool {
        matches!(self.entry().needs, Needs::Waves | Needs::NativeSpirv)
    }

    /// Whether it is drawn by the blending hardware instead of computed. Such a method cannot stop
    /// early.
    pub fn is_drawn(self) -> bool {
        matches!(self, Method::FixedFunction | Method::FixedFunctionF16)
    }

    /// Whether every step rounds to a half float, so that it has a bound of its own
    /// ([`crate::reference::composite::error_bound_half`]).
    pub fn rounds_to_half(self) -> bool {
        self == Method::FixedFunctionF16
    }

    /// Whether it forms an exclusive prefix product, so that the hazard concerns it.
    pub fn uses_prefix_product(self) -> bool {
        !matches!(self, Method::PixelLoop | Method::ReadLaneLoop) && !self.is_drawn()
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

impl Specialization {
    /// Invocations per workgroup: a multiple of the adapter's largest wave.
    pub fn workgroup(caps: &Capabilities) -> u32 {
        caps.wave_max.max(64)
    }

    /// The shader of this specialisation on an adapter.
    pub fn variant(&self, caps: &Capabilities) -> Variant {
        let native = match self.method {
            Method::WaveLerpFindMsb => true,
            Method::ReadLaneLoop => caps.native_spirv,
            _ => false,
        };
        Variant::new(self.method.entry().module)
            .with("TILE", self.tile)
            .with("PIXELS_PER_WAVE", self.pixels_per_wave)
            .with("WORKGROUP", Self::workgroup(caps))
            .with_bool("EARLY_OUT", self.early_out)
            .feature("wave", caps.waves)
            .feature("native", native)
            .feature("table", self.table)
            .feature(self.hazard.name(), true)
    }
}
