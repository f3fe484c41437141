//! Stochastic transparency (`shaders/methods/stochastic.wesl`).

use crate::gpu::shader::Variant;

use crate::model::methods::{Method, PixelBytes};
use crate::model::options::MethodOptions;
use crate::model::reference::oit::stochastic::{Mode, Noise};

use super::any_order::{AnyOrder, DRAWN_SUMS, NUMBER};
use super::specialization::Specialization;

/// Methods that draw at random which samples a layer covers.
pub(super) struct Stochastic;

impl AnyOrder for Stochastic {
    fn own_constants(&self, of: &Specialization, variant: Variant) -> Variant {
        let method = of.options.method;
        variant
            .with("SAMPLES", method.samples)
            .with("ESTIMATE", method.estimate as u32)
            .with("NOISE", method.noise as u32)
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
            noise => &format!(" {}", noise.name()),
        };
        Some(format!(
            "{} {}{noise}",
            method.samples,
            method.estimate.name()
        ))
    }

    /// Both walks go through blocks of 16 samples, and the first draws four samples a turn.
    fn turns(&self, of: &Specialization) -> u32 {
        let samples = of.options.method.samples;
        let with_end = |turns: u32| turns + 1;
        let blocks = with_end(samples.div_ceil(16));
        1 + with_end((samples / 2).div_ceil(4)) + blocks + 1 + blocks + 1
    }
}
