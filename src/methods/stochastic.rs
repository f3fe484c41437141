//! Stochastic transparency (`shaders/methods/stochastic.wesl`).

use crate::error::{Error, Result};
use crate::frame::Extent;
use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::reference::oit::stochastic::{Mode, Noise};
use crate::model::{Capabilities, Feature};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER};
use super::composite::Computed;
use super::family::{Made, Making};
use super::own_buffer::WithBuffer;
use super::specialization::Specialization;

/// Methods that draw at random which samples a layer covers.
pub(super) struct Stochastic;

impl AnyOrder for Stochastic {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let method = of.options.method;
        let is_layered = method.estimate == Mode::Layered;
        let variant = variant
            .with("SAMPLES", method.samples)
            .with("NOISE", method.noise as u32)
            .feature(Feature::Layered, is_layered);
        let variant = match is_layered {
            true => variant
                .with("ESTIMATE", Mode::Mean as u32)
                .with("KEPT", method.kept),
            false => variant.with("ESTIMATE", method.estimate as u32),
        };
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
            with(8, Mode::Depth, Noise::White),
            with(1, Mode::Depth, Noise::White),
            with(64, Mode::Depth, Noise::White),
            with(8, Mode::Depth, Noise::Blue),
            with(8, Mode::Corrected, Noise::White),
            with(8, Mode::Mean, Noise::White),
            with(1, Mode::Mean, Noise::Hash),
            with(32, Mode::Layered, Noise::White),
        ]
    }

    /// A sample has depth and item; drawn, depth and, but for `depth`, colour in 8 bits a channel. A layer has samples besides.
    fn bytes(&self, of: &Specialization) -> PixelBytes {
        let method = of.options.method;
        let MethodOptions { samples, kept, .. } = method;
        let [own, drawn] = match method.estimate {
            Mode::Mean => [samples * 2 * NUMBER, samples * 8],
            Mode::Corrected => [samples * 2 * NUMBER, samples * 8 + 1],
            Mode::Depth => [samples * 2 * NUMBER, samples * 4 + DRAWN_SUMS],
            Mode::Layered => [kept * 4 * NUMBER, kept * (8 + samples.div_ceil(8))],
        };
        PixelBytes {
            state: own + 5 * NUMBER,
            drawn: Some(drawn),
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
        let kept = match method.estimate {
            Mode::Layered => &format!(" {}", method.kept),
            _ => "",
        };
        Some(format!(
            "{}{frames} {}{kept}{noise}",
            method.samples, method.estimate
        ))
    }

    fn kernel(&self, making: Making) -> Result<Box<dyn Made>> {
        let frames = making.of.options.method.accumulate;
        if frames == 1 {
            return Ok(Box::new(Computed::new(making)?));
        }
        let bytes = bytes_of_sums(making.of, making.extent, &making.gpu.caps)?;
        WithBuffer::boxed(making, ("frame_sums", bytes), frames)
    }

    /// Both walks go through blocks of 16 samples, or the first three times and the second once through the layers that are kept, by
    /// fours; the first draws four samples a turn.
    fn turns(&self, of: &Specialization) -> u32 {
        let method = of.options.method;
        let with_end = |turns: u32| turns + 1;
        let [first, second] = match method.estimate {
            Mode::Layered => [3, 1].map(|times| times * with_end(method.kept.div_ceil(4))),
            _ => [with_end(method.samples.div_ceil(16)); 2],
        };
        1 + with_end((method.samples / 2).div_ceil(4)) + first + 1 + second + 1
    }
}

/// Bytes of a pixel's sums, and of the number of frames that they are of.
const SUMS: u64 = 20;

/// Bytes of the sums of all pixels.
///
/// # Errors
/// Unavailable: no buffer of the adapter is so large.
fn bytes_of_sums(of: &Specialization, extent: &Extent, caps: &Capabilities) -> Result<u64> {
    let pixels = u64::from(extent.tiles) * u64::from(of.options.frame.pixels_of_tile());
    let (bytes, most) = (SUMS * pixels, caps.max_binding_bytes);
    if bytes > most {
        return Err(Error::unavailable(format!(
            "{}: the sums of frames take {bytes} bytes, and a buffer of {} has at most {most}; choose --accumulate 1 or a smaller size",
            of.method, caps.name
        )));
    }
    Ok(bytes)
}
