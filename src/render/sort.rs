//! Stable radix sort of (key, value) pairs on the GPU (`shaders/radix_sort.wesl`), used twice: splats
//! by depth and tile entries by tile.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::layout::{ScanJob, SortJob};
use crate::gpu::shader::Variant;
use crate::gpu::{Bind, Capabilities, ComputePipeline, Gpu, Pipelines, uniform_buffer};

use super::counters::{NOWHERE, SORT_BLOCK};
use super::scan::{Groups, Scan};

/// Digit size: workgroup memory holds 2^bits words per wave of 256 invocations, so adapters whose
/// smallest wave is under 16 lanes get 4 bits (16 KiB at most), all others 8 (at most 16 KiB).
pub fn radix_bits(caps: &Capabilities) -> u32 {
    if caps.wave_min >= 16 { 8 } else { 4 }
}

/// A sort of as many pairs as a counter says, by the lowest bits of the key.
pub struct Sort {
    jobs: Vec<wgpu::Buffer>,
    histogram: Arc<ComputePipeline>,
    scatter: Arc<ComputePipeline>,
    scan: Scan,
    /// First of this count's four argument slots.
    slots: u64,
}

/// Buffers that a sort works on; every pass reads one side and writes the other.
pub struct Sides<'a> {
    /// Keys, input on side 0.
    pub keys: &'a [wgpu::Buffer; 2],
    /// Values, input on side 0.
    pub values: &'a [wgpu::Buffer; 2],
    /// Digit counts.
    pub histograms: &'a wgpu::Buffer,
    /// Scan partials.
    pub partials: &'a wgpu::Buffer,
    /// Counters.
    pub counters: &'a wgpu::Buffer,
    /// Indirect arguments.
    pub arguments: &'a wgpu::Buffer,
}

impl Sort {
    /// A sort by the lowest `key_bits` bits; `counter` holds the number of pairs and `slots` is the
    /// first of its argument slots.
    ///
    /// # Errors
    /// A shader does not compile (exit code 1).
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        counter: u32,
        key_bits: u32,
        slots: u64,
    ) -> Result<Self> {
        let bits = radix_bits(&gpu.caps);
        let variant = Variant::new("radix_sort")
            .with("RADIX_BITS", bits)
            .with("MAX_WAVES", 256 / gpu.caps.wave_min)
            .feature("wave", gpu.caps.waves);
        let jobs = (0..key_bits.div_ceil(bits))
            .map(|pass| {
                let shift = pass * bits;
                uniform_buffer(gpu, "sort job", &SortJob { counter, shift })
            })
            .collect();
        let scan = ScanJob {
            counter,
            block: SORT_BLOCK,
            multiplier: 1 << bits,
            total: NOWHERE,
        };
        Ok(Self {
            jobs,
            histogram: pipelines.compute(gpu, &variant, "histogram")?,
            scatter: pipelines.compute(gpu, &variant, "scatter")?,
            scan: Scan::new(gpu, pipelines, "sort scan", scan)?,
            slots,
        })
    }

    /// The side on which the sorted pairs end.
    pub fn sorted_side(&self) -> usize {
        self.jobs.len() % 2
    }

    /// Sorts; the result is on side [`Sort::sorted_side`].
    ///
    /// # Errors
    /// A resource is missing (exit code 1; a bug).
    pub fn record(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, sides: &Sides) -> Result<()> {
        for (index, job) in self.jobs.iter().enumerate() {
            let (from, to) = (index % 2, (index + 1) % 2);
            let binds: [Bind; 7] = [
                ("job", job.as_entire_binding()),
                ("counters", sides.counters.as_entire_binding()),
                ("keys_in", sides.keys[from].as_entire_binding()),
                ("values_in", sides.values[from].as_entire_binding()),
                ("histograms", sides.histograms.as_entire_binding()),
                ("keys_out", sides.keys[to].as_entire_binding()),
                ("values_out", sides.values[to].as_entire_binding()),
            ];
            let blocks = self.slots + 1;
            self.histogram
                .dispatch_indirect(gpu, pass, &binds, sides.arguments, blocks)?;
            self.scan.record(
                gpu,
                pass,
                sides.counters,
                sides.histograms,
                sides.partials,
                &Groups::Indirect(sides.arguments, self.slots + 2),
            )?;
            self.scatter
                .dispatch_indirect(gpu, pass, &binds, sides.arguments, blocks)?;
        }
        Ok(())
    }
}
