//! Adapter descriptions, as stored in records.

use serde::{Deserialize, Serialize};

/// GPUs that can draw only with a few TPCs, by a piece of the adapter's name. The first match counts.
/// "NVIDIA H100 Tensor Core GPU Architecture", 2022: "only two TPCs in both the SXM5 and PCIe H100 GPUs are
/// graphics-capable". H200 and GH200 use the same chip; H800 and H20 use parts of it.
const DRAWING_PARTS: [(&str, &str); 5] = [
    ("H100 PCIe", "2 of 57 TPCs"),
    ("H100", "2 of 66 TPCs"),
    ("H200", "2 of 66 TPCs"),
    ("H800", "2 TPCs"),
    ("H20", "2 TPCs"),
];

/// Part of the named GPU that can draw, if it is known to be small: "2 of 66 TPCs".
pub fn drawing_part(adapter: &str) -> Option<&'static str> {
    let mut parts = DRAWING_PARTS.iter();
    Some(parts.find(|(name, _)| adapter.contains(name))?.1)
}

/// Properties of an adapter, as shown by `wavelerp list` and every report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Capabilities {
    pub name: String,
    pub driver: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// `discrete`, `integrated`, `virtual`, `cpu` or `other`.
    pub kind: String,
    /// Wave sizes of pipelines in lanes; both are 1 if the adapter has no wave operations.
    pub wave_min: u32,
    pub wave_max: u32,
    pub waves: bool,
    /// True if the adapter accepts SPIR-V modules, for native find-MSB and broadcast.
    pub native_spirv: bool,
    pub half_floats: bool,
    pub blends_f32: bool,
    /// True if GPU timestamps work at pass boundaries.
    pub timestamps: bool,
    pub is_cpu: bool,
    /// Number of loop iterations after which the driver stops an invocation, if the driver has such a limit.
    pub loop_turns: Option<u32>,
    /// True if the adapter can draw with a depth buffer and blend into floats. Mesa's llvmpipe crashes when its vectors are
    /// wider than 256 bits (waves of more than 8 lanes); compute is not affected.
    pub draws_with_depth: bool,
    pub max_binding_bytes: u64,
    pub max_texture_edge: u32,
    pub max_texture_layers: u32,
    pub max_workgroup_bytes: u32,
    pub features_found: Vec<String>,
    /// Missing optional features, each with its consequence.
    pub features_missing: Vec<String>,
}

impl Capabilities {
    /// True if an fma in a shader rounds once: on GPUs under Vulkan or Metal (`verify` would show otherwise). DirectX 12
    /// compiles an fma to a mad, and some CPUs have no fma instruction.
    pub fn fuses(&self) -> bool {
        !self.is_cpu && ["vulkan", "metal"].contains(&self.backend.as_str())
    }

    pub fn is_llvmpipe(&self) -> bool {
        is_llvmpipe(&self.name)
    }

    /// Wave sizes: `8`, `8 to 32`; `None` if the adapter has no wave operations.
    pub fn wave_sizes(&self) -> Option<String> {
        self.waves.then(|| Adapter::of(self).waves())
    }

    /// Wave sizes in words: `8 lanes`, `8 to 32 lanes`.
    pub fn wave_text(&self) -> String {
        match self.wave_sizes() {
            Some(sizes) => format!("{sizes} lanes"),
            None => "no wave operations".to_owned(),
        }
    }
}

pub fn is_llvmpipe(name: &str) -> bool {
    name.starts_with("llvmpipe")
}

/// Properties of an adapter that affect times: two runs are comparable if all of these properties are equal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    pub name: String,
    pub driver: String,
    pub backend: String,
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

    /// Wave sizes: "32", "8 to 32".
    pub fn waves(&self) -> String {
        match (self.wave_min, self.wave_max) {
            (min, max) if min == max => format!("{min}"),
            (min, max) => format!("{min} to {max}"),
        }
    }
}
