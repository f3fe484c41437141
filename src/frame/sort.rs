//! Stable GPU radix sort of (key, value) pairs (`shaders/frame/radix_sort.wesl`, `shaders/frame/radix_scatter.wesl`).

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, storage_buffer, uniform_buffer};
use crate::model::layout::gpu_struct;
use crate::model::{Capabilities, Feature};

use super::counters::SORT_BLOCK;
use super::shape::FrameShape;

/// Bits of the widest digit. Each of 256 invocations handles two values of a digit.
const MOST_RADIX_BITS: u32 = 9;

/// Workgroup memory of the widest kernel at the given digit size, in bytes: a block's keys and values, a 16-bit count
/// per wave and digit, two words per digit, and a word per invocation for sums over waves.
fn workgroup_bytes(wave_min: u32, radix_bits: u32) -> u32 {
    let digits = 1 << radix_bits;
    4 * (2 * SORT_BLOCK + (256 / wave_min) * digits / 2 + 2 * digits + 256)
}

/// Digit size for keys of `key_bits` bits. Wide digits need fewer passes and more workgroup memory. No digit is wider
/// than needed.
fn radix_bits(caps: &Capabilities, key_bits: u32) -> u32 {
    let fits = |bits: &u32| workgroup_bytes(caps.wave_min, *bits) <= caps.max_workgroup_bytes;
    let widest = (1..=MOST_RADIX_BITS).rev().find(fits).unwrap_or(1);
    key_bits.div_ceil(key_bits.div_ceil(widest).max(1)).max(1)
}

/// Number of bits in the depth keys. Keys are view depths from `near` to `far`, minus the bits of `near`.
fn depth_key_bits(near: f32, far: f32) -> u32 {
    bits_of(far.to_bits().saturating_sub(near.to_bits()))
}

/// Number of bits in the splats' sort keys: depths, or slices combined with distances.
pub fn order_key_bits(shape: &FrameShape) -> u32 {
    if shape.is_by_distance() {
        32
    } else {
        depth_key_bits(shape.near, shape.far)
    }
}

pub(super) fn bits_of(largest: u32) -> u32 {
    (32 - largest.leading_zeros()).max(1)
}

gpu_struct! {
    SortJob {
        count: u32,
        shift: u32,
    }
}

/// A digit, and the kernel that scatters the pairs by it.
struct Pass {
    job: wgpu::Buffer,
    binds: Binds,
    scatter: Arc<ComputePipeline>,
}

/// A sort of a fixed number of pairs by the lowest bits of the key. Every pass reads one set of buffers and writes the
/// other.
pub struct Sort {
    passes: Vec<Pass>,
    histogram: Arc<ComputePipeline>,
    scan: Arc<ComputePipeline>,
    keys: [wgpu::Buffer; 2],
    values: [wgpu::Buffer; 2],
    counts: [wgpu::Buffer; 2],
    groups: u32,
    digits: u32,
}

