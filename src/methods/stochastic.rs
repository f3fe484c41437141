//! Stochastic transparency (`shaders/methods/stochastic.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::passes::Inputs;

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Methods that draw at random which samples a layer covers.
pub(super) struct Stochastic;

impl Family for Stochastic {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let method = of.options.method;
        any_order::constants(of, variant)
            .with("SAMPLES", method.samples)
            .with("ESTIMATE", method.estimate as u32)
            .with("NOISE", method.noise as u32)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        let method = of.options.method;
        Some(format!("{} {}", method.samples, method.estimate.name()))
    }

    /// Both walks go through blocks of 16 samples, and the first draws four samples a turn.
    fn turns_per_layer(&self, of: &Specialization) -> Option<u32> {
        let samples = of.options.method.samples;
        let with_end = |turns: u32| turns + 1;
        let blocks = with_end(samples.div_ceil(16));
        Some(1 + with_end((samples / 2).div_ceil(4)) + blocks + 1 + blocks + 1)
    }

    fn make(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        of: Specialization,
        extent: &Extent,
    ) -> Result<Box<dyn Made>> {
        any_order::check(gpu, &of, extent)?;
        Ok(Box::new(Computed::new(gpu, pipelines, &of, extent)?))
    }
}
