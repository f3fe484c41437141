//! Mistakes planted in the wave library and in the kernel that runs it, each found in a function that it is in.

use wavelerp::gpu::shader::Edit;

use super::failures;
use crate::harness::{Harness, rows};

/// A mistake in a file of the library, and a function that must be seen to suffer.
const MISTAKES: &str = r"
wave/lerp | t: f32, prefix: f32) -> f32 {\n    return subgroupAdd(value * t * prefix); | t: f32, prefix: f32) -> f32 {\n    return subgroupAdd(value * prefix); | wave_active_lerp_f32
wave/lerp | rgb(value, t, wave_lerp_prefix_f32(factor)),\n        subgroupMul(factor), | rgb(value, t, wave_lerp_prefix_f32(factor)),\n        subgroupExclusiveMul(factor), | wave_active_lerp_carry_rgb transmittance
wave/lerp | subgroupAdd(values * t * prefixes) | subgroupAdd(values * t.x * prefixes) | wave_lerp_from_prefix_vec4f of_no_opacity
wave/prefix_product | subgroupInclusiveMul(factors) / factors; | subgroupInclusiveMul(factors) / factors.xyxw; | wave_prefix_product_division_vec4f guarded
wave/lerp_last | lane_f32(prefix * factor, last_lane) | lane_f32(prefix, last_lane) | wave_active_lerp_last_f32 transmittance
wave/lerp | (b, t, prefix),\n        subgroupMul(factor), | (b, t, prefix),\n        subgroupMul(factor.xyww), | wave_active_lerp_carry_rgb_four transmittance
wave/lerp_last | lane_vec4f(prefix * factor, last_lane) | lane_vec4f(prefix, last_lane) | wave_active_lerp_last_rgb_four transmittance
wave/prefix_lerp | subgroupInclusiveAdd | subgroupExclusiveAdd | wave_prefix_lerp_rgb value.b
wave/prefix_product | return subgroupExclusiveMul(factor); | return subgroupInclusiveMul(factor); | wave_prefix_product_driver
wave/prefix_product | 0.00001 | 0.0001 | wave_prefix_product_division guarded
wave/last_lane | firstLeadingBit(ballot) | firstTrailingBit(ballot) | wave_last_lane_ballot_scalar
wave/read_lane | subgroupShuffle(value, lane) | subgroupShuffle(value, lane ^ 1u) | native_broadcast_vec4f a
wave/ballot | subgroupBallot(vote) & wave_lanes_below(lane) | subgroupBallot(vote) | wave_prefix_count_bits
";

#[test]
fn a_mistake_in_any_file_of_the_library_is_found() {
    let harness = Harness::new();
    for [module, find, replace, function] in rows(MISTAKES) {
        let edit = Edit::new(module, find, replace);
        let failures = failures(&harness, false, &[edit]);
        let is_found = failures.iter().any(|failure| failure.contains(function));
        let first = &failures[..failures.len().min(5)];
        assert!(is_found, "{module} with `{replace}`: {first:#?}");
    }
}

#[test]
fn a_lane_that_runs_though_it_is_not_active_is_found() {
    let harness = Harness::new();
    let replace = "if is_active || wave.lane == 0u {";
    let edit = Edit::new("wave_library", "if is_active {", replace);
    let failures = failures(&harness, false, &[edit]);
    let has = |parts: [&str; 2]| {
        let is_it = |failure: &String| parts.iter().all(|part| failure.contains(part));
        failures.iter().any(is_it)
    };
    assert!(has(["inactive lane 0", "wrote"]));
    // Its NaN spreads into the lanes that are active.
    assert!(has(["wave_active_lerp_f32", "NaN"]));
}
