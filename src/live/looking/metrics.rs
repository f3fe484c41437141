//! Difference between methods A and B, measured on the GPU. The kernel writes a partial record for each block of
//! pixels. The CPU adds up the records in f64.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, ComputePipeline, Gpu, Pipelines, storage_buffer, uniform_buffer};
use crate::model::layout::gpu_struct;
use crate::report::metrics::Metrics;
use crate::report::position_in;
use crate::report::range::{DECADES, Histogram, POWERS};

const BLOCK: u32 = 1024;
const NONE: u32 = u32::MAX;

/// Difference between A and B (the reference), with the same rules as [`Metrics`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveMetrics {
    /// As in a capture, but differences are rounded to f32 and sums have a relative error of up to 1e-6.
    pub metrics: Metrics,
    /// Number of pixels in which a channel differs from the reference by more than the threshold or is not finite.
    pub over_threshold: u64,
    /// Largest finite magnitude of any channel of the reference.
    pub peak: f64,
    /// Peak signal-to-noise ratio in dB, 20 log10(peak / rmse). `None` if the rmse or the peak is 0.
    pub psnr: Option<f64>,
    pub differences: Histogram,
    /// Root mean square and maximum difference of red, green and blue of `rgb + T · background`.
    pub shown_rmse: f64,
    pub shown_max: f64,
}

gpu_struct! {
    MetricsJob {
        /// Number of pixels in each of the two pictures.
        pixels: u32,
        threshold: f32,
        pad0: u32,
        pad1: u32,
        /// Powers of ten at which decades begin, ascending, followed by the largest number.
        powers: [[f32; 4]; 5],
    }
}

gpu_struct! {
    /// Contribution of a block of pixels.
    MetricsPart {
        /// Sum of |difference| / scale over four channels, where scale = 2^floor(log2 max_abs).
        abs_sum: f32,
        square_sum: f32,
        /// Maximum |difference|.
        max_abs: f32,
        /// Maximum difference in units in the last place.
        max_ulp: f32,
        /// Largest finite magnitude of a channel of the reference.
        peak: f32,
        /// First pixel with a difference of `max_abs`, or `u32::MAX`.
        worst: u32,
        /// First pixel that is not finite in either picture, or `u32::MAX`.
        first_not_finite: u32,
        /// Number of pixels that are finite in both pictures.
        finite: u32,
        differing: u32,
        /// Number of pixels that differ by more than the threshold or are not finite.
        over_threshold: u32,
        /// Number of pixels of the picture that are not finite.
        not_finite: u32,
        /// Sum of (difference / scale)² over red, green and blue of `rgb + T · background`.
        shown_square_sum: f32,
        /// Maximum difference in red, green and blue of `rgb + T · background`.
        shown_max: f32,
    }
}

pub struct MetricsPass {
    pub parts: wgpu::Buffer,
    pub decades: wgpu::Buffer,
    size: [u32; 2],
    pipeline: Arc<ComputePipeline>,
    job: wgpu::Buffer,
    binds: Binds,
}

impl MetricsPass {
    /// Creates the pass that measures `picture` against `reference` over `backgrounds`. Both have `size` pixels of
    /// (rgb, T).
    pub fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        size: [u32; 2],
        [picture, reference, backgrounds]: [&wgpu::Buffer; 3],
    ) -> Result<Self> {
        let blocks = (size[0] * size[1]).div_ceil(BLOCK);
        let bytes = u64::from(blocks) * size_of::<MetricsPart>() as u64;
        let parts = storage_buffer(gpu, "metrics", bytes);
        let decades = storage_buffer(gpu, "decades of differences", 4 * DECADES as u64);
        let job = uniform_buffer(gpu, "metrics job", &MetricsJob::default());
        Ok(Self {
            binds: Binds::new([
                ("job", job.as_entire_binding()),
                ("picture", picture.as_entire_binding()),
                ("reference", reference.as_entire_binding()),
                ("parts", parts.as_entire_binding()),
                ("decades", decades.as_entire_binding()),
                ("backgrounds", backgrounds.as_entire_binding()),
            ]),
            parts,
            decades,
            size,
            pipeline: pipelines.compute(gpu, &Variant::new("inspect/metrics"), "metrics")?,
            job,
        })
    }

    pub fn blocks(&self) -> u32 {
        (self.size[0] * self.size[1]).div_ceil(BLOCK)
    }

    pub fn record(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass, threshold: f32) -> Result<()> {
        let job = MetricsJob {
            pixels: self.size[0] * self.size[1],
            threshold,
            powers: powers(),
            ..MetricsJob::default()
        };
        gpu.queue
            .write_buffer(&self.job, 0, bytemuck::bytes_of(&job));
        let none = [0u32; DECADES];
        gpu.queue
            .write_buffer(&self.decades, 0, bytemuck::bytes_of(&none));
        self.pipeline.dispatch(pass, &[&self.binds], self.blocks())
    }
}

impl LiveMetrics {
    /// Adds up the records of all blocks of a picture, in row order. `decades` counts pixels by their difference.
    pub fn from_parts(parts: &[MetricsPart], decades: &[u32], size: [u32; 2]) -> Self {
        let counts: Result<[u32; DECADES], _> = decades.try_into();
        let mut found = Self {
            differences: counts.map(Histogram::from).unwrap_or_default(),
            ..Self::default()
        };
        let (mut abs, mut square, mut shown, mut values) = (0.0, 0.0, 0.0, 0u64);
        let (mut worst, mut not_finite) = (None, None);
        let pixel = |index: u32| (index != NONE).then_some(index);
        for part in parts {
            let scale = scale_of(part.max_abs);
            abs += f64::from(part.abs_sum) * scale;
            square += f64::from(part.square_sum) * scale * scale;
            shown += f64::from(part.shown_square_sum) * scale * scale;
            found.shown_max = found.shown_max.max(f64::from(part.shown_max));
            values += 4 * u64::from(part.finite);
            found.over_threshold += u64::from(part.over_threshold);
            found.peak = found.peak.max(f64::from(part.peak));
            let metrics = &mut found.metrics;
            metrics.max_ulp = metrics.max_ulp.max(f64::from(part.max_ulp));
            metrics.differing_pixels += u64::from(part.differing);
            metrics.nan_count += u64::from(part.not_finite);
            if f64::from(part.max_abs) > metrics.max_abs {
                metrics.max_abs = f64::from(part.max_abs);
                worst = pixel(part.worst);
            }
            not_finite = not_finite.or(pixel(part.first_not_finite));
        }
        let metrics = &mut found.metrics;
        metrics.mean_abs = abs / values.max(1) as f64;
        metrics.rmse = (square / values.max(1) as f64).sqrt();
        found.shown_rmse = (4.0 / 3.0 * shown / values.max(1) as f64).sqrt();
        metrics.worst_pixel = worst
            .or(not_finite)
            .map(|index| position_in(size, index as usize));
        let psnr = 20.0 * (found.peak / found.metrics.rmse).log10();
        found.psnr = psnr.is_finite().then_some(psnr);
        found
    }
}

/// Powers of ten in the kernel's layout.
fn powers() -> [[f32; 4]; 5] {
    let mut powers = [[f32::MAX; 4]; 5];
    powers.as_flattened_mut()[..POWERS.len()].copy_from_slice(&POWERS);
    powers
}

/// Power of two that the kernel divided a block's differences by.
fn scale_of(max_abs: f32) -> f64 {
    let exponent = (max_abs.to_bits() >> 23).clamp(1, 253);
    2.0_f64.powi(exponent as i32 - 127)
}
