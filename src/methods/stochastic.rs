//! Stochastic transparency (`shaders/methods/stochastic.wesl`).

use crate::error::{Error, Result};
use crate::frame::Extent;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Gpu, Pipelines, Recorder, storage_buffer};
use crate::model::Feature;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::passes::Label;
use crate::model::reference::oit::stochastic::{Mode, Noise};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER};
use super::composite::Computed;
use super::family::Made;
use super::specialization::Specialization;

/// Methods that draw at random which samples a layer covers.
pub(super) struct Stochastic;

impl AnyOrder for Stochastic {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let method = of.options.method;
        let variant = variant
            .with("SAMPLES", method.samples)
            .with("ESTIMATE", method.estimate as u32)
            .with("NOISE", method.noise as u32);
        match method.accumulate {
            1 => variant,
            frames => variant
                .with("FRAMES", frames)
                .feature(Feature::Accumulated, true),
        }
    }

    fn places(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let with = |samples, estimate, noise| MethodOptions {
            samples,
            estimate,
            noise,
            ..usual
        };
        vec![
            with(8, Mode::DepthOnly, Noise::White),
            with(1, Mode::DepthOnly, Noise::White),
            with(64, Mode::DepthOnly, Noise::White),
            with(8, Mode::DepthOnly, Noise::Blue),
            with(8, Mode::AlphaCorrected, Noise::White),
            with(8, Mode::Mean, Noise::White),
            with(1, Mode::Mean, Noise::Stable),
        ]
    }

    /// A sample has depth and item; drawn, depth and, but for `depth`, colour in 8 bits a channel.
    fn bytes(&self, of: &Specialization) -> PixelBytes {
        let (samples, estimate) = (of.options.method.samples, of.options.method.estimate);
        let [sample, sums] = match estimate {
            Mode::Mean => [8, 0],
            Mode::AlphaCorrected => [8, 1],
            Mode::DepthOnly => [4, DRAWN_SUMS],
        };
        PixelBytes {
            state: samples * 2 * NUMBER + 5 * NUMBER,
            drawn: Some(samples * sample + sums),
        }
    }

    fn words(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        let noise = match method.noise {
            Noise::White => "",
            noise => &format!(" {noise}"),
        };
        let frames = match method.accumulate {
            1 => "",
            frames => &format!(" x {frames}"),
        };
        Some(format!(
            "{}{frames} {}{noise}",
            method.samples, method.estimate
        ))
    }

    fn frames(&self, of: &Specialization) -> u32 {
        of.options.method.accumulate
    }

    fn made(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        of: &Specialization,
        extent: &Extent,
    ) -> Result<Box<dyn Made>> {
        let composite = Computed::new(gpu, pipelines, of, extent)?;
        Ok(match of.options.method.accumulate {
            1 => Box::new(composite),
            _ => Box::new(Accumulated::new(gpu, of, composite)?),
        })
    }

    /// Both walks go through blocks of 16 samples, and the first draws four samples a turn.
    fn turns(&self, of: &Specialization) -> u32 {
        let samples = of.options.method.samples;
        let with_end = |turns: u32| turns + 1;
        let blocks = with_end(samples.div_ceil(16));
        1 + with_end((samples / 2).div_ceil(4)) + blocks + 1 + blocks + 1
    }
}

/// Bytes of a pixel's sums, and of the number of frames that they are of.
const SUMS: u64 = 20;

/// The method with the sums of frames, ready to record.
struct Accumulated {
    composite: Computed,
    sums: wgpu::Buffer,
    binds: Binds,
}

impl Accumulated {
    fn new(gpu: &Gpu, of: &Specialization, composite: Computed) -> Result<Self> {
        let pixels = u64::from(composite.workgroups) * u64::from(of.geometry(&gpu.caps).workgroup);
        let (bytes, most) = (SUMS * pixels, gpu.caps.max_binding_bytes);
        if bytes > most {
            return Err(Error::unavailable(format!(
                "{}: the sums of frames take {bytes} bytes, and a buffer on {} holds {most}; choose --accumulate 1 or a smaller --size",
                of.method, gpu.caps.name
            )));
        }
        let sums = storage_buffer(gpu, "sums of frames", bytes);
        Ok(Self {
            binds: Binds::new([("frame_sums", sums.as_entire_binding())]),
            composite,
            sums,
        })
    }
}

impl Made for Accumulated {
    fn record(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder,
        label: Label,
        resources: &[&Binds],
        times: u32,
    ) -> Result<()> {
        let binds: Vec<&Binds> = resources.iter().copied().chain([&self.binds]).collect();
        self.composite.record(gpu, recorder, label, &binds, times)
    }

    fn begin_anew(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.sums, 0, None);
    }

    fn bytes(&self) -> u64 {
        self.sums.size()
    }
}
