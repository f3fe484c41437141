//! An adapter as records of times name it.

use serde::{Deserialize, Serialize};

/// How much of a GPU can draw, where that is little, by a part of the adapter's name; the first that fits counts.
/// "NVIDIA H100 Tensor Core GPU Architecture", 2022: "only two TPCs in both the SXM5 and PCIe H100 GPUs are
/// graphics-capable". H200 and GH200 have that chip, H800 and H20 parts of it.
const DRAWING_PARTS: [(&str, &str); 5] = [
    ("H100 PCIe", "2 of 57 TPCs"),
    ("H100", "2 of 66 TPCs"),
    ("H200", "2 of 66 TPCs"),
    ("H800", "2 TPCs"),
    ("H20", "2 TPCs"),
];

/// How much of the GPU of this name can draw, where it is known to be little: "2 of 66 TPCs".
pub fn drawing_part(adapter: &str) -> Option<&'static str> {
    let mut parts = DRAWING_PARTS.iter();
    Some(parts.find(|(name, _)| adapter.contains(name))?.1)
}

/// What an adapter is and can do, as `wavelerp list` and every report show it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Capabilities {
    pub name: String,
    pub driver: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// `discrete`, `integrated`, `virtual`, `cpu` or `other`.
    pub kind: String,
    /// Smallest wave a pipeline may run at, in lanes; 1 without wave operations.
    pub wave_min: u32,
    /// Largest wave a pipeline may run at, in lanes; 1 without wave operations.
    pub wave_max: u32,
    pub waves: bool,
    /// Modules may be given as SPIR-V: native find-MSB and broadcast.
    pub native_spirv: bool,
    pub half_floats: bool,
    pub blends_f32: bool,
    /// GPU timestamps at pass boundaries.
    pub timestamps: bool,
    /// A CPU adapter: its times are not GPU measurements.
    pub is_cpu: bool,
    /// Most loop turns one invocation may make before the driver stops it, if it does.
    pub loop_turns: Option<u32>,
    /// Whether triangles can be drawn with a depth buffer, or blended into floats. Mesa's llvmpipe
    /// crashes there when its vectors are wider than 256 bits (waves of more than 8 lanes); compute is
    /// not concerned.
    pub draws_with_depth: bool,
    pub max_binding_bytes: u64,
    pub max_texture_edge: u32,
    pub max_texture_layers: u32,
    pub max_workgroup_bytes: u32,
    pub features_found: Vec<String>,
    /// Optional features missing, with what is lost.
    pub features_missing: Vec<String>,
}

impl Capabilities {
    /// Whether an fma of a shader rounds once: so on GPUs with Vulkan or Metal (`verify` would show it
    /// otherwise), not on DirectX 12, which gets a mad, nor on CPUs without that instruction.
    pub fn fuses(&self) -> bool {
        !self.is_cpu && ["vulkan", "metal"].contains(&self.backend.as_str())
    }

    pub fn is_llvmpipe(&self) -> bool {
        is_llvmpipe(&self.name)
    }

    /// The wave sizes: `8`, `8 to 32`; none without wave operations.
    pub fn wave_sizes(&self) -> Option<String> {
        self.waves.then(|| Adapter::of(self).waves())
    }

    /// The wave sizes in words: `8 lanes`, `8 to 32 lanes`.
    pub fn wave_text(&self) -> String {
        match self.wave_sizes() {
            Some(sizes) => format!("{sizes} lanes"),
            None => "no wave operations".to_owned(),
        }
    }
}

/// Whether the adapter of this name is Mesa's llvmpipe, whose limits no other CPU adapter has.
pub fn is_llvmpipe(name: &str) -> bool {
    name.starts_with("llvmpipe")
}

/// What times depend on of an adapter: two runs are comparable where all of this is equal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    pub name: String,
    pub driver: String,
    /// Vulkan, Metal or DirectX 12.
    pub backend: String,
    /// Whether it is a CPU: its times say nothing about GPUs.
    pub is_cpu: bool,
    pub wave_min: u32,
    pub wave_max: u32,
}

impl Adapter {
    pub fn of(caps: &Capabilities) -> Self {
        Self {
            name: caps.name.clone(),
            driver: caps.driver.clone(),
            backend: caps.backend.clone(),
            is_cpu: caps.is_cpu,
            wave_min: caps.wave_min,
            wave_max: caps.wave_max,
        }
    }

    /// Its wave sizes: "32", "8 to 32".
    pub fn waves(&self) -> String {
        match (self.wave_min, self.wave_max) {
            (min, max) if min == max => format!("{min}"),
            (min, max) => format!("{min} to {max}"),
        }
    }
}
