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

const WAVE_LERP_CARRY: Edit = Edit {
    module: "",
    find: "result.a * carry)",
    replace: "carry)",
};

impl Fault {
    /// The edits of shader files that plant it.
    pub fn edits(self) -> Vec<Edit> {
        let carry = |module| Edit {
            module,
            ..WAVE_LERP_CARRY
        };
        match self {
            Fault::Swap => Vec::new(),
            Fault::LastLane => vec![Edit {
                module: "wave/last_lane",
                find: "return subgroupShuffle(value, last_lane);",
                replace: "return subgroupShuffle(value, last_lane - min(last_lane, 1u));",
            }],
            Fault::Carry => vec![
                carry("composite/wave_lerp_product"),
                carry("composite/wave_lerp_ballot"),
                carry("composite/wave_lerp_ballot_scalar"),
                carry("composite/wave_lerp_find_msb"),
                carry("composite/wave_lerp_padded"),
                Edit {
                    module: "composite/wave_tree",
                    find: "result.a * group.a)",
                    replace: "group.a)",
                },
                Edit {
                    module: "composite/split_depth",
                    find: "front.a * back.a)",
                    replace: "back.a)",
                },
                Edit {
                    module: "composite/pixel_loop_staged",
                    find: "result.a * (1.0 - layer.a))",
                    replace: "1.0 - layer.a)",
                },
                Edit {
                    module: "composite/read_lane_loop",
                    find: "result.a * group.a)",
                    replace: "group.a)",
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
