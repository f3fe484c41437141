//! An adapter as records of times name it.

use serde::{Deserialize, Serialize};

use crate::gpu::Capabilities;

/// What times depend on of an adapter: two runs are comparable where all of this is equal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    pub name: String,
    /// Driver and version.
    pub driver: String,
    /// Vulkan, Metal or DirectX 12.
    pub backend: String,
    /// Whether it is a CPU: its times say nothing about GPUs.
    pub is_cpu: bool,
    /// Smallest wave, lanes.
    pub wave_min: u32,
    /// Largest wave, lanes.
    pub wave_max: u32,
}

impl Adapter {
    /// The adapter that has these capabilities.
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
    #[must_use]
    pub fn waves(&self) -> String {
        match (self.wave_min, self.wave_max) {
            (min, max) if min == max => format!("{min}"),
            (min, max) => format!("{min} to {max}"),
        }
    }
}
