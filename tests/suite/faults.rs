//! Faults planted in shaders, to show that the checks of `verify` can fail.

use wavelerp::gpu::shader::Edit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last lane is read one lane too low.
    LastLane,
    /// Every two neighbours in the table of layers are exchanged.
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
        let edit = Edit::new;
        let one = |module, find, replace| vec![edit(module, find, replace)];
        match self {
            Fault::Swap => {
                let replace = "table[min(layer ^ 1u, arrayLength(&table) - 1u)]";
                one("layers/sources/table", "table[layer]", replace)
            }
            Fault::LastLane => {
                let find = "(prefix * factor, last_lane)";
                let replace = "(prefix * factor, last_lane - min(last_lane, 1u))";
                ["wave/lerp_last", "methods/wave_lerp_deferred"]
                    .map(|module| edit(module, find, replace))
                    .to_vec()
            }
            Fault::Carry => {
                let fold = |find, replace| edit("common/fold", find, replace);
                vec![
                    edit("methods/block", "front.a * group.a,", "group.a,"),
                    edit("methods/wave_lerp_deferred", "part.a * carry,", "carry,"),
                    fold("front.a * back.a)", "back.a)"),
                    fold("front.a * (1.0 - layer.a))", "1.0 - layer.a)"),
                    fold("fma(-layer.a, front.a, front.a))", "1.0 - layer.a)"),
                ]
            }
            Fault::Pixel => {
                let replace = "(pixel.x ^ 1u)] = composite;";
                one("methods/list", "pixel.x] = composite;", replace)
            }
            Fault::Prefix => {
                let replace = "subgroupInclusiveAdd(value)";
                one("wave/prefix", "subgroupExclusiveAdd(value)", replace)
            }
            Fault::Equal => one(
                "wave/all_equal",
                "return subgroupAll(",
                "return subgroupAny(",
            ),
            Fault::Ballot => {
                let replace = "(2u << (lane % 32u)) - 1u";
                one("wave/ballot", "(1u << (lane % 32u)) - 1u", replace)
            }
            Fault::Quad => one("wave/quad", "quadSwapX(value)", "quadSwapY(value)"),
            Fault::Append => {
                let replace = "subgroupAdd(min(items, 1u))";
                one("wave/append", "subgroupAdd(items)", replace)
            }
            Fault::Inactive => {
                let replace = "return lane == 1u || ((mask[";
                one("check/case", "return ((mask[", replace)
            }
        }
    }
}
