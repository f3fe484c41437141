//! The `sort` case: random key–value pairs by the radix sort that orders the layers of fixed-function.

use crate::error::{Error, Result};
use crate::frame::sort::Sort;
use crate::gpu::{Gpu, Pipelines, filled_buffer, read_buffer};
use crate::model::passes::Pass;
use crate::report::bench::record::{Row, Work};
use crate::runs::{Set, Subject, Timer};

/// Pairs that are sorted, and the bits of their keys.
pub const SORTS: [(u32, u32); 3] = [(1 << 20, 32), (1_000_000, 27), (4_000_000, 27)];

/// Random pairs in GPU memory; values number them.
pub struct SortCase {
    pairs: Vec<u32>,
    sort: Sort,
    /// The pairs as they are at first: every run sorts a copy.
    unsorted: [wgpu::Buffer; 2],
}

/// Keys of `bits` bits that look random: Weyl's sequence with its bits mixed. Recorded runs depend on these
/// keys, so they must never change.
fn random_keys(count: u32, bits: u32) -> Vec<u32> {
    let mixed = |index: u32| {
        let mut key = index.wrapping_mul(0x9e37_79b9) ^ 0x85eb_ca6b;
        key = (key ^ (key >> 16)).wrapping_mul(0x7feb_352d);
        key = (key ^ (key >> 15)).wrapping_mul(0x846c_a68b);
        (key ^ (key >> 16)) >> (32 - bits)
    };
    (0..count).map(mixed).collect()
}

impl SortCase {
    /// `count` pairs with random keys of `key_bits` bits, 1 to 32.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, count: u32, key_bits: u32) -> Result<Self> {
        let bytes = 4 * u64::from(count);
        if bytes > gpu.caps.max_binding_bytes || !(1..=32).contains(&key_bits) {
            return Err(Error::usage(format!(
                "{count} pairs by {key_bits} bits: keys have 1 to 32 bits, and {} holds {} bytes in a buffer",
                gpu.caps.name, gpu.caps.max_binding_bytes
            )));
        }
        let pairs = random_keys(count, key_bits);
        let values: Vec<u32> = (0..count).collect();
        let case = Self {
            sort: Sort::new(gpu, pipelines, count, key_bits, true)?,
            unsorted: [
                filled_buffer(gpu, "random keys", &pairs),
                filled_buffer(gpu, "their numbers", &values),
            ],
            pairs,
        };
        gpu.check()
            .map_err(|error| error.context("the sort's buffers"))?;
        Ok(case)
    }

    pub fn passes(&self) -> usize {
        self.sort.passes()
    }

    /// Copies the unsorted pairs back. Recorded before the timed pass, so that every run sorts the same pairs.
    pub fn reset(&self, encoder: &mut wgpu::CommandEncoder) {
        for (from, to) in self.unsorted.iter().zip(self.sort.unsorted()) {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
    }

    pub fn record(&self, pass: &mut wgpu::ComputePass) -> Result<()> {
        self.sort.record(pass)
    }

    pub fn read(&self, gpu: &Gpu) -> Result<[Vec<u32>; 2]> {
        let words = |buffer: &wgpu::Buffer| read_buffer(gpu, buffer, self.pairs.len());
        let [keys, values] = self.sort.sorted();
        Ok([words(keys)?, words(values)?])
    }

    /// Compares what the GPU made with a stable sort on the CPU.
    pub fn check(&self, gpu: &Gpu) -> Result<()> {
        let mut order: Vec<u32> = (0..self.pairs.len() as u32).collect();
        order.sort_by_key(|&index| self.pairs[index as usize]);
        let [keys, values] = self.read(gpu)?;
        let right = |place: usize| {
            let value = order[place];
            values[place] == value && keys[place] == self.pairs[value as usize]
        };
        match (0..order.len()).find(|&place| !right(place)) {
            None => Ok(()),
            Some(place) => Err(Error::failed(format!(
                "pair {place} of {} is not where a stable sort puts it",
                order.len()
            ))),
        }
    }
}

/// Times a sort of random pairs, after checking its result.
pub fn rows(
    gpu: &Gpu,
    pipelines: &Pipelines,
    timer: &mut Timer,
    (pairs, bits): (u32, u32),
    work: &Work,
) -> Result<Vec<Row>> {
    let case = SortCase::new(gpu, pipelines, pairs, bits)?;
    let sort = Subject::new(|recorder, times| {
        (0..times).try_for_each(|_| {
            case.reset(&mut recorder.encoder);
            recorder.compute(Pass::Sort, |pass| case.record(pass))
        })
    });
    let pilot = timer.pilot(&sort)?;
    case.check(gpu)?;
    let times = timer.time(&Set::alone([sort]), &[pilot]);
    let row = Row {
        facts: vec![("passes over the pairs".to_owned(), case.passes() as f64)],
        ..Row::new(work.clone(), None, "radix sort".to_owned())
    };
    Ok(vec![row.timed(&times.subjects[0], &times)])
}
