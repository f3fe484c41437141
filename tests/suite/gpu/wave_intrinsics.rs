//! The third table of `verify` at this adapter's wave size: every intrinsic of the wave library in every type on
//! every kind of active lanes, and each planted fault found where it was planted.

use std::collections::BTreeSet;

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::{Edit, ShaderSource};
use wavelerp::verify::faults::Fault;
use wavelerp::verify::library::cases::MaskKind;
use wavelerp::verify::library::table::{Intrinsic, Kernel, TABLE, Type};
use wavelerp::verify::library::{LibraryCheck, run};

use crate::harness::Harness;

/// The whole table with `edits` planted in the shaders.
fn table(harness: &Harness, seed: u32, edits: Vec<Edit>) -> Vec<LibraryCheck> {
    part(harness, &Kernel::ALL, seed, edits)
}

/// What some kernels contribute to it.
fn part(harness: &Harness, kernels: &[Kernel], seed: u32, edits: Vec<Edit>) -> Vec<LibraryCheck> {
    let pipelines = Pipelines::new(ShaderSource {
        edits,
        ..crate::shaders::source()
    });
    run(&harness.gpu, &pipelines, kernels, seed, |_| ()).expect("it runs")
}

/// The intrinsics that fail in some check.
fn failed(checks: &[LibraryCheck]) -> BTreeSet<&'static str> {
    let failed = checks.iter().filter(|check| !check.passed);
    failed.map(|check| check.intrinsic).collect()
}

#[test]
fn every_intrinsic_in_every_type_is_right_for_every_kind_of_active_lanes() {
    let harness = Harness::new();
    for seed in [1, 2] {
        let checks = table(&harness, seed, Vec::new());
        let wrong: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert!(wrong.is_empty(), "{} are wrong: {wrong:#?}", wrong.len());
        for entry in &TABLE {
            let types: Vec<Option<Type>> = match entry.kernel.types() {
                [] => vec![None],
                types => types.iter().copied().map(Some).collect(),
            };
            let has = |ty: &Option<Type>| *ty != Some(Type::F16) || harness.gpu.caps.half_floats;
            for ty in types.into_iter().filter(has) {
                let own = |check: &&LibraryCheck| check.intrinsic == entry.name && check.ty == ty;
                let kinds = checks.iter().filter(own).map(|check| check.active_lanes);
                let mut wanted = MaskKind::ALL.to_vec();
                // A wave of one quad has no first quads but all.
                let one_quad = entry.kernel == Kernel::Quad && harness.gpu.caps.wave_max == 4;
                wanted.retain(|kind| !one_quad || *kind != MaskKind::Ragged);
                assert_eq!(kinds.collect::<Vec<_>>(), wanted, "{} {ty:?}", entry.name);
            }
        }
    }
}

#[test]
fn the_kernels_run_at_the_wave_size_that_is_expected() {
    let Ok(size) = std::env::var("WAVELERP_EXPECT_WAVE") else {
        return;
    };
    let checks = table(&Harness::new(), 1, Vec::new());
    assert!(
        checks
            .iter()
            .all(|check| check.wave_size.to_string() == size)
    );
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
        let failed = failed(&table(&harness, 1, fault.edits()));
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
const MISTAKES: [(&str, &str, &str, &str); 16] = [
    (
        "query",
        "wave.lane == subgroupBroadcastFirst(wave.lane)",
        "wave.lane == 0u",
        "WaveIsFirstLane",
    ),
    (
        "query",
        "return wave.lane_count;",
        "return subgroupAdd(1u);",
        "WaveGetLaneCount",
    ),
    (
        "query",
        "return wave.lane;",
        "return subgroupExclusiveAdd(1u);",
        "WaveGetLaneIndex",
    ),
    (
        "vote",
        "return subgroupAny(vote);",
        "return vote;",
        "WaveActiveAnyTrue",
    ),
    (
        "vote",
        "return subgroupAll(vote);",
        "return subgroupAny(vote);",
        "WaveActiveAllTrue",
    ),
    ("vote", "all || !any", "all", "WaveActiveAllEqual (bool)"),
    (
        "ballot",
        "{ return subgroupBallot(vote); }",
        "{ return subgroupBallot(true); }",
        "WaveActiveBallot",
    ),
    (
        "ballot",
        "counts.x + counts.y",
        "counts.y",
        "WaveActiveCountBits",
    ),
    (
        "read_lane",
        "subgroupBroadcastFirst(value)",
        "value",
        "WaveReadLaneFirst",
    ),
    (
        "read_lane",
        "subgroupShuffle(value, lane)",
        "subgroupShuffle(value, lane ^ 1u)",
        "WaveReadLaneAt",
    ),
    (
        "reduce",
        "subgroupMin(value)",
        "min(value, subgroupBroadcastFirst(value))",
        "WaveActiveMin",
    ),
    (
        "reduce",
        "subgroupAdd(value)",
        "subgroupInclusiveAdd(value)",
        "WaveActiveSum",
    ),
    (
        "reduce_bits",
        "subgroupXor(value)",
        "subgroupOr(value)",
        "WaveActiveBitXor",
    ),
    (
        "prefix",
        "subgroupExclusiveMul(value)",
        "subgroupInclusiveMul(value)",
        "WavePrefixProduct",
    ),
    (
        "quad",
        "(lane & ~3u) | (quad_lane & 3u)",
        "quad_lane",
        "QuadReadLaneAt",
    ),
    (
        "append",
        "subgroupBroadcastFirst(base)",
        "base",
        "ordered append, one or none",
    ),
];

#[test]
fn a_mistake_in_any_file_of_the_library_is_found() {
    let harness = Harness::new();
    let modules: Vec<String> = MISTAKES.iter().map(|of| format!("wave/{}", of.0)).collect();
    for (index, (_, find, replace, intrinsic)) in MISTAKES.into_iter().enumerate() {
        // At wave 4 there is one quad, whose number is 0.
        if intrinsic == "QuadReadLaneAt" && harness.gpu.caps.wave_max == 4 {
            continue;
        }
        let module: &'static str = modules[index].clone().leak();
        let edit = Edit {
            module,
            find,
            replace,
        };
        let entry = TABLE.iter().find(|entry| entry.name == intrinsic);
        let kernel = entry.expect("it is in the table").kernel;
        let failed = failed(&part(&harness, &[kernel], 1, vec![edit]));
        assert!(
            failed.contains(intrinsic),
            "{module} with `{replace}`: {failed:?}"
        );
    }
}
