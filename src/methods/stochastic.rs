//! Stochastic transparency (`shaders/methods/stochastic.wesl`).

use crate::gpu::shader::Variant;

use super::any_order::AnyOrder;
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

    fn words(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        Some(format!("{} {}", method.samples, method.estimate.name()))
    }

    /// Both walks go through blocks of 16 samples, and the first draws four samples a turn.
    fn turns(&self, of: &Specialization) -> u32 {
        let samples = of.options.method.samples;
        let with_end = |turns: u32| turns + 1;
        let blocks = with_end(samples.div_ceil(16));
        1 + with_end((samples / 2).div_ceil(4)) + blocks + 1 + blocks + 1
    }
}
