//! Stable radix sort of (key, value) pairs on the GPU (`shaders/radix_sort.wesl`,
//! `shaders/radix_scatter.wesl`), used twice: splats by depth and tile entries by tile.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::{FrameUniform, SortJob};
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Capabilities, ComputePipeline, Gpu, Pipelines, uniform_buffer};

use super::counters::SORT_BLOCK;

/// Widest digit, bits: an invocation of 256 places two digits.
pub const MOST_RADIX_BITS: u32 = 9;

/// Workgroup memory of the widest kernel at this digit size, bytes: a block's keys and values, a count
/// of 16 bits per wave and digit, two words per digit, and a word per invocation to sum over waves.
pub fn workgroup_bytes(wave_min: u32, radix_bits: u32) -> u32 {
    let digits = 1 << radix_bits;
    4 * (2 * SORT_BLOCK + (256 / wave_min) * digits / 2 + 2 * digits + 256)
}

/// Digit size for keys of `key_bits` bits: as few passes as workgroup memory allows, and no wider than
/// they need.
pub fn radix_bits(caps: &Capabilities, key_bits: u32) -> u32 {
    let fits = |bits: &u32| workgroup_bytes(caps.wave_min, *bits) <= caps.max_workgroup_bytes;
    let widest = (1..=MOST_RADIX_BITS).rev().find(fits).unwrap_or(1);
    key_bits.div_ceil(key_bits.div_ceil(widest).max(1)).max(1)
}

/// Bits of the depth keys: the bits of a view depth between `near` and `far` less those of `near`.
pub fn depth_key_bits(near: f32, far: f32) -> u32 {
    bits_of(far.to_bits().saturating_sub(near.to_bits()))
}

/// Bits of the keys by which a frame's splats are sorted: their depths, or slices with distances in them.
pub fn order_key_bits(uniform: &FrameUniform) -> u32 {
    match uniform.by_distance {
        0 => depth_key_bits(uniform.near, uniform.far),
        _ => 32,
    }
}

/// Bits of the numbers of `tiles` tiles.
pub fn tile_key_bits(tiles: u32) -> u32 {
    bits_of(tiles.saturating_sub(1))
}

fn bits_of(largest: u32) -> u32 {
    (32 - largest.leading_zeros()).max(1)
}

/// Words of digit counts that sorting `pairs` pairs needs.
pub fn histogram_words(caps: &Capabilities, key_bits: u32, pairs: u64) -> u64 {
    pairs.div_ceil(u64::from(SORT_BLOCK)) << radix_bits(caps, key_bits)
}

/// What pairs a sort works on.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// The counter that holds their number.
    pub counter: u32,
    /// The argument slot with a workgroup per `SORT_BLOCK` of them.
    pub slot: u64,
    /// Lowest bits of the key that are sorted by.
    pub key_bits: u32,
    /// Whether keys are wanted too, or only the values in their order.
    pub keys: bool,
    /// Whether what wrote the pairs has counted the lowest digits per block.
    pub counted: bool,
}

/// One pass: a digit, and what writes its pairs.
struct Pass {
    job: Binds,
    scatter: Arc<ComputePipeline>,
}

/// A sort of pairs by the lowest bits of the key; a counter on the GPU holds the number of pairs.
pub struct Sort {
    passes: Vec<Pass>,
    histogram: Arc<ComputePipeline>,
    scan: Arc<ComputePipeline>,
    pairs: Pairs,
    digits: u32,
}

