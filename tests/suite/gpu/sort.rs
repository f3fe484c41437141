//! The radix sort alone gives the same order of random pairs as a stable sort on the CPU.

use wavelerp::frame::sort::Sort;
use wavelerp::gpu::{Pipelines, read_buffer};

use crate::harness::{Harness, edited, rows};

/// Sorts pairs of random keys and indices, and reports a pair that is not at its stable position.
fn sorted(harness: &Harness, pipelines: &Pipelines, count: u32, bits: u32) -> Result<(), String> {
    let gpu = &harness.gpu;
    let sort = Sort::new(gpu, pipelines, count, bits, true).expect("a sort");
    let mut random = fastrand::Rng::with_seed(1);
    let keys = (0..count).map(|_| random.u32(..) >> (32 - bits));
    let mut pairs: Vec<(u32, u32)> = keys.zip(0..).collect();
    let (keys, values): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    for (buffer, words) in sort.unsorted().into_iter().zip([&keys, &values]) {
        gpu.queue
            .write_buffer(buffer, 0, bytemuck::cast_slice(words));
    }
    gpu.compute_and_wait("sort", |pass| sort.record(pass))
        .expect("sorted");
    let read = |buffer| read_buffer::<u32>(gpu, buffer, pairs.len()).expect("words");
    let [keys, values] = sort.sorted().map(read);
    pairs.sort_by_key(|pair| pair.0);
    let found = keys.into_iter().zip(values);
    match found
        .zip(&pairs)
        .position(|(found, expected)| found != *expected)
    {
        None => Ok(()),
        Some(place) => Err(format!("pair {place} of {count} is another")),
    }
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
            // With so few bits, many keys are equal.
            let result = sorted(&harness, &pipelines, 5000, 6);
            assert!(result.is_err(), "`{replace}` is not found");
        }
    }
}
