//! Stochastic transparency (`shaders/methods/stochastic.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::model::Feature;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::reference::oit::stochastic::Mode;

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER, pixel_bytes};
use super::kernel::Computed;
use super::kernel::{CompositePass, PassContext};
use super::own_buffer::{WithBuffer, bytes_of_pixels};
use super::specialization::Specialization;

/// Bytes of a pixel's sums, and of the number of frames that they are of.
const SUMS: u64 = 20;

pub(super) struct Stochastic;

impl AnyOrder for Stochastic {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let method = spec.options.method;
        let variant = variant
            .with("SAMPLES", method.samples)
            .with("ESTIMATE", method.estimate as u32);
        match method.accumulate {
            1 => variant,
            frames => variant
                .with("FRAMES", frames)
                .feature(Feature::Accumulated, true)
                // So there is a storage buffer to spare for the sums.
                .feature(Feature::UniformTables, true),
        }
    }

    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let with = |(samples, estimate)| MethodOptions {
            samples,
            estimate,
            ..usual
        };
        let depth = [8, 1, 64].map(|samples| (samples, Mode::Depth));
        let others = [Mode::Corrected, Mode::Mean].map(|estimate| (8, estimate));
        depth.into_iter().chain(others).map(with).collect()
    }

    /// Depths alone are joined.
    fn shares_pixels(&self, spec: &Specialization) -> bool {
        spec.options.method.estimate == Mode::Depth
    }

    /// A sample has a depth and, but for `depth`, the item; drawn, colour in 8 bits a channel instead of that.
    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let method = spec.options.method;
        let samples = method.samples;
        let [numbers, drawn] = match method.estimate {
            Mode::Mean => [2, samples * 8],
            Mode::Corrected => [2, samples * 8 + 1],
            Mode::Depth => [1, samples * 4 + DRAWN_SUMS],
        };
        pixel_bytes((samples * numbers + 5) * NUMBER, drawn)
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let method = spec.options.method;
        let frames = match method.accumulate {
            1 => "",
            frames => &format!(" x {frames}"),
        };
        Some(format!("{}{frames} {}", method.samples, method.estimate))
    }

    fn pass(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        let frames = context.spec.options.method.accumulate;
        if frames == 1 {
            return Ok(Box::new(Computed::new(context)?));
        }
        let (spec, extent, caps) = (context.spec, context.extent, &context.gpu.caps);
        let bytes = bytes_of_pixels((spec, extent, caps), SUMS, |_| {
            "choose --accumulate 1 or a smaller size".to_owned()
        })?;
        WithBuffer::boxed(context, ("frame_sums", bytes), frames)
    }

    /// Both walks go through blocks of 16 samples; the first draws eight samples a turn.
    fn turns(&self, spec: &Specialization) -> u32 {
        let samples = spec.options.method.samples;
        let with_end = |turns: u32| turns + 1;
        let walks = 2 * with_end(samples.div_ceil(16));
        1 + with_end(samples.div_ceil(8)) + walks + 2
    }
}
