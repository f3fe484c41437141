//! Faults planted in the wave library, each of which the affected intrinsics must detect.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::Edit;
use wavelerp::runs::verify::library::LibraryCheck;
use wavelerp::runs::verify::library::table::{Intrinsic, Kernel, TABLE};

use super::{part, table};
use crate::harness::{Harness, rows};

/// The intrinsics that fail in some check.
fn failed(checks: &[LibraryCheck]) -> BTreeSet<&'static str> {
    let failed = checks.iter().filter(|check| !check.passed);
    failed.map(|check| check.intrinsic).collect()
}

#[test]
fn a_lane_that_takes_part_though_it_is_not_active_is_found_by_every_intrinsic() {
    let harness = Harness::new();
    let (find, replace) = ("return ((mask[", "return lane == 1u || ((mask[");
    let edits = vec![Edit::new("check/case", find, replace)];
    let failed = failed(&table(&harness, 1, edits));
    // In a wave of a single quad, no quad is without that lane.
    let one_quad = harness.gpu.caps.wave_max == 4;
    let can = |entry: &&Intrinsic| !one_quad || entry.kernel != Kernel::Quad;
    let all: BTreeSet<&str> = TABLE.iter().filter(can).map(|entry| entry.name).collect();
    assert_eq!(failed, all);
}

/// A mistake in a file of the library, and an intrinsic that must fail.
const MISTAKES: &str = r#"
wave/query | wave.lane == subgroupBroadcastFirst(wave.lane) | wave.lane == 0u | WaveIsFirstLane
wave/query | return wave.lane_count; | return subgroupAdd(1u); | WaveGetLaneCount
wave/query | return wave.lane; | return subgroupExclusiveAdd(1u); | WaveGetLaneIndex
wave/vote | return subgroupAny(vote); | return vote; | WaveActiveAnyTrue
wave/vote | return subgroupAll(vote); | return subgroupAny(vote); | WaveActiveAllTrue
wave/vote | all || !any | all | WaveActiveAllEqual (bool)
wave/ballot | { return subgroupBallot(vote); } | { return subgroupBallot(true); } | WaveActiveBallot
wave/ballot | counts.x + counts.y | counts.y | WaveActiveCountBits
wave/read_lane | subgroupBroadcastFirst(value) | value | WaveReadLaneFirst
wave/read_lane | subgroupShuffle(value, lane) | subgroupShuffle(value, lane ^ 1u) | WaveReadLaneAt
wave/reduce | subgroupMin(value) | min(value, subgroupBroadcastFirst(value)) | WaveActiveMin
wave/reduce | subgroupAdd(value) | subgroupInclusiveAdd(value) | WaveActiveSum
wave/reduce_bits | subgroupXor(value) | subgroupOr(value) | WaveActiveBitXor
wave/prefix | subgroupExclusiveAdd(value) | subgroupInclusiveAdd(value) | WavePrefixSum
wave/all_equal | return subgroupAll( | return subgroupAny( | WaveActiveAllEqual
wave/ballot | (1u << (lane % 32u)) - 1u | (2u << (lane % 32u)) - 1u | WavePrefixCountBits
wave/quad | quadSwapX(value) | quadSwapY(value) | QuadReadAcrossX
wave/append | subgroupAdd(items) | subgroupAdd(min(items, 1u)) | ordered append, any number
wave/prefix | subgroupExclusiveMul(value) | subgroupInclusiveMul(value) | WavePrefixProduct
wave/quad | (lane & ~3u) | 0u | QuadReadLaneAt
wave/append | subgroupBroadcastFirst(base) | base | ordered append, one or none
"#;

#[test]
fn a_mistake_in_any_file_of_the_library_is_found() {
    let harness = Harness::new();
    for [module, find, replace, intrinsic] in rows(MISTAKES) {
        // At wave 4 the only quad has number 0.
        if intrinsic == "QuadReadLaneAt" && harness.gpu.caps.wave_max == 4 {
            continue;
        }
        let edit = Edit::new(module, find, replace);
        let entry = TABLE.iter().find(|entry| entry.name == intrinsic);
        let kernel = entry.expect("the intrinsic is in the table").kernel;
        let failed = failed(&part(&harness, &[kernel], 1, vec![edit]));
        let what = format!("{module} with `{replace}`");
        assert!(failed.contains(intrinsic), "{what}: {failed:?}");
    }
}