impl Sort {
    /// A sort of `pairs` pairs by the lowest `key_bits` bits. [`Sort::take_count`] can set a smaller number of pairs.
    /// With `keeps_keys`, the sorted keys are output too.
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        pairs: u32,
        key_bits: u32,
        keeps_keys: bool,
    ) -> Result<Self> {
        let bits = radix_bits(&gpu.caps, key_bits);
        let variant = |module: &'static str| {
            Variant::new(module)
                .with("RADIX_BITS", bits)
                .feature(Feature::Wave, gpu.caps.waves)
        };
        let words = |label: &str, words: u64| storage_buffer(gpu, label, 4 * words.max(4));
        let side = |label: &str| [0, 1].map(|_| words(label, u64::from(pairs)));
        let (keys, values) = (side("sorted keys"), side("sorted values"));
        let groups = pairs.div_ceil(SORT_BLOCK);
        let counts = [
            words("histograms", u64::from(groups) << bits),
            words("digit totals", 1 << bits),
        ];
        let count = key_bits.div_ceil(bits);
        let passes = (0..count).map(|pass| {
            let scatter = variant("frame/radix_scatter")
                .with("MAX_WAVES", 256 / gpu.caps.wave_min)
                .feature(Feature::ValuesOnly, !keeps_keys && pass + 1 == count);
            let job = SortJob {
                count: pairs,
                shift: pass * bits,
            };
            let job = uniform_buffer(gpu, "sort job", &job);
            let [from, to] = [pass, pass + 1].map(|side| side as usize % 2);
            Ok(Pass {
                job: job.clone(),
                binds: Binds::new([
                    ("job", job.as_entire_binding()),
                    ("keys_in", keys[from].as_entire_binding()),
                    ("values_in", values[from].as_entire_binding()),
                    ("histograms", counts[0].as_entire_binding()),
                    ("digit_totals", counts[1].as_entire_binding()),
                    ("keys_out", keys[to].as_entire_binding()),
                    ("values_out", values[to].as_entire_binding()),
                ]),
                scatter: pipelines.compute(gpu, &scatter, "scatter")?,
            })
        });
        Ok(Self {
            passes: passes.collect::<Result<_>>()?,
            histogram: pipelines.compute(gpu, &variant("frame/radix_sort"), "histogram")?,
            scan: pipelines.compute(gpu, &variant("frame/radix_sort"), "scan")?,
            keys,
            values,
            counts,
            groups,
            digits: 1 << bits,
        })
    }

    /// Sets the number of pairs from a word of a buffer, limited to the capacity.
    pub fn take_count(&self, encoder: &mut wgpu::CommandEncoder, words: &wgpu::Buffer, word: u32) {
        let bytes = size_of::<u32>() as u64;
        for Pass { job, .. } in &self.passes {
            encoder.copy_buffer_to_buffer(words, u64::from(word) * bytes, job, 0, bytes);
        }
    }

    /// Input keys and values. Sorting overwrites them.
    pub fn unsorted(&self) -> [&wgpu::Buffer; 2] {
        [&self.keys[0], &self.values[0]]
    }

    /// Sorted keys and values. The keys are valid only with `keeps_keys`.
    pub fn sorted(&self) -> [&wgpu::Buffer; 2] {
        let side = self.passes.len() % 2;
        [&self.keys[side], &self.values[side]]
    }

    pub fn bytes(&self) -> u64 {
        let all = self.keys.iter().chain(&self.values).chain(&self.counts);
        all.map(wgpu::Buffer::size).sum()
    }

    pub fn record(&self, pass: &mut wgpu::ComputePass) -> Result<()> {
        for Pass { binds, scatter, .. } in &self.passes {
            let sets = [binds];
            self.histogram.dispatch(pass, &sets, self.groups)?;
            self.scan.dispatch(pass, &sets, self.digits)?;
            scatter.dispatch(pass, &sets, self.groups)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps(wave_min: u32, max_workgroup_bytes: u32) -> Capabilities {
        Capabilities {
            wave_min,
            wave_max: wave_min,
            max_workgroup_bytes,
            ..Capabilities::default()
        }
    }

    #[test]
    fn digits_are_as_wide_as_workgroup_memory_allows_and_passes_as_few() {
        let passes = |caps: &Capabilities, bits: u32| bits.div_ceil(radix_bits(caps, bits));
        for wave in [16, 32, 64, 128] {
            assert_eq!(passes(&caps(wave, 49_152), 27), 3, "wave {wave}");
            assert_eq!(passes(&caps(wave, 49_152), 15), 2, "wave {wave}");
        }
        assert_eq!(radix_bits(&caps(32, 32_768), 27), 9);
        assert_eq!(radix_bits(&caps(32, 32_768), 13), 7, "no wider than needed");
        assert_eq!(radix_bits(&caps(32, 32_768), 1), 1);
        for wave in [1, 4, 8] {
            let caps = caps(wave, 32_768);
            let bits = radix_bits(&caps, 32);
            assert!(workgroup_bytes(wave, bits) <= 32_768, "wave {wave}");
            assert!(bits >= 4, "wave {wave}: {bits} bits");
        }
    }

    #[test]
    fn every_key_fits_its_bits() {
        for (near, far) in [(0.1, 100.0), (10.0, 100.0), (0.05, 200.0), (1.0, 16.0)] {
            let largest = f32::to_bits(far) - f32::to_bits(near);
            let bits = depth_key_bits(near, far);
            assert!(largest >> bits == 0 && largest >> (bits - 1) == 1);
        }
        assert_eq!(depth_key_bits(0.1, 100.0), 27);
    }
}