/// Buffers that a sort works on; every pass reads one side and writes the other.
pub struct Sides<'a> {
    /// Keys, input on side 0.
    pub keys: [&'a wgpu::Buffer; 2],
    /// Values, input on side 0.
    pub values: [&'a wgpu::Buffer; 2],
    /// Digit counts: [`histogram_words`].
    pub histograms: &'a wgpu::Buffer,
    /// Pairs per digit: 2^[`MOST_RADIX_BITS`] words.
    pub digit_totals: &'a wgpu::Buffer,
    /// Counters.
    pub counters: &'a wgpu::Buffer,
    /// Indirect arguments.
    pub arguments: &'a wgpu::Buffer,
}

/// The buffers that a sort works on, as its passes bind them.
pub struct SortBinds {
    /// For a pass that reads this side and writes the other.
    from: [Binds; 2],
    arguments: wgpu::Buffer,
}

impl SortBinds {
    /// The sets for passes that read one side and for passes that read the other.
    pub fn new(sides: &Sides) -> Self {
        let from = |from: usize| {
            let to = 1 - from;
            Binds::new([
                ("counters", sides.counters.as_entire_binding()),
                ("keys_in", sides.keys[from].as_entire_binding()),
                ("values_in", sides.values[from].as_entire_binding()),
                ("histograms", sides.histograms.as_entire_binding()),
                ("digit_totals", sides.digit_totals.as_entire_binding()),
                ("keys_out", sides.keys[to].as_entire_binding()),
                ("values_out", sides.values[to].as_entire_binding()),
            ])
        };
        Self {
            from: [from(0), from(1)],
            arguments: sides.arguments.clone(),
        }
    }
}

impl Sort {
    /// A sort of `pairs`.
    ///
    /// # Errors
    /// A shader does not compile.
    pub fn new(gpu: &Gpu, pipelines: &Pipelines, pairs: Pairs) -> Result<Self> {
        let bits = radix_bits(&gpu.caps, pairs.key_bits);
        let variant = |module: &'static str| {
            Variant::new(module)
                .with("RADIX_BITS", bits)
                .feature("wave", gpu.caps.waves)
        };
        let count = pairs.key_bits.div_ceil(bits);
        let passes = (0..count).map(|pass| {
            let values_only = !pairs.keys && pass + 1 == count;
            let scatter = variant("radix_scatter")
                .with("MAX_WAVES", 256 / gpu.caps.wave_min)
                .feature("values_only", values_only);
            let job = SortJob {
                counter: pairs.counter,
                shift: pass * bits,
            };
            let job = uniform_buffer(gpu, "sort job", &job);
            Ok(Pass {
                job: Binds::new([("job", job.as_entire_binding())]),
                scatter: pipelines.compute(gpu, &scatter, "scatter")?,
            })
        });
        Ok(Self {
            passes: passes.collect::<Result<_>>()?,
            histogram: pipelines.compute(gpu, &variant("radix_sort"), "histogram")?,
            scan: pipelines.compute(gpu, &variant("radix_sort"), "scan")?,
            pairs,
            digits: 1 << bits,
        })
    }

    /// Number of passes over the pairs.
    pub fn passes(&self) -> usize {
        self.passes.len()
    }

    /// The side on which the sorted pairs end.
    pub fn sorted_side(&self) -> usize {
        self.passes.len() % 2
    }

    /// Sorts; the result is on side [`Sort::sorted_side`].
    ///
    /// # Errors
    /// A resource is missing (a bug).
    pub fn record(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, binds: &SortBinds) -> Result<()> {
        let (arguments, slot) = (&binds.arguments, self.pairs.slot);
        for (index, Pass { job, scatter }) in self.passes.iter().enumerate() {
            let sets = [&binds.from[index % 2], job];
            if index > 0 || !self.pairs.counted {
                self.histogram
                    .dispatch_indirect(gpu, pass, &sets, arguments, slot)?;
            }
            self.scan.dispatch(gpu, pass, &sets, self.digits)?;
            scatter.dispatch_indirect(gpu, pass, &sets, arguments, slot)?;
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
        assert_eq!(
            (tile_key_bits(1), tile_key_bits(2), tile_key_bits(3)),
            (1, 1, 2)
        );
        assert_eq!((tile_key_bits(32_768), tile_key_bits(32_769)), (15, 16));
    }
}
