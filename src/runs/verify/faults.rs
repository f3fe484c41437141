//! Faults planted on purpose, to show that the checks can fail: in the shader text, or in the data.

use serde::Serialize;

use crate::gpu::shader::Edit;
use crate::model::reference::composite::Layer;

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
    /// The wave library's prefix sum includes the lane's own value.
    Prefix,
    /// The wave library calls values equal when one lane agrees with the first.
    Equal,
    /// The wave library counts a lane's own vote among those below it.
    Ballot,
    /// The wave library's reads across X go across Y.
    Quad,
    /// The wave library reserves a place per lane with items, not per item.
    Append,
    /// A lane that is not active takes part in the wave library's checks.
    Inactive,
}

impl Fault {
    /// The edits of shader files that plant it.
    pub fn edits(self) -> Vec<Edit> {
        match self {
            Fault::Swap => Vec::new(),
            Fault::LastLane => ["wave/lerp_last", "methods/wave_lerp_deferred"]
                .map(|module| Edit {
                    module,
                    find: "(prefix * factor, last_lane)",
                    replace: "(prefix * factor, last_lane - min(last_lane, 1u))",
                })
                .to_vec(),
            Fault::Carry => vec![
                Edit {
                    module: "methods/block",
                    find: "front.a * group.a,",
                    replace: "group.a,",
                },
                Edit {
                    module: "methods/wave_lerp_deferred",
                    find: "part.a * carry,",
                    replace: "carry,",
                },
                Edit {
                    module: "common/fold",
                    find: "front.a * back.a)",
                    replace: "back.a)",
                },
                Edit {
                    module: "common/fold",
                    find: "front.a * (1.0 - layer.a))",
                    replace: "1.0 - layer.a)",
                },
                Edit {
                    module: "common/fold",
                    find: "fma(-layer.a, front.a, front.a))",
                    replace: "1.0 - layer.a)",
                },
            ],
            Fault::Pixel => vec![Edit {
                module: "methods/list",
                find: "pixel.x] = composite;",
                replace: "(pixel.x ^ 1u)] = composite;",
            }],
            Fault::Prefix => vec![Edit {
                module: "wave/prefix",
                find: "subgroupExclusiveAdd(value)",
                replace: "subgroupInclusiveAdd(value)",
            }],
            Fault::Equal => vec![Edit {
                module: "wave/all_equal",
                find: "return subgroupAll(",
                replace: "return subgroupAny(",
            }],
            Fault::Ballot => vec![Edit {
                module: "wave/ballot",
                find: "(1u << (lane % 32u)) - 1u",
                replace: "(2u << (lane % 32u)) - 1u",
            }],
            Fault::Quad => vec![Edit {
                module: "wave/quad",
                find: "quadSwapX(value)",
                replace: "quadSwapY(value)",
            }],
            Fault::Append => vec![Edit {
                module: "wave/append",
                find: "subgroupAdd(items)",
                replace: "subgroupAdd(min(items, 1u))",
            }],
            Fault::Inactive => vec![Edit {
                module: "check/case",
                find: "return ((mask[",
                replace: "return lane == 1u || ((mask[",
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
