//! Faults planted in the wave library, each found by the intrinsics that it is in.

use std::collections::BTreeSet;

use wavelerp::gpu::shader::Edit;
use wavelerp::runs::verify::library::table::{Intrinsic, Kernel, TABLE, Type};
use wavelerp::runs::verify::library::{LibraryCheck, variant};

use super::{part, table};
use crate::faults::Fault;
use crate::harness::{Harness, rows};

/// The intrinsics that fail in some check.
fn failed(checks: &[LibraryCheck]) -> BTreeSet<&'static str> {
    let failed = checks.iter().filter(|check| !check.passed);
    failed.map(|check| check.intrinsic).collect()
}

/// The kernels that one of these modules is a part of. An edit there leaves the text of all others as it is.
fn kernels_that_read(modules: impl Iterator<Item = &'static str> + Clone) -> Vec<Kernel> {
    let source = crate::shaders::source();
    let reads = |kernel: &Kernel, ty: Option<Type>| {
        let (files, _) = source.resolve_traced(&variant(*kernel, ty), &[kernel.shader().1]);
        modules.clone().any(|module| files.contains_key(module))
    };
    let reads_in_some_type = |kernel: &Kernel| kernel.types().iter().any(|ty| reads(kernel, *ty));
    Kernel::ALL.into_iter().filter(reads_in_some_type).collect()
}

#[test]
fn each_planted_fault_is_found_in_its_intrinsics_alone() {
    let harness = Harness::new();
    for (fault, intrinsics) in [
        (Fault::Prefix, &["WavePrefixSum"][..]),
        (Fault::Equal, &["WaveActiveAllEqual"]),
        (
            Fault::Ballot,
            &["WavePrefixCountBits", "ordered append, one or none"],
        ),
        (Fault::Quad, &["QuadReadAcrossX"]),
        (Fault::Append, &["ordered append, any number"]),
    ] {
        let edits = fault.edits();
        // All others are the kernels that `every_intrinsic_in_every_type…` finds right.
        let kernels = kernels_that_read(edits.iter().map(|edit| edit.module));
        let failed = failed(&part(&harness, &kernels, 1, edits));
        assert_eq!(failed, intrinsics.iter().copied().collect(), "{fault:?}");
    }
}

#[test]
fn a_lane_that_takes_part_though_it_is_not_active_is_found_by_every_intrinsic() {
    let harness = Harness::new();
    let failed = failed(&table(&harness, 1, Fault::Inactive.edits()));
    // In a wave of one quad no quad is without that lane.
    let one_quad = harness.gpu.caps.wave_max == 4;
    let can = |entry: &&Intrinsic| !one_quad || entry.kernel != Kernel::Quad;
    let all: BTreeSet<&str> = TABLE.iter().filter(can).map(|entry| entry.name).collect();
    assert_eq!(failed, all);
}

/// A mistake in a file of the library, and an intrinsic that must be seen to suffer.
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
wave/prefix | subgroupExclusiveMul(value) | subgroupInclusiveMul(value) | WavePrefixProduct
wave/quad | (lane & ~3u) | 0u | QuadReadLaneAt
wave/append | subgroupBroadcastFirst(base) | base | ordered append, one or none
"#;

#[test]
fn a_mistake_in_any_file_of_the_library_is_found() {
    let harness = Harness::new();
    for [module, find, replace, intrinsic] in rows(MISTAKES) {
        // At wave 4 there is one quad, whose number is 0.
        if intrinsic == "QuadReadLaneAt" && harness.gpu.caps.wave_max == 4 {
            continue;
        }
        let edit = Edit::new(module, find, replace);
        let entry = TABLE.iter().find(|entry| entry.name == intrinsic);
        let kernel = entry.expect("it is in the table").kernel;
        let failed = failed(&part(&harness, &[kernel], 1, vec![edit]));
        let what = format!("{module} with `{replace}`");
        assert!(failed.contains(intrinsic), "{what}: {failed:?}");
    }
}
