//! Faults planted on purpose, to show that the checks can fail: in the shader text, or in the data.

use serde::Serialize;

use crate::gpu::shader::Edit;
use crate::reference::composite::Layer;

/// A planted fault (`verify --break`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The last lane is read one lane too low.
    LastLane,
    /// The two nearest layers of every list are exchanged before the upload.
    Swap,
    /// The transmittance of a group replaces the carry instead of multiplying it.
    Carry,
    /// Results are stored one pixel aside.
    Pixel,
}

impl Fault {
    /// The edits of shader files that plant it.
    pub fn edits(self) -> Vec<Edit> {
        match self {
            Fault::Swap => Vec::new(),
            Fault::LastLane => vec![Edit {
                module: "wave/last_lane",
                find: "return subgroupShuffle(value, last_lane);",
                replace: "return subgroupShuffle(value, last_lane - min(last_lane, 1u));",
            }],
            Fault::Carry => vec![
                Edit {
                    module: "composite/block",
                    find: "result.a * group.a)",
                    replace: "group.a)",
                },
                Edit {
                    module: "composite/wave_lerp_padded",
                    find: "result.a * carry)",
                    replace: "carry)",
                },
                Edit {
                    module: "composite/split_depth",
                    find: "front.a * back.a)",
                    replace: "back.a)",
                },
                Edit {
                    module: "composite/fold",
                    find: "front.a * (1.0 - layer.a))",
                    replace: "1.0 - layer.a)",
                },
                Edit {
                    module: "composite/fold",
                    find: "fma(-layer.a, front.a, front.a))",
                    replace: "1.0 - layer.a)",
                },
            ],
            Fault::Pixel => vec![Edit {
                module: "composite/list",
                find: "pixel.x] = composite;",
                replace: "(pixel.x ^ 1u)] = composite;",
            }],
        }
    }

    /// Plants the fault in a list that is about to be uploaded.
    pub fn spoil(self, list: &mut [Layer]) {
        if self == Fault::Swap && list.len() >= 2 {
            list.swap(0, 1);
        }
    }
}
