//! The radix sort alone, of random pairs, against a stable sort on the CPU.

use wavelerp::gpu::Pipelines;
use wavelerp::runs::bench::sort::SortCase;

use crate::harness::{Harness, edited, rows};

/// Sorts once and says how the result differs from a stable sort.
fn sorted(harness: &Harness, pipelines: &Pipelines, count: u32, bits: u32) -> Result<(), String> {
    let gpu = &harness.gpu;
    let case = SortCase::new(gpu, pipelines, count, bits).expect("a case");
    let mut encoder = gpu.encoder("sort");
    case.reset(&mut encoder);
    let mut pass = encoder.begin_compute_pass(&Default::default());
    case.record(&mut pass).expect("recorded");
    drop(pass);
    gpu.submit_and_wait(encoder.finish()).expect("sorted");
    case.check(gpu).map_err(|error| error.to_string())
}

#[test]
fn pairs_are_sorted_by_key_and_equal_keys_stay_in_order() {
    let harness = Harness::new();
    for count in [1, 255, 2048, 2049, 70_001] {
        for bits in [1, 2, 9, 15, 27, 32] {
            let result = sorted(&harness, &harness.pipelines, count, bits);
            assert_eq!(result, Ok(()), "{count} pairs by {bits} bits");
        }
    }
}

mod controls {
    use super::*;

    #[test]
    fn a_sort_that_is_not_stable_or_forgets_a_wave_is_found() {
        let harness = Harness::new();
        for [find, replace] in rows(
            "
& 0xffffu) + below; | & 0xffffu) + wave_ballot_count(peers) - 1u - below;
both += held; | both = held;
here + counts.x); | here);
",
        ) {
            let pipelines = edited("frame/radix_scatter", find, replace);
            // Of few bits, so that many keys are equal.
            let result = sorted(&harness, &pipelines, 5000, 6);
            assert!(result.is_err(), "`{replace}` is not found");
        }
    }
}
