//! Moment-based transparency (`shaders/methods/moment.wesl`).

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::Capabilities;
use crate::model::passes::Inputs;
use crate::model::reference::oit::moment::Basis;
use crate::model::reference::oit::{Range, of_method};

use crate::frame::Extent;

use super::any_order;
use super::composite::Computed;
use super::family::{Family, Made};
use super::specialization::{Geometry, Specialization};

/// Methods that reconstruct transmittance from moments.
pub(super) struct Moment;

impl Family for Moment {
    fn inputs(&self, of: &Specialization) -> Inputs {
        any_order::inputs(of)
    }

    fn geometry(&self, of: &Specialization, _caps: &Capabilities) -> Geometry {
        any_order::geometry(of)
    }

    fn constants(&self, of: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        // Constants do not depend on depths.
        let technique = of_method::moment(&of.options, Range::new(1.0, 2.0));
        any_order::constants(of, variant)
            .with("MOMENT_PAIRS", technique.half as u32)
            .with_bool("TRIGONOMETRIC", technique.basis == Basis::Trigonometric)
            .with_f32("MOMENT_BIAS", technique.bias as f32)
            .with_f32("OVERESTIMATION", technique.overestimation as f32)
    }

    fn place(&self, of: &Specialization) -> Option<String> {
        Some(of.options.method.moments.name().to_owned())
    }

    fn turns_per_layer(&self, _of: &Specialization) -> Option<u32> {
        Some(2 * any_order::TURNS_PER_LAYER)
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
