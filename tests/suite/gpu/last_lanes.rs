//! Searches for the last active lane, with ballots from a buffer, so that the words used only by waves of 64 and 128
//! lanes are tested on any GPU.

use wavelerp::gpu::shader::{Edit, Variant};
use wavelerp::gpu::{Binds, Pipelines, filled_buffer, read_buffer, storage_buffer};
use wavelerp::model::Feature;

use crate::harness::{Harness, rows};
use crate::oracles::simulate::pcg;
use crate::shaders::test_source;

/// Lanes of a workgroup, all of which compute the same result.
const LANES: usize = 128;
/// Forms run by the kernel, in order.
const FORMS: [&str; 3] = ["vector", "scalar", "native"];

/// Ballots with each single bit, with random words including zeros, with all bits, and with none.
fn ballots() -> Vec<u128> {
    let mut words = (1..).map(pcg);
    let mut random = || {
        let four = words.by_ref().take(4);
        four.fold(0u128, |bits, word| bits << 32 | u128::from(word))
    };
    let parts = (0..16u128).map(|kept| {
        let kept = (0..4).filter(|word| kept >> word & 1 == 1);
        kept.fold(0, |bits, word| bits | 0xffff_ffff << (32 * word))
    });
    let random: Vec<u128> = parts
        .flat_map(|kept| [random() & kept, random() & kept & random() & random()])
        .collect();
    let singles = (0..128).map(|lane| 1 << lane);
    singles.chain(random).chain([0, u128::MAX]).collect()
}

/// True if the native instruction is defined: among the bits of the wave's lanes, at least one must be set.
fn is_defined(ballot: u128, width: u32) -> bool {
    ballot != 0 && (width == 128 || ballot >> width == 0)
}

/// Failures with `edits` planted in the shaders.
fn failures(harness: &Harness, native: bool, edits: &[Edit]) -> Vec<String> {
    let gpu = &harness.gpu;
    let mut source = test_source();
    source.edits = edits.to_vec();
    let pipelines = Pipelines::new(source);
    let variant = Variant::new("last_lanes")
        .feature(Feature::Wave, true)
        .feature(Feature::Native, native);
    let pipeline = pipelines.compute(gpu, &variant, "last_lanes");
    let pipeline = pipeline.expect("the kernel compiles");
    let ballots = ballots();
    let words = |bits: &u128| [0, 32, 64, 96].map(|word| (bits >> word) as u32);
    let words: Vec<[u32; 4]> = ballots.iter().map(words).collect();
    let given = filled_buffer(gpu, "ballots", &words);
    let count = ballots.len() * LANES * FORMS.len();
    let found = storage_buffer(gpu, "found", 4 * count as u64);
    let sizes = storage_buffer(gpu, "sizes", 4 * ballots.len() as u64);
    let binds = Binds::new([
        ("ballots", given.as_entire_binding()),
        ("found", found.as_entire_binding()),
        ("sizes", sizes.as_entire_binding()),
    ]);
    let groups = ballots.len() as u32;
    let done = gpu.compute_and_wait("last lanes", |pass| {
        pipeline.dispatch(pass, &[&binds], groups)
    });
    done.expect("the work runs");
    let width = read_buffer::<u32>(gpu, &sizes, 1).expect("read-back")[0];
    let found = read_buffer::<u32>(gpu, &found, count).expect("read-back");
    let mut failures = Vec::new();
    for (ballot, lanes) in ballots.iter().zip(found.chunks(LANES * FORMS.len())) {
        // If no bit is set, the plain forms return lane 0.
        let expected = ballot.checked_ilog2().unwrap_or(0);
        for (index, &lane) in lanes.iter().enumerate() {
            let form = FORMS[index % FORMS.len()];
            let is_plain = form != "native" || !native;
            if lane != expected && (is_plain || is_defined(*ballot, width)) {
                failures.push(format!("{form}: {lane} of {ballot:032x}, not {expected}"));
            }
        }
    }
    failures
}

#[test]
fn the_last_lane_of_any_ballot_is_found_by_every_form() {
    let harness = Harness::new();
    assert!(harness.gpu.caps.waves, "tests need an adapter with waves");
    let native = harness.gpu.caps.native_spirv.then_some(true);
    for native in [false].into_iter().chain(native) {
        let failures = failures(&harness, native, &[]);
        let first = &failures[..failures.len().min(5)];
        assert!(failures.is_empty(), "native {native}: {first:#?}");
    }
}

/// Faults planted in the search in four words. In the last, a word without bits gives no lane.
const FAULTS: &str = "
max(max(lanes.x, lanes.y), max(lanes.z, lanes.w)) | max(lanes.y, max(lanes.z, lanes.w))
max(max(lanes.x, lanes.y), max(lanes.z, lanes.w)) | max(lanes.x, max(lanes.z, lanes.w))
max(max(lanes.x, lanes.y), max(lanes.z, lanes.w)) | max(max(lanes.x, lanes.y), lanes.w)
max(max(lanes.x, lanes.y), max(lanes.z, lanes.w)) | max(max(lanes.x, lanes.y), lanes.z)
vec4<u32>(0u, 32u, 64u, 96u) | vec4<u32>(1u, 32u, 64u, 96u)
vec4<u32>(0u, 32u, 64u, 96u) | vec4<u32>(0u, 31u, 64u, 96u)
vec4<u32>(0u, 32u, 64u, 96u) | vec4<u32>(0u, 32u, 32u, 96u)
vec4<u32>(0u, 32u, 64u, 96u) | vec4<u32>(0u, 32u, 64u, 64u)
bits == vec4<u32>(wave_no_bit) | vec4<bool>(false)
";

mod controls {
    use super::*;

    #[test]
    fn a_word_that_is_ignored_or_counted_from_a_wrong_lane_is_found() {
        let harness = Harness::new();
        for [find, replace] in rows(FAULTS) {
            let edit = Edit::new("wave/last_lane", find, replace);
            let failures = failures(&harness, false, &[edit]);
            for form in FORMS {
                let found = failures.iter().any(|failure| failure.starts_with(form));
                assert!(found, "`{replace}` was not found in the {form} form");
            }
        }
    }
}
